"""Symmetries of a board and its pieces, and the positions that they make of others.

Which of them keep a variant's rules is found by :mod:`komadai.compiler.symmetries`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from .board import SIDES, Rect, Unbounded, other
from .geometry import recentred
from .material import royals
from .setup import Piece, Setup
from .variant import Variant

Map = tuple[int, int, int, int]
IDENTITY: Map = (1, 0, 0, 1)
MIRROR: Map = (-1, 0, 0, 1)
"""Left and right exchanged."""
TURN: Map = (-1, 0, 0, -1)
"""The half turn of the board."""
MAPS: tuple[Map, ...] = (
    *(IDENTITY, MIRROR, (1, 0, 0, -1), TURN),
    *((0, 1, 1, 0), (0, -1, 1, 0), (0, 1, -1, 0), (0, -1, -1, 0)),
)
"""All turns and reflections, the identity first."""


@dataclass(frozen=True, slots=True)
class Symmetry:
    """A turn or reflection of the board with a permutation of the kinds, and with an exchange of the sides or without.

    Attributes:
        map: the linear map of the board about its middle, x to the right and y downwards as Black sees it:
            x' = a x + b y, y' = c x + d y for ``(a, b, c, d)``, one of :data:`MAPS`.
        exchanges: whether the pieces of Black become White's, and White's Black's.
        kinds: for each kind, by its number in the variant, the number of the kind that it becomes.
    """

    map: Map
    exchanges: bool
    kinds: tuple[int, ...]

    def inverse(self) -> Symmetry:
        """The symmetry that undoes this one."""
        a, b, c, d = self.map
        back = sorted(range(len(self.kinds)), key=self.kinds.__getitem__)
        return Symmetry((a, c, b, d), self.exchanges, tuple(back))

    def point(self, board: Rect, point: int) -> int:
        """The point of a board that a point is mapped to."""
        return _points(board, self.map)[point]

    def slots(self, variant: Variant) -> tuple[int, ...]:
        """For each place in the variant's hand order, the place of what its kind becomes.

        Raises:
            ValueError: it becomes a kind that is not held in hand.
        """
        order, codes = variant.hand_order, [kind.code for kind in variant.kinds]
        return tuple(order.index(codes[self.kinds[codes.index(code)]]) for code in order)

    def image(self, variant: Variant, setup: Setup) -> Setup | None:
        """The position that the symmetry makes of another, if there is one.

        Without edges the sides are exchanged only where the anchors of both stand on the field, and every piece must
        stand in the window afterwards.
        """
        board, codes = variant.board, [kind.code for kind in variant.kinds]
        # Without edges the place in the window means nothing: what matters stands about the anchor.
        centre = recentred(board, setup.board) or setup.board
        right = down = 0
        if isinstance(board, Unbounded) and self.exchanges:
            if not {Piece("b", board.anchor), Piece("w", board.anchor)} <= {*centre}:
                return None
            x, y = board.xy(self.point(board, centre.index(Piece("w", board.anchor))))
            middle = board.xy(board.middle)
            right, down = middle[0] - x, middle[1] - y
        pieces: list[Piece | None] = [None] * len(board)
        for to, piece in zip(_points(board, self.map), centre, strict=True):
            if piece is not None:
                x, y = board.xy(to)
                x, y = x + right, y + down
                if not (0 <= x < board.width and 0 <= y < board.height):
                    return None
                side = other(piece.side) if self.exchanges else piece.side
                pieces[y * board.width + x] = Piece(side, codes[self.kinds[codes.index(piece.code)]])
        hands = [[0] * len(variant.hand_order) for _ in SIDES]
        slots = self.slots(variant)
        for number, hand in enumerate(setup.hands):
            for slot, count in enumerate(hand):
                hands[number ^ self.exchanges][slots[slot]] += count
        turn = other(setup.turn) if self.exchanges else setup.turn
        taken_on = None if setup.taken_on is None else self.point(board, setup.taken_on)
        return Setup(tuple(pieces), (tuple(hands[0]), tuple(hands[1])), turn, setup.ply, taken_on)


@lru_cache(maxsize=16)
def _points(board: Rect, by: Map) -> tuple[int, ...]:
    """For each point of a board the one that it is mapped to."""
    a, b, c, d = by
    found = []
    for point in board.points:
        x, y = (2 * at - size + 1 for at, size in zip(board.xy(point), (board.width, board.height), strict=True))
        to_x, to_y = (a * x + b * y + board.width - 1) // 2, (c * x + d * y + board.height - 1) // 2
        found.append(to_y * board.width + to_x)
    return tuple(found)


def read_group(variant: Variant, data: Iterable[Mapping[str, Any]]) -> tuple[Symmetry, ...]:
    """Symmetries as plain data, by the names of their attributes, with the identity first and the inverse of each.

    Raises:
        ValueError: one of them is not of this kind, or the identity or an inverse is missing.
        KeyError, TypeError: the data are of another form.
    """
    found = tuple(Symmetry(cast(Map, tuple(one["map"])), bool(one["exchanges"]), tuple(one["kinds"])) for one in data)
    kinds, codes = list(range(len(variant.kinds))), [kind.code for kind in variant.kinds]
    for one in found:
        if one.map not in MAPS or sorted(one.kinds) != kinds:
            raise ValueError(f"{one} is no permutation of points and kinds")
        if any((codes[kind] in royals(variant)) != (codes[to] in royals(variant)) for kind, to in enumerate(one.kinds)):
            raise ValueError(f"{one} makes royal pieces of others")
        if one.inverse() not in found:
            raise ValueError(f"{one} has no inverse among the symmetries")
    if not found or found[0] != Symmetry(IDENTITY, False, tuple(kinds)):
        raise ValueError("the identity is not the first of the symmetries")
    return found
