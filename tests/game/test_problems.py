"""Positions with one king: problems take them, games do not."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest

import komadai
from helpers.support import DEFAULTS, legal, needs_threads, royals_begin_on_the_board
from helpers.talking import Client
from komadai import Engine, Game, IllegalPositionError, Position, Record, record
from komadai.errors import NotationError
from komadai.lab.arena.openings import parse_opening, read_openings
from komadai.record import Format
from komadai.spec.variant import Variant

HEAD_GOLD = "4k4/9/4P4/9/9/9/9/9/9 b G"

# The side to move has no king, or the other; nodes by cshogi, another program.
COUNTED = [
    (HEAD_GOLD, [81, 304, 2572]),
    ("7nl/7k1/6p1p/7P1/6S1P/9/9/9/9 b GNr", [138, 10236]),
    ("9/9/9/9/9/9/4p4/9/4K4 w rg", [160, 558, 51668]),
]


@pytest.mark.parametrize(("start", "nodes"), COUNTED)
def test_moves_are_those_that_another_program_finds(start: str, nodes: list[int]) -> None:
    position = Position.problem("shogi", start)
    assert [position.perft(depth) for depth in range(1, len(nodes) + 1)] == nodes


def test_nothing_attacks_the_side_without_a_king() -> None:
    position = Position.problem("shogi", "4k4/4r4/9/9/4P4/9/9/9/9 b -")
    assert legal(position) == {"5e5d"}
    assert not position.is_check()
    assert (position.royals("b"), position.royals("w")) == (frozenset(), {"5a"})
    position.push("5e5d")
    assert position.outcome() is None
    assert not position.can_agree_draw()
    assert Position.problem("shogi", "4k4/9/9/9/4r4/9/4P4/9/9 b -").explain("5g5f") == "5g5f is legal"


def test_its_king_remains_protected() -> None:
    with pytest.raises(IllegalPositionError, match="White's king is attacked although Black is to move"):
        Position.problem("shogi", "4k4/4R4/9/9/9/9/9/9/9 b -")
    position = Position.problem("shogi", "4k4/9/9/9/4R4/9/9/9/9 w -")
    assert position.is_check()
    assert "5a5b" not in legal(position)


def test_a_copy_is_a_problem_too() -> None:
    position = Position.problem("shogi", HEAD_GOLD)
    position.push("G*6b")
    for again in (copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert again == position
        assert again.move_stack == position.move_stack
    game = Game.problem("shogi", HEAD_GOLD)
    game.push("G*5b")
    assert str(pickle.loads(pickle.dumps(game)).outcome()) == "Black wins: checkmate"


@pytest.mark.parametrize("variant", DEFAULTS)
def test_which_games_have_problems_with_one_king(variant: Variant) -> None:
    bare = Position(variant).setup()
    bare = type(bare)(tuple(None for _ in bare.board), tuple(tuple(0 for _ in hand) for hand in bare.hands), "b")
    if variant.survives_if is not None:
        assert Position.problem(variant, bare).outcome() is not None, "a side without what it needs has lost"
        return
    with pytest.raises(IllegalPositionError) as refused:
        Position.problem(variant, bare)
    if royals_begin_on_the_board(variant):
        assert refused.value.defects == ("neither side has a king; a problem needs at least one",)
    else:
        assert "players drop theirs in this game, so a problem has both too" in refused.value.defects[0]


@pytest.mark.parametrize("start", ["4k4/9/9/9/9/9/9/9/3KK4 b -", "3kk4/9/9/9/9/9/9/9/9 b -"])
def test_two_kings_of_a_side_are_no_problem_either(start: str) -> None:
    with pytest.raises(IllegalPositionError, match="king is there 2 times; expected 1"):
        Position.problem("shogi", start)


def test_a_pawn_may_not_mate_by_a_drop_here_either() -> None:
    assert "P*1b" not in legal(Position.problem("shogi", "7nk/9/7GP/9/9/9/9/9/9 b P"))
    assert Engine("shogi").mate(Position.problem("shogi", "7nk/9/7G1/9/9/9/9/9/9 b P")).outcome == "no mate"


# --- Where they are taken, and where not ---


@pytest.mark.parametrize("form", ["kif", "csa", "usi", "text", "json"])
def test_records_of_them_are_written_and_read(form: Format) -> None:
    made = Record.begin("shogi", HEAD_GOLD).add(0, "G*6b")[0].add(1, "5a4a")[0]
    [again] = record.read(record.write([made], form))
    assert (again.start, [node.move for node in again.nodes]) == (made.start, ["", "G*6b", "5a4a"])
    assert again.game().position.sfen() == "5k3/3G5/4P4/9/9/9/9/9/9 b -"


@pytest.mark.parametrize("name", ["mortal", "hand"])
def test_records_of_other_games(name: str) -> None:
    made = Record.begin(name, "4k4/9/9/9/9/9/9/9/9 b G").add(0, "G*6b")[0]
    assert record.read(record.write([made], "text")) == [made]


@needs_threads
def test_protocols_take_them() -> None:
    client = Client("shogi")
    client.send(f"position sfen {HEAD_GOLD}", "go mate infinite")
    assert client.until("checkmate")[-1] == "checkmate G*5b"
    assert client.best("go nodes 500") == "G*5b"


def test_games_do_not_begin_from_them(tmp_path: Path) -> None:
    for begin in (Position, Game):
        with pytest.raises(IllegalPositionError, match="Black's king is there 0 times; expected 1"):
            begin("shogi", HEAD_GOLD)
    with pytest.raises(IllegalPositionError, match="expected 1"):
        parse_opening(komadai.variant("shogi"), HEAD_GOLD)
    (tmp_path / "openings").write_text(f"7g7f\n{HEAD_GOLD}\n")
    with pytest.raises(NotationError, match=r"line 2: .*expected 1"):
        read_openings(komadai.variant("shogi"), tmp_path / "openings")
