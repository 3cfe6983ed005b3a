"""Movements of pieces: legs, walks and shots, and the functions that build them.

A :class:`Movement` is a union of alternatives. A leg goes along one of its vectors, up to ``reach`` times over empty
squares; a walk is several legs in one move. A shot captures at a distance. Vectors are ``(right, ahead)`` as the
piece's owner sees them. A leap jumps over anything; a slide stops at the first piece (docs/rules/README.md, "Betza").

Example:
    >>> from komadai.spec import ORTHOGONAL, Shot, betza, slide, step
    >>> dragon_king = slide(*ORTHOGONAL) | betza("F")
    >>> camel = step((1, 3), (-1, 3), (1, -3), (-1, -3), (3, 1), (-3, 1), (3, -1), (-3, -1))
    >>> lion = betza("K").times(1, 2)
    >>> archer = betza("F").shooting(Shot(ORTHOGONAL, reach=3))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from .board import Vector

ORTHOGONAL: tuple[Vector, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))


DIAGONAL: tuple[Vector, ...] = ((1, 1), (1, -1), (-1, -1), (-1, 1))


KNIGHT: tuple[Vector, ...] = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


Captures = Literal["may", "never", "must"]


@dataclass(frozen=True, slots=True)
class Leg:
    """Travel along any one of ``vectors``, 1 to ``reach`` times (``None``: as far as the board goes).

    Attributes:
        hops: it goes over exactly one piece, of either side, and ends somewhere behind it.
        captures: it ends on empty points and on pieces of the opponent (``may``), on empty points alone (``never``), or
            on pieces alone (``must``).
    """

    vectors: tuple[Vector, ...]
    reach: int | None = 1
    hops: bool = False
    captures: Captures = "may"

    @property
    def is_plain(self) -> bool:
        """True if it neither hops nor is for captures or quiet moves alone."""
        return not self.hops and self.captures == "may"

    def landings(self, occupied: Sequence[bool]) -> Iterator[int]:
        """The places among the points of its way, occupied or not, where it may end."""
        over = not self.hops
        for place, there in enumerate(occupied):
            if over and self.captures != ("never" if there else "must"):
                yield place
            if over and there:
                return
            over = over or there


Line = Literal["free", "straight", "axial", "onward"]


@dataclass(frozen=True, slots=True)
class Walk:
    """``least`` to ``most`` leaps in one move; each lands, and may capture, before the next begins there.

    Attributes:
        vectors: each leap goes by one of these.
        line: ``free``; ``straight``: every leap as the first; ``axial``: every leap as the first or its exact
            reverse; ``onward``: a later leap keeps the direction of the longest component of the one before, or is its
            exact reverse.
        revisits: whether it may land on a square twice, its start included.
    """

    vectors: tuple[Vector, ...]
    least: int
    most: int
    line: Line = "free"
    revisits: bool = True

    def after(self, before: Vector) -> tuple[Vector, ...]:
        """The vectors of a leap that follows a leap by ``before``."""
        if self.line == "free":
            return self.vectors
        if self.line == "straight":
            return (before,)
        back = (-before[0], -before[1])
        if self.line == "axial":
            return (before, back)
        axis = 0 if abs(before[0]) > abs(before[1]) else 1
        return tuple(vector for vector in self.vectors if vector == back or vector[axis] == before[axis])


@dataclass(frozen=True, slots=True)
class Shot:
    """Capture at a distance; the shooter stays where it is.

    Attributes:
        vectors: the directions. ``reach``: the greatest distance, in multiples of a vector.
        targets: the number of shots in a row, each judged after the one before.
        over: whether it shoots over pieces in between.
        safe: the kinds it can never hit.
        nearest: kinds it hits only from a certain distance on, and that distance.
        after_capture: whether it may also shoot in a move in which it captured by landing.
        each_landing: whether it shoots after every landing of a walk, or only after the last.
        standing: whether it shoots after it has moved (``never`` standing), standing where it is instead (``only``),
            or one or the other (``may``).
    """

    vectors: tuple[Vector, ...]
    reach: int
    targets: int = 1
    over: bool = False
    safe: tuple[str, ...] = ()
    nearest: tuple[tuple[str, int], ...] = ()
    after_capture: bool = False
    each_landing: bool = False
    standing: Literal["never", "only", "may"] = "never"


@dataclass(frozen=True, slots=True)
class Movement:
    """The moves of a piece: any one of its legs or walks, and the shot that may go with it.

    Movements are joined with ``|``.
    """

    legs: tuple[Leg, ...] = ()
    walks: tuple[Walk, ...] = ()
    shot: Shot | None = None

    def __or__(self, other: Movement) -> Movement:
        if self.shot and other.shot:
            raise ValueError("a piece has one shot")
        return Movement(self.legs + other.legs, self.walks + other.walks, self.shot or other.shot)

    def times(self, least: int, most: int | None = None, *, line: Line = "free", revisits: bool = True) -> Movement:
        """The walk of ``least`` to ``most`` of these legs, which must be leaps; without ``most``, exactly ``least``.

        Raises:
            ValueError: a leg is no leap, or there is a walk already.
        """
        if self.walks or any(leg.reach != 1 or not leg.is_plain for leg in self.legs):
            raise ValueError("a walk is made of leaps")
        vectors = tuple(dict.fromkeys(vector for leg in self.legs for vector in leg.vectors))
        return Movement((), (Walk(vectors, least, most or least, line, revisits),), self.shot)

    def shooting(self, shot: Shot) -> Movement:
        """The same movement with a shot."""
        return replace(self, shot=shot)


def step(*vectors: Vector) -> Movement:
    """A step or leap by any of ``vectors``, over any pieces in between."""
    return Movement((Leg(tuple(vectors)),))


def slide(*vectors: Vector, reach: int | None = None) -> Movement:
    """A slide of 1 to ``reach`` times one of ``vectors`` over empty squares; ``None``: without limit."""
    return Movement((Leg(tuple(vectors), reach),))
