""":class:`BeyondSupport`: a way over points without support."""

from __future__ import annotations

from dataclasses import dataclass

from .base import Checks, Condition, OfMove


@dataclass(frozen=True, slots=True)
class BeyondSupport(Condition):
    """On each of its ways to its target the piece passed over a square where it would not have been :class:`Supported`.

    A leap passes over none, a hop over the piece and all that lies before and behind it. On the square of a root or of
    a supported link it would have been supported.
    """

    asked = frozenset({"move"})
    tag = "beyond"
    core = "BEYOND_SUPPORT"

    def check(self, checks: Checks) -> None:
        checks.support()

    def of_move(self, at: OfMove) -> bool:
        return at.beyond_support()
