""":class:`GivesCheck`: an attack on a royal piece."""

from __future__ import annotations

from dataclasses import dataclass

from .base import Condition, OfEnd, OfMove


@dataclass(frozen=True, slots=True)
class GivesCheck(Condition):
    """After the move a royal piece of the opponent is attacked. As the goal of a side: it attacks one."""

    asked = frozenset({"move", "end"})
    tag = "check"
    core = "GIVES_CHECK"

    def of_move(self, at: OfMove) -> bool:
        return at.gives_check()

    def of_end(self, at: OfEnd) -> bool:
        return at.gives_check()
