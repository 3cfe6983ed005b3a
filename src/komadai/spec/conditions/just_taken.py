""":class:`JustTaken`: the capture before."""

from __future__ import annotations

from dataclasses import dataclass

from .base import Checks, Condition, OfTurn


@dataclass(frozen=True, slots=True)
class JustTaken(Condition):
    """With the move before, the opponent captured a piece of one of the kinds ``codes`` with one of the kinds ``by``.

    Positions of a game that asks this remember the point of that capture, in their strings too.

    Attributes:
        codes: the kinds of the captured piece. ``by``: those of the captor as it began its turn.
    """

    codes: tuple[str, ...]
    by: tuple[str, ...]

    asked = frozenset({"turn"})
    tag = "taken"
    core = "JUST_TAKEN"

    def check(self, checks: Checks) -> None:
        checks.codes(self.codes)
        checks.codes(self.by)

    def of_turn(self, at: OfTurn) -> bool:
        return at.taken_on is not None
