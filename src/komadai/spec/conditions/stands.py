""":class:`Stands`: a piece in a region."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ... import _core
from ..board import SIDES, Region
from .base import Checks, Condition, OfEnd, Tables


@dataclass(frozen=True, slots=True)
class Stands(Condition):
    """A piece of one of these kinds, of the side asked about, stands in the region.

    Attributes:
        codes: the kinds. ``region``: as their owner sees the board.
        safe: only where no piece of the opponent attacks it.
    """

    codes: tuple[str, ...]
    region: Region
    safe: bool = False

    asked = frozenset({"end"})
    tag = "stands"
    core = "STANDS"
    table = "stands"
    columns = ("wanted:pieces", "region:points", "safe")

    def check(self, checks: Checks) -> None:
        checks.codes(self.codes)
        checks.region(self.region)

    def of_end(self, at: OfEnd) -> bool:
        return any(
            piece is not None
            and piece.side == at.side
            and piece.code in self.codes
            and self.region.contains(at.board, point, at.side)
            and not (self.safe and at.is_attacked(point))
            for point, piece in enumerate(at.squares)
        )

    def row(self, tables: Tables) -> Any:
        board = tables.board
        return _core.StandsTable(
            wanted=tables.wanted(self.codes, "own"),
            region=[[at for at in board.points if self.region.contains(board, at, side)] for side in SIDES],
            safe=self.safe,
        )
