""":class:`Takes`: captures of a whole turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ... import _core
from .base import Checks, Condition, OfTurn, Tables
from .near import check_distance


@dataclass(frozen=True, slots=True)
class Takes(Condition):
    """The turn captures a piece of one of these kinds by landing, ``least`` to ``most`` king's steps from its start.

    Attributes:
        codes: the kinds of the captured piece. ``most``: the greatest distance; ``None``: any.
        protected: only one on a point where another piece of its side could capture, had the mover come there from its
            start, with what it takes elsewhere gone; of the pieces taken elsewhere each could still capture, too.
        elsewhere: only one on another point than the capture that :class:`JustTaken` asks about.
    """

    codes: tuple[str, ...]
    least: int = 1
    most: int | None = None
    protected: bool = False
    elsewhere: bool = False

    asked = frozenset({"turn"})
    tag = "takes"
    core = "TAKES"
    table = "takes"
    columns = ("wanted:pieces", "least", "most", "is_protected", "elsewhere")
    compound = True

    def check(self, checks: Checks) -> None:
        checks.codes(self.codes)
        check_distance(checks, self.least, self.most)

    def of_turn(self, at: OfTurn) -> bool:
        return any(
            code in self.codes
            and self.least <= at.board.distance(at.origin, point) <= (self.most or len(at.board))
            and not (self.elsewhere and point == at.taken_on)
            and not (self.protected and not at.is_protected(point))
            for point, code in at.took
        )

    def row(self, tables: Tables) -> Any:
        return _core.TakesTable(
            wanted=tables.wanted(self.codes, "enemy"),
            least=self.least,
            most=self.most or len(tables.board),
            is_protected=self.protected,
            elsewhere=self.elsewhere,
        )
