"""Positions and moves as the tables of solved games judge them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ....spec.board import Side
from .model import Pieces, PlayedMove, RecordedMove, Variant, WinDrawLoss, Wire


class Worth(Wire):
    """The value of a position to the side to move, and the number of plies to the end."""

    outcome: WinDrawLoss
    distance: int | None


class Judged(Worth):
    """The value of a move to the side that makes it; ``threw``: the value lost by a blunder."""

    best: bool
    blunder: bool
    threw: Worth | None


class KnownMove(PlayedMove, kw_only=True):
    """A legal move and its value, as in :class:`Judged`."""

    outcome: WinDrawLoss
    distance: int | None
    best: bool
    blunder: bool
    threw: Worth | None


class HardestWin(Pieces):
    """A position that is won in ``distance`` plies, by one of ``winning`` moves."""

    position: str
    distance: int
    winning: int
    turn: Side


class HardestWins(Wire):
    """The hardest wins of a solved game."""

    variant: Variant
    wins: Sequence[HardestWin]


class TableMove(Wire):
    """A move, and the value of the position after it to the side that is then to move, as in :class:`TableAnswer`."""

    move: str
    category: WinDrawLoss
    dtm: int | None


class TableAnswer(Wire):
    """The answer of a solved game's table to a position: its value to the side to move, the plies to the end with
    best play, below 0 for a loss and ``null`` for a draw, and every move, best first. A position that the table does
    not contain is ``unknown``."""

    category: Literal["win", "draw", "loss", "unknown"]
    dtm: int | None
    moves: Sequence[TableMove]


class KnownPosition(Wire):
    """The value of a position of a solved game to the side to move, that of every move, best first, and best play from
    there, as far as it was asked for. ``null`` and nothing where the game is over, or the table lacks the position."""

    value: Worth | None
    moves: Sequence[KnownMove]
    line: Sequence[RecordedMove]
