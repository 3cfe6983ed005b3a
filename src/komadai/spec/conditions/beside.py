""":class:`Beside`: pieces a step from each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ... import _core
from .base import Checks, Condition, OfEnd, Owner, Tables, concerns


@dataclass(frozen=True, slots=True)
class Beside(Condition):
    """A piece of one of the kinds ``codes``, of the side asked about, stands a king's step from one of ``others``.

    Attributes:
        codes: the kinds. ``others``: those of the other piece. ``of``: its owner, relative to the side asked about.
    """

    codes: tuple[str, ...]
    others: tuple[str, ...]
    of: Owner = "enemy"

    asked = frozenset({"end"})
    tag = "beside"
    core = "BESIDE"
    table = "besides"
    columns = ("wanted:pieces", "others:pieces")

    def check(self, checks: Checks) -> None:
        checks.codes(self.codes)
        checks.codes(self.others)
        checks.owner(self.of)

    def of_end(self, at: OfEnd) -> bool:
        pieces = [(point, piece) for point, piece in enumerate(at.squares) if piece is not None]
        found = [point for point, one in pieces if one.code in self.others and concerns(self.of, one.side, at.side)]
        return any(
            piece.side == at.side and piece.code in self.codes and at.board.distance(point, other) == 1
            for point, piece in pieces
            for other in found
        )

    def row(self, tables: Tables) -> Any:
        return _core.BesideTable(wanted=tables.wanted(self.codes, "own"), others=tables.wanted(self.others, self.of))
