"""Support, as :class:`~komadai.spec.variant.Support` defines it, straight from the spec.

Pieces are given by the point where they stand.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..spec.setup import Piece
from ..spec.variant import Variant

Pieces = Mapping[int, Piece]


def supported_links(variant: Variant, pieces: Pieces, granted: frozenset[int] = frozenset()) -> frozenset[int]:
    """The points of the links that are supported; those in ``granted`` are anyhow."""
    support = variant.support
    links = frozenset(point for point, piece in pieces.items() if support and piece.code in support.links)
    found = links & granted
    while more := {point for point in links - found if is_supported(variant, pieces, point, pieces[point].code, found)}:
        found |= more
    return found


def is_supported(variant: Variant, pieces: Pieces, point: int, code: str, links: frozenset[int]) -> bool:
    """True if a piece ``code`` on ``point`` has support, given the points of the supported links."""
    support, board = variant.support, variant.board
    if support is None or code in support.roots:
        return True
    reach = support.reach if code in support.links else 1
    return any(board.distance(point, link) <= 1 for link in links) or any(
        piece.code in support.roots and board.distance(point, at) <= reach for at, piece in pieces.items()
    )


def supported(variant: Variant, pieces: Pieces, links: frozenset[int]) -> dict[int, Piece]:
    """The pieces with support, by point, given the points of the supported links."""
    return {at: piece for at, piece in pieces.items() if is_supported(variant, pieces, at, piece.code, links)}
