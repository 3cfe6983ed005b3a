"""The canonical form of a spec's parts, from which ``Variant.rules_hash`` is computed.

The form is JSON. Tags and words stand in this module and in :attr:`Variant.rules_hash` alone, so that renaming a
class, a field or a value of the vocabulary changes no hash: tables of solved games, and whatever else is kept by the
hash, stay valid. Hence:

* Never change a tag. Give a new node a new tag; write a field that is added later only where it is not its default.
* What means the same has the same form: movements are written as vectors, whether the spec gives Betza text or
  combinators, and sets are sorted. The order of kinds stays (it numbers the positions of tables), and so does the order
  of the rules that change the board (they are applied in that order).
* Names, texts, pictures and values are left out.

``tests/data/rules_hashes.json`` holds the hash of every variant under every value of every option.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from .betza import betza
from .board import FarRanks, Rect, Region, Squares, Unbounded
from .conditions import (
    AllOf,
    AnyOf,
    At,
    Beside,
    BeyondSupport,
    Captures,
    Condition,
    Count,
    GivesCheck,
    Has,
    InHand,
    InSight,
    Is,
    JustTaken,
    Mates,
    Near,
    Not,
    OnFile,
    Stands,
    Stuck,
    Supported,
    Takes,
)
from .kinds import Kind
from .movement import Movement
from .rules import Action, Become, Forbid, Immobilize, Others, Remove, Rule, Take

_NO_FORM = "{} has no canonical form; give it a tag in komadai/spec/rules_hash.py"

JSON = dict[str, "JSON"] | list["JSON"] | str | int | bool | None

_WORDS = {
    # events
    "drops": "drops",
    "lands": "lands",
    "always": "always",
    "turn_end": "turn_end",
    "turn_start": "turn_start",
    "arrives": "arrives",
    "shoots": "shoots",
    "became": "became",
    "at_all_times": "at_all_times",
    "whole_turn": "whole_turn",
    # owners
    "own": "own",
    "enemy": "enemy",
    "either": "either",
    # lines of walks
    "free": "free",
    "straight": "straight",
    "axial": "axial",
    "onward": "onward",
    # when a piece shoots standing
    "never": "never",
    "only": "only",
    "may": "may",
    # whether a leg captures (may, never; and)
    "must": "must",
    # moves that count for the zone
    "touch": "touch",
    "entry": "entry",
    "capture": "capture",
    "last_rank": "last_rank",
}
"""The form's words for the vocabulary's; a renamed word of the vocabulary (left) keeps its word here (right)."""


def digest(form: JSON) -> str:
    """The SHA-256 of a form, in hex."""
    return hashlib.sha256(_text(form).encode()).hexdigest()


def _text(form: JSON) -> str:
    return json.dumps(form, sort_keys=True, separators=(",", ":"))


def as_set(forms: Iterable[JSON]) -> list[JSON]:
    """The forms without repetition, in an order of their own."""
    unique = {_text(form): form for form in forms}
    return [unique[text] for text in sorted(unique)]


def board_form(board: Rect) -> JSON:
    if isinstance(board, Unbounded):
        return ["unbounded", board.width, board.height, board.anchor]
    return ["rect", board.width, board.height]


def region_form(region: Region) -> JSON:
    if isinstance(region, FarRanks):
        return ["far", region.count]
    if isinstance(region, Squares):
        return ["squares", as_set(region.names)]
    raise TypeError(_NO_FORM.format(type(region).__name__))


def _vectors(vectors: Iterable[tuple[int, int]]) -> list[JSON]:
    return as_set([right, ahead] for right, ahead in vectors)


def _movement_form(movement: Movement) -> JSON:
    reach: dict[tuple[int, int, bool, str], int | None] = {}
    for leg in movement.legs:
        for vector in leg.vectors:
            way = (*vector, leg.hops, _WORDS[leg.captures])
            before = reach.get(way, 0)
            reach[way] = None if before is None or leg.reach is None else max(before, leg.reach)
    shot = movement.shot
    return {
        "legs": as_set(
            [right, ahead, most, hops, captures] if hops or captures != "may" else [right, ahead, most]
            for (right, ahead, hops, captures), most in reach.items()
        ),
        "walks": as_set(
            [_vectors(walk.vectors), walk.least, walk.most, _WORDS[walk.line], walk.revisits] for walk in movement.walks
        ),
        "shot": None
        if shot is None
        else [
            _vectors(shot.vectors),
            shot.reach,
            shot.targets,
            shot.over,
            as_set(shot.safe),
            as_set([code, least] for code, least in shot.nearest),
            shot.after_capture,
            shot.each_landing,
            _WORDS[shot.standing],
        ],
    }


def borrowing_form(vectors: Iterable[tuple[int, int]], of: str, *, besides: bool) -> JSON:
    return [_vectors(vectors), _WORDS[of], besides]


def kind_form(kind: Kind) -> JSON:
    becomes = kind.becomes
    later: dict[str, JSON] = {}
    if becomes.zone_by != ("touch",):
        later["zone_by"] = as_set(_WORDS[way] for way in becomes.zone_by)
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
        case Is(codes=codes):
            return ["is", as_set(codes)]
        case At(region=region):
            return ["at", region_form(region)]
        case Stuck():
            return ["stuck"]
        case OnFile(codes=codes, least=least):
            return ["file", as_set(codes), least] if least != 1 else ["file", as_set(codes)]
        case InHand(codes=codes):
            return ["hand", as_set(codes)]
        case GivesCheck():
            return ["check"]
        case Mates():
            return ["mate"]
        case Captures():
            return ["capture"]
        case Near(codes=codes, of=of, most=most, least=least, supported=supported):
            return ["near", as_set(codes), _WORDS[of], most, least, supported]
        case Has(codes=codes, of=of):
            return ["has", as_set(codes), _WORDS[of]]
        case Stands(codes=codes, region=region, safe=safe):
            return ["stands", as_set(codes), region_form(region), safe]
        case InSight(codes=codes, vectors=vectors, of=of, through=through):
            return ["sight", as_set(codes), _vectors(vectors), _WORDS[of], through]
        case Supported():
            return ["supported"]
        case BeyondSupport():
            return ["beyond"]
        case Takes(codes=codes, least=least, most=most, protected=protected, elsewhere=elsewhere):
            return ["takes", as_set(codes), least, most, protected, elsewhere]
        case JustTaken(codes=codes, by=by):
            return ["taken", as_set(codes), as_set(by)]
        case Count(codes=codes, of=of, least=least, most=most, beyond=beyond):
            left_out = None if beyond is None else region_form(beyond)
            return ["count", as_set(codes), _WORDS[of], least, most, left_out]
        case Beside(codes=codes, others=others, of=of):
            return ["beside", as_set(codes), as_set(others), _WORDS[of]]
    raise TypeError(_NO_FORM.format(type(condition).__name__))


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
    return None if others is None else [as_set(others.codes), _WORDS[others.of], others.most]


def _action_form(action: Action) -> JSON:
    match action:
        case Forbid():
            return ["forbid"]
        case Take():
            return ["take"]
        case Immobilize(vectors=vectors):
            return ["immobilize", _vectors(vectors)]
        case Become(into=into, others=others):
            return ["become", into, _others_form(others)]
        case Remove(others=others):
            return ["remove", _others_form(others)]
    raise TypeError(_NO_FORM.format(type(action).__name__))


def rules_form(rules: Iterable[Rule]) -> JSON:
    """Rules that only restrict moves as a set, those that change the board in the order of application."""
    forms: dict[bool, list[JSON]] = {True: [], False: []}
    for rule in rules:
        restricts = isinstance(rule.action, Forbid | Immobilize)
        forms[restricts].append([_WORDS[rule.event], condition_form(rule.when), _action_form(rule.action)])
    return {"restrict": as_set(forms[True]), "change": forms[False]}
