"""Values of games so small that all positions after the start are listed, beside their tables and by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

import komadai
from komadai.errors import SpecError
from komadai.solve import build
from komadai.solve.forward import value_of_start
from komadai.spec import Becomes, FarRanks, Kind, Rect, Repetition, Squares, Stands, Variant, Walk
from komadai.spec.movement import Movement

KING = Kind("K", "king", "玉", "gyoku", "K", royal=True)
PAWN = Kind("P", "pawn", "歩", "fu", "fmWfcF")


def small(width: int, height: int, start: str, *kinds: Kind, **more: object) -> Variant:
    made = Variant(
        id="small", name="Small", version="1", board=Rect(width, height), start=start, kinds=kinds, hand_order=(),
        summary="Small.", sources=("own",),
    )  # fmt: skip
    return replace(made, **more)  # type: ignore[arg-type]


RACE = small(3, 3, "ppp/3/PPP b -", PAWN, wins_if=Stands(("P",), FarRanks(1)))
"""Three pawns a side: a game of m and c legs, which the second player wins."""


def test_three_pawns_a_side_are_lost_for_who_begins() -> None:
    positions, value = value_of_start(RACE)
    assert 50 < positions < 500
    assert str(value) == "loss in 6 plies"


def test_two_pawns_and_one_pawn() -> None:
    one = small(1, 4, "p/1/1/P b -", PAWN, wins_if=Stands(("P",), FarRanks(1)))
    assert str(value_of_start(one)[1]) == "loss in 2 plies", "they meet, and Black cannot move"
    two = small(2, 4, "p1/2/2/1P b -", PAWN, wins_if=Stands(("P",), FarRanks(1)))
    assert str(value_of_start(two)[1]) == "win in 3 plies", "Black takes, or runs by"


@pytest.mark.parametrize(
    "start",
    [
        "1k1/3/1GK b -",
        "k2/3/2K b -",
        "kg1/3/GK1 w -",
        pytest.param("gk1/3/1KG b -", marks=pytest.mark.slow),
    ],
)
def test_the_value_is_that_of_the_table(start: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    gold = Kind("G", "gold general", "金", "kinshō", "WfF", Becomes(captured="G"))
    variant = small(3, 3, start, KING, gold, hand_order=("G",))
    table = build(variant, path=tmp_path_factory.mktemp("table") / "small.table", threads=1)
    wanted = table.probe(komadai.Position(variant))
    if start == "k2/3/2K b -":
        assert str(wanted) == "draw"
    assert value_of_start(variant)[1] == wanted


PERPETUAL = Repetition(4, perpetual_check_loses=True)


def test_a_forced_win_is_one_whatever_repetition_means() -> None:
    gold = Kind("G", "gold general", "金", "kinshō", "WfF", Becomes(captured="G"))
    won = small(3, 3, "gk1/3/1KG b -", KING, gold, hand_order=("G",), repetition=PERPETUAL)
    assert value_of_start(won)[1].outcome == "win"


def test_a_draw_by_repetition_is_unknown_where_that_may_lose() -> None:
    kings = small(3, 3, "k2/3/2K b -", KING)
    assert str(value_of_start(kings)[1]) == "draw"
    for repetition in (PERPETUAL, Repetition(2, loser="b")):
        with pytest.raises(SpecError, match="positions recur, and not every repetition is a draw"):
            value_of_start(replace(kings, repetition=repetition))


def test_games_of_walks_are_solved() -> None:
    twice = Kind("D", "double step", "倍", "bai", Movement((), (Walk(((0, 1), (1, 0)), 1, 2),)))
    walk = small(2, 4, "1d/2/2/D1 b -", twice, wins_if=Stands(("D",), Squares(("1a", "2d"))))
    assert str(value_of_start(walk)[1]).startswith(("win", "loss"))


def test_games_that_are_too_large_say_so() -> None:
    with pytest.raises(SpecError, match="more than 5,000 positions can follow the start"):
        value_of_start(komadai.variant("micro"))
    with pytest.raises(SpecError, match="a side may end the game by declaring"):
        value_of_start(komadai.variant("shogi", entering_king="27"))
