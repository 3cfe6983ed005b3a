""":class:`Mates`: a move that mates."""

from __future__ import annotations

from dataclasses import dataclass

from .base import Condition, OfMove


@dataclass(frozen=True, slots=True)
class Mates(Condition):
    """After the move the opponent is in check and has no legal reply.

    Rules that themselves contain :class:`Mates` are not applied to the replies: such a rule would refer to itself
    (docs/rules/nana.md, rule 6).
    """

    asked = frozenset({"move"})
    tag = "mate"
    core = "MATES"

    def of_move(self, at: OfMove) -> bool:
        return at.mates()
