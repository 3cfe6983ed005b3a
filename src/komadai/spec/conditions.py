"""Conditions: yes-or-no questions about a move or a piece."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .board import Region, Vector

Owner = Literal["own", "enemy", "either"]


class Condition:
    """A yes-or-no question about a move. Conditions combine with ``&``, ``|`` and ``~``."""

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
    """The piece that is asked about is one of these kinds. One that moves or is dropped: as it stands afterwards."""

    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class At(Condition):
    """The piece comes to stand in the region."""

    region: Region


@dataclass(frozen=True, slots=True)
class Stuck(Condition):
    """The piece, as it stands afterwards, could never move again from there, even on an empty board."""


@dataclass(frozen=True, slots=True)
class OnFile(Condition):
    """The file where the piece comes to stand holds *another* piece of the mover of one of these kinds."""

    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InHand(Condition):
    """When the turn began the mover held a piece of one of these hand kinds (none named: any piece at all)."""

    codes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GivesCheck(Condition):
    """After the move the opponent's royal piece is attacked."""


@dataclass(frozen=True, slots=True)
class Mates(Condition):
    """After the move the opponent is in check and has no reply that parries it.

    The replies counted are those that break no rule, except that rules which themselves ask :class:`Mates` are not
    applied to them: such a rule cannot refer to itself (docs/rules/nana.md, rule 6).
    """


@dataclass(frozen=True, slots=True)
class Captures(Condition):
    """The move takes a piece."""


@dataclass(frozen=True, slots=True)
class Near(Condition):
    """Another piece of one of these kinds stands ``least`` to ``most`` king's steps from where the piece ends.

    Of a move or drop: the others are looked at as they stand when the turn begins; in all else as they stand now.
    ``of`` says whose they are, seen from the piece asked; ``most=None``: however far. With ``supported`` only those
    count that are :class:`Supported`.
    """

    codes: tuple[str, ...]
    of: Owner = "either"
    most: int | None = 1
    least: int = 1
    supported: bool = False


@dataclass(frozen=True, slots=True)
class Has(Condition):
    """On the board stands a piece of one of these kinds; ``of`` says whose, seen from the owner of the piece asked."""

    codes: tuple[str, ...]
    of: Owner = "own"


@dataclass(frozen=True, slots=True)
class InSight(Condition):
    """The piece is the first that a piece of one of these kinds meets as it looks along one of ``vectors``.

    The vectors are seen by the piece that looks; ``of`` says whose that is, seen from the piece asked. With ``through``
    the piece need not be the first.
    """

    codes: tuple[str, ...]
    vectors: tuple[Vector, ...]
    of: Owner = "enemy"
    through: bool = False


@dataclass(frozen=True, slots=True)
class Supported(Condition):
    """The piece, as it stands afterwards, has the support that ``Variant.support`` describes."""


@dataclass(frozen=True, slots=True)
class BeyondSupport(Condition):
    """On its way, along a slide, the piece passed over a point where it would not have been :class:`Supported`."""
