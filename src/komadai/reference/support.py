"""Support, as :class:`~komadai.spec.variant.Support` defines it, straight from the spec.

Pieces are given by the point where they stand.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..spec.board import Side
from ..spec.conditions import Near
from ..spec.geometry import stands_near
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


def is_near(variant: Variant, near: Near, others: Pieces, side: Side, point: int) -> bool:
    """Test :class:`Near` for a piece of ``side`` on ``point`` that is not among the ``others``."""
    if near.supported:
        others = supported(variant, others, supported_links(variant, others))
    return stands_near(variant.board, others, near, side, point)
