"""Pieces and setups: a position as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .board import Side


class Piece(NamedTuple):
    """A piece on the board: whose it is and of what kind."""

    side: Side
    code: str


@dataclass(frozen=True, slots=True)
class Setup:
    """What a position string says.

    Attributes:
        board: one entry a point, in reading order.
        hands: for Black and then White, how many of each hand kind, in the variant's hand order.
        turn: the side to move.
        ply: the number of the move to come, 1 at the start.
    """

    board: tuple[Piece | None, ...]
    hands: tuple[tuple[int, ...], tuple[int, ...]]
    turn: Side
    ply: int = 1
