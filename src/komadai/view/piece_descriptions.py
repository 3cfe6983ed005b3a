"""Descriptions of pieces and rules, as plain data and in sentences of the current language.

Everything is read from the spec: moves and shots from the kind, and of the rules those that name it. A sentence is a
template with arguments, most of them phrases that are templates themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice

from ..i18n import _, listed, marked, ngettext
from ..spec.board import FarRanks, Vector
from ..spec.conditions import At, Has, InSight, Is, Near, Owner
from ..spec.geometry import movement_of
from ..spec.kinds import Kind, ZoneBy
from ..spec.logic import atoms, conjunctions
from ..spec.movement import DIAGONAL, KNIGHT, ORTHOGONAL, Leg, Walk
from ..spec.names import kind_name, kind_names
from ..spec.rules import Become, Forbid, Immobilize, Others, Remove, Rule, Take
from ..spec.variant import Variant
from .survival import concerned, consequence, needed

_NUMBERS = (
    *(marked("no"), marked("one"), marked("two"), marked("three"), marked("four")),
    *(marked("five"), marked("six"), marked("seven"), marked("eight"), marked("nine")),
)
_ALL = frozenset(ORTHOGONAL + DIAGONAL)
_WAYS: tuple[tuple[frozenset[Vector], str], ...] = (
    (_ALL, marked("in any direction")),
    (_ALL - {(0, -1)}, marked("in any direction but straight backward")),
    (_ALL - {(0, 1)}, marked("in any direction but straight forward")),
    (frozenset(ORTHOGONAL), marked("orthogonally")),
    (frozenset(DIAGONAL), marked("diagonally")),
    (frozenset({(0, 1), (0, -1)}), marked("straight forward or backward")),
    (frozenset({(1, 0), (-1, 0)}), marked("sideways")),
    (frozenset({(1, 1), (-1, 1)}), marked("diagonally forward")),
    (frozenset({(1, -1), (-1, -1)}), marked("diagonally backward")),
    (frozenset({(0, 1)}), marked("straight forward")),
    (frozenset({(0, -1)}), marked("straight backward")),
    (frozenset({(1, 0)}), marked("to the right")),
    (frozenset({(-1, 0)}), marked("to the left")),
    (frozenset({(1, 1)}), marked("forward to the right")),
    (frozenset({(-1, 1)}), marked("forward to the left")),
    (frozenset({(1, -1)}), marked("backward to the right")),
    (frozenset({(-1, -1)}), marked("backward to the left")),
)
"""Sets of directions that have a name; the first that fits is taken out, until nothing is left."""

_KNIGHT_WAYS: tuple[tuple[str, Vector], ...] = (
    (marked("forward"), (0, 1)),
    (marked("backward"), (0, -1)),
    (marked("to the right"), (1, 0)),
    (marked("to the left"), (-1, 0)),
)


_ZONE_WAYS: dict[ZoneBy, str] = {
    "touch": marked("touches {region}"),
    "entry": marked("enters {region}"),
    "capture": marked("captures and touches {region}"),
    "last_rank": marked("ends on the last rank"),
}


def promoted(kind: Kind) -> str | None:
    """The kind it turns over into, if it can."""
    becomes = kind.becomes
    over = [code for code in (*becomes.zone, becomes.captures_promote_to) if code is not None and code != kind.code]
    return over[0] if over and len(set(over)) == 1 else None


def words(v: Variant, kind: Kind, *, changes: bool = True) -> list[str]:
    """Describe a kind in short lines; with ``changes`` also what it turns into."""
    after = turns(v, kind) if changes else ()
    lines = [*_moves(kind), *borrowed(v), *_shooting(v, kind), *_limits(v, kind), *after, *survival(v, kind)]
    lines += [line for rule in v.rules for line in _rule(v, rule, kind)]
    return list(dict.fromkeys(map(_capital, lines)))


def ways(v: Variant, kind: Kind) -> list[str]:
    """Describe in short lines how a kind moves and what it shoots at, without all that limits or changes it."""
    return [*_moves(kind), *borrowed(v), *islice(_shooting(v, kind), 1)]


def rule_words(v: Variant, rule: Rule) -> str:
    """Describe what a rule does to the pieces it concerns."""
    return _capital(_of_itself(v, rule))


def _capital(line: str) -> str:
    return f"{line[0].upper()}{line[1:]}"


def _number(count: int) -> str:
    return _(_NUMBERS[count])


_CLAUSES = marked(", "), marked("clause|{some}, or {last}"), marked("clause|{some} or {last}")
_DIRECTIONS = marked("direction|, "), marked("direction|{some}, or {last}"), marked("direction|{some} or {last}")


def _either(clauses: Sequence[str], words: tuple[str, str, str] = _CLAUSES) -> str:
    """Clauses to choose from; a comma keeps apart those with such a word inside."""
    if len(clauses) < 2:
        return "".join(clauses)
    comma, apart, plain = words
    some, last = _(comma).join(clauses[:-1]), clauses[-1]
    return _(apart if any(" or " in clause for clause in clauses) else plain, some=some, last=last)


# --- Moves and shots ------------------------------------------------------------------------------------------------


def _directions(vectors: Iterable[Vector]) -> str:
    """Unit vectors in words."""
    left, found = set(vectors), []
    for ways, name in _WAYS:
        if ways <= left:
            left -= ways
            found.append(_(name))
    return _either(found, _DIRECTIONS)


def _unit(vector: Vector) -> tuple[Vector, int] | None:
    """A vector along one of the eight directions as that direction and a distance."""
    right, ahead = vector
    length = max(abs(right), abs(ahead))
    if right and ahead and abs(right) != abs(ahead):
        return None
    return (right // length, ahead // length), length


def _leaps(vectors: Collection[Vector]) -> list[str]:
    """Single leaps by distance, nearest first."""
    straight: dict[int, list[Vector]] = {}
    for unit, length in filter(None, map(_unit, vectors)):
        straight.setdefault(length, []).append(unit)
    found = [
        _("one step {directions}", directions=_directions(units))
        if length == 1
        else _("a jump of {count} points {directions}", count=_number(length), directions=_directions(units))
        for length, units in sorted(straight.items())
    ]
    crooked = [vector for vector in vectors if _unit(vector) is None]
    if crooked and set(crooked) == set(KNIGHT):
        found.append(_("a knight's jump (two points one way and one aside)"))
    elif crooked and set(crooked) <= set(KNIGHT):
        ways = [
            _(name)
            for name, (right, ahead) in _KNIGHT_WAYS
            if any((r, a) in crooked for r, a in KNIGHT if (r * right, a * ahead).count(2))
        ]
        where = listed(ways, "or")
        found.append(_("a knight's jump {directions} (two points that way and one aside)", directions=where))
    elif crooked:
        found.append(_("a jump to {points}", points=listed([f"{r:+d},{a:+d}" for r, a in crooked], "or")))
    return found


def _slides(legs: Iterable[Leg]) -> list[str]:
    by_reach: dict[int | None, list[Vector]] = {}
    for leg in legs:
        if leg.reach != 1:
            by_reach.setdefault(leg.reach, []).extend(leg.vectors)
    return [
        _("slides any distance {directions}", directions=_directions(vectors))
        if reach is None
        else _("slides 1 to {reach} points {directions}", reach=reach, directions=_directions(vectors))
        for reach, vectors in by_reach.items()
    ]


def _walk(walk: Walk) -> str:
    least, most = _number(walk.least), _number(walk.most)
    if walk.least == walk.most:
        times = _("exactly {count}", count=most)
    elif walk.most == walk.least + 1:
        times = _("number|{least} or {most}", least=least, most=most)
    else:
        times = _("number|{least} to {most}", least=least, most=most)
    units = [_unit(vector) for vector in walk.vectors]
    if all(unit is not None and unit[1] == 1 for unit in units):
        how = _("{times} steps in one turn, each {directions}", times=times, directions=_directions(walk.vectors))
    else:
        how = _("{times} moves in one turn, each {leaps}", times=times, leaps=_either(_leaps(walk.vectors)))
    match walk.line:
        case "straight":
            how = _("{steps}, all in the same direction", steps=how)
        case "axial":
            how = _("{steps}; a later one goes on in the same direction or straight back", steps=how)
        case "onward":
            how = _("{steps}; a later one keeps to the long direction of the first or goes straight back", steps=how)
    if not walk.revisits:
        how = _("{steps}, never to a point twice", steps=how)
    return _("{steps}; it may capture on each", steps=how)


def _hops(legs: Iterable[Leg]) -> list[str]:
    far = marked("hops over one piece {directions}, any distance")
    near = marked("hops over one piece {directions}, {reach} points at most")
    return [_(far if leg.reach is None else near, directions=_directions(leg.vectors), reach=leg.reach) for leg in legs]


def _plain(legs: Sequence[Leg]) -> list[str]:
    """Slides and leaps, as clauses."""
    leaps = [vector for leg in legs if leg.reach == 1 for vector in leg.vectors]
    return [*_slides(legs), *([_either(_leaps(leaps))] if leaps else [])]


def _special(legs: Sequence[Leg]) -> list[str]:
    """Legs that hop, and those for captures or quiet moves alone, as clauses."""
    found = _hops(leg for leg in legs if leg.hops and leg.captures == "may")
    for captures, template in (
        ("never", marked("{moves}, never capturing")),
        ("must", marked("{moves}, only to capture")),
    ):
        some = [leg for leg in legs if leg.captures == captures]
        clauses = [*_plain([leg for leg in some if not leg.hops]), *_hops(leg for leg in some if leg.hops)]
        found += [_(template, moves=clause) for clause in clauses]
    return found


def _moves(kind: Kind) -> list[str]:
    movement = movement_of(kind)
    plain = _plain([leg for leg in movement.legs if leg.is_plain])
    special = _special(movement.legs)
    walks = [_walk(walk) for walk in movement.walks]
    if walks and plain:
        return [_("either {moves}; or {walks}", moves=_either(plain), walks=_("; or ").join(walks))]
    return [_either(plain)] * bool(plain) + special + walks


_LENDERS: dict[Owner, str] = {
    "own": marked("a piece of its own side"),
    "enemy": marked("a piece of the opponent’s"),
    "either": marked("a piece"),
}


def borrowed(v: Variant) -> Iterator[str]:
    """The moves that a piece has from its neighbours, if it has any."""
    rule = v.borrowing
    if rule is None:
        return
    units = [_unit(vector) for vector in rule.vectors]
    where = (
        _directions(rule.vectors)
        if all(unit is not None and unit[1] == 1 for unit in units)
        else listed([f"{right:+d},{ahead:+d}" for right, ahead in rule.vectors], "or")
    )
    piece = _(_LENDERS[rule.of])
    if rule.besides:
        yield _("with {piece} next to it, {where}, it also has the moves of that piece", piece=piece, where=where)
    else:
        yield _("with {piece} next to it, {where}, it moves as that piece instead", piece=piece, where=where)


def _shooting(v: Variant, kind: Kind) -> Iterator[str]:
    shot = movement_of(kind).shot
    if shot is None:
        return
    if shot.targets == 1:
        targets = _("one piece")
    else:
        targets = _("up to {count} pieces, one after the other,", count=_number(shot.targets))
    directions = _directions(shot.vectors)
    if shot.reach == 1:
        hit = _("{targets} on a point next to it", targets=targets)
    else:
        over = marked("{targets} 1 to {reach} points away {directions}, over anything")
        between = marked("{targets} 1 to {reach} points away {directions}, not over pieces")
        hit = _(over if shot.over else between, targets=targets, reach=shot.reach, directions=directions)
    match shot.standing:
        case "only":
            yield _("shoots instead of moving: {targets}", targets=hit)
        case "may":
            yield _("after moving, or instead of moving, it may shoot {targets}", targets=hit)
        case "never" if shot.each_landing:
            yield _("after each landing it may shoot {targets}", targets=hit)
        case "never":
            yield _("after moving it may shoot {targets}", targets=hit)
    if not shot.after_capture and shot.standing != "only":
        yield _("does not shoot in a turn in which it has captured by landing")
    never = kind_names(v, shot.safe)
    never += [
        _("{piece} nearer than {points} points", piece=kind_name(v.kind(code)), points=least)
        for code, least in shot.nearest
    ]
    if never:
        yield _("never hits: {pieces}", pieces=listed(never))


# --- What limits and changes it -------------------------------------------------------------------------------------


def _limits(v: Variant, kind: Kind) -> Iterator[str]:
    if kind.royal:
        yield _("royal: it must not be left attacked")
    if kind.cannot_capture:
        takes = [other.code for other in v.kinds if other.code not in kind.cannot_capture]
        if len(takes) < len(kind.cannot_capture):
            yield _("captures only these by landing: {pieces}", pieces=listed(kind_names(v, takes)))
        else:
            yield _("cannot capture by landing: {pieces}", pieces=listed(kind_names(v, kind.cannot_capture)))
    # Kinds that can capture almost nothing say so themselves.
    unable = [
        other.code
        for other in v.kinds
        if kind.code in other.cannot_capture and len(other.cannot_capture) * 2 < len(v.kinds)
    ]
    if unable:
        yield _("cannot be captured by the landing of: {pieces}", pieces=listed(kind_names(v, unable)))
    shooters = [(other.code, shot) for other in v.kinds if (shot := movement_of(other).shot) is not None]
    safe = [code for code, shot in shooters if kind.code in shot.safe]
    if safe:
        yield _("cannot be shot by: {pieces}", pieces=listed(kind_names(v, safe)))


def turns(v: Variant, kind: Kind) -> Iterator[str]:
    """The kinds it becomes by moving, by capturing and by being captured."""
    becomes, own = kind.becomes, (kind.code,)

    def either(codes: Iterable[str]) -> str:
        return listed(kind_names(v, codes), "or")

    if becomes.quiet not in ((), own):
        yield _("becomes {pieces} by moving", pieces=either(becomes.quiet))
    if becomes.captures not in ((), own, becomes.quiet):
        yield _("becomes {pieces} by capturing", pieces=either(becomes.captures))
    others = listed([kind_name(v.kind(code)) for code in becomes.zone if code != kind.code], "or")
    if others:
        region = v.zone.describe() if isinstance(v.zone, FarRanks) else _("its zone")
        ways = [_(_ZONE_WAYS[way], region=region) for way in _ZONE_WAYS if way in becomes.zone_by]
        by = listed(ways, "or")
        if kind.code in becomes.zone:
            yield _("may become {pieces} by a move that {ways}", pieces=others, ways=by)
        else:
            yield _("becomes {pieces} by a move that {ways}", pieces=others, ways=by)
    if becomes.captures_promote_to is not None:
        into = kind_name(v.kind(becomes.captures_promote_to))
        for rule in v.rules:
            if isinstance(rule.action, Become) and needed(rule) and becomes.captures_promote_to in concerned(v, rule):
                yield _("cannot become {piece} when {why}", piece=into, why=_(rule.action.why))
        yield _(
            "becomes {piece} at once by capturing: {captured}",
            piece=into,
            captured=either(becomes.promotes_by_capturing),
        )
    if v.hand_order and becomes.captured is None:
        if not kind.royal:
            yield _("captured, it leaves the game")
    elif v.hand_order and becomes.captured != kind.code:
        yield _("captured, it comes to hand as {piece}", piece=kind_name(v.kind(becomes.captured or "")))


def survival(v: Variant, kind: Kind) -> Iterator[str]:
    """Its part in the survival of its side."""
    if v.survives_if is None:
        return
    for way in conjunctions(v.survives_if):
        has = [atom for atom, holds in way if holds and isinstance(atom, Has)]
        if any(kind.code in atom.codes for atom in has):
            others = [_either(kind_names(v, atom.codes)) for atom in has if kind.code not in atom.codes]
            if others:
                yield _("its side stays in the game while it has this and {others}", others=listed(others))
            else:
                yield _("its side stays in the game while it has this")


# --- Rules ----------------------------------------------------------------------------------------------------------


def _rule(v: Variant, rule: Rule, kind: Kind) -> Iterator[str]:
    """Describe a rule for the kind, as the piece it is asked of or as one that the condition or the action names."""
    action = rule.action
    if kind.code in concerned(v, rule):
        yield _of_itself(v, rule)
    for has in needed(rule):
        if kind.code in has.codes:
            yield _(
                "while its side has no {pieces}: {note}",
                pieces=listed(kind_names(v, has.codes), "nor"),
                note=consequence(v, [rule]).words(),
            )
    for atom in atoms(rule.when):
        if isinstance(atom, InSight) and kind.code in atom.codes and isinstance(action, Immobilize):
            directions = _directions(atom.vectors)
            if atom.through:
                yield _("holds fast every enemy piece it sees {directions}", directions=directions)
            else:
                yield _("holds fast the first piece it sees, if it is an enemy, {directions}", directions=directions)
        elif isinstance(atom, Near) and kind.code in atom.codes and rule.event not in ("drops", "lands", "always"):
            yield from _nearby(v, rule, atom)
    if isinstance(action, (Become, Remove)) and action.others is not None and kind.code in action.others.codes:
        yield _of_others(v, action, action.others)


def _of_itself(v: Variant, rule: Rule) -> str:
    action, why = rule.action, _(rule.action.why)
    if isinstance(action, Forbid):
        if rule.event == "shoots":
            return _("{why}: then it does not shoot", why=why)
        plain = all(isinstance(atom, (Is, At)) for atom in atoms(rule.when))
        if plain or any(word in action.why.split() for word in ("may", "must", "no")):
            return why
        if rule.event == "drops":
            return _("may not be dropped where {why}", why=why)
        return _("not allowed if {why}", why=why)
    if isinstance(action, Immobilize):
        return why
    if isinstance(action, Take):
        return _("is taken at the end of its owner's turn: {why}", why=why)
    if action.others is not None:
        what = _those(v, action.others)
        if isinstance(action, Become):
            text = _("{pieces} becomes {piece}", pieces=what, piece=kind_name(v.kind(action.into)))
        else:
            text = _("{pieces} is removed", pieces=what)
        arrives = rule.event == "arrives"
        return _("where it arrives, {change}", change=text) if arrives else _("as it turns over, {change}", change=text)
    if isinstance(action, Become):
        return _("becomes {piece} at once when {why}", piece=kind_name(v.kind(action.into)), why=why)
    return _("is removed when {why}", why=why)


def _of_others(v: Variant, action: Become | Remove, others: Others) -> str:
    """A change that another piece causes."""
    why = _(action.why)
    if isinstance(action, Become):
        into = kind_name(v.kind(action.into))
        if others.of == "enemy":
            return _("becomes {piece} by the enemy when {why}", piece=into, why=why)
        return _("becomes {piece} when {why}", piece=into, why=why)
    if others.of == "enemy":
        return _("is removed by the enemy when {why}", why=why)
    return _("is removed when {why}", why=why)


_EVERY: dict[Owner, str] = {
    "own": marked("every {pieces} of its own side"),
    "enemy": marked("every {pieces} of the enemy"),
    "either": marked("every {pieces} of either side"),
}


def _those(v: Variant, others: Others) -> str:
    """Other pieces that an action concerns."""
    every = _(_EVERY[others.of], pieces=listed(kind_names(v, others.codes)) if others.codes else _("other piece"))
    if others.most is None:
        return every
    return ngettext("{pieces} within {count} point", "{pieces} within {count} points", others.most, pieces=every)


def _of_side(pieces: str, of: Owner) -> str:
    if of == "either":
        return pieces
    return _("{pieces} of its own side", pieces=pieces) if of == "own" else _("{pieces} of the enemy", pieces=pieces)


def _nearby(v: Variant, rule: Rule, near: Near) -> Iterator[str]:
    """The effect of a piece on those near it."""
    concerns, action = concerned(v, rule), rule.action
    subjects = listed(kind_names(v, [kind.code for kind in v.kinds if kind.code in concerns]))
    if near.most == 1:
        place = _("next to it")
    else:
        place = _("anywhere") if near.most is None else _("within {count} points of it", count=near.most)
    if rule.event == "shoots":
        pieces = _of_side(_("pieces"), near.of)
        yield _("{pieces} {place} do not shoot: {which}", pieces=pieces, place=place, which=subjects)
    elif rule.event == "arrives":
        pieces = _of_side(subjects or _("any piece"), near.of)
        exempt = [code for atom in atoms(rule.when) if isinstance(atom, Is) for code in atom.codes]
        if exempt and not concerns:
            but = listed(kind_names(v, exempt), "or")
            yield _("{pieces} that lands {place}, but no {others}, is removed", pieces=pieces, place=place, others=but)
        else:
            yield _("{pieces} that lands {place} is removed", pieces=pieces, place=place)
    elif isinstance(action, Become):
        into = kind_name(v.kind(action.into))
        pieces = _of_side(_("any {piece}", piece=subjects), near.of)
        yield _("{pieces} {place} becomes {piece} at once", pieces=pieces, place=place, piece=into)
