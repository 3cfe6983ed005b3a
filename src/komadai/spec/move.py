"""Moves: origin, target and the kind that the piece is afterwards."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Landing(NamedTuple):
    """One landing of a compound move: the point, and the points shot at from there, in order."""

    point: int
    shots: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Move:
    """A move. ``str(move)`` is the move string of docs/rules/README.md.

    Attributes:
        text: the move string; two moves of one position never share it.
        origin: the point it starts from, ``None`` for a drop.
        target: the point it ends on.
        piece: the kind that stands on ``target`` afterwards (for a drop: the face shown); ``None`` if the piece that
            moved has left the game there.
        code: the move as the native core encodes it; ``trail`` is the second word, for compound moves.
        way: every landing in order; empty for a drop. A piece that shoots where it stands lands on its origin.
    """

    text: str
    origin: int | None
    target: int
    piece: str | None
    code: int = field(repr=False)
    trail: int = field(default=0, repr=False)
    way: tuple[Landing, ...] = field(default=(), repr=False)

    @property
    def is_drop(self) -> bool:
        """Whether the piece comes from the hand."""
        return self.origin is None

    def __str__(self) -> str:
        return self.text

    def __hash__(self) -> int:
        return hash((self.code, self.trail))


# Flags of Move.code, as in native/types.hpp: origin | target << 16 | piece << 32 | flags << 48.
DROP = 1
PROMOTES = 2
CHOOSES = 4

# Tags of the items of Move.trail, 16 bits each, the first in the lowest; those of the last landing come after it.
TRAIL_LANDING = 1
TRAIL_SHOT = 2
TRAIL_LAST_SHOT = 3


def suffix(flags: int, piece: str) -> str:
    """The end of a move string that tells of a promotion: ``+``, ``=CODE`` or nothing."""
    return "+" if flags & PROMOTES else f"={piece}" if flags & CHOOSES else ""
