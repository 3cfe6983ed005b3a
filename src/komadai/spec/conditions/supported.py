""":class:`Supported`: a piece with support."""

from __future__ import annotations

from dataclasses import dataclass

from .base import Checks, Condition, InPlace


@dataclass(frozen=True, slots=True)
class Supported(Condition):
    """The piece, where it is after the move, has the support that ``Variant.support`` describes."""

    asked = frozenset({"move", "landing", "turn_end"})
    tag = "supported"
    core = "SUPPORTED"

    def check(self, checks: Checks) -> None:
        checks.support()

    def in_place(self, at: InPlace) -> bool:
        return at.is_supported()
