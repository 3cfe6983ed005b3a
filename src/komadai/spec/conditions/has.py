""":class:`Has`: a piece on the board."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from ..setup import Piece
from .base import Checks, Condition, InPlace, OfEnd, Owner, Tables, Translation, concerns


@dataclass(frozen=True, slots=True)
class Has(Condition):
    """A piece of one of these kinds is on the board; ``of`` is its owner, relative to that of the piece tested."""

    codes: tuple[str, ...]
    of: Owner = "own"

    asked = frozenset({"place", "end"})
    tag = "has"
    of_the_point = True
    core = "HAS"
    table = "has"

    def check(self, checks: Checks) -> None:
        checks.codes(self.codes)

    def in_place(self, at: InPlace) -> bool:
        return any(one.code in self.codes and concerns(self.of, one.side, at.piece.side) for one in at.pieces.values())

    def of_end(self, at: OfEnd) -> bool:
        return any(Piece(at.side, code) in at.squares for code in self.codes)

    def row(self, tables: Tables) -> Any:
        return tables.wanted(self.codes, self.of)

    @classmethod
    def translated(cls, argument: int, by: Translation) -> Hashable:
        return by.sides(by.row(cls.table, argument), by.pieces)
