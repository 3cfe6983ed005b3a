"""What every condition says of itself, and the words that combine conditions.

All about one condition stands in its file: the class with its fields, where it may be asked, its defects, its meaning,
its canonical form, its tables for the core. The reference, the compiler and the check of a spec ask it there, each by
one of the protocols below.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

from ..board import Rect, Region, Side, Vector
from ..forms import JSON, NO_FORM, value_form
from ..kinds import Kind
from ..setup import Piece, Setup

Owner = Literal["own", "enemy", "either"]

Asked = Literal["move", "landing", "turn_end", "place", "turn", "end"]
"""Where a condition may be asked: of moves and drops, of landings of compound moves, of pieces at the end of a turn, of
pieces in place while a turn goes on, of whole turns, and of what stands on the board as the end of a game."""


def concerns(of: str, found: Side, asking: Side) -> bool:
    """True if a piece of side ``found`` is one of those that ``of`` means for a piece of side ``asking``."""
    return of == "either" or (found == asking) == (of == "own")


class Checks(Protocol):
    """Where a condition says what is wrong with its fields."""

    @property
    def board(self) -> Rect: ...
    def add(self, what: str) -> None: ...
    def codes(self, given: tuple[str, ...]) -> None: ...
    def hand_codes(self, given: tuple[str, ...]) -> None: ...
    def region(self, region: Region) -> None: ...
    def owner(self, of: str) -> None: ...
    def support(self) -> None:
        """The variant must say what support is."""


class InPlace(Protocol):
    """A piece that stands, or is about to stand, on a point, among the ``pieces`` that count.

    ``board``: the board. ``point``: where, as an index; ``piece``: its side, and the kind that it is or will be.
    """

    @property
    def board(self) -> Rect: ...
    @property
    def pieces(self) -> Mapping[int, Piece]: ...
    @property
    def point(self) -> int: ...
    @property
    def piece(self) -> Piece: ...
    @property
    def kind(self) -> Kind: ...
    def is_supported(self) -> bool: ...
    def supported_pieces(self) -> Mapping[int, Piece]:
        """Those among ``pieces`` that have support."""


class OfMove(InPlace, Protocol):
    """A move or drop in a position; ``pieces`` are all but the mover and what it captures."""

    @property
    def setup(self) -> Setup: ...
    @property
    def origin(self) -> int | None: ...
    def held(self) -> Iterable[tuple[str, int]]:
        """The hand kinds of the mover, and how many of each it holds."""

    def beyond_support(self) -> bool: ...
    def gives_check(self) -> bool: ...
    def mates(self) -> bool: ...


class OfTurn(InPlace, Protocol):
    """A whole turn of compound moves; ``pieces``: those when it began."""

    @property
    def origin(self) -> int: ...
    @property
    def took(self) -> tuple[tuple[int, str], ...]:
        """The points and kinds of the pieces captured by landing."""

    @property
    def taken_on(self) -> int | None: ...
    def is_protected(self, point: int) -> bool: ...


class OfEnd(Protocol):
    """What stands on the board, as a side asks whether the game has ended."""

    @property
    def board(self) -> Rect: ...
    @property
    def squares(self) -> Sequence[Piece | None]: ...
    @property
    def side(self) -> Side: ...
    def is_attacked(self, point: int) -> bool:
        """True if the opponent attacks the point."""

    def gives_check(self) -> bool: ...


class Tables(Protocol):
    """The tables for the core, while they are built."""

    @property
    def board(self) -> Rect: ...
    @property
    def hand_order(self) -> tuple[str, ...]: ...
    def number(self, condition: Condition) -> int:
        """The number of the condition's row in its table, to which it is added if it is new."""

    def file_group(self, codes: tuple[str, ...]) -> int: ...
    def wanted(self, codes: tuple[str, ...], of: Owner) -> list[list[int]]: ...
    def mask(self, vectors: Iterable[Vector], side: Side) -> int: ...


class Translation(Protocol):
    """The tables under a symmetry that is tried."""

    def row(self, table: str, number: int) -> Any: ...
    def sides(self, both: list[Any], read: Callable[[Any], Hashable]) -> tuple[Hashable, ...]: ...
    def pieces(self, pieces: Iterable[int]) -> frozenset[int]: ...
    def points(self, points: Iterable[int]) -> frozenset[int]: ...
    def vectors(self, bits: int) -> frozenset[int]: ...
    def slots(self, bits: int) -> frozenset[frozenset[int]]: ...
    def file_group(self, number: int) -> Hashable: ...


