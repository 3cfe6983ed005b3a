"""Answers to the moves of people who solve puzzles."""

from __future__ import annotations

from dataclasses import replace

import pytest

import komadai
from komadai.app.puzzles import Puzzle, Theme, check, files, judge, refute
from komadai.app.puzzles.puzzle import reordered
from komadai.errors import IllegalMoveError, NotationError
from komadai.i18n import speaking
from komadai.variants import build

SHIPPED = sorted(path.stem for path in files.path_of(komadai.variant("nana")).parent.glob("*.tsv"))
MATE = Puzzle(build("shogi"), "7nk/9/5G2P/9/9/9/9/9/4K4 b G", "mate", ("G*1b",), 0)


@pytest.mark.parametrize("game", SHIPPED)
def test_solutions_are_right_to_the_end_and_wrong_moves_are_refuted(game: str) -> None:
    puzzles = komadai.app.puzzles.load(game)
    for puzzle in puzzles[:: len(puzzles) // 4]:
        for turn in range(1, puzzle.turns + 1):
            made = puzzle.solution[: 2 * turn - 1]
            answer = judge(puzzle, made)
            assert answer.verdict == ("solved" if turn == puzzle.turns else "right")
            assert tuple(map(str, answer.reply)) == puzzle.solution[2 * turn - 1 : 2 * turn]
            assert refute(puzzle, *made) == ()
        others = sorted(str(move) for move in puzzle.start().legal_moves() if str(move) != puzzle.solution[0])
        for other in others[:: max(len(others) // 3, 1)]:
            answer = judge(puzzle, [other])
            assert not answer.right
            position = puzzle.start()
            position.push(other)
            for reply in answer.reply:
                position.push(reply)


def test_why_a_move_is_no_mate() -> None:
    assert judge(MATE, ["G*1b"]).verdict == "solved"
    quiet = judge(MATE, ["1c1b"])
    assert quiet.verdict in ("escapes", "no check")
    assert judge(MATE, ["5i5h"]).verdict == "no check"
    hanging = judge(MATE, ["G*2b"])
    assert (hanging.verdict, list(map(str, hanging.reply))) == ("escapes", ["1a2b"])


@pytest.mark.parametrize(
    ("theme", "position", "solution", "other", "verdict"),
    [
        ("defence", "l4k2l/3g2gB1/3sppnpS/p1pp4p/9/PKPPP3P/3N1P3/LB+r6/1N2+r2NL b 4P2g2sp", "2b3a+", "8f9g", "mated"),
        ("material", "4k4/9/4r4/9/9/4R4/9/9/4K4 b -", "5f5c+", "5i6i", "wins less"),
        ("only", "4k4/9/4r4/9/9/4R4/9/9/4K4 b -", "5f5c+", "5i6i", "fails"),
    ],
)
def test_themes_without_an_end_have_one_right_move(
    theme: Theme, position: str, solution: str, other: str, verdict: str
) -> None:
    puzzle = Puzzle(build("shogi"), position, theme, (solution,), 0)
    assert judge(puzzle, [solution]).verdict == "solved"
    refuted = judge(puzzle, [other])
    assert refuted.verdict == verdict
    at = puzzle.start()
    for move in (other, *refuted.reply):
        at.push(move)
    outcome = at.outcome()
    assert (outcome is not None and outcome.winner != puzzle.turn) == (theme == "defence")


def test_a_later_move_is_right_if_it_wins_within_the_plies_of_the_solution() -> None:
    table, seen = komadai.solve.open("nana"), set[str]()
    for puzzle in [one for one in komadai.app.puzzles.load("nana") if one.plies == 5][:20]:
        position = puzzle.start()
        for move in puzzle.solution[:2]:
            position.push(move)
        for one in table.moves(position):
            verdict = judge(puzzle, [*puzzle.solution[:2], one.move]).verdict
            wins = one.value.outcome == "win"
            assert (verdict in ("right", "solved")) == (wins and one.value.distance == 3)
            assert (verdict == "too slow") == (wins and one.value.distance != 3)
            seen.add(verdict)
    assert {"right", "too slow"} <= seen


TWO_ROOKS = "2g1k1g2/9/9/9/9/2R3R2/9/9/4K4 b -"
LATER = Puzzle(
    build("tori"),
    "r1+F3l/3F+S2/sC3k1/1C1S2s/SPC3S/L2s3/4K1R b Sp5s",
    "mate",
    ("4b3c+", "2c1c", "1e1d", "1c1b", "S*1c", "1b2a", "S*2b", "2a3a", "5a4b"),
    0,
)


def test_another_mate_of_the_same_length_is_right_and_a_longer_one_is_too_slow() -> None:
    assert next(check([LATER])) is None
    verdicts = {move: judge(LATER, [*LATER.solution[:2], move]).verdict for move in ("1e1d", "3c1a", "3g4f")}
    assert verdicts == {"1e1d": "right", "3c1a": "right", "3g4f": "no check"}
    short = replace(LATER, solution=LATER.solution[:5])
    assert judge(short, [*LATER.solution[:2], "3c1a"]).verdict == "too slow"


def test_two_orders_of_the_same_moves_are_one_solution() -> None:
    start, line = komadai.Position("shogi"), ("7g7f", "3c3d", "2g2f")
    moves = Puzzle(build("shogi"), start.sfen(), "material", line, 0).moves()
    first = {str(move): reordered(start, moves, move) for move in start.legal_moves()}
    assert [move for move, same in first.items() if same] == ["7g7f", "2g2f"]
    assert list(map(str, first["2g2f"] or ())) == ["2g2f", "3c3d", "7g7f"]
    puzzle = Puzzle(build("shogi"), TWO_ROOKS, "material", ("3f3a+", "5a5b", "7f7a+"), 0)
    answer = judge(puzzle, ["7f7a+"])
    assert (answer.verdict, answer.words) == ("right", "Right, and on.")
    assert judge(puzzle, ["7f7a+", "5a5b", "3f3a+"]).verdict == "solved"
    assert judge(puzzle, ["3f3e"]).verdict == "wins less"


def test_a_later_move_that_wins_as_much_material_is_right() -> None:
    position = "3k5/9/9/9/4r4/9/3N1N3/9/K8 b -"
    puzzle = Puzzle(build("shogi"), position, "material", ("9i9h", "6a6b", "6g5e"), 0)
    assert judge(puzzle, ["9i9h", "6a6b", "4g5e"]).verdict == "solved"
    assert judge(puzzle, ["9i9h", "6a6b", "9h9g"]).verdict == "wins less"


def test_moves_that_cannot_be_judged_are_refused() -> None:
    with pytest.raises(NotationError, match="there are 0; expected an odd number, the last by the solver"):
        judge(MATE, [])
    with pytest.raises(IllegalMoveError):
        judge(MATE, ["1a1b"])


def test_verdicts_are_told_in_words() -> None:
    assert judge(MATE, ["G*1b"]).words == "Solved."
    assert MATE.task == "Mate in 1 ply"
    with speaking("ja"):
        assert MATE.task == "1手詰"
        assert judge(MATE, ["5i5h"]).words == "王手になっていません。詰ますには王手をかけ続けます。"
