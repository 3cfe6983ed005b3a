"""Betza notation, read into movements and written from them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations

from .board import Vector
from .movement import DIAGONAL, KNIGHT, ORTHOGONAL, Leg, Movement


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


@lru_cache(maxsize=1024)
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
        >>> from komadai.spec import slide
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
