"""How pieces move: legs, walks and shots, the combinators that build them, and Betza notation read into them.

A :class:`Movement` is a union of ways. A leg goes along one of its vectors, up to ``reach`` times over empty points; a
walk is several legs in one turn. A shot strikes from afar. Vectors are ``(right, ahead)`` as the piece's owner sees
them. A leap jumps over anything; a slide stops at the first piece (docs/rules/README.md, "Betza").
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import Literal

from .board import Vector

ORTHOGONAL: tuple[Vector, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL: tuple[Vector, ...] = ((1, 1), (1, -1), (-1, -1), (-1, 1))
KNIGHT: tuple[Vector, ...] = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


@dataclass(frozen=True, slots=True)
class Leg:
    """Travel along any one of ``vectors``, 1 to ``reach`` times (``None``: as far as the board goes)."""

    vectors: tuple[Vector, ...]
    reach: int | None = 1


Line = Literal["free", "straight", "onward"]


@dataclass(frozen=True, slots=True)
class Walk:
    """``least`` to ``most`` leaps in one turn, each of which lands, and may capture, before the next begins there.

    Attributes:
        vectors: each leap goes by one of these.
        line: ``free``; ``straight``: every leap as the first; ``onward``: a later leap keeps the direction of the
            longest component of the one before, or is its exact reverse.
        revisits: whether it may come to a point twice, its start included.
    """

    vectors: tuple[Vector, ...]
    least: int
    most: int
    line: Line = "free"
    revisits: bool = True

    def after(self, before: Vector) -> tuple[Vector, ...]:
        """The vectors a leap may go by when the one before it went by ``before``."""
        if self.line == "free":
            return self.vectors
        if self.line == "straight":
            return (before,)
        axis = 0 if abs(before[0]) > abs(before[1]) else 1
        return tuple(
            vector for vector in self.vectors if vector == (-before[0], -before[1]) or vector[axis] == before[axis]
        )


@dataclass(frozen=True, slots=True)
class Shot:
    """Removing enemy pieces at a distance; the shooter stays where it is.

    Attributes:
        vectors: the directions. ``reach``: the greatest distance, in times a vector.
        targets: how many shots in a row, each judged after the one before.
        over: whether it shoots over what stands between.
        safe: the kinds it can never hit.
        nearest: kinds it hits only from some distance on, and that distance.
        after_capture: whether it shoots too in a turn in which it captured by landing.
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
    """What a piece may do in one turn: any one of its legs or walks, and the shot that may go with it.

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
        """The walk of ``least`` to ``most`` (none: exactly ``least``) of these legs, which must be leaps."""
        if self.walks or any(leg.reach != 1 for leg in self.legs):
            raise ValueError("a walk is made of leaps")
        vectors = tuple(dict.fromkeys(vector for leg in self.legs for vector in leg.vectors))
        return Movement((), (Walk(vectors, least, most or least, line, revisits),), self.shot)

    def shooting(self, shot: Shot) -> Movement:
        """The same with a shot."""
        return replace(self, shot=shot)


def step(*vectors: Vector) -> Movement:
    """One step or leap by any of ``vectors``, whatever stands between."""
    return Movement((Leg(tuple(vectors)),))


def slide(*vectors: Vector, reach: int | None = None) -> Movement:
    """A slide of 1 to ``reach`` times one of ``vectors`` over empty points (``None``: without limit)."""
    return Movement((Leg(tuple(vectors), reach),))


def _scaled(vectors: Iterable[Vector], by: int) -> tuple[Vector, ...]:
    return tuple((right * by, ahead * by) for right, ahead in vectors)


# Atom letter -> (its vectors, whether it rides); compound letters are unions of atoms.
_ATOMS: dict[str, tuple[tuple[Vector, ...], bool]] = {
    "W": (ORTHOGONAL, False),
    "F": (DIAGONAL, False),
    "D": (_scaled(ORTHOGONAL, 2), False),
    "A": (_scaled(DIAGONAL, 2), False),
    "N": (KNIGHT, False),
    "R": (ORTHOGONAL, True),
    "B": (DIAGONAL, True),
}
_COMPOUND = {"K": "WF", "Q": "RB"}

_TOKEN = re.compile(r"([fblrvs]*)([WFDANRBKQ])([1-9][0-9]*)?")


def _towards(letter: str, vector: Vector) -> bool:
    right, ahead = vector
    return {"f": ahead > 0, "b": ahead < 0, "r": right > 0, "l": right < 0, "v": ahead != 0, "s": right != 0}[letter]


def _longest(letter: str, vector: Vector) -> bool:
    right, ahead = vector
    return abs(ahead) > abs(right) if letter in "fbv" else abs(right) > abs(ahead)


def _select(vectors: tuple[Vector, ...], modifiers: str) -> tuple[Vector, ...]:
    """The vectors that Betza direction letters leave: each letter adds its half, a doubled one only its longest."""
    if not modifiers:
        return vectors
    chosen: set[Vector] = set()
    for letters, letter in re.findall(r"(([fblrvs])\2?)", modifiers):
        doubled = len(letters) == 2
        chosen.update(v for v in vectors if _towards(letter, v) and (not doubled or _longest(letter, v)))
    return tuple(vector for vector in vectors if vector in chosen)


def betza(text: str) -> Movement:
    """Read Betza notation as the rules pages use it.

    Atoms ``W F D A N R B`` and ``K`` (= ``WF``), ``Q`` (= ``RB``); directions ``f b l r v s`` add up (``frlW``), a
    doubled one keeps the vectors longest that way (``ffN``); ``R3`` limits a slide to three points.

    Raises:
        ValueError: at the first character that is not understood, which the message shows.
    """
    movement, at = Movement(), 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise ValueError(
                f"Betza {text!r}: cannot read {text[at:]!r}; expected directions fblrvs and an atom WFDANRBKQ"
            )
        modifiers, letter, limit = token.groups()
        for atom in _COMPOUND.get(letter, letter):
            vectors, rides = _ATOMS[atom]
            if limit and not rides:
                raise ValueError(f"Betza {text!r}: {letter} does not slide, so it takes no range {limit}")
            chosen = _select(vectors, modifiers)
            if not chosen:
                raise ValueError(f"Betza {text!r}: {modifiers}{letter} leaves no direction")
            movement |= Movement((Leg(chosen, (int(limit) if limit else None) if rides else 1),))
        at = token.end()
    if not movement.legs:
        raise ValueError("Betza text is empty; a piece needs at least one atom, for example 'W'")
    return movement


_MODIFIERS = tuple("fblrvs") + tuple(letter * 2 for letter in "fblrvs")


@cache
def _modifiers(letter: str, vectors: frozenset[Vector]) -> str | None:
    """The shortest direction letters that leave of an atom just these vectors; ``None`` if there are none."""
    every, _ = _ATOMS[letter]
    if vectors == set(every):
        return ""
    # Elsewhere two letters on a diagonal mean what both leave, not what either does.
    most = 4 if letter in "WDR" else 1
    found = (
        "".join(chosen)
        for count in range(1, most + 1)
        for chosen in combinations(_MODIFIERS, count)
        if set(_select(every, "".join(chosen))) == vectors
    )
    return min(found, key=len, default=None)


def _leg_text(leg: Leg) -> str | None:
    rides = leg.reach != 1
    for letter, (every, rider) in _ATOMS.items():
        if rider == rides and set(leg.vectors) <= set(every):
            modifiers = _modifiers(letter, frozenset(leg.vectors))
            if modifiers is not None:
                return f"{modifiers}{letter}{leg.reach if rides and leg.reach else ''}"
    return None


def betza_text(movement: Movement) -> str | None:
    """The Betza notation of a movement, which :func:`betza` reads as the same moves; ``None`` where there is none.

    What lands or shoots more than once has none, nor have vectors that belong to no one atom.

    Example:
        >>> betza_text(betza("WfF") | slide((0, 1), reach=3)), betza_text(betza("K").times(1, 2))
        ('WfFfR3', None)
    """
    texts = [_leg_text(leg) for leg in movement.legs]
    if not texts or None in texts or movement.walks or movement.shot:
        return None
    merged: list[str] = []
    for text in filter(None, texts):
        pair = {"".join(atoms): letter for letter, atoms in _COMPOUND.items()}.get("".join([*merged[-1:], text]))
        merged[-1 if pair else len(merged) :] = [pair or text]
    return "".join(merged)
