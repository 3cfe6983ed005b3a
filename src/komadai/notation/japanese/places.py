"""Places in Japanese writing: squares, and compass directions where a game has no squares."""

from __future__ import annotations

from ...game.position import Position
from ...i18n import _
from ...spec.board import Unbounded
from ..compass import Places
from .names import DIGITS, find_square, full_width, square_text

_WINDS, _COMPASS = str.maketrans("NESW", "北東南西"), str.maketrans("北東南西", "NESW")


class Squares:
    """The squares of a board by file and rank: ``７六``."""

    def __init__(self, position: Position) -> None:
        self.board = position.variant.board

    def text(self, point: int) -> str:
        """A point as it is written."""
        return square_text(self.board, point)

    def find(self, text: str) -> int | None:
        """The point of a text in normal form, ``None`` if there is none."""
        return find_square(self.board, text)

    def unknown(self, text: str) -> str:
        """The refusal of a text that names no place."""
        first, last = self.text(0), self.text(len(self.board) - 1)
        named = {"name": text, "first": first, "last": last}
        return _("{name} is not a square of this board, which goes from {first} to {last}", **named)


class Winds(Squares):
    """Places by compass as in :mod:`komadai.notation.compass`: ``北東``, ``南南西２``, ``北３東１``.

    The king's own is its square. While there is no king they are squares, and on a field without edges, where there is
    no choice, nothing.
    """

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self.places = Places(position)
        self.only = self.board.middle if self.places.base is None and isinstance(self.board, Unbounded) else None

    def text(self, point: int) -> str:
        if self.only is not None:
            return ""
        if self.places.base in (None, point):
            return super().text(point)
        return full_width(self.places.place(point).translate(_WINDS))

    def find(self, text: str) -> int | None:
        if not text or text[0] in "123456789" or text[0] in DIGITS:
            return super().find(text) if text else self.only
        return self.places.find(text.translate(_COMPASS))

    def unknown(self, text: str) -> str:
        return _("there is no place {place}", place=text or "?")


def places_of(position: Position) -> Squares:
    """The places in which moves of the position are written."""
    return Winds(position) if position.variant.notation == "compass" else Squares(position)
