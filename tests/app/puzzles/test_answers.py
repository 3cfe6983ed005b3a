"""Answers to the moves of people who solve puzzles."""

from __future__ import annotations

import pytest

import komadai
from komadai.app.puzzles import Puzzle, Theme, files, judge, refute
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


def test_another_win_is_right_where_the_theme_allows_it() -> None:
    puzzle = next(one for one in komadai.app.puzzles.load("nana") if one.plies == 5)
    table = komadai.solve.open("nana")
    position = puzzle.start()
    for move in puzzle.solution[:2]:
        position.push(move)
    verdicts = {str(one.move): judge(puzzle, [*puzzle.solution[:2], one.move]).right for one in table.moves(position)}
    assert verdicts == {str(one.move): one.value.outcome == "win" for one in table.moves(position)}


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