class Condition:
    """A predicate about a move or a piece. Conditions combine with ``&``, ``|`` and ``~``.

    Attributes:
        asked: where it may be asked. ``tag``: its name in canonical forms, which never changes.
        of_the_point: it holds of the drop of every piece on a point, or of none.
        core: the name of its value in the core's ``Condition``; empty if it depends on piece and point alone, and is
            folded into sets of points (:meth:`points`).
        table: the list of the core's tables that has its rows; ``compound``: one of those for compound moves.
            ``columns``: those of a row; behind a colon what both sides have there, ``pieces``, ``points`` or
            ``vectors``, where a symmetry changes it.
    """

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]] = ()
    asked: ClassVar[frozenset[Asked]] = frozenset()
    tag: ClassVar[str] = ""
    of_the_point: ClassVar[bool] = False
    core: ClassVar[str] = ""
    table: ClassVar[str] = ""
    columns: ClassVar[tuple[str, ...]] = ()
    compound: ClassVar[bool] = False

    def __and__(self, other: Condition) -> AllOf:
        return AllOf((self, other))

    def __or__(self, other: Condition) -> AnyOf:
        return AnyOf((self, other))

    def __invert__(self) -> Not:
        return Not(self)

    # --- What it says of itself; atomic conditions alone are asked ---

    def check(self, checks: Checks) -> None:
        """Say what is wrong with its fields."""

    def form(self) -> JSON:
        """Its canonical form, for the rules hash: the tag and the fields, in their order.

        Raises:
            TypeError: it has none.
        """
        if not self.tag:
            raise TypeError(NO_FORM.format(type(self).__name__))
        return [self.tag, *(value_form(getattr(self, name)) for name in self.__match_args__)]

    def in_place(self, at: InPlace) -> bool:
        """True if it holds for a piece in its place.

        Raises:
            TypeError: it cannot be asked of one.
        """
        raise TypeError(f"{type(self).__name__} cannot be asked of a piece in its place")

    def of_move(self, at: OfMove) -> bool:
        """True if it holds for a move."""
        return self.in_place(at)

    def of_turn(self, at: OfTurn) -> bool:
        """True if it holds for a whole turn."""
        return self.in_place(at)

    def of_end(self, at: OfEnd) -> bool:
        """True if it holds for a side as the end of a game.

        Raises:
            TypeError: it is no condition on that.
        """
        raise TypeError(f"{type(self).__name__} is no condition on the end of a game")

    def points(self, board: Rect, kind: Kind, side: Side) -> Collection[int]:
        """The points on which it holds for a piece, if it asks for nothing but the piece and its place."""
        raise TypeError(f"{type(self).__name__} asks for more than a piece and its place")

    def argument(self, tables: Tables) -> int:
        """Its argument in the core's tables."""
        return tables.number(self) if self.table else 0

    def row(self, tables: Tables) -> Any:
        """Its row in its table."""
        raise TypeError(f"{type(self).__name__} has no table")

    @classmethod
    def translated(cls, argument: int, by: Translation) -> Hashable:
        """Its argument under a symmetry."""
        if not cls.table:
            return None
        row = by.row(cls.table, argument)
        found = ((getattr(row, name), what) for name, _, what in (column.partition(":") for column in cls.columns))
        return tuple(by.sides(value, getattr(by, what)) if what else value for value, what in found)


@dataclass(frozen=True, slots=True)
class AllOf(Condition):
    """Every one of the conditions holds, as in ``a & b``."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class AnyOf(Condition):
    """At least one of the conditions holds, as in ``a | b``."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Not(Condition):
    """The condition does not hold, as in ``~a``."""

    part: Condition


def combined(condition: Condition, holds: Callable[[Condition], bool]) -> bool:
    """True if a condition holds, where ``holds`` answers for the atomic ones in it."""
    match condition:
        case AllOf(parts):
            return all(combined(part, holds) for part in parts)
        case AnyOf(parts):
            return any(combined(part, holds) for part in parts)
        case Not(part):
            return not combined(part, holds)
    return holds(condition)
