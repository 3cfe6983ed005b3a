""":class:`At`: where a piece stands."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ..board import Rect, Region, Side
from ..kinds import Kind
from .base import Checks, Condition, InPlace


@dataclass(frozen=True, slots=True)
class At(Condition):
    """The piece ends its move in the region, or stands there."""

    region: Region

    asked = frozenset({"move", "landing", "turn_end", "place", "turn"})
    tag = "at"
    of_the_point = True

    def check(self, checks: Checks) -> None:
        checks.region(self.region)

    def in_place(self, at: InPlace) -> bool:
        return self.region.contains(at.board, at.point, at.piece.side)

    def points(self, board: Rect, kind: Kind, side: Side) -> Collection[int]:
        return {point for point in board.points if self.region.contains(board, point, side)}
