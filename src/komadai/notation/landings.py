"""Landings and shots of a move, and how much of them a text must name."""

from __future__ import annotations

from ..spec.move import Landing, Move
from ..spec.setup import Piece

Board = tuple[Piece | None, ...]
Way = tuple[Landing, ...]

START = -1
"""Stands for the start in the ways of texts, which need not say where that is."""


def way_of(move: Move) -> Way:
    """Its landings; a drop lands too."""
    return move.way or (Landing(move.target_point),)


def victims_of(board: Board, move: Move) -> frozenset[int]:
    """The points on which it captures by landing."""
    return frozenset(point for point, _ in way_of(move) if board[point] is not None and point != move.origin_point)


def shots_of(way: Way) -> frozenset[int]:
    """The points shot at."""
    return frozenset(point for landing in way for point in landing.shots)


def telling(board: Board, move: Move) -> Way:
    """The landings that are always written: those that capture or shoot, and the last."""
    way = way_of(move)
    taken, met = victims_of(board, move), set[int]()
    kept = []
    for landing in way[:-1]:
        if landing.shots or (landing.point in taken and landing.point not in met):
            kept.append(landing)
        met.add(landing.point)
    return *kept, way[-1]


def way_from(origin: int | None, named: Way) -> Way:
    """The landings named in a text, for a piece that starts there."""
    return tuple(
        Landing(origin, landing.shots) if landing.point == START and origin is not None else landing
        for landing in named
    )


def goes(board: Board, move: Move, named: Way) -> bool:
    """True if the move's landings and shots fit those named in a text.

    Landings may be left out unless they capture; a shot may be named after another landing.
    """
    points, gone = [landing.point for landing in way_from(move.origin_point, named)], way_of(move)
    if points[-1] != move.target_point:
        return False
    if len(points) == len(gone) == 1 and not named[0].shots and not gone[0].shots:
        return True
    landings = (landing.point for landing in gone)
    in_order = all(point in landings for point in points)  # each is looked for behind the one before
    return in_order and victims_of(board, move) <= {*points} and shots_of(named) == shots_of(gone)


def is_whole(move: Move, named: Way) -> bool:
    """True if every landing of the move is named, each with its own shots."""
    said, gone = way_from(move.origin_point, named), way_of(move)
    return [(point, {*shots}) for point, shots in said] == [(point, {*shots}) for point, shots in gone]
