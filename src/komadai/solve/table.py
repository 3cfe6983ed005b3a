"""The table of a solved game: probe it, find best play, check it."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

from .. import _core
from ..compiler import compile_variant
from ..errors import NotationError, TableError
from ..game.position import Position
from ..json_text import fits
from ..reference import Reference
from ..spec.move import Move
from ..spec.variant import Variant
from ..typed import typed
from . import files
from .compression import decompress
from .shape import index_of, shape_of

Progress = Callable[[str, int, int], object]
"""Called with the name of the stage, the work done and the work in all."""

_DESCRIPTION = {
    "options": {...: str},
    "everything": (bool, ...),
    "values": str,
    "statistics": {"positions": [int], "reachable": [int], "moves": int},
    "hardest": [list],
}
_CACHED_BLOCKS = 256  # 16 MiB
_PUZZLES_RANKED, _PUZZLES_KEPT = 200, 3  # of each distance


def silent(stage: str, done: int, total: int) -> None:
    """The :data:`Progress` that reports nothing."""


@dataclass(frozen=True, slots=True)
class Value:
    """The value of a position for the side to move, with best play by both sides.

    Attributes:
        outcome: ``win``, ``draw`` or ``loss``.
        distance: plies to the end of the game: the winner wins as soon as possible, the loser resists as long as
            possible. ``None`` for a draw.
    """

    outcome: Literal["win", "draw", "loss"]
    distance: int | None

    @property
    def rank(self) -> tuple[int, int]:
        """Orders values: the better for the side to move, the greater."""
        if self.distance is None:
            return 0, 0
        return (1, -self.distance) if self.outcome == "win" else (-1, self.distance)

    def before(self) -> Value:
        """The value of a move for the side making it, if the position after it has this value."""
        if self.distance is None:
            return self
        return Value("loss" if self.outcome == "win" else "win", self.distance + 1)

    def __str__(self) -> str:
        if self.distance is None:
            return "draw"
        return f"{self.outcome} in {self.distance} {'ply' if self.distance == 1 else 'plies'}"


DRAW = Value("draw", None)


WORTH = {"win": 1, "draw": 0, "loss": -1}
"""The worth of each outcome to the side to move."""


@cache
def value_of(number: int) -> Value:
    """The value that a table stores as that number: 0 for a draw, else 1 + the distance."""
    if number == 0:
        return DRAW
    return Value("win" if number % 2 == 0 else "loss", number - 1)


@cache
def worth_of(number: int) -> int:
    """The value that a table stores as that number, without its distance: 1 for a win, 0 for a draw, -1 for a loss."""
    return WORTH[value_of(number).outcome]


@dataclass(frozen=True, slots=True)
class MoveValue:
    """A legal move and its value.

    Attributes:
        move: the move.
        value: its value for the side making it; the distance counts the move itself.
        best: whether no move is better.
        blunder: whether it turns a win into a draw or a loss, or a draw into a loss.
    """

    move: Move
    value: Value
    best: bool
    blunder: bool


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A won position that is reachable from the start.

    Attributes:
        position: the position string.
        distance: plies to the end of the game with best play.
        winning: the number of winning moves.
    """

    position: str
    distance: int
    winning: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """The positions of a table by value.

    Each list counts positions by the number the table stores: draws first, then those that end in 0, 1, 2, … plies;
    even distances are losses for the side to move, odd ones wins. Positions that differ by turning the board and
    swapping the colours, or by left and right where that makes no difference, are counted once.

    Attributes:
        positions: all legal positions. ``reachable``: those reachable from the start.
        moves: legal moves of all positions together.
    """

    positions: tuple[int, ...]
    reachable: tuple[int, ...]
    moves: int

    @staticmethod
    def shares(counts: tuple[int, ...]) -> dict[str, int]:
        """The numbers of won, drawn and lost positions."""
        return {"win": sum(counts[2::2]), "draw": counts[0], "loss": sum(counts[1::2])}


@dataclass(frozen=True, slots=True)
class Audit:
    """The result of an audit: the numbers of positions and moves checked, and the positions with a wrong value."""

    positions: int
    moves: int
    wrong: tuple[str, ...]


