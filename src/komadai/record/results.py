"""Results for which a format has no word: a header ``Result`` says them, as in ``Result：1-0 adjudication``.

No record has a header of that name itself. Black's points come first.
"""

from __future__ import annotations

from typing import Literal

from ..game.outcome import BY_RULE
from ..spec.board import Side, other
from .tree import ENDS, Record, Result

NAME = "Result"
POINTS: dict[Side | None, str] = {"b": "1-0", "w": "0-1", None: "1/2-1/2"}
WINNERS = {points: winner for winner, points in POINTS.items()}


How = Literal["loses", "wins", "draw", "open"]
"""How a game ends by a word, from the side that would move next: it loses, it wins, nobody does, or the game is left
open."""


def result_of(end: tuple[How, str], turn: Side) -> Result | None:
    """The result of an end, how and by which reason, while ``turn`` is to move; ``None`` leaves it open."""
    how, reason = end
    winners: dict[str, Side | None] = {"loses": other(turn), "wins": turn, "draw": None}
    return None if how == "open" else Result(winners[how], reason)


def header_for(record: Record, words: Result | None) -> dict[str, str]:
    """The header of a record whose moves and end are read as the result ``words``; empty where that is its own."""
    result = record.result
    if words is not None and words.reason in BY_RULE:
        words = Result(words.winner, "adjudication")  # as it is read where the moves do not confirm it
    if result is None or result == words or result.reason in BY_RULE:
        return {}
    return {NAME: f"{POINTS[result.winner]} {result.reason}"}


def result_in(name: str, value: str) -> Result | None:
    """The result that a header says, ``None`` if it is another or says none."""
    points, _blank, reason = value.strip().partition(" ")
    if name != NAME or points not in WINNERS or reason not in ENDS or reason in BY_RULE:
        return None
    return Result(WINNERS[points], reason)
