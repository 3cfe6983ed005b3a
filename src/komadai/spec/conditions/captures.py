""":class:`Captures`: a move that captures."""

from __future__ import annotations

from dataclasses import dataclass

from .base import Condition, OfMove


@dataclass(frozen=True, slots=True)
class Captures(Condition):
    """The move captures a piece."""

    asked = frozenset({"move"})
    tag = "capture"
    core = "CAPTURES"

    def of_move(self, at: OfMove) -> bool:
        return at.origin != at.point and at.setup.board[at.point] is not None
