""":class:`InHand`: pieces in hand."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from .base import Checks, Condition, OfMove, Tables, Translation


@dataclass(frozen=True, slots=True)
class InHand(Condition):
    """Before the move the mover had a piece of one of these hand kinds in hand; without ``codes``, any piece."""

    codes: tuple[str, ...] = ()

    asked = frozenset({"move"})
    tag = "hand"
    of_the_point = True
    core = "IN_HAND"

    def check(self, checks: Checks) -> None:
        checks.hand_codes(self.codes)

    def of_move(self, at: OfMove) -> bool:
        return any(count and (not self.codes or code in self.codes) for code, count in at.held())

    def argument(self, tables: Tables) -> int:
        order = tables.hand_order
        return sum(1 << order.index(code) for code in self.codes or order)

    @classmethod
    def translated(cls, argument: int, by: Translation) -> Hashable:
        return by.slots(argument)
