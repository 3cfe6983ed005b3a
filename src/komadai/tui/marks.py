"""What is shown on the squares beside the pieces, each sign with a meaning that needs no colour."""

from __future__ import annotations

from typing import NamedTuple

from ..board import Rect
from ..derive import royals, window_shift
from ..move import Move
from ..notation.sfen import Piece
from ..position import Position
from ..steps import Step
from .walk import Walk


class Mark(NamedTuple):
    """A sign on a square, and in which ``tone`` it is shown where there are colours."""

    sign: str
    tone: str


GO, CAPTURE, SHOOT = Mark("o", "aim"), Mark("x", "aim"), Mark("*", "aim")
END, COSTLY = Mark("=", "aim"), Mark("$", "alarm")
TAKEN_UP, COME_TO = Mark(">", "own"), Mark("@", "own")
STRANDED, HELD, CHECK = Mark("#", "alarm"), Mark("&", "alarm"), Mark("!", "alarm")
LEFT, CAME, HINT = Mark(",", "past"), Mark("<", "past"), Mark("?", "own")
SUPPORTED = Mark(":", "past")

LEGEND: tuple[tuple[Mark, str], ...] = (
    (TAKEN_UP, "the piece that has been taken up"),
    (GO, "it may go there"),
    (CAPTURE, "it may capture there"),
    (SHOOT, "it may shoot at that"),
    (COSTLY, "it may come there, at the cost of pieces of its own side"),
    (COME_TO, "where the piece has come to in a turn of several landings; digits: where it has landed before"),
    (END, "the turn may end here"),
    (CHECK, "in check"),
    (STRANDED, "must be saved this turn, or it is lost"),
    (HELD, "held fast: it may not move this turn"),
    (SUPPORTED, "an empty point where a piece would have support"),
    (LEFT, "where the last move began"),
    (CAME, "where the last move ended"),
    (HINT, "the hint"),
)


def _last(position: Position, move: Move) -> dict[int, Mark]:
    """Where the last move began and ended, by the names squares have after it."""
    board = position.variant.board
    mover = Piece("w" if position.turn == "b" else "b", move.piece or "")
    right, down = window_shift(board, mover, move.target)
    found = {}
    for point, mark in ((move.origin, LEFT), (move.target, CAME)):
        now = None if point is None else board.step(point, (right, -down), "b")
        if now is not None:
            found[now] = mark
    return found


def _standing(position: Position) -> dict[int, Mark]:
    """What the rules say of points and of the pieces of the side to move."""
    found: dict[int, Mark] = {}
    support = position.variant.support
    if support is not None:
        plain = (kind.code for kind in position.variant.kinds if kind.code not in (*support.roots, *support.links))
        found |= {point: SUPPORTED for point in position.support(next(plain)) if position.board[point] is None}
    found |= dict.fromkeys(position.held(), HELD) | dict.fromkeys(position.stranded(), STRANDED)
    if position.outcome() is None and position.is_check():
        kings = royals(position.variant)
        found |= {
            point: CHECK
            for point, piece in enumerate(position.board)
            if piece and piece.side == position.turn and piece.code in kings
        }
    return found


def _aim(walk: Walk, step: Step) -> Mark:
    if walk.losses(step):
        return COSTLY
    return {"capture": CAPTURE, "shoot": SHOOT}.get(step.t, GO)


def _composing(board: Rect, walk: Walk) -> dict[int, Mark]:
    """The move that has been begun, and where it may go on."""
    by_square: dict[str, Mark] = {}
    if walk.path:
        by_square |= {square: Mark(str(number), "own") for number, square in enumerate(walk.landings, 1)}
        if walk.origin:
            by_square[walk.origin] = TAKEN_UP
        if walk.here and walk.landings:
            by_square[walk.here] = END if walk.ends else COME_TO
        by_square |= {step.at: _aim(walk, step) for step in walk.children if step.at}
    points = {board.find(square): mark for square, mark in by_square.items()}
    return {point: mark for point, mark in points.items() if point is not None}


def marks(position: Position, walk: Walk, last: Move | None, hint: Move | None) -> dict[int, Mark]:
    """The mark of each point that has one; of several that would fit, what belongs to the move being made comes first.

    Args:
        last: the move that led to the position.
        hint: a move that is proposed in it.
    """
    shown = _last(position, last) if last is not None else {}
    supported = _standing(position)
    shown = {point: mark for point, mark in supported.items() if mark == SUPPORTED} | shown
    shown |= {point: mark for point, mark in supported.items() if mark != SUPPORTED}
    if hint is not None:
        shown |= {point: HINT for point in (hint.origin, hint.target) if point is not None}
    return shown | _composing(position.variant.board, walk)
