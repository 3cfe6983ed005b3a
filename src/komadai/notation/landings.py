"""Landings, shots and choices of a move, and how much of them a text must name."""

from __future__ import annotations

from collections.abc import Collection, Iterable

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


def chosen(move: Move) -> str:
    """The end of its move string: ``+`` or ``=CODE``, or nothing where it chose nothing."""
    _, sign, code = move.text.partition("=")
    return sign + code if sign else "+" * move.text.endswith("+")


def declining(legal: Iterable[Move]) -> list[Move]:
    """The moves of pieces that could have become another kind on the same way and chose not to."""
    legal = list(legal)
    ways = {(move.origin_point, move.way) for move in legal if chosen(move)}
    return [move for move in legal if not chosen(move) and (move.origin_point, move.way) in ways]


def best(board: Board, fitting: list[Move], named: Way, said: Collection[str] | None) -> list[Move]:
    """Those of the moves which fit a text that fit it best.

    A piece of whose change nothing is said stays what it is if any that fits can. Of several ways of one piece the one
    written in full goes before those with landings left out, and of several ends of one way the one that was chosen
    before those that came by rules.

    Args:
        board: the board before the move.
        fitting: the moves that fit the text.
        named: the landings in the text.
        said: what :func:`chosen` may be by the text; ``None`` if nothing is said of the end.
    """
    if said is None:
        fitting = [move for move in fitting if _stays(board, move)] or fitting
    if len(fitting) > 1 and len({move.origin_point for move in fitting}) == 1:
        whole = [move for move in fitting if is_whole(move, named)]
        ordered = [move for move in whole if way_of(move) == way_from(move.origin_point, named)]
        fitting = ordered or whole or fitting
        if said is not None:
            fitting = [move for move in fitting if chosen(move) in said] or fitting
    return fitting


def _stays(board: Board, move: Move) -> bool:
    """True if the piece is afterwards what it was, or leaves the game as that."""
    if move.piece is None:
        return not chosen(move)
    before = None if move.origin_point is None else board[move.origin_point]
    return before is None or before.code == move.piece
