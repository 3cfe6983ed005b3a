""":class:`Count`: the number of pieces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ... import _core
from ...i18n import _
from ..board import SIDES, Region
from .base import Checks, Condition, OfEnd, Owner, Tables, concerns


@dataclass(frozen=True, slots=True)
class Count(Condition):
    """There are ``least`` to ``most`` pieces of these kinds, all together, on the board.

    Attributes:
        codes: the kinds. ``of``: their owner, relative to the side asked about. ``most``: ``None`` for any number.
        beyond: those in this region, as their owner sees the board, do not count; ``None``: all do.
    """

    codes: tuple[str, ...]
    of: Owner = "own"
    least: int = 0
    most: int | None = None
    beyond: Region | None = None

    asked = frozenset({"end"})
    tag = "count"
    core = "COUNT"
    table = "counts"
    columns = ("wanted:pieces", "least", "most", "beyond:points")

    def check(self, checks: Checks) -> None:
        checks.codes(self.codes)
        checks.owner(self.of)
        if not 0 <= self.least <= (self.least if self.most is None else self.most):
            checks.add(_("{least} to {most} pieces; expected 0 or more, rising", least=self.least, most=self.most))
        if self.beyond is not None:
            checks.region(self.beyond)

    def of_end(self, at: OfEnd) -> bool:
        count = sum(
            piece is not None
            and piece.code in self.codes
            and concerns(self.of, piece.side, at.side)
            and not (self.beyond is not None and self.beyond.contains(at.board, point, piece.side))
            for point, piece in enumerate(at.squares)
        )
        return self.least <= count <= (len(at.squares) if self.most is None else self.most)

    def row(self, tables: Tables) -> Any:
        board, beyond = tables.board, self.beyond
        return _core.CountTable(
            wanted=tables.wanted(self.codes, self.of),
            least=self.least,
            most=len(board) if self.most is None else self.most,
            beyond=[
                [at for at in board.points if beyond is not None and beyond.contains(board, at, side)] for side in SIDES
            ],
        )
