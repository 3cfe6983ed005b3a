"""Names of squares: coordinates on a board; on an unbounded field, the direction from a royal piece."""

from __future__ import annotations

import re

from ...game.position import Position
from ...notation.compass import compass
from ...spec.board import SIDE_NAMES, Side, Unbounded, other
from ...spec.material import royals

_SQUARES = re.compile(r"(?<![\w*.-])((?:\d{1,2}[a-z])+)(?!\w)")
"""Squares in a text, and move strings made of them."""


class PlaceNames:
    """The names of squares in one position.

    On an unbounded field they are relative to the royal piece of one side, or to the other's while that is absent;
    north is Black's forward.
    """

    def __init__(self, position: Position, side: Side) -> None:
        self._board = board = position.variant.board
        self._base: int | None = None
        self._whose = ""
        self.named = not isinstance(board, Unbounded)
        kings = royals(position.variant)
        found = {piece.side: point for point, piece in enumerate(position.board) if piece and piece.code in kings}
        for owner in () if self.named else (side, other(side)):
            if self._base is None and owner in found:
                self._base = found[owner]
                king = position.board[found[owner]]
                self._whose = f"{SIDE_NAMES[owner]}'s {position.variant.kind(king.code).name if king else ''}"

    def short(self, square: str) -> str:
        """The short name for lists: ``7f``, ``NE2``."""
        point = self._board.find(square)
        if self.named or point is None:
            return square
        if self._base is None:
            return "the middle"
        (x, y), (u, v) = self._board.xy(self._base), self._board.xy(point)
        return "home" if point == self._base else compass(u - x, y - v)

    def long(self, square: str) -> str:
        """The full name for sentences: ``7f``, ``NE2 of Black's Gyoku``."""
        short = self.short(square)
        if self.named or self._base is None:
            return short
        return f"the place of {self._whose}" if short == "home" else f"{short} of {self._whose}"

    def within(self, text: str) -> str:
        """A text that names squares as move strings do, with the names on the screen."""
        if self.named:
            return text
        return _SQUARES.sub(lambda found: "→".join(map(self.short, re.findall(r"\d+[a-z]", found[0]))), text)
