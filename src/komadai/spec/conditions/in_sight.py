""":class:`InSight`: a line of sight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ... import _core
from ..board import SIDES, Vector
from .base import Checks, Condition, InPlace, Owner, Tables, concerns


@dataclass(frozen=True, slots=True)
class InSight(Condition):
    """The piece is in the line of sight of a piece of one of these kinds, the observer.

    Attributes:
        codes: the kinds of the observer.
        vectors: the lines, as the observer's owner sees them.
        of: the observer's owner, relative to that of the piece tested.
        through: pieces between the two do not block the line.
    """

    codes: tuple[str, ...]
    vectors: tuple[Vector, ...]
    of: Owner = "enemy"
    through: bool = False

    asked = frozenset({"place"})
    tag = "sight"
    core = "IN_SIGHT"
    table = "sights"
    columns = ("lookers:pieces", "vectors:vectors", "through")
    compound = True

    def check(self, checks: Checks) -> None:
        checks.codes(self.codes)

    def in_place(self, at: InPlace) -> bool:
        for stands, looker in at.pieces.items():
            if looker.code not in self.codes or not concerns(self.of, looker.side, at.piece.side):
                continue
            for vector in self.vectors:
                met = at.board.step(stands, vector, looker.side)
                while met is not None and met != at.point and (self.through or met not in at.pieces):
                    met = at.board.step(met, vector, looker.side)
                if met == at.point:
                    return True
        return False

    def row(self, tables: Tables) -> Any:
        return _core.SightTable(
            lookers=tables.wanted(self.codes, self.of),
            vectors=[tables.mask(self.vectors, side) for side in SIDES],
            through=self.through,
        )
