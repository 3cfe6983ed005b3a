"""What a piece does, as plain data and in words: the card that people are shown of it.

Everything is read from the spec: moves and shots from the kind, and of the rules those that name it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from ..spec.board import FarRanks, Vector
from ..spec.conditions import At, Has, InSight, Is, Near
from ..spec.geometry import movement_of
from ..spec.kinds import Kind
from ..spec.logic import atoms, conjunctions
from ..spec.movement import DIAGONAL, KNIGHT, ORTHOGONAL, Leg, Walk
from ..spec.rules import Become, Forbid, Immobilize, Remove, Rule, Take
from ..spec.variant import Variant
from .survival import concerned, listed, named, needed, without

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_ALL = frozenset(ORTHOGONAL + DIAGONAL)
_WAYS: tuple[tuple[frozenset[Vector], str], ...] = (
    (_ALL, "in any direction"),
    (_ALL - {(0, -1)}, "in any direction but straight backward"),
    (_ALL - {(0, 1)}, "in any direction but straight forward"),
    (frozenset(ORTHOGONAL), "orthogonally"),
    (frozenset(DIAGONAL), "diagonally"),
    (frozenset({(0, 1), (0, -1)}), "straight forward or backward"),
    (frozenset({(1, 0), (-1, 0)}), "sideways"),
    (frozenset({(1, 1), (-1, 1)}), "diagonally forward"),
    (frozenset({(1, -1), (-1, -1)}), "diagonally backward"),
    (frozenset({(0, 1)}), "straight forward"),
    (frozenset({(0, -1)}), "straight backward"),
    (frozenset({(1, 0)}), "to the right"),
    (frozenset({(-1, 0)}), "to the left"),
    (frozenset({(1, 1)}), "forward to the right"),
    (frozenset({(-1, 1)}), "forward to the left"),
    (frozenset({(1, -1)}), "backward to the right"),
    (frozenset({(-1, -1)}), "backward to the left"),
)
"""Sets of directions that have a name; the first that fits is taken out, until nothing is left."""


def promoted(kind: Kind) -> str | None:
    """The kind it turns over into, if it can."""
    becomes = kind.becomes
    over = [code for code in (*becomes.zone, becomes.captures_promote_to) if code is not None and code != kind.code]
    return over[0] if over and len(set(over)) == 1 else None


def words(v: Variant, kind: Kind, *, changes: bool = True) -> list[str]:
    """What the kind does, in short lines; with ``changes`` also what it turns into."""
    turns = _changes(v, kind) if changes else ()
    lines = [*_moves(kind), *_shooting(v, kind), *_limits(v, kind), *turns, *_standing(v, kind)]
    lines += [line for rule in v.rules for line in _rule(v, rule, kind)]
    return list(dict.fromkeys(map(_sentence, lines)))


def rule_words(v: Variant, rule: Rule) -> str:
    """What a rule does to the pieces it is asked of."""
    return _sentence(_of_itself(v, rule))


def _sentence(line: str) -> str:
    return f"{line[0].upper()}{line[1:]}"


# --- Moves and shots ------------------------------------------------------------------------------------------------


def _directions(vectors: Iterable[Vector]) -> str:
    """Unit vectors in words."""
    left, said = set(vectors), []
    for ways, word in _WAYS:
        if ways <= left:
            left -= ways
            said.append(word)
    return listed(said, "or")


def _unit(vector: Vector) -> tuple[Vector, int] | None:
    """A vector along one of the eight directions as that direction and a distance."""
    right, ahead = vector
    length = max(abs(right), abs(ahead))
    if right and ahead and abs(right) != abs(ahead):
        return None
    return (right // length, ahead // length), length


def _leaps(vectors: Collection[Vector]) -> list[str]:
    """Where single leaps go: by distance, nearest first."""
    straight: dict[int, list[Vector]] = {}
    for unit, length in filter(None, map(_unit, vectors)):
        straight.setdefault(length, []).append(unit)
    told = [
        f"one step {_directions(units)}" if length == 1 else f"a jump of {_NUMBERS[length]} points {_directions(units)}"
        for length, units in sorted(straight.items())
    ]
    crooked = [vector for vector in vectors if _unit(vector) is None]
    if crooked and set(crooked) == set(KNIGHT):
        told.append("a knight's jump (two points one way and one aside)")
    elif crooked and set(crooked) <= set(KNIGHT):
        aims = {"forward": (0, 1), "backward": (0, -1), "to the right": (1, 0), "to the left": (-1, 0)}
        long = [
            word
            for word, (right, ahead) in aims.items()
            if any((r, a) in crooked for r, a in KNIGHT if (r * right, a * ahead).count(2))
        ]
        told.append(f"a knight's jump {listed(long, 'or')}")
    elif crooked:
        told.append("a jump to " + listed([f"{r:+d},{a:+d}" for r, a in crooked], "or"))
    return told


def _slides(legs: Iterable[Leg]) -> list[str]:
    by_reach: dict[int | None, list[Vector]] = {}
    for leg in legs:
        if leg.reach != 1:
            by_reach.setdefault(leg.reach, []).extend(leg.vectors)
    return [
        f"slides {'any distance' if reach is None else f'1 to {reach} points'} {_directions(vectors)}"
        for reach, vectors in by_reach.items()
    ]


def _walk(walk: Walk) -> str:
    times = (
        f"exactly {_NUMBERS[walk.least]}"
        if walk.least == walk.most
        else f"{_NUMBERS[walk.least]} {'or' if walk.most == walk.least + 1 else 'to'} {_NUMBERS[walk.most]}"
    )
    units = [_unit(vector) for vector in walk.vectors]
    if all(unit is not None and unit[1] == 1 for unit in units):
        how = f"{times} steps in one turn, each {_directions(walk.vectors)}"
    else:
        how = f"{times} moves in one turn, each {listed(_leaps(walk.vectors), 'or')}"
    line = {
        "free": "",
        "straight": ", all the same way",
        "onward": "; a later one goes on the same long way or straight back",
    }[walk.line]
    again = "" if walk.revisits else ", never to a point twice"
    return f"{how}{line}{again}; it may capture on each"


def _moves(kind: Kind) -> list[str]:
    movement = movement_of(kind)
    leaps = [vector for leg in movement.legs if leg.reach == 1 for vector in leg.vectors]
    told = _slides(movement.legs)
    if leaps:
        told.append(listed(_leaps(leaps), "or"))
    if movement.walks and told:
        return [f"either {listed(told, 'or')}; or {'; or '.join(map(_walk, movement.walks))}"]
    return [listed(told, "or")] * bool(told) + [_walk(walk) for walk in movement.walks]


def _shooting(v: Variant, kind: Kind) -> Iterator[str]:
    shot = movement_of(kind).shot
    if shot is None:
        return
    count = "one piece" if shot.targets == 1 else f"up to {_NUMBERS[shot.targets]} pieces, one after the other,"
    places = (
        "on a point next to it" if shot.reach == 1 else f"1 to {shot.reach} points away {_directions(shot.vectors)}"
    )
    over = "" if shot.reach == 1 else ", over anything" if shot.over else ", not over pieces"
    when = {
        "never": "after each landing it may shoot" if shot.each_landing else "after moving it may shoot",
        "only": "shoots instead of moving:",
        "may": "after moving, or instead of moving, it may shoot",
    }[shot.standing]
    yield f"{when} {count} {places}{over}"
    if not shot.after_capture and shot.standing != "only":
        yield "does not shoot in a turn in which it has landed on an enemy"
    never = [*named(v, shot.safe), *(f"{v.kind(code).name} nearer than {least}" for code, least in shot.nearest)]
    if never:
        yield f"never hits: {listed(never)}"


# --- What limits and changes it -------------------------------------------------------------------------------------


def _limits(v: Variant, kind: Kind) -> Iterator[str]:
    if kind.royal:
        yield "royal: it must not be left attacked"
    if kind.cannot_capture:
        takes = [other.code for other in v.kinds if other.code not in kind.cannot_capture]
        if len(takes) < len(kind.cannot_capture):
            yield f"lands on no enemies but these: {listed(named(v, takes))}"
        else:
            yield f"cannot land on: {listed(named(v, kind.cannot_capture))}"
    # Those that spare nearly everything say so themselves.
    unable = [
        other.code
        for other in v.kinds
        if kind.code in other.cannot_capture and len(other.cannot_capture) * 2 < len(v.kinds)
    ]
    if unable:
        yield f"cannot be landed on by: {listed(named(v, unable))}"
    shooters = [(other.code, shot) for other in v.kinds if (shot := movement_of(other).shot) is not None]
    safe = [code for code, shot in shooters if kind.code in shot.safe]
    if safe:
        yield f"cannot be shot by: {listed(named(v, safe))}"


def _changes(v: Variant, kind: Kind) -> Iterator[str]:
    """What it becomes by moving and capturing."""
    becomes, own = kind.becomes, (kind.code,)
    if becomes.quiet not in ((), own):
        yield f"becomes {listed(named(v, becomes.quiet), 'or')} by moving"
    if becomes.captures not in ((), own, becomes.quiet):
        yield f"becomes {listed(named(v, becomes.captures), 'or')} by capturing"
    if becomes.zone:
        others = [code for code in becomes.zone if code != kind.code]
        may = "may become" if kind.code in becomes.zone else "becomes"
        region = v.zone.describe() if isinstance(v.zone, FarRanks) else "its zone"
        if others:
            yield f"{may} {listed([v.kind(code).name for code in others], 'or')} by a move that touches {region}"
    for rule in v.rules if becomes.captures_promote_to is not None else ():
        if isinstance(rule.action, Become) and needed(rule) and becomes.captures_promote_to in concerned(v, rule):
            yield f"cannot become {v.kind(becomes.captures_promote_to).name} when {rule.action.why}"
    if becomes.captures_promote_to is not None:
        prey = listed(named(v, becomes.promotes_by_capturing), "or")
        yield f"becomes {v.kind(becomes.captures_promote_to).name} at once by capturing: {prey}"
    if v.hand_order and becomes.captured not in (None, kind.code):
        yield f"captured, it comes to hand as {v.kind(becomes.captured or '').name}"
    elif v.hand_order and becomes.captured is None and not kind.royal:
        yield "captured, it leaves the game"


def _standing(v: Variant, kind: Kind) -> Iterator[str]:
    """What its side needs it for."""
    if v.survives_if is None:
        return
    for way in conjunctions(v.survives_if):
        has = [atom for atom, holds in way if holds and isinstance(atom, Has)]
        if any(kind.code in atom.codes for atom in has):
            rest = [listed(named(v, atom.codes), "or") for atom in has if kind.code not in atom.codes]
            yield f"its side plays on while it has this{f' and {listed(rest)}' if rest else ''}"


# --- Rules ----------------------------------------------------------------------------------------------------------


def _rule(v: Variant, rule: Rule, kind: Kind) -> Iterator[str]:
    """What a rule says of the kind, as the piece it is asked of or as one that the condition or the action names."""
    action, subjects = rule.action, concerned(v, rule)
    if kind.code in subjects:
        yield _of_itself(v, rule)
    for has in needed(rule):
        if kind.code in has.codes:
            yield f"while its side has no {listed(named(v, has.codes), 'or')}: {without(v, rule)}"
    for atom in atoms(rule.when):
        if isinstance(atom, InSight) and kind.code in atom.codes and isinstance(action, Immobilize):
            what = "every enemy piece it sees" if atom.through else "the first piece it sees, if it is an enemy,"
            yield f"holds fast {what} {_directions(atom.vectors)}"
        elif isinstance(atom, Near) and kind.code in atom.codes and rule.event not in ("drops", "lands", "always"):
            yield from _nearby(v, rule, atom)
    if isinstance(action, (Become, Remove)) and action.others is not None and kind.code in action.others.codes:
        by = {"own": "", "enemy": " by the enemy", "either": ""}[action.others.of]
        does = f"becomes {v.kind(action.into).name}" if isinstance(action, Become) else "is removed"
        yield f"{does}{by} when {action.why}"


def _of_itself(v: Variant, rule: Rule) -> str:
    action = rule.action
    reach = "" if not isinstance(action, (Become, Remove)) or action.others is None else _those(v, rule)
    if isinstance(action, Forbid):
        if rule.event == "shoots":
            return f"{action.why}: then it does not shoot"
        plain = all(isinstance(atom, (Is, At)) for atom in atoms(rule.when))
        said = plain or any(word in action.why.split() for word in ("may", "must"))
        return action.why if said else f"not allowed: {action.why}"
    if isinstance(action, Immobilize):
        return action.why
    if isinstance(action, Take):
        return f"is taken at the end of its owner's turn: {action.why}"
    if reach:
        when = "where it arrives" if rule.event == "arrives" else "as it turns over"
        return (
            f"{when}, {reach} {f'becomes {v.kind(action.into).name}' if isinstance(action, Become) else 'is removed'}"
        )
    if isinstance(action, Become):
        return f"becomes {v.kind(action.into).name} at once when {action.why}"
    return f"is removed when {action.why}"


def _those(v: Variant, rule: Rule) -> str:
    action = rule.action
    others = action.others if isinstance(action, (Become, Remove)) else None
    if others is None:
        return ""
    what = listed(named(v, others.codes), "and") if others.codes else "other piece"
    whose = {"own": "of its own side", "enemy": "of the enemy", "either": "of either side"}[others.of]
    near = "" if others.most is None else f" within {others.most} {'point' if others.most == 1 else 'points'}"
    return f"every {what} {whose}{near}"


def _nearby(v: Variant, rule: Rule, near: Near) -> Iterator[str]:
    """What a piece does to those that are near it."""
    subjects = listed(named(v, sorted(concerned(v, rule), key=[kind.code for kind in v.kinds].index)))
    where = "next to it" if near.most == 1 else "" if near.most is None else f"within {near.most} points of it"
    whose = {"own": "of its own side ", "enemy": "of the enemy ", "either": ""}[near.of]
    action = rule.action
    if rule.event == "shoots":
        yield f"pieces {whose}{where} do not shoot: {subjects}"
    elif rule.event == "arrives":
        what = subjects if concerned(v, rule) else "any piece"
        spared = [code for atom in atoms(rule.when) if isinstance(atom, Is) for code in atom.codes]
        but = f", but no {listed(named(v, spared), 'or')}," if spared and not concerned(v, rule) else ""
        yield f"{what} {whose}that lands {where}{but} is removed"
    elif isinstance(action, Become):
        yield f"any {subjects} {whose}{where} becomes {v.kind(action.into).name} at once"
