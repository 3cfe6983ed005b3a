"""A puzzle as data."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from ...errors import KomadaiError
from ...game.position import Position
from ...i18n import _, ngettext
from ...spec.board import SIDES, Side, other
from ...spec.move import Move
from ...spec.setup import Piece, Setup
from ...spec.sfen import parse
from ...spec.variant import Variant
from ...variants import own_options

Theme = Literal["mate", "win", "table", "extinction", "material", "defence", "only"]
THEMES: tuple[Theme, ...] = get_args(Theme)
WINS: tuple[Theme, ...] = ("mate", "win", "table", "extinction")
"""The themes whose solution ends the game."""

_ID_LENGTH = 10


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which one first move is the right one, in the sense of its theme.

    Later every move is right that keeps the result within the length of the solution. Two orders of the same moves that
    reach the same position count as one.

    Attributes:
        variant: the game, with its options.
        position: the position string; the side to move is the solver's.
        theme: ``"mate"``: by checks alone; ``"win"``: by any end of the game, within so many turns; ``"table"``: by
            the table of the solved game; ``"extinction"``: by taking what keeps the opponent alive, within so many
            turns; ``"material"``: pieces; ``"defence"``: the only move after which the opponent cannot mate by checks;
            ``"only"``: the only move that keeps the balance.
        solution: the line as move strings, the opponent holding out as long as possible.
        rating: how hard it is: 100 times the binary logarithm of the positions its solver looked at.
    """

    variant: Variant
    position: str
    theme: Theme
    solution: tuple[str, ...]
    rating: int

    @property
    def id(self) -> str:
        """Its name: ten digits made from game, options and position, the same for ever."""
        options = "".join(f" {name}={value}" for name, value in own_options(self.variant))
        return hashlib.sha256(f"{self.variant.id}{options} {self.position}".encode()).hexdigest()[:_ID_LENGTH]

    @property
    def plies(self) -> int:
        """The length of the solution; always odd."""
        return len(self.solution)

    @property
    def turns(self) -> int:
        """The moves that the solver makes."""
        return (len(self.solution) + 1) // 2

    @property
    def turn(self) -> Side:
        """The solver's side."""
        return parse(self.variant, self.position).turn

    @property
    def task(self) -> str:
        """The task in words, in the reader's language."""
        if self.theme == "mate":
            return ngettext("Mate in {count} ply", "Mate in {count} plies", self.plies)
        if self.theme in ("table", "win"):
            return ngettext("Win in {count} ply", "Win in {count} plies", self.plies)
        if self.theme == "material":
            return _("Win material")
        if self.theme == "defence":
            return _("Find the only defence to the mate")
        if self.theme == "only":
            return _("Find the only move that holds")
        return ngettext(
            "Win in {count} turn: {end}",
            "Win in {count} turns: {end}",
            self.turns,
            end=_(self.variant.extinction.note),
        )

    def start(self) -> Position:
        """The position, new each time.

        Raises:
            NotationError, IllegalPositionError: it cannot be played.
        """
        return Position(self.variant, self.position)

    def moves(self) -> tuple[Move, ...]:
        """The solution as moves.

        Raises:
            NotationError, IllegalMoveError: it cannot be played.
        """
        position = self.start()
        for text in self.solution:
            position.push(text)
        return position.move_stack


def reordered(position: Position, line: Sequence[Move], move: Move) -> tuple[Move, ...] | None:
    """The line that begins with ``move`` and reaches by the same moves, in another order, a position of ``line``.

    The solver's first move changes places with a later one, or both reach the same position at once. ``None``: there is
    no such line.
    """
    for last in range(0, len(line), 2):
        other = (move, *line[1:last], line[0], *line[last + 1 :]) if last else (move, *line[1:])
        if line[last] == move or not last:
            key = key_after(position, line[: last + 1])
            if key is not None and key_after(position, other[: last + 1]) == key:
                return other
    return None


def key_after(position: Position, moves: Iterable[Move]) -> int | None:
    """The key of the position after these moves; ``None`` if they cannot be played."""
    at = position.copy()
    try:
        for move in moves:
            at.push(move)
    except KomadaiError:
        return None
    return at.key()


def puzzle_of(position: Position, theme: Theme, solution: Iterable[Move], nodes: int) -> Puzzle:
    """The puzzle of a position whose solver looked at so many positions."""
    return Puzzle(position.variant, position.sfen(), theme, tuple(map(str, solution)), rating_of(nodes))


def rating_of(nodes: int) -> int:
    """The rating of a puzzle whose solver looked at so many positions."""
    return round(100 * math.log2(max(nodes, 1)))


def from_black(setup: Setup) -> Setup:
    """The setup with Black to move: the board is turned round, and the sides change places, if White was."""
    if setup.turn == SIDES[0]:
        return Setup(setup.board, setup.hands, setup.turn)
    board = tuple(piece and Piece(other(piece.side), piece.code) for piece in reversed(setup.board))
    return Setup(board, (setup.hands[1], setup.hands[0]), SIDES[0])
