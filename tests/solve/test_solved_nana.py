"""The shipped table of Nana, and positions it does not know."""

from __future__ import annotations

import pytest

import komadai
from helpers.solved import NANA_START, mirrored, nana, turned
from helpers.support import ROOT, by_reference, play, random_play
from helpers.volume import FULL, volume
from komadai import solve
from komadai.engine import Engine
from komadai.errors import NotationError, SpecError
from komadai.game.position import Position
from komadai.solve import Value

# --- Nana -----------------------------------------------------------------------------------------------------------


def test_the_value_of_nana() -> None:
    table = nana()
    start = Position("nana")
    assert str(table.probe(start)) == NANA_START
    moves = table.moves(start)
    assert {str(move.move) for move in moves if move.best} == {"K*1b", "K*3b"}
    assert moves[0].best
    assert moves[0].value.distance == 125
    assert {move.move.text for move in moves if move.blunder} == {
        m.move.text for m in moves if m.value.outcome != "win"
    }
    line = table.line(start)
    assert len(line) == 125
    end = play("nana", *map(str, line)).outcome()
    assert end is not None
    assert end.winner == "b"


def test_a_table_is_found_by_its_game_or_its_name() -> None:
    assert solve.open("nana") is solve.find("nana") is solve.find(komadai.variant("nana"))
    front = solve.open("nana", drop_faces="front")
    assert solve.find("nana", drop_faces="front") is front
    assert front.variant == komadai.variant("nana", drop_faces="front")
    assert solve.find("shogi") is None
    for wrong in (lambda: solve.find("nanna"), lambda: solve.find("nana", faces="front"), lambda: solve.build("nanna")):
        with pytest.raises(NotationError, match="did you mean"):
            wrong()
    with pytest.raises(SpecError, match="cannot be solved completely"):
        solve.build("shogi")


def test_one_in_a_hundred_values_of_nana_follow_from_the_moves() -> None:
    audit = nana().audit(one_in=100 if FULL else 1_000, seed=5)
    assert audit.positions > (100_000 if FULL else 10_000)
    assert not audit.wrong


def test_the_reference_confirms_random_values_of_nana() -> None:
    audit = nana().check_by_reference(10_000 if FULL else 300, seed=6)
    assert audit.moves > audit.positions
    assert not audit.wrong


def test_the_statistics_of_nana_add_up() -> None:
    statistics = nana().statistics
    assert all(most >= some for most, some in zip(statistics.positions, statistics.reachable, strict=True))
    shares = statistics.shares(statistics.positions)
    assert sum(shares.values()) == sum(statistics.positions)
    assert len(statistics.positions) == 183, "181 plies, and draws"


def test_the_page_tells_what_the_table_says() -> None:
    page = (ROOT / "docs" / "solved" / "nana.md").read_text(encoding="utf-8")
    statistics = nana().statistics
    said = [nana().about["values"], "Black wins in 125 plies", *(p.position for p in nana().hardest(5))]
    for counts in (statistics.positions, statistics.reachable):
        said += [f"{count:,}".replace(",", " ") for count in (sum(counts), *statistics.shares(counts).values())]
    assert not [one for one in said if one not in page], "run: python tools/solved_page.py nana nana-1998"
    numbers = (ROOT / "docs" / "solved" / "nana-distance.csv").read_text(encoding="utf-8").splitlines()
    assert f'"nana",181,{statistics.positions[182]},{statistics.reachable[182]}' in numbers


def test_values_do_not_depend_on_how_the_board_lies() -> None:
    table = nana()
    for position, _ in random_play(komadai.variant("nana"), 7, volume(300)):
        setup, value = position.setup(), table.probe(position)
        assert value is not None
        for same in (turned(setup), mirrored(position.variant, setup)):
            assert table.probe(Position("nana", same)) == value


def test_moves_are_all_legal_moves_with_their_values() -> None:
    table = nana()
    for position, _ in random_play(komadai.variant("nana"), 8, volume(200)):
        moves, value = table.moves(position), table.probe(position)
        assert {str(move.move) for move in moves} == by_reference(position)
        assert value is not None
        if not moves:
            assert value == Value("loss", 0)
            continue
        assert value == moves[0].value
        assert [move.value.rank for move in moves] == sorted((move.value.rank for move in moves), reverse=True)
        assert all(move.best == (move.value == value) for move in moves)
        assert all(move.blunder == (move.value.outcome != value.outcome) for move in moves)


def test_hardest_wins() -> None:
    table = nana()
    puzzles = table.hardest()
    assert len(puzzles) == 50
    assert puzzles[0].distance == 181
    distances = [puzzle.distance for puzzle in table.hardest(1_000)]
    assert distances == sorted(distances, reverse=True)
    assert set(distances) == set(range(1, 182, 2)), "something of every length"
    for puzzle in puzzles[:10]:
        moves = table.moves(Position("nana", puzzle.position))
        assert moves[0].value == Value("win", puzzle.distance)
        assert sum(move.value.outcome == "win" for move in moves) == puzzle.winning
    assert all(puzzle.winning == 1 for puzzle in table.hardest(5, only_move=True))


@pytest.mark.parametrize("position", ["K2/3/3 w RBkrb", "3/3/2k b KRBrb"])
def test_the_opening_is_known(position: str) -> None:
    assert nana().probe(Position("nana", position)) is not None


@pytest.mark.parametrize("position", ["K2/3/R2 w Bkrb", "K2/3/2k b RBr", "K1R/3/2k b -"])
def test_what_play_cannot_lead_to_is_unknown(position: str) -> None:
    at = Position("nana", position)
    assert nana().probe(at) is None
    assert nana().moves(at) == []
    assert Engine("nana").search(at, depth=2).move in at.legal_moves()


def test_positions_of_other_games_are_refused() -> None:
    for other in (Position("nana", drop_faces="front"), Position("nana-1998"), Position("shogi")):
        with pytest.raises(NotationError, match="the table of nana"):
            nana().probe(other)
    assert nana().probe(Position("nana", illegal_move="loses")) is not None, "the option changes no value"


def test_values_in_words() -> None:
    assert str(Value("win", 1)) == "win in 1 ply"
    assert str(Value("loss", 4)) == "loss in 4 plies"
    assert str(Value("draw", None)) == "draw"
