"""Stages in which one side alone moves: how far it has come, and the shortest way on."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

from ...errors import IllegalMoveError, IllegalPositionError
from ...game.position import Position
from ...i18n import _
from ...spec.board import Side
from ...spec.geometry import window_shift
from ...spec.move import Move
from ...spec.setup import Piece
from .model import Reach, Stage, Take

_MOST_MOVES = 2_000  # looked at for a way on, which takes some seconds in the largest game


@dataclass(frozen=True, slots=True)
class Walk:
    """A state of such a stage.

    Attributes:
        position: where the learner is to move. ``left``: the squares still to be reached or emptied.
        piece: the square of the only piece that may move; ``None``: any may.
        takes: whether ``left`` are pieces to be taken.
    """

    position: Position
    left: tuple[str, ...]
    piece: str | None
    takes: bool

    def after(self, move: Move) -> Walk:
        """The state after a legal move.

        Raises:
            IllegalMoveError: it is the move of another piece, or gives check, so that the opponent would have to move.
        """
        if self.piece is not None and move.origin != self.piece:
            raise IllegalMoveError(_("only the piece on {square} moves here", square=self.piece))
        position, board = self.position.copy(), self.position.variant.board
        mover = position.turn
        moved = None if move.origin is None else position[move.origin]
        position.push(move)
        right, down = (0, 0) if moved is None else window_shift(board, moved, move.target_point)

        def now(square: str) -> str:
            """The name a square has since the window moved."""
            point = board.find(square)
            to = None if point is None else board.step(point, (right, -down), "b")
            return square if to is None else board.name(to)

        if self.takes:
            left = tuple(now(square) for square in self.left if _opposing(position[now(square)], mover))
        else:
            left = tuple(now(square) for square in self.left if square not in move.landings)
        if left:
            try:
                position = position.passed()
            except IllegalPositionError:
                words = _("it gives check, so the opponent would have to answer; here only you move")
                raise IllegalMoveError(words) from None
        return replace(self, position=position, left=left, piece=self.piece and now(move.target))

    def moves(self) -> list[Move]:
        """The legal moves of the piece that may move."""
        return [move for move in self.position.legal_moves() if self.piece in (None, move.origin)]


def _opposing(piece: Piece | None, mover: Side) -> bool:
    return piece is not None and piece.side != mover


def begin(stage: Stage) -> Walk:
    """The beginning of a stage in which the opponent does not move."""
    match stage.goal:
        case Reach(points, piece):
            return Walk(stage.begin(), points, piece, takes=False)
        case Take(squares, piece):
            return Walk(stage.begin(), squares, piece, takes=True)
    raise TypeError(f"stage {stage.id}: the opponent moves in it")


def way_on(walk: Walk, deepest: int, most: int = _MOST_MOVES) -> tuple[str, ...] | None:
    """The shortest sequence of moves that ends the stage; ``None`` if there is none, or not among so many moves."""
    seen: set[tuple[str, tuple[str, ...]]] = {(walk.position.sfen(), walk.left)}
    open_: deque[tuple[Walk, tuple[str, ...]]] = deque([(walk, ())])
    while open_ and most > 0:
        at, path = open_.popleft()
        for move in at.moves():
            most -= 1
            try:
                after = at.after(move)
            except IllegalMoveError:
                continue
            if not after.left:
                return (*path, str(move))
            key = (after.position.sfen(), after.left)
            if len(path) + 1 < deepest and key not in seen:
                seen.add(key)
                open_.append((after, (*path, str(move))))
    return None
