"""Pieces and setups: a position as plain data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from ..errors import NotationError
from .board import SIDES, Side


class Piece(NamedTuple):
    """A piece on the board: whose it is and of what kind."""

    side: Side
    code: str


@dataclass(frozen=True, slots=True)
class Setup:
    """A position as plain data, as a position string describes it.

    Attributes:
        board: one entry per point, in reading order.
        hands: for Black and then White, the number of pieces of each hand kind, in the variant's hand order.
        turn: the side to move.
        ply: the number of the move to come, 1 at the start.
        taken_on: the point of the last move's capture, if it was one that the position remembers
            (:class:`~komadai.spec.conditions.JustTaken`).
    """

    board: tuple[Piece | None, ...]
    hands: tuple[tuple[int, ...], tuple[int, ...]]
    turn: Side
    ply: int = 1
    taken_on: int | None = None

    def with_piece(self, point: int, piece: Piece | None) -> Setup:
        """The setup with another piece on a point, or with none there.

        Args:
            point: its index in ``board``.

        Raises:
            NotationError: the board has no such point.
        """
        if not 0 <= point < len(self.board):
            raise NotationError(f"point {point}", [f"is not on the board; expected 0 to {len(self.board) - 1}"])
        return replace(self, board=(*self.board[:point], piece, *self.board[point + 1 :]))

    def __post_init__(self) -> None:
        """Check what every game's positions have in common.

        Raises:
            NotationError: there is no such side.
            TypeError: the number of the move is no whole number.
        """
        if self.turn not in SIDES:
            raise NotationError(f"side {self.turn!r}", ["expected b (Black) or w (White)"])
        if not isinstance(self.ply, int):
            raise TypeError(f"the number of the move to come is {self.ply!r:.60}; expected a whole number")
