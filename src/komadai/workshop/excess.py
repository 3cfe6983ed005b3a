"""Find what is too much of a variant, before anything is made of it whose cost grows faster than the file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import fields

from ..i18n import _
from ..spec.board import Vector
from ..spec.conditions import AllOf, AnyOf, Condition, InSight, Not
from ..spec.geometry import movement_of, vectors_of
from ..spec.logic import atoms
from ..spec.movement import Movement
from ..spec.rules import Immobilize
from ..spec.variant import Variant
from .limits import LARGEST_NUMBER, MOST_CASES, MOST_TERMS, MOST_TURNS
from .places import Path

ID = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
LONGEST_ID = 32
_LONGEST = {"code": 8, "name": 60, "kanji": 8, "kanji_white": 8}  # texts of a kind
_LARGEST_BOARD = 25
_LARGEST_WEIGHT = 100
_MOST_PIECES = 255
_MOST_HANDICAPS = 64
_LONGEST_WALK = 8


def excess(variant: Variant) -> Iterator[tuple[Path, str]]:
    """The places of what is too large, too long or too many, and what would be right."""
    yield from _names(variant)
    board = variant.board
    if not (1 <= board.width <= _LARGEST_BOARD and 1 <= board.height <= _LARGEST_BOARD):
        size = {"width": board.width, "height": board.height, "most": _LARGEST_BOARD}
        yield ("board",), _("{width}×{height}; expected 1 to {most} files and ranks", **size)
        return
    for number, kind in enumerate(variant.kinds):
        path: Path = ("kinds", number, "move")
        try:
            movement = movement_of(kind)
        except ValueError:
            continue  # a defect of the spec
        if movement.shot is not None and movement.shot.reach > _LARGEST_BOARD:
            reach = movement.shot.reach
            yield path, _("a shot of reach {reach}; expected {most} at most", reach=reach, most=_LARGEST_BOARD)
        if (turns := _turns(movement)) > MOST_TURNS:
            numbers = {"turns": f"{turns:,}", "most": f"{MOST_TURNS:,}"}
            words = _(
                "the piece has {turns} ways to walk and shoot in one move, or more; expected {most} at most", **numbers
            )
            yield path, words
    yield from _vectors(variant)
    for field in fields(variant.evaluation):
        weight = getattr(variant.evaluation, field.name)
        if not 0 <= weight <= _LARGEST_WEIGHT:
            words = _("{weight} is no weight; expected 0 to {most}", weight=weight, most=_LARGEST_WEIGHT)
            yield ("evaluation", field.name), words
    if len(variant.handicaps) > _MOST_HANDICAPS:
        words = _("there are {count}; expected {most} at most", count=len(variant.handicaps), most=_MOST_HANDICAPS)
        yield ("handicaps",), words
    terms = 0
    for path, condition in _conditions(variant):
        terms += _terms(condition, True)[1]
        if terms > MOST_TERMS:
            numbers = {"terms": f"{terms:,}", "most": f"{MOST_TERMS:,}"}
            yield (
                path,
                _("with this the conditions are {terms} when multiplied out; expected {most} at most", **numbers),
            )
            return
    cases = len(variant.kinds) * len(board) * terms
    if cases > MOST_CASES:
        words = _(
            "{kinds} kinds on {points} points under {terms} conditions are {cases} cases; expected {most} at most",
            kinds=len(variant.kinds),
            points=len(board),
            terms=terms,
            cases=f"{cases:,}",
            most=f"{MOST_CASES:,}",
        )
        yield ("rules",), words


def crowd(variant: Variant, pieces: int) -> str | None:
    """The defect of a start with so many pieces, ``None`` if there is none."""
    if variant.hand_order and pieces > _MOST_PIECES:
        return _(
            "there are {pieces} pieces; expected {most} at most in a game with pieces in hand",
            pieces=pieces,
            most=_MOST_PIECES,
        )
    return None


def _vectors(variant: Variant) -> Iterator[tuple[Path, str]]:
    """The vectors that lead off the board from every point, or nowhere."""
    board = variant.board
    ways: list[tuple[Path, Iterable[Vector]]] = []
    for number, kind in enumerate(variant.kinds):
        with suppress(ValueError):
            ways.append((("kinds", number, "move"), vectors_of(kind)))
    for number, rule in enumerate(variant.rules):
        seen = (vector for atom in atoms(rule.when) if isinstance(atom, InSight) for vector in atom.vectors)
        ways.append((("rules", number, "when"), seen))
        if isinstance(rule.action, Immobilize):
            ways.append((("rules", number, "action"), rule.action.vectors))
    for path, vectors in ways:
        for right, ahead in vectors:
            if abs(right) >= board.width or abs(ahead) >= board.height:
                what = {"right": right, "ahead": ahead, "size": f"{board.width}×{board.height}"}
                yield path, _("the vector ({right}, {ahead}) leads off a board of {size} from every point", **what)
            elif (right, ahead) == (0, 0) and path[0] == "rules":
                yield path, _("the vector (0, 0) leads nowhere; expected another")


def _conditions(variant: Variant) -> Iterator[tuple[Path, Condition]]:
    for field in fields(variant):
        if isinstance(condition := getattr(variant, field.name), Condition):
            yield (field.name,), condition
    for number, rule in enumerate(variant.rules):
        yield ("rules", number, "when"), rule.when


def _names(variant: Variant) -> Iterator[tuple[Path, str]]:
    if not (ID.fullmatch(variant.id) and len(variant.id) <= LONGEST_ID):
        words = _(
            "{id} is no id; expected small letters and digits with single hyphens, such as my-shogi, {most} at most",
            id=repr(variant.id[:40]),
            most=LONGEST_ID,
        )
        yield ("id",), words
    yield from _length(("name",), variant.name, _LONGEST["name"])
    for number, kind in enumerate(variant.kinds):
        for name, most in _LONGEST.items():
            yield from _length(("kinds", number, name), getattr(kind, name) or "", most)


def _length(path: Path, text: str, most: int) -> Iterator[tuple[Path, str]]:
    if len(text) > most:
        start, count = repr(text[:20]), len(text)
        yield path, _("{text}… has {count} characters; expected {most} at most", text=start, count=count, most=most)


def _turns(movement: Movement) -> int:
    """The ways to walk and shoot in one move, if nothing is in the way and every shot hits."""
    shot = movement.shot
    longest = max([*(walk.most for walk in movement.walks), *(shot.targets for shot in [shot] if shot), 1])
    if longest > _LONGEST_WALK:
        return LARGEST_NUMBER
    aims = 0
    if shot is not None:
        each = len(shot.vectors) * min(max(shot.reach, 1), _LARGEST_BOARD)
        aims = sum(each**count for count in range(1, shot.targets + 1))
    landings = sum(
        len(leg.vectors) * min(leg.reach or _LARGEST_BOARD, _LARGEST_BOARD) for leg in movement.legs if leg.vectors
    )
    turns = landings * (1 + aims)
    for walk in movement.walks:
        follows = max((len(walk.after(vector)) for vector in walk.vectors), default=0)
        each_landing = shot is not None and shot.each_landing
        for leaps in range(1, walk.most + 1):
            ways = len(walk.vectors) * follows ** (leaps - 1)
            turns += ways * (1 + aims) ** (leaps if each_landing else 1)
    return min(turns, LARGEST_NUMBER)


def _terms(condition: Condition, holds: bool) -> tuple[int, int]:
    """The conjunctions of a condition, or of its negation, when it is multiplied out, and the conditions in them."""
    if isinstance(condition, Not):
        return _terms(condition.part, not holds)
    if not isinstance(condition, (AllOf, AnyOf)):
        return 1, 1
    parts = [_terms(part, holds) for part in condition.parts]
    if isinstance(condition, AllOf) != holds:
        return sum(ways for ways, _ in parts), sum(terms for _, terms in parts)
    ways, terms = 1, 0
    for more, inside in parts:
        ways, terms = ways * more, terms * more + inside * ways
        if terms > LARGEST_NUMBER:
            return LARGEST_NUMBER, LARGEST_NUMBER
    return ways, terms
