""":class:`Is`: the kind of a piece."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ..board import Rect, Side
from ..kinds import Kind
from .base import Checks, Condition, InPlace


@dataclass(frozen=True, slots=True)
class Is(Condition):
    """The piece is of one of these kinds. For a move or drop: of the kind that it is afterwards."""

    codes: tuple[str, ...]

    asked = frozenset({"move", "landing", "turn_end", "place", "turn"})
    tag = "is"

    def check(self, checks: Checks) -> None:
        checks.codes(self.codes)

    def in_place(self, at: InPlace) -> bool:
        return at.piece.code in self.codes

    def points(self, board: Rect, kind: Kind, side: Side) -> Collection[int]:
        return board.points if kind.code in self.codes else ()
