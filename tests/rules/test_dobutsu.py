"""The rules of docs/rules/dobutsu.md by their numbers, each on a position of its own."""

from __future__ import annotations

import pytest

import komadai
from helpers.support import dropped, ended, legal, play, refusal, ways
from komadai.game.outcome import Outcome
from komadai.game.position import Piece, Position

# --- Pieces ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "square", "targets"),
    [
        ("2l/3/1L1/3 b -", "2c", {"1b", "2b", "3b", "1c", "3c", "1d", "2d", "3d"}),
        ("2l/3/1G1/2L b -", "2c", {"2b", "1c", "3c", "2d"}),
        ("2l/3/1E1/L2 b -", "2c", {"1b", "3b", "1d"}),
        ("2l/3/1C1/2L b -", "2c", {"2b"}),
        ("l2/1c1/3/2L w -", "2b", {"2c"}),
        ("2l/3/1+C1/L2 b -", "2c", {"1b", "2b", "3b", "1c", "3c", "2d"}),
        ("l2/1+c1/3/L2 w -", "2b", {"1c", "2c", "3c", "1b", "3b", "2a"}),
    ],
)
def test_pieces_moves(position: str, square: str, targets: set[str]) -> None:
    assert {way.removesuffix("+") for way in ways("dobutsu", position, square)} == targets


def test_it_is_on_the_shelf_and_not_among_the_games_of_the_house() -> None:
    assert "dobutsu" in komadai.variants(shelf=True)
    assert "dobutsu" not in komadai.variants(shelf=False)
    assert set(komadai.variants(shelf=False)) < set(komadai.variants(shelf=True))
    assert Position("dobutsu").sfen() == "gle/1c1/1C1/ELG b -"


# --- Rules ----------------------------------------------------------------------------------------------------------


def test_rule_1_a_lion_may_be_left_where_it_can_be_caught() -> None:
    attacked = play("dobutsu", "2c2b")
    assert attacked.is_check()
    assert legal(attacked) == {"2a2b", "2a1b", "2a3b", "1a2b", "3a3b"}


def test_rule_1_a_lion_may_step_where_it_can_be_caught() -> None:
    assert "2c2b" in legal(Position("dobutsu", "1l1/3/1L1/3 b -"))


def test_rule_2_who_catches_the_lion_has_won() -> None:
    over = play("dobutsu", "2c2b", "3a3b", "2b2a+")
    assert over.outcome() == Outcome("b", "extinction")
    assert str(over.outcome()) == "Black wins: White’s lion is caught"
    assert legal(over) == set()
    assert "the game is over: White’s lion is caught" in over.explain("3b3c")


def test_rule_2_the_caught_lion_goes_to_no_hand() -> None:
    assert play("dobutsu", "2c2b", "3a3b", "2b2a+").hand("b") == {"C": 1}


def test_rule_2_a_lion_that_can_be_caught_is_in_check() -> None:
    assert Position("dobutsu", "1l1/1G1/3/2L w -").is_check()
    assert not Position("dobutsu", "1l1/1E1/3/2L w -").is_check()


@pytest.mark.parametrize(
    ("position", "move", "winner"), [("3/L2/2l/3 b -", "3b3a", "b"), ("g2/1L1/2l/3 b -", "2b1a", "b")]
)
def test_rule_3_a_lion_on_the_last_rank_wins(position: str, move: str, winner: str) -> None:
    assert play("dobutsu", move, start=position).outcome() == Outcome(winner, "goal")  # type: ignore[arg-type]


def test_rule_3_the_end_is_told_in_words_and_no_move_follows() -> None:
    over = play("dobutsu", "3b3a", start="3/L2/2l/3 b -")
    assert str(over.outcome()) == "Black wins: the lion has reached the far rank, where nothing attacks it"
    assert legal(over) == set()
    assert "the game is over: the lion has reached the far rank" in over.explain("1c1d")


def test_rule_3_an_attacked_lion_on_the_last_rank_has_not_won() -> None:
    open_ = play("dobutsu", "3b3a", start="1g1/L2/2l/3 b -")
    assert open_.outcome() is None
    assert "2a3a" in legal(open_)


def test_rule_3_a_lion_on_the_last_rank_has_won_once_nothing_attacks_it() -> None:
    ignored = play("dobutsu", "3b3a", "2a1a", start="1g1/L2/2l/3 b -")
    assert ignored.outcome() == Outcome("b", "goal")
    shielded = play("dobutsu", "3b3a", "1c1d", start="1g1/L2/2l/3 b -")
    assert shielded.outcome() == Outcome("w", "goal"), "White has gone to the last rank itself, and Black has not won"


def test_rule_3_ones_own_last_rank_is_no_goal() -> None:
    assert play("dobutsu", "1c1d", start="l2/3/2L/3 b -").outcome() is None


def test_rule_4_a_chick_becomes_a_hen_on_the_last_rank() -> None:
    assert ways("dobutsu", "2l/C2/3/2L b -", "3b") == {"3a+"}
    assert play("dobutsu", "3b3a+", start="2l/C2/3/2L b -").piece_at("3a") == Piece("b", "+C")
    assert ways("dobutsu", "2l/3/C2/2L b -", "3c") == {"3b"}


@pytest.mark.parametrize(
    ("position", "move", "hand"),
    [
        ("2l/c2/C2/2L b -", "3c3b", {"C": 1}),
        ("2l/+c2/C2/2L b -", "3c3b", {"C": 1}),
        ("2l/g2/C2/2L b G", "3c3b", {"G": 2}),
        ("2l/e2/C2/2L b -", "3c3b", {"E": 1}),
    ],
)
def test_rule_5_a_captured_piece_goes_to_hand(position: str, move: str, hand: dict[str, int]) -> None:
    assert play("dobutsu", move, start=position).hand("b") == hand


def test_rule_6_drops_on_any_empty_square() -> None:
    empty = {"2a", "1b", "2b", "3b", "1c", "2c", "3c", "1d", "2d"}
    assert dropped("dobutsu", "2l/3/3/L2 b C", "C") == empty | {"3a"}
    assert dropped("dobutsu", "C1l/3/3/L2 b CG", "C") == dropped("dobutsu", "C1l/3/3/L2 b CG", "G") == empty


def test_rule_6_a_chick_dropped_on_the_last_rank_never_moves() -> None:
    assert play("dobutsu", "C*3a", start="2l/3/3/L2 b C").piece_at("3a") == Piece("b", "C")
    assert ways("dobutsu", "C1l/3/3/L2 b -", "3a") == set()


def test_rule_6_a_hen_is_never_dropped() -> None:
    assert "cannot be dropped" in refusal("dobutsu", "2l/3/3/L2 b C", "+C*2b")


def test_rule_7_the_third_occurrence_is_a_draw() -> None:
    moves = ("1d1c", "3a3b", "1c1d", "3b3a") * 2
    assert ended(Position("dobutsu", "g1l/3/3/L1G b -"), *moves) == Outcome(None, "repetition")


def test_rule_7_perpetual_attack_on_the_lion_is_a_draw_too() -> None:
    position = Position("dobutsu", "1G1/l2/3/2L b -")
    for _ in range(2):
        assert position.outcome() is None
        for attack, flight in (("2a2b", "3b3a"), ("2b2a", "3a3b")):
            position.push(attack)
            assert position.is_check()
            position.push(flight)
    assert position.outcome() == Outcome(None, "repetition")
