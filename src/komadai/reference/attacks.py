"""Attacks: the points that a piece could capture on, by the spec."""

from __future__ import annotations

from math import inf

from ..spec.board import Side, Vector
from ..spec.geometry import movement_of
from ..spec.kinds import Kind
from ..spec.setup import Piece
from ..spec.variant import Variant
from . import Board, occupied
from .compound import CompoundMoves
from .explain import reference_of
from .support import Pieces


def attacks(variant: Variant, board: Board, origin: int) -> set[int]:
    """The points attacked by the piece on ``origin``; none if there is no piece.

    A point is attacked if the piece could land on it, or shoot a piece on it, were its side to move and what stands
    there the opponent's. Prohibitions on moves (check to one's own king, support, drops) do not count.
    """
    reference = reference_of(variant)
    if reference.turns is None:
        return reference.targets(board, origin)
    pieces: Pieces = occupied(board)
    if origin not in pieces:
        return set()
    side, reach = pieces[origin].side, _farthest(variant.kind(pieces[origin].code))
    own = (point for point, piece in pieces.items() if piece.side == side and point != origin)
    near = (point for point in own if variant.board.distance(origin, point) <= reach)
    found = _reached(reference.turns, pieces, origin)
    return found | {point for point in near if point in _reached(reference.turns, _given_away(pieces, point), origin)}


def attackers(variant: Variant, board: Board, target: int, by: Side) -> set[int]:
    """The points of the pieces of side ``by`` that attack ``target``, as :func:`attacks` defines it."""
    reference = reference_of(variant)
    origins = (point for point, piece in enumerate(board) if piece and piece.side == by and point != target)
    if reference.turns is None:
        return {origin for origin in origins if reference.reaches(board, origin, target)}
    pieces: Pieces = occupied(board)
    if target in pieces and pieces[target].side == by:
        pieces = _given_away(pieces, target)
    reach = {kind.code: _farthest(kind) for kind in variant.kinds}
    near = (origin for origin in origins if variant.board.distance(origin, target) <= reach[pieces[origin].code])
    return {origin for origin in near if target in _reached(reference.turns, pieces, origin)}


def _farthest(kind: Kind) -> float:
    """The greatest distance from its origin, in king's steps, at which a piece can land or shoot."""
    movement = movement_of(kind)
    steps = [(leg.vectors, leg.reach or inf) for leg in movement.legs]
    steps += [(walk.vectors, walk.most) for walk in movement.walks]
    gone = max((_length(vectors) * times for vectors, times in steps), default=0)
    return gone + (_length(movement.shot.vectors) * movement.shot.reach if movement.shot else 0)


def _length(vectors: tuple[Vector, ...]) -> int:
    return max(max(abs(right), abs(ahead)) for right, ahead in vectors)


def _given_away(pieces: Pieces, point: int) -> Pieces:
    """The pieces with the one on ``point`` in the opponent's hands."""
    side, code = pieces[point]
    return {**pieces, point: Piece("w" if side == "b" else "b", code)}


def _reached(turns: CompoundMoves, pieces: Pieces, origin: int) -> set[int]:
    """The points that the turns of the piece on ``origin`` land on or shoot at."""
    found: set[int] = set()
    for state, _ in turns.all(pieces, origin):
        for landing in state.way:
            found.update((landing.point, *landing.shots))
    return found - {origin}
