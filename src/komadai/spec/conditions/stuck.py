""":class:`Stuck`: a piece that could never move again."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ..board import Rect, Side
from ..geometry import stuck_points
from ..kinds import Kind
from .base import Condition, InPlace


@dataclass(frozen=True, slots=True)
class Stuck(Condition):
    """The piece, of the kind that it is after the move, could never move again from there, even on an empty board."""

    asked = frozenset({"move", "landing", "turn_end"})
    tag = "stuck"

    def in_place(self, at: InPlace) -> bool:
        return at.point in stuck_points(at.board, at.kind, at.piece.side)

    def points(self, board: Rect, kind: Kind, side: Side) -> Collection[int]:
        return stuck_points(board, kind, side)
