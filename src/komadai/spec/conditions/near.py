""":class:`Near`: pieces at a distance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ... import _core
from ...i18n import _
from ..board import Rect, Side
from ..setup import Piece
from .base import Checks, Condition, InPlace, Owner, Tables, concerns


@dataclass(frozen=True, slots=True)
class Near(Condition):
    """Another piece of one of these kinds is at a distance of ``least`` to ``most`` king's steps.

    For a move or drop the distance is measured from the square where the piece ends, to the other pieces as they are
    before the move; for other events, on the board as it is.

    Attributes:
        codes: the kinds of the other piece.
        of: its owner, relative to the owner of the piece tested.
        most: the greatest distance; ``None``: any.
        least: the smallest distance.
        supported: only pieces that are :class:`Supported` count.
    """

    codes: tuple[str, ...]
    of: Owner = "either"
    most: int | None = 1
    least: int = 1
    supported: bool = False

    asked = frozenset({"move", "landing", "place"})
    tag = "near"
    of_the_point = True
    core = "NEAR"
    table = "nears"
    columns = ("least", "most", "supported", "wanted:pieces")

    def check(self, checks: Checks) -> None:
        checks.codes(self.codes)
        check_distance(checks, self.least, self.most)
        if self.supported:
            checks.support()

    def in_place(self, at: InPlace) -> bool:
        others = at.supported_pieces() if self.supported else at.pieces
        return self.stands_near(at.board, others, at.piece.side, at.point)

    def stands_near(self, board: Rect, others: Mapping[int, Piece], side: Side, point: int) -> bool:
        """True if one of the ``others`` is near a piece of ``side`` on ``point``, whether or not they have support.

        The piece on ``point`` itself never counts.
        """
        return any(
            piece.code in self.codes
            and concerns(self.of, piece.side, side)
            and self.least <= board.distance(point, at) <= (self.most or len(board))
            for at, piece in others.items()
        )

    def row(self, tables: Tables) -> Any:
        return _core.NearTable(
            least=self.least,
            most=self.most or len(tables.board),
            supported=self.supported,
            wanted=tables.wanted(self.codes, self.of),
        )


def check_distance(checks: Checks, least: int, most: int | None) -> None:
    """Check the bounds of a distance in king's steps."""
    if not 1 <= least <= (most or least):
        checks.add(_("from {least} to {most} steps; expected 1 or more, rising", least=least, most=most))
