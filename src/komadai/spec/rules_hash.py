"""The canonical form of a spec's parts, from which ``Variant.rules_hash`` is computed.

The form is JSON. Tags stand with what they name, in this module and in :attr:`Variant.rules_hash`, and words in
:mod:`.forms`, so that renaming a class, a field or a value of the vocabulary changes no hash: tables of solved games,
and whatever else is kept by the hash, stay valid. Hence:

* Never change a tag. Give a new node a new tag; write a field that is added later only where it is not its default.
* What means the same has the same form: movements are written as vectors, whether the spec gives Betza text or
  combinators, and sets are sorted. The order of kinds stays (it numbers the positions of tables), and so does the order
  of the rules that change the board (they are applied in that order).
* Names, texts, pictures and values are left out.

``tests/data/rules_hashes.json`` holds the hash of every variant under every value of every option.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from .betza import betza
from .board import Rect, Unbounded
from .conditions import AllOf, AnyOf, Condition, Not
from .forms import JSON, NO_FORM, WORDS, as_set, text_of, vectors_form
from .kinds import Kind
from .movement import Movement
from .rules import Action, Become, Forbid, Immobilize, Others, Remove, Rule, Take


def digest(form: JSON) -> str:
    """The SHA-256 of a form, in hex."""
    return hashlib.sha256(text_of(form).encode()).hexdigest()


def board_form(board: Rect) -> JSON:
    if isinstance(board, Unbounded):
        return ["unbounded", board.width, board.height, board.anchor]
    return ["rect", board.width, board.height]


def _movement_form(movement: Movement) -> JSON:
    reach: dict[tuple[int, int, bool, str], int | None] = {}
    for leg in movement.legs:
        for vector in leg.vectors:
            way = (*vector, leg.hops, WORDS[leg.captures])
            before = reach.get(way, 0)
            reach[way] = None if before is None or leg.reach is None else max(before, leg.reach)
    shot = movement.shot
    return {
        "legs": as_set(
            [right, ahead, most, hops, captures] if hops or captures != "may" else [right, ahead, most]
            for (right, ahead, hops, captures), most in reach.items()
        ),
        "walks": as_set(
            [vectors_form(walk.vectors), walk.least, walk.most, WORDS[walk.line], walk.revisits]
            for walk in movement.walks
        ),
        "shot": None
        if shot is None
        else [
            vectors_form(shot.vectors),
            shot.reach,
            shot.targets,
            shot.over,
            as_set(shot.safe),
            as_set([code, least] for code, least in shot.nearest),
            shot.after_capture,
            shot.each_landing,
            WORDS[shot.standing],
        ],
    }


def borrowing_form(vectors: Iterable[tuple[int, int]], of: str, *, besides: bool) -> JSON:
    return [vectors_form(vectors), WORDS[of], besides]


def kind_form(kind: Kind) -> JSON:
    becomes = kind.becomes
    later: dict[str, JSON] = {}
    if becomes.zone_by != ("touch",):
        later["zone_by"] = as_set(WORDS[way] for way in becomes.zone_by)
    return {
        "code": kind.code,
        "move": _movement_form(betza(kind.move) if isinstance(kind.move, str) else kind.move),
        "royal": kind.royal,
        "quiet": as_set(becomes.quiet or (kind.code,)),
        "captures": as_set(becomes.captures or (kind.code,)),
        "zone": as_set(becomes.zone),
        "captured": becomes.captured,
        "dropped": as_set(becomes.dropped or (kind.code,)),
        "capture_to": becomes.captures_promote_to,
        "capture_of": as_set(becomes.promotes_by_capturing),
        "spares": as_set(kind.cannot_capture),
        **later,
    }


def condition_form(condition: Condition) -> JSON:
    match condition:
        case AllOf() | AnyOf():
            return _junction(condition)
        case Not(part=Not(part=part)):
            return condition_form(part)
        case Not(part=part):
            return ["not", condition_form(part)]
        case Condition():
            return condition.form()
    raise TypeError(NO_FORM.format(type(condition).__name__))


def _junction(condition: AllOf | AnyOf) -> JSON:
    """``and`` or ``or`` over a set: neither order nor grouping matters."""
    parts: list[JSON] = []
    waiting = list(condition.parts)
    while waiting:
        part = waiting.pop()
        if isinstance(part, type(condition)):
            waiting += part.parts
        else:
            parts.append(condition_form(part))
    unique = as_set(parts)
    return unique[0] if len(unique) == 1 else ["all" if isinstance(condition, AllOf) else "any", unique]


def _others_form(others: Others | None) -> JSON:
    return None if others is None else [as_set(others.codes), WORDS[others.of], others.most]


def _action_form(action: Action) -> JSON:
    match action:
        case Forbid():
            return ["forbid"]
        case Take():
            return ["take"]
        case Immobilize(vectors=vectors):
            return ["immobilize", vectors_form(vectors)]
        case Become(into=into, others=others):
            return ["become", into, _others_form(others)]
        case Remove(others=others):
            return ["remove", _others_form(others)]
    raise TypeError(NO_FORM.format(type(action).__name__))


def rules_form(rules: Iterable[Rule]) -> JSON:
    """Rules that only restrict moves as a set, those that change the board in the order of application."""
    forms: dict[bool, list[JSON]] = {True: [], False: []}
    for rule in rules:
        restricts = isinstance(rule.action, Forbid | Immobilize)
        forms[restricts].append([WORDS[rule.event], condition_form(rule.when), _action_form(rule.action)])
    return {"restrict": as_set(forms[True]), "change": forms[False]}
