"""What a move had missed, in the guide's words, in positions of several games."""

from __future__ import annotations

import pytest

from helpers import ko
from komadai import Position
from komadai.view.moments import Missed, missed

HANGING = Position("shogi", "4k4/9/9/9/9/3r2B2/9/9/4K4 b -")
TAKING = Position("shogi", "4k4/9/9/9/9/3R2b2/9/9/4K4 b -")
MATING = Position("shogi", "4k4/9/9/9/9/9/3ppp3/9/4K4 b Pg")  # a gold on 5h mates
STRANDED = Position("ki", "9/9/4k4/9/4K4/9/4[HI]4/9/9 b -")
FIRE = ko.board("P 10j, lb 11h")
FLAME = ko.board("CU 10i, +en 10g")


def said(before: Position, played: str, best: str, reply: str | None = None, **ends: bool) -> Missed:
    after = before.copy()
    after.push(before.parse_move(played))
    answer = None if reply is None else after.parse_move(reply)
    return missed(before, before.parse_move(played), before.parse_move(best), answer, **ends)


@pytest.mark.parametrize(
    ("before", "played", "best", "reply", "kind"),
    [
        (HANGING, "5i5h", "3f4e", "6f3f", Missed("hangs", "lands")),
        (HANGING, "5i5h", "3f4e", "6f6e", Missed("plan")),
        (TAKING, "5i4i", "6f3f", "5a5b", Missed("chance", "lands")),
        (TAKING, "6f3f", "5i4i", "5a5b", Missed("plan")),
        (MATING, "P*2e", "5i4i", None, Missed("threat")),
    ],
)
def test_what_is_taken_or_not_names_the_kind(
    before: Position, played: str, best: str, reply: str | None, kind: Missed
) -> None:
    assert said(before, played, best, reply) == kind


@pytest.mark.parametrize(
    ("position", "square", "way"), [(FIRE, "10j", "shoots"), (FLAME, "10i", "burns")], ids=["shot", "flame"]
)
def test_shots_and_flames_are_told_from_other_captures(position: Position, square: str, way: str) -> None:
    """On both sides of the move: what hung, and what could have been taken."""
    shooter = position.passed()
    takes = [move for move in shooter.legal_moves() if _gone(shooter, move, square) and move.target != square]
    quiet = next(move for move in shooter.legal_moves() if not _gone(shooter, move, square))
    assert said(shooter, quiet.text, takes[0].text) == Missed("chance", way)
    still = next(
        move
        for move in position.legal_moves()
        if move.origin != square and takes[0].text in [reply.text for reply in _after(position, move).legal_moves()]
    )
    assert said(position, still.text, still.text, takes[0].text) == Missed("hangs", way)


def _after(position: Position, move: object) -> Position:
    after = position.copy()
    after.push(str(move))
    return after


def _gone(position: Position, move: object, square: str) -> bool:
    return _after(position, move).piece_at(square) is None


def test_a_cube_that_the_better_move_keeps_is_stranded() -> None:
    away, keeps = "", ""
    for move in STRANDED.legal_moves():
        if STRANDED.losses(move):
            away = away or move.text
        else:
            keeps = keeps or move.text
    assert said(STRANDED, away, keeps) == Missed("stranded")
    assert said(STRANDED, keeps, keeps) != Missed("stranded")


def test_a_forced_win_comes_first_and_one_of_the_opponent_s_after_what_it_takes() -> None:
    assert said(TAKING, "5i4i", "6f3f", won=True) == Missed("win")
    assert said(HANGING, "5i5h", "3f4e", "6f3f", lost=True) == Missed("hangs", "lands")
    assert said(HANGING, "3f4e", "5i5h", lost=True) == Missed("threat")
