"""Betza notation, read into movements and written from them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations

from .board import Vector
from .movement import DIAGONAL, KNIGHT, ORTHOGONAL, Captures, Leg, Movement


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


_TOKEN = re.compile(r"([mcp]*)([fblrvs]*)([WFDANRBKQ])([1-9][0-9]*)?")


def _towards(letter: str, vector: Vector) -> bool:
    right, ahead = vector
    return {"f": ahead > 0, "b": ahead < 0, "r": right > 0, "l": right < 0, "v": ahead != 0, "s": right != 0}[letter]


def _longest(letter: str, vector: Vector) -> bool:
    right, ahead = vector
    return abs(ahead) > abs(right) if letter in "fbv" else abs(right) > abs(ahead)


def _both_axes(modifiers: str) -> bool:
    return bool(re.search("[fbv]", modifiers) and re.search("[lrs]", modifiers))


def _select(letter: str, vectors: tuple[Vector, ...], modifiers: str) -> tuple[Vector, ...]:
    """The vectors of an atom that Betza direction letters leave.

    Each letter adds its half, a doubled one only its longest. On the diagonal atoms ``F A B`` two letters such as
    ``rb`` are one direction.

    Raises:
        ValueError: the letters have no meaning on which all agree.
    """
    if not modifiers:
        return vectors
    words: list[str] = [match[0] for match in re.finditer(r"([fblrvs])\1?", modifiers)]
    if letter in "FAB" and re.fullmatch(r"(?:[fb][lr]|[lr][fb])+", modifiers):
        words = [modifiers[at : at + 2] for at in range(0, len(modifiers), 2)]
    elif letter in "FABN" and _both_axes(modifiers):
        raise ValueError(
            f"{modifiers}{letter} has no one meaning; expected single letters of one axis, such as fb or lr"
            + (", or pairs, such as frbl" if letter != "N" else "")
        )
    chosen: set[Vector] = set()
    for word in words:
        doubled = len(word) == 2 and word[0] == word[1]
        chosen.update(
            vector
            for vector in vectors
            if all(_towards(way, vector) for way in word) and (not doubled or _longest(word[0], vector))
        )
    return tuple(vector for vector in vectors if vector in chosen)


def betza(text: str) -> Movement:
    """Read Betza notation as the rules pages use it.

    Atoms ``W F D A N R B`` and ``K`` (= ``WF``), ``Q`` (= ``RB``); directions ``f b l r v s`` add up (``frlW``), a
    doubled one keeps the vectors longest that way (``ffN``); on the diagonals ``F A B`` a pair is one direction
    (``rbB``, ``frblF``); ``R3`` limits a slide to three points. In front of the directions ``m`` is for moves without
    capture alone, ``c`` for captures alone, and ``p`` for a slide that hops over one piece (``mRcpR`` is a cannon).
    What others read in another way is refused, as the riders ``WW`` and ``NN``.

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
        manner, modifiers, letter, limit = token.groups()
        if len(set(manner)) < len(manner) or {"m", "c"} <= set(manner):
            raise ValueError(f"Betza {text!r}: {manner} contradicts or repeats itself; expected m or c, and p")
        if "p" in manner and letter not in "RBQ":
            raise ValueError(f"Betza {text!r}: {letter} does not slide, so it hops over nothing; expected pR, pB or pQ")
        captures: Captures = "never" if "m" in manner else "must" if "c" in manner else "may"
        if text[token.end() :].startswith(letter) and not limit:
            raise ValueError(f"Betza {text!r}: {letter}{letter} is a rider; expected R, B or Q, or one {letter} alone")
        if letter in _COMPOUND and _both_axes(modifiers):
            apart = "".join(f"{modifiers}{atom}" for atom in _COMPOUND[letter])
            raise ValueError(
                f"Betza {text!r}: {modifiers}{letter} has no one meaning; write its atoms apart, as {apart}"
            )
        for atom in _COMPOUND.get(letter, letter):
            vectors, rides = _ATOMS[atom]
            if limit and not rides:
                raise ValueError(f"Betza {text!r}: {letter} does not slide, so it takes no range {limit}")
            try:
                chosen = _select(atom, vectors, modifiers)
            except ValueError as error:
                raise ValueError(f"Betza {text!r}: {error}") from None
            if not chosen:
                raise ValueError(f"Betza {text!r}: {modifiers}{letter} leaves no direction")
            reach = (int(limit) if limit else None) if rides else 1
            movement |= Movement((Leg(chosen, reach, "p" in manner, captures),))
        at = token.end()
    if not movement.legs:
        raise ValueError("Betza text is empty; a piece needs at least one atom, for example 'W'")
    return movement


_MODIFIERS = tuple("fblrvs") + tuple(letter * 2 for letter in "fblrvs")
_PAIRS = ("fl", "fr", "bl", "br")


@lru_cache(maxsize=1024)
def _modifiers(letter: str, vectors: frozenset[Vector]) -> str | None:
    """The shortest direction letters that leave of an atom just these vectors; ``None`` if there are none."""
    every, _ = _ATOMS[letter]
    if vectors == set(every):
        return ""
    words = _PAIRS if letter in "FAB" else _MODIFIERS
    most = 1 if letter == "N" else 4
    choices = [*_MODIFIERS, *("".join(chosen) for count in range(1, most + 1) for chosen in combinations(words, count))]
    found = (chosen for chosen in choices if set(_select(letter, every, chosen)) == vectors)
    return min(found, key=len, default=None)


def _leg_text(leg: Leg) -> str | None:
    rides = leg.reach != 1
    manner = {"may": "", "never": "m", "must": "c"}[leg.captures] + "p" * leg.hops
    for letter, (every, rider) in _ATOMS.items():
        if rider == rides and set(leg.vectors) <= set(every):
            modifiers = _modifiers(letter, frozenset(leg.vectors))
            if modifiers is not None:
                return f"{manner}{modifiers}{letter}{leg.reach if rides and leg.reach else ''}"
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