class Table:
    """The values of all positions of a variant in which the royal pieces are on the board, and of its opening.

    Example:
        >>> import komadai
        >>> table = komadai.solve.open("nana")
        >>> position = komadai.Position("nana", "1K1/1D[GB]/1k1 b br")
        >>> str(table.probe(position))
        'win in 1 ply'
    """

    @typed
    def __init__(self, variant: Variant, contents: files.Contents, path: Path) -> None:
        """Use :func:`komadai.solve.open`.

        Raises:
            TableError: the contents are the table of another game, or of other rules.
            SpecError: the variant cannot be solved.
        """
        self.variant = variant
        self.path = path
        self.about: dict[str, Any] = contents.about
        self._compiled = compile_variant(variant)
        self._blocks = contents.blocks
        again = f"build it again with: {files.command(variant)}"
        found = (self.about.get("variant"), self.about.get("version"))
        if found[0] != variant.id or found[1] not in variant.versions:
            raise TableError(
                f"{path} is the table of {found[0]} {found[1]}, not of {variant.id} {variant.version}; {again}"
            )
        if not files.is_made_for(self.about, variant):
            raise TableError(f"{path} is a table of {variant.id} under other rules or options; {again}")
        self._index = index_of(self._compiled, shape_of(variant))
        if not fits(self.about, _DESCRIPTION) or not all(
            list(map(type, hard)) == [str, int, int] for hard in self.about["hardest"]
        ):
            raise TableError(f"{path} is no table that can be read: its description does not fit; {again}")
        if self.about["size"] != self._index.size:
            raise TableError(f"{path} has values for {self.about['size']} positions, not {self._index.size}; {again}")
        self._width: int = self.about["width"]
        self._block: int = self.about["block"]
        self._compression = files.compression_of(self.about)
        self.everything: bool = self.about.get("everything", True)
        self._absent = None if self.everything else (1 << 8 * self._width) - 1
        self._values = lru_cache(maxsize=_CACHED_BLOCKS)(self._decompress)

    def __reduce__(self) -> tuple[object, ...]:
        """The table of the same file."""
        return _opened, (self.variant, self.path)

    # --- Looking up ---

    def _decompress(self, block: int) -> bytes:
        length = min(self._block, self._index.size * self._width - block * self._block)
        values = decompress(self._blocks[block], self._compression, length)
        if values is None:
            raise TableError(f"{self.path} is damaged: block {block} cannot be read")
        return values

    def keep_all(self) -> None:
        """Keep all that is read from now on, not only the latest 16 MiB: for questions about positions everywhere."""
        self._values = cache(self._decompress)

    def number(self, slot: int) -> int:
        """The number the table stores for a position number (see native/index.hpp)."""
        block, at = divmod(slot * self._width, self._block)
        return int.from_bytes(self._values(block)[at : at + self._width], "little")

    def values(self) -> bytes:
        """All values, ``width`` bytes each, as the native core reads them."""
        return b"".join(self._decompress(block) for block in range(len(self._blocks)))

    def _native(self, position: Position) -> _core.Position:
        if position._compiled is not self._compiled and replace(position.variant, options=()) != replace(
            self.variant, options=()
        ):
            raise NotationError(
                "probe",
                [f"the position is of {position.variant.id}, the table of {self.variant.id} (or other options)"],
            )
        return position._native

    def _number_of(self, native: _core.Position) -> int | None:
        """The number stored for a position, ``None`` if there is none."""
        slot = self._index.find(native)
        # Not every arrangement that has a number has a value: a start may have a piece where no move puts it.
        if slot < 0 or (self.everything and not self._index.counts(slot)):
            return None
        number = self.number(slot)
        return None if number == self._absent else number

    def _probe(self, native: _core.Position) -> Value | None:
        number = self._number_of(native)
        return None if number is None else value_of(number)

    def worth(self, native: _core.Position) -> int | None:
        """As :meth:`probe`, of the core's position of this very game: 1 if it is won, 0 drawn, -1 lost.

        It makes no object, for those who ask about millions of positions.

        Raises:
            TableError: the file turns out to be damaged.
        """
        number = self._number_of(native)
        return None if number is None else worth_of(number)

    def _moved_to(self, native: _core.Position) -> Value | None:
        """The value of a move for the side that has made it; the position after it may be the end of the game."""
        winner = native.winner_on_board()
        # A game that the move has thrown away counts as one that is won with the next move.
        # Numbers are those of value_of: one more is one ply more, with the win and the loss exchanged.
        number = self._number_of(native) if winner < 0 else 2 if winner == native.side_to_move() else 1
        return None if number is None else value_of(number and number + 1)

    @typed
    def probe(self, position: Position) -> Value | None:
        """The value of a position, regardless of the moves before it.

        ``None`` if the table does not contain it: with a king in hand it contains only positions reachable from the
        start, none that lack a piece, and none with a piece where it can neither land nor be dropped; a table of what
        the start leads to (``everything`` is false) contains nothing else.

        Raises:
            NotationError: the position is of another variant, or of other options.
            TableError: the file turns out to be damaged.
        """
        return self._probe(self._native(position))

    @typed
    def moves(self, position: Position) -> list[MoveValue]:
        """Every legal move with its value, best first; an empty list where :meth:`probe` returns ``None``.

        Moves that pass over a win at hand, into a position that the table lacks, are left out.

        Among equals the order is that of the move strings. Raises as :meth:`probe`.
        """
        native = self._native(position).copy()
        found: list[tuple[Move, Value]] = []
        if self._probe(native) is None:
            return []
        for move in position.legal_moves():
            native.push(move)
            value = self._moved_to(native)
            native.pop()
            if value is not None:
                found.append((move, value))
        found.sort(key=lambda one: one[0].text)
        found.sort(key=lambda one: one[1].rank, reverse=True)
        best = found[0][1] if found else DRAW
        worth = WORTH[best.outcome]
        return [MoveValue(move, value, value == best, WORTH[value.outcome] < worth) for move, value in found]

    @typed
    def line(self, position: Position, most: int = 1_000) -> list[Move]:
        """Best play from the position: to the end of the game if it is won or lost, else ``most`` plies of it.

        Raises as :meth:`probe`.
        """
        native = position.copy()
        played: list[Move] = []
        while len(played) < most and (moves := self.moves(native)):
            played.append(moves[0].move)
            native.push(moves[0].move)
        return played

    def hardest(self, most: int = 50, *, only_move: bool = False) -> list[Puzzle]:
        """The hardest wins reachable from the start, longest first, each once up to symmetry.

        For each distance the file names the three with the fewest winning moves among the most legal ones. With
        ``only_move`` those in which a single move wins.
        """
        puzzles = [Puzzle(*entry) for entry in self.about["hardest"]]
        return [puzzle for puzzle in puzzles if puzzle.winning == 1 or not only_move][:most]

    @property
    def statistics(self) -> Statistics:
        """The positions of the table by value."""
        counts = self.about["statistics"]
        return Statistics(tuple(counts["positions"]), tuple(counts["reachable"]), counts["moves"])

    # --- Checking ---

    def audit(self, *, one_in: int = 1, seed: int = 0, threads: int = 2, progress: Progress = silent) -> Audit:
        """Check every value, or those of one position in ``one_in``, against the values after each legal move.

        The moves come from the generic path of the core, which tries every move. If no value is wrong the table is
        right: wins and losses follow from shorter ones, and no draw can be improved by either side.

        Every position belongs to one of ``one_in`` parts, and ``seed`` from 0 to ``one_in`` - 1 chooses the part.

        Raises:
            TableError: the file is damaged.
        """
        parts = -(-self._index.size // (1 << 18))
        count = 0

        def done(part: int) -> None:
            nonlocal count
            count += 1
            progress("audit", count, parts)

        report = _core.audit(self._index, self.values(), self._width, self.everything, one_in, seed, threads, done)
        return Audit(report.positions, report.moves, tuple(self.position(slot).sfen() for slot in report.wrong))

    def position(self, slot: int) -> Position:
        """The position of that number, which need not be a legal one, with Black to move."""
        return Position._around(self._compiled, self._index.position(slot))

    def sample(self, count: int, seed: int = 0) -> Iterator[Position]:
        """Random legal positions of the table, each equally likely; the same for the same seed."""
        chance = random.Random(operator.index(seed))
        while count:
            slot = chance.randrange(self._index.size)
            if self._index.counts(slot) and self.number(slot) != self._absent:
                count -= 1
                yield self.position(slot)

    def check_by_reference(self, count: int, seed: int = 0, progress: Progress = silent) -> Audit:
        """Check ``count`` random values with the moves of the slow generator that reads the spec itself."""
        oracle = Reference(self.variant)
        moves, wrong = 0, []
        for number, position in enumerate(self.sample(count, seed), 1):
            setup = position.setup()
            after = [
                self._moved_to(Position(self.variant, oracle.play(setup, move))._native)
                for move in oracle.legal_moves(setup)
            ]
            moves += len(after)
            best = max(filter(None, after), key=lambda value: value.rank, default=Value("loss", 0))
            passes_over = best == Value("win", 1) and not self.everything
            if (None in after and not passes_over) or best != self.probe(position):
                wrong.append(position.sfen())
            if number % 100 == 0 or number == count:
                progress("reference", number, count)
        return Audit(count, moves, tuple(wrong))


def _opened(variant: Variant, path: Path) -> Table:
    """A copied or pickled table."""
    return Table(variant, files.read(path), path)


def hardest_of(table: Table, solver: _core.Solver | _core.RelativeSolver, longest: int) -> list[tuple[str, int, int]]:
    """The hardest wins reachable from the start for each distance, longest first.

    Those with the fewest winning moves among the most legal ones: position, distance and number of winning moves.
    """
    found: list[tuple[str, int, int]] = []
    for distance in range(longest - (longest + 1) % 2, 0, -2):
        ranked = []
        for slot in solver.reachable_with(distance + 1, _PUZZLES_RANKED):
            position = table.position(slot)
            if moves := table.moves(position):
                winning = sum(move.value.outcome == "win" for move in moves)
                ranked.append((winning, -len(moves), position.sfen()))
        found += [(position, distance, winning) for winning, _, position in sorted(ranked)[:_PUZZLES_KEPT]]
    return found
