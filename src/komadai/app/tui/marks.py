"""Marks on squares, each a sign that is clear without colour."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ...game.position import Position
from ...spec.board import Rect
from ...spec.geometry import window_shift
from ...spec.move import Move
from ...spec.setup import Piece
from ...view.tree import Step
from .step_walk import Walk


class Mark(NamedTuple):
    """A sign on a square, and in which ``tone`` it is shown where there are colours."""

    sign: str
    tone: str


GO, CAPTURE, SHOOT = Mark("o", "aim"), Mark("x", "aim"), Mark("*", "aim")
FAR, END = Mark("~", "aim"), Mark("=", "aim")
COSTLY, LOST = Mark("$", "alarm"), Mark("X", "alarm")
TAKEN_UP, COME_TO = Mark(">", "own"), Mark("@", "own")
STRANDED, HELD, CHECK = Mark("#", "alarm"), Mark("&", "alarm"), Mark("!", "alarm")
LEFT, CAME, SHOT, HINT = Mark(",", "past"), Mark("<", "past"), Mark("%", "past"), Mark("?", "own")
SUPPORTED = Mark(":", "past")

LEGEND: tuple[tuple[Mark, str], ...] = (
    (TAKEN_UP, "the piece that has been taken up"),
    (GO, "it may go there"),
    (FAR, "it may go there in several landings; that can be chosen at once"),
    (CAPTURE, "it may capture there"),
    (SHOOT, "it may shoot at that"),
    (COSTLY, "it may go there, at the cost of pieces of its own side"),
    (LOST, "what the step under the cursor would cost, or burn"),
    (COME_TO, "the piece's latest landing in a compound move; digits: its earlier landings"),
    (END, "the turn may end here"),
    (CHECK, "in check"),
    (STRANDED, "must be saved this turn, or it is lost"),
    (HELD, "held fast: it may not move this turn"),
    (SUPPORTED, "an empty point where a piece would have support"),
    (LEFT, "where the last move began, or landed on its way"),
    (CAME, "where the last move ended"),
    (SHOT, "what was shot in the last move"),
    (HINT, "the hint"),
)


def _by_point(board: Rect, by_square: Mapping[str, Mark]) -> dict[int, Mark]:
    points = {board.find(square): mark for square, mark in by_square.items()}
    return {point: mark for point, mark in points.items() if point is not None}


def _last(position: Position, move: Move) -> dict[int, Mark]:
    """Origin and target of the last move, by the names squares have after it."""
    board = position.variant.board
    mover = Piece("w" if position.turn == "b" else "b", move.piece or "")
    right, down = window_shift(board, mover, move.target_point)
    found = {}
    shots = [(shot, SHOT) for landing in move.way for shot in landing.shots]
    landings = [(landing.point, LEFT) for landing in move.way]
    for point, mark in (*shots, *landings, (move.origin_point, LEFT), (move.target_point, CAME)):
        now = None if point is None else board.step(point, (right, -down), "b")
        if now is not None:
            found[now] = mark
    return found


def standing(position: Position, last: Move | None, *, check: bool) -> dict[int, Mark]:
    """The marks of a position before a move is begun.

    Args:
        last: the move that led to it.
        check: whether the side to move is in check.
    """
    board, support = position.variant.board, position.variant.support
    found: dict[int, Mark] = {}
    if support is not None:
        plain = (kind.code for kind in position.variant.kinds if kind.code not in (*support.roots, *support.links))
        supported = (square for square in position.support(next(plain)) if position[square] is None)
        found |= _by_point(board, dict.fromkeys(supported, SUPPORTED))
    found |= {} if last is None else _last(position, last)
    in_need = dict.fromkeys(position.immobilized(), HELD) | dict.fromkeys(position.stranded(), STRANDED)
    found |= _by_point(board, in_need)
    if check and position._native.royal_in_check():
        found |= _by_point(board, dict.fromkeys(position.royals(position.turn), CHECK))
    return found


def _aim(walk: Walk, step: Step) -> Mark:
    if walk.losses(step):
        return COSTLY
    return {"capture": CAPTURE, "shoot": SHOOT}.get(step.t, GO)


def composing(board: Rect, walk: Walk, viewed: Step | None) -> dict[int, Mark]:
    """The move that has been begun, and where it may go on.

    Args:
        viewed: the next step that is looked at, whose price is shown.
    """
    if not walk.path:
        return {}
    by_square: dict[str, Mark] = dict.fromkeys(walk.far(), FAR)
    by_square |= {square: Mark(str(number), "own") for number, square in enumerate(walk.landings, 1)}
    if walk.origin:
        by_square[walk.origin] = TAKEN_UP
    if walk.here and walk.landings:
        by_square[walk.here] = END if walk.ends else COME_TO
    by_square |= {step.at: _aim(walk, step) for step in walk.children if step.at}
    if viewed is not None and viewed in walk.children:
        leaf = walk.only(viewed)
        lost = (*walk.losses(viewed), *(leaf.effects.burns if leaf else ()))
        by_square |= {square: LOST for square in lost if square != viewed.at}
    return _by_point(board, by_square)


def in_mid_move(position: Position, walk: Walk) -> list[Piece | None]:
    """The pieces of the board as they stand once the steps so far have been made."""
    pieces, find = list(position.board), position.variant.board.find
    origin, goal = (None if square is None else find(square) for square in (walk.origin, walk.goal))
    mover = None if origin is None else pieces[origin]
    for square in walk.taken:
        pieces[find(square) or 0] = None
    if mover is not None and origin is not None and goal is not None:
        pieces[origin] = None
        pieces[goal] = mover
    return pieces
