""":class:`OnFile`: other pieces on the file."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from ...i18n import _
from ..forms import JSON, as_set
from .base import Checks, Condition, OfMove, Tables, Translation


@dataclass(frozen=True, slots=True)
class OnFile(Condition):
    """At least ``least`` *other* pieces of the mover, of these kinds, are on the file where the piece ends its move."""

    codes: tuple[str, ...]
    least: int = 1

    asked = frozenset({"move"})
    of_the_point = True
    core = "ON_FILE"

    def check(self, checks: Checks) -> None:
        checks.codes(self.codes)
        if not 1 <= self.least <= checks.board.height:
            checks.add(_("{count} pieces on a file; expected 1 to {most}", count=self.least, most=checks.board.height))

    def form(self) -> JSON:
        return ["file", as_set(self.codes), *([] if self.least == 1 else [self.least])]  # a field that came later

    def of_move(self, at: OfMove) -> bool:
        file = at.board.file(at.point)
        others = [
            point
            for point, piece in at.pieces.items()
            if piece.side == at.piece.side
            and piece.code in self.codes
            and point != at.point
            and at.board.file(point) == file
        ]
        return len(others) >= self.least

    def argument(self, tables: Tables) -> int:
        return tables.file_group(self.codes) | self.least - 1 << 8

    @classmethod
    def translated(cls, argument: int, by: Translation) -> Hashable:
        return by.file_group(argument & 0xFF), argument >> 8
