"""Points and vectors a kind reaches, and the window of an unbounded board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from .betza import betza
from .board import Rect, Side, Unbounded, Vector
from .kinds import Kind
from .movement import Leg, Movement
from .setup import Piece


@lru_cache(maxsize=1024)
def movement_of(kind: Kind) -> Movement:
    """The kind's movement, reading Betza text where the spec gives text."""
    return betza(kind.move) if isinstance(kind.move, str) else kind.move


def vectors_of(kind: Kind) -> tuple[Vector, ...]:
    """Every vector by which the kind moves or shoots."""
    movement = movement_of(kind)
    ways = (*movement.legs, *movement.walks, *((movement.shot,) if movement.shot else ()))
    return tuple(dict.fromkeys(vector for way in ways for vector in way.vectors))


def ways(board: Rect, kind: Kind, side: Side, point: int) -> Iterator[tuple[Leg, tuple[int, ...]]]:
    """Each leg by which the kind can travel from ``point``, with the points of the board along it."""
    for leg in movement_of(kind).legs:
        for vector in leg.vectors:
            if line := board.line(point, vector, side, leg.reach):
                yield leg, tuple(line)


def lines(board: Rect, kind: Kind, side: Side, point: int) -> Iterator[tuple[int, ...]]:
    """Each way the kind can travel from ``point``, as the points of the board along it."""
    return (line for _leg, line in ways(board, kind, side, point))


def window_shift(board: Rect, piece: Piece, target: int) -> tuple[int, int]:
    """The shift of all coordinates when ``piece`` moves to ``target``.

    ``(0, 0)`` unless the board is :class:`Unbounded` and the piece is its anchor: then the window follows it, and the
    square at ``(x, y)`` is the one at ``(x + dx, y + dy)`` from then on.
    """
    if not isinstance(board, Unbounded) or piece != Piece("b", board.anchor):
        return 0, 0
    (x, y), (middle_x, middle_y) = board.xy(target), board.xy(board.middle)
    return middle_x - x, middle_y - y


def recentred(board: Rect, pieces: Sequence[Piece | None]) -> tuple[Piece | None, ...] | None:
    """The pieces with the window of an unbounded field moved to where it belongs; ``None`` if one falls outside.

    On a board with edges, and while the anchor is not there, the pieces stay as they are.
    """
    if not isinstance(board, Unbounded):
        return tuple(pieces)
    anchor = Piece("b", board.anchor)
    if pieces[board.middle] == anchor or anchor not in pieces:
        return tuple(pieces)
    right, down = window_shift(board, anchor, pieces.index(anchor))
    shifted: list[Piece | None] = [None] * len(board)
    for point, piece in enumerate(pieces):
        if piece is not None:
            to = board.step(point, (right, -down), "b")
            if to is None:
                return None
            shifted[to] = piece
    return tuple(shifted)


@lru_cache(maxsize=2048)
def stuck_points(board: Rect, kind: Kind, side: Side) -> frozenset[int]:
    """The points from which the kind can never move again, even on an empty board. Of a walk the first leap counts."""
    movement = movement_of(kind)
    leaps = {vector for leg in movement.legs for vector in leg.vectors}
    first = leaps.union(vector for walk in movement.walks for vector in walk.vectors)
    return frozenset(at for at in board.points if all(board.step(at, vector, side) is None for vector in first))
