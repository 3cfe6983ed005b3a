"""Text in and out: position strings, move strings, and the notations people write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ..game.position import Position
    from ..spec.move import Move
    from ..spec.variant import Variant


class Notation(Protocol):
    """A notation that people write, as the modules ``hodges`` and ``compass`` have it."""

    def write(self, position: Position, move: Move) -> str:
        """The legal move as people write it; ``position`` is the one it is made in."""

    def read(self, position: Position, text: str) -> Move:
        """The one legal move of the position that fits the text."""


def of(variant: Variant) -> Notation:
    """The notation in which moves of the variant are written for people."""
    from . import compass, hodges

    return {"hodges": hodges, "compass": compass}[variant.notation]
