"""Boards: points, their names, and regions of them.

A *point* is an index in reading order: 0 is the top left corner seen by Black, which is the highest file of rank
``a`` (``9a`` on a 9×9 board). Vectors are pairs ``(right, ahead)`` seen by the piece's owner.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ..i18n import ngettext

Side = Literal["b", "w"]
Vector = tuple[int, int]

SIDES: tuple[Side, Side] = ("b", "w")
SIDE_NAMES: dict[Side, str] = {"b": "Black", "w": "White"}

_SQUARE = re.compile(r"([1-9][0-9]?)([a-z])")


def other(side: Side) -> Side:
    """The opponent of ``side``."""
    return "w" if side == "b" else "b"


@dataclass(frozen=True, slots=True)
class Rect:
    """A board of ``width`` files by ``height`` ranks (1 to 25 each), with edges.

    Square names count files from Black's right and letter the ranks from White's side
    (docs/rules/README.md, "Squares").
    """

    width: int
    height: int

    def __len__(self) -> int:
        return self.width * self.height

    @property
    def points(self) -> range:
        """All points, in reading order."""
        return range(len(self))

    def xy(self, point: int) -> tuple[int, int]:
        """Column from the left and row from the top, both from 0, as Black sees the board."""
        return point % self.width, point // self.width

    def file(self, point: int) -> int:
        """File number, 1 at Black's right."""
        return self.width - point % self.width

    def name(self, point: int) -> str:
        """Square name, for example ``7f``."""
        return f"{self.file(point)}{chr(ord('a') + point // self.width)}"

    def find(self, name: str) -> int | None:
        """The point of that name, or ``None`` if the board has no such square."""
        match = _SQUARE.fullmatch(name)
        if match is None:
            return None
        file, rank = int(match[1]), ord(match[2]) - ord("a")
        if file > self.width or rank >= self.height:
            return None
        return rank * self.width + self.width - file

    @staticmethod
    def in_order(squares: Iterable[str]) -> list[str]:
        """Square names in the order of their points."""
        return sorted(squares, key=lambda square: (square[-1], -int(square[:-1])))

    def step(self, point: int, vector: Vector, side: Side) -> int | None:
        """The point reached from ``point`` by ``vector`` as ``side`` sees it, or ``None`` off the board."""
        right, ahead = vector if side == "b" else (-vector[0], -vector[1])
        x, y = point % self.width + right, point // self.width - ahead
        return y * self.width + x if 0 <= x < self.width and 0 <= y < self.height else None

    def line(self, point: int, vector: Vector, side: Side, reach: int | None = None) -> range:
        """The points reached by ``vector`` again and again, up to the edge and at most ``reach`` of them."""
        right, ahead = vector if side == "b" else (-vector[0], -vector[1])
        x, y, far = point % self.width, point // self.width, len(self)
        across = (self.width - 1 - x) // right if right > 0 else x // -right if right else far
        along = y // ahead if ahead > 0 else (self.height - 1 - y) // -ahead if ahead else far
        count, stride = min(across, along, reach or far), right - ahead * self.width
        return range(point + stride, point + stride * (count + 1), stride) if count else range(0)

    def distance(self, a: int, b: int) -> int:
        """The distance between two points in steps of a king."""
        return max(abs(a % self.width - b % self.width), abs(a // self.width - b // self.width))

    def ranks_ahead(self, point: int, side: Side) -> int:
        """The number of ranks between ``point`` and the far edge as ``side`` sees it."""
        row = point // self.width
        return row if side == "b" else self.height - 1 - row


@dataclass(frozen=True, slots=True)
class Unbounded(Rect):
    """A board without edges, seen through a window of ``width`` by ``height`` (both odd).

    Only relative places matter: Black's ``anchor`` piece is always on the middle square of the window, and when it
    moves the other pieces get new square names. Until it is dropped the board is empty, and it is dropped in the
    middle. The window must be large enough for all pieces that the rules keep together: a move after which a piece
    would be outside is not possible.

    Example:
        >>> from komadai.spec import Unbounded
        >>> board = Unbounded(9, 9, anchor="K")
        >>> board.name(board.middle)
        '5e'
    """

    anchor: str

    @property
    def middle(self) -> int:
        """The point where the anchor stands."""
        return len(self) // 2


@dataclass(frozen=True, slots=True)
class FarRanks:
    """The ``count`` ranks farthest from a player: each side has its own."""

    count: int

    def contains(self, board: Rect, point: int, side: Side) -> bool:
        return board.ranks_ahead(point, side) < self.count

    def describe(self) -> str:
        return ngettext("the last rank", "the {count} farthest ranks", self.count)


@dataclass(frozen=True, slots=True)
class Squares:
    """The named squares, the same for both sides."""

    names: tuple[str, ...]

    def contains(self, board: Rect, point: int, side: Side) -> bool:
        return board.name(point) in self.names

    def describe(self) -> str:
        return " ".join(self.names)


Region = FarRanks | Squares
