"""The moves of Python, made of the two words of the core's moves."""

from __future__ import annotations

from collections.abc import Sequence

from ..spec.move import DROP, TRAIL_LANDING, TRAIL_SHOT, Landing, Move
from ..spec.variant import Variant


class MoveMaker:
    """Makes the :class:`Move` objects of a variant.

    The native rules refer to it. It does not refer to them, directly or through ``Compiled``, for the garbage collector
    does not see native references and would never free such a circle.
    """

    def __init__(self, variant: Variant, cell_of: Sequence[int]) -> None:
        """``cell_of``: the native cell of each point."""
        self._codes = [kind.code for kind in variant.kinds]
        self._squares = tuple(map(variant.board.name, variant.board.points))
        self._point_of = {cell: point for point, cell in enumerate(cell_of)}

    def make(self, code: int, trail: int, text: str) -> Move:
        """The :class:`Move` of a native move's two words (``native/types.hpp``) and its move string."""
        name = self._squares
        origin, target = code & 0xFFFF, self._point_of[code >> 16 & 0xFFFF]
        number, flags = code >> 32 & 0xFFFF, code >> 48
        piece = self._codes[number >> 2] if number else None
        if flags & DROP:
            return Move(text, None, name[target], piece, code, trail, None, target)
        start = self._point_of[origin]
        return Move(text, name[start], name[target], piece, code, trail, start, target, self._way(start, target, trail))

    def _way(self, start: int, target: int, trail: int) -> tuple[Landing, ...]:
        """The landings that a native move's second word tells of; its items are as in ``native/types.hpp``."""
        way: list[Landing] = []
        last = Landing(target)
        while trail:
            tag, point = trail >> 14 & 3, self._point_of[trail & 0x3FFF]
            if tag == TRAIL_LANDING:
                way.append(Landing(point))
            elif tag == TRAIL_SHOT:
                way[-1] = way[-1]._replace(shots=(*way[-1].shots, point))
            else:
                last = last._replace(shots=(*last.shots, point))
            trail >>= 16
        return (*way, last)
