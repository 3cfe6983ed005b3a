"""Greetings between two players."""

from __future__ import annotations

from collections import Counter

from ....i18n import _
from ....spec.board import Side
from ..store import Event
from .offers import ENDING
from .replay import RefusedError

MOST_GREETINGS = 3  # of a side, until the game goes on


class Greetings:
    """The number of greetings of each side since the last move or end, derived from the events of a game."""

    def __init__(self) -> None:
        self._said: Counter[Side] = Counter()

    def apply(self, event: Event) -> None:
        """Update the numbers after an event."""
        if event.kind in ENDING:
            self._said.clear()
        elif event.kind == "greet":
            self._said[event.payload["side"]] += 1

    def require(self, side: Side) -> None:
        """Check that the side may greet.

        Raises:
            RefusedError: it has greeted often enough for now.
        """
        if self._said[side] >= MOST_GREETINGS:
            raise RefusedError(_("That is enough for now: you can greet again after the next move."))
