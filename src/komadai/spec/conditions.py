"""Conditions: predicates about a move or a piece, from which rules are built.

A condition is tested for one piece: the piece that moves or is dropped, or each piece of the mover in turn, as the
rule's event says (:data:`~komadai.spec.rules.Event`). Conditions combine with ``&``, ``|`` and ``~``.

Example:
    >>> from komadai.spec import At, FarRanks, Forbid, Is, Rule
    >>> nowhere_to_go = Is(("N",)) & At(FarRanks(2))
    >>> rule = Rule("drops", nowhere_to_go, Forbid("a knight could never move again from there"), "my-game.md 4")
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .board import Region, Vector

Owner = Literal["own", "enemy", "either"]


class Condition:
    """A predicate about a move or a piece. Conditions combine with ``&``, ``|`` and ``~``."""

    __slots__ = ()

    def __and__(self, other: Condition) -> AllOf:
        return AllOf((self, other))

    def __or__(self, other: Condition) -> AnyOf:
        return AnyOf((self, other))

    def __invert__(self) -> Not:
        return Not(self)


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


@dataclass(frozen=True, slots=True)
class Is(Condition):
    """The piece is of one of these kinds. For a move or drop: of the kind that it is afterwards."""

    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class At(Condition):
    """The piece ends its move in the region, or stands there."""

    region: Region


@dataclass(frozen=True, slots=True)
class Stuck(Condition):
    """The piece, of the kind that it is after the move, could never move again from there, even on an empty board."""


@dataclass(frozen=True, slots=True)
class OnFile(Condition):
    """At least ``least`` *other* pieces of the mover, of these kinds, are on the file where the piece ends its move."""

    codes: tuple[str, ...]
    least: int = 1


@dataclass(frozen=True, slots=True)
class InHand(Condition):
    """Before the move the mover had a piece of one of these hand kinds in hand; without ``codes``, any piece."""

    codes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GivesCheck(Condition):
    """After the move a royal piece of the opponent is attacked. As the goal of a side: it attacks one."""


@dataclass(frozen=True, slots=True)
class Mates(Condition):
    """After the move the opponent is in check and has no legal reply.

    Rules that themselves contain :class:`Mates` are not applied to the replies: such a rule would refer to itself
    (docs/rules/nana.md, rule 6).
    """


@dataclass(frozen=True, slots=True)
class Captures(Condition):
    """The move captures a piece."""


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


@dataclass(frozen=True, slots=True)
class Has(Condition):
    """A piece of one of these kinds is on the board; ``of`` is its owner, relative to that of the piece tested."""

    codes: tuple[str, ...]
    of: Owner = "own"


@dataclass(frozen=True, slots=True)
class Stands(Condition):
    """A piece of one of these kinds, of the side asked about, stands in the region.

    Attributes:
        codes: the kinds. ``region``: as their owner sees the board.
        safe: only where no piece of the opponent attacks it.
    """

    codes: tuple[str, ...]
    region: Region
    safe: bool = False


@dataclass(frozen=True, slots=True)
class InSight(Condition):
    """The piece is in the line of sight of a piece of one of these kinds, the observer.

    Attributes:
        codes: the kinds of the observer.
        vectors: the lines, as the observer's owner sees them.
        of: the observer's owner, relative to that of the piece tested.
        through: pieces between the two do not block the line.
    """

    codes: tuple[str, ...]
    vectors: tuple[Vector, ...]
    of: Owner = "enemy"
    through: bool = False


@dataclass(frozen=True, slots=True)
class Supported(Condition):
    """The piece, where it is after the move, has the support that ``Variant.support`` describes."""


@dataclass(frozen=True, slots=True)
class BeyondSupport(Condition):
    """On each of its ways to its target the piece passed over a square where it would not have been :class:`Supported`.

    A leap passes over none, a hop over the piece and all that lies before and behind it. On the square of a root or of
    a supported link it would have been supported.
    """


@dataclass(frozen=True, slots=True)
class Takes(Condition):
    """The turn captures a piece of one of these kinds by landing, ``least`` to ``most`` king's steps from its start.

    Attributes:
        codes: the kinds of the captured piece. ``most``: the greatest distance; ``None``: any.
        protected: only one on a point where another piece of its side could capture, had the mover come there from its
            start, with what it takes elsewhere gone; of the pieces taken elsewhere each could still capture, too.
        elsewhere: only one on another point than the capture that :class:`JustTaken` asks about.
    """

    codes: tuple[str, ...]
    least: int = 1
    most: int | None = None
    protected: bool = False
    elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class JustTaken(Condition):
    """With the move before, the opponent captured a piece of one of the kinds ``codes`` with one of the kinds ``by``.

    Positions of a game that asks this remember the point of that capture, in their strings too.

    Attributes:
        codes: the kinds of the captured piece. ``by``: those of the captor as it began its turn.
    """

    codes: tuple[str, ...]
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Count(Condition):
    """There are ``least`` to ``most`` pieces of these kinds, all together, on the board.

    Attributes:
        codes: the kinds. ``of``: their owner, relative to the side asked about. ``most``: ``None`` for any number.
        beyond: those in this region, as their owner sees the board, do not count; ``None``: all do.
    """

    codes: tuple[str, ...]
    of: Owner = "own"
    least: int = 0
    most: int | None = None
    beyond: Region | None = None


@dataclass(frozen=True, slots=True)
class Beside(Condition):
    """A piece of one of the kinds ``codes``, of the side asked about, stands a king's step from one of ``others``.

    Attributes:
        codes: the kinds. ``others``: those of the other piece. ``of``: its owner, relative to the side asked about.
    """

    codes: tuple[str, ...]
    others: tuple[str, ...]
    of: Owner = "enemy"
