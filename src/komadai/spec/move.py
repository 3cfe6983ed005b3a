"""Moves: origin, target and the kind that the piece is afterwards."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

_AFTER_ORIGIN = re.compile(r"(\*?)([0-9]+[a-z])")


class Landing(NamedTuple):
    """One landing of a compound move: the point, and the points shot at from there, in order."""

    point: int
    shots: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Move:
    """One move of one side. ``str(move)`` is the move string of docs/rules/README.md.

    Moves are made by a position (:meth:`komadai.Position.legal_moves`, :meth:`komadai.Position.parse`), not by hand.

    Attributes:
        text: the move string; two moves of one position never share it.
        origin: the square it starts from, ``None`` for a drop.
        target: the square it ends on.
        piece: the kind that stands on ``target`` afterwards (for a drop: the face shown); ``None`` if the piece that
            moved has left the game there.
        code: the move as the native core encodes it; ``trail`` is the second word, for compound moves.
        origin_point: the index of ``origin`` in :attr:`Position.board <komadai.Position.board>`, ``None`` for a drop.
        target_point: that of ``target``.
        way: every landing in order, by such indices; empty for a drop. A piece that shoots where it stands lands on its
            origin.
    """

    text: str
    origin: str | None
    target: str
    piece: str | None
    code: int
    trail: int
    origin_point: int | None
    target_point: int
    way: tuple[Landing, ...] = ()

    @property
    def is_drop(self) -> bool:
        """True if the piece comes from the hand."""
        return self.origin is None

    @property
    def landings(self) -> tuple[str, ...]:
        """The squares the piece lands on, in order, the last of them ``target``; of a drop that square alone."""
        if self.origin is None:
            return (self.target,)
        squares = _AFTER_ORIGIN.findall(self.text, len(self.origin))
        return tuple(square for star, square in squares if not star) or (self.origin,)

    @property
    def shots(self) -> tuple[str, ...]:
        """The squares shot at, in order."""
        if self.origin is None:
            return ()
        return tuple(square for star, square in _AFTER_ORIGIN.findall(self.text, len(self.origin)) if star)

    def __str__(self) -> str:
        return self.text

    def __format__(self, form: str) -> str:
        return format(self.text, form)

    def __repr__(self) -> str:
        return f"Move({self.text!r})"

    def __eq__(self, other: object) -> bool:
        """Equal to the same move only: where a move string may stand for a move, a method takes both."""
        if not isinstance(other, Move):
            return NotImplemented
        return (self.text, self.code, self.trail) == (other.text, other.code, other.trail)

    def __hash__(self) -> int:
        return hash(self.text)


# Flags of Move.code, as in native/types.hpp: origin | target << 16 | piece << 32 | flags << 48.
DROP = 1
PROMOTES = 2
CHOOSES = 4

# Tags of the items of Move.trail, 16 bits each, the first in the lowest; those of the last landing come after it.
TRAIL_LANDING = 1
TRAIL_SHOT = 2


def suffix(flags: int, piece: str) -> str:
    """The end of a move string for the change to ``piece``: ``+``, ``=CODE`` or nothing."""
    return "+" if flags & PROMOTES else f"={piece}" if flags & CHOOSES else ""
