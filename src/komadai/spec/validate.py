"""Validate a spec: every defect at once, each with the path of its field."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import NamedTuple, get_args

from .. import _core
from ..errors import SpecError
from ..i18n import _, listed, marked
from .betza import BetzaError
from .board import SIDES, Rect, Region, Squares, Unbounded
from .conditions import CONDITIONS, Condition, GivesCheck, Has, JustTaken, Near, OnFile, Owner, Stands, Takes, askable
from .geometry import movement_of, vectors_of
from .kinds import Becomes, Kind, ZoneBy
from .logic import COMPOUND_EVENTS, all_vectors, atoms, conjunctions, is_compound, never_applies, turned_by
from .material import count_kinds, count_pieces, royals
from .movement import Captures as CaptureWord
from .names import nearest_code, side_name
from .rules import Action, Become, Event, Forbid, Immobilize, Remove, Take
from .sfen import read
from .variant import Borrowing, Declaration, Variant

_KIND = re.compile(r"^kinds\[(\d+)\]")
_MOST_CODES = 24  # that a message lists
_NO_KIND = marked("{code} is no kind of this variant; {suggestion}")
_NO_HAND_KIND = marked("{code} is no hand kind of this variant; {suggestion}")
_NO_ROYAL_KIND = marked("{code} is no royal kind of this variant; {suggestion}")

EVENTS: tuple[str, ...] = get_args(Event)

_OF_STEPS = ("turn_start", "arrives", "shoots", "became", "at_all_times")  # the events of turns under way
# By event, the conditions that can be asked and the actions that can be taken.
_ALLOWED: dict[str, tuple[tuple[type, ...], tuple[type, ...]]] = {
    "drops": (askable("move"), (Forbid,)),
    "lands": (askable("move"), (Forbid,)),
    "always": (askable("move"), (Forbid,)),
    "turn_end": (askable("turn_end"), (Take,)),
    "turn_start": (askable("place"), (Immobilize,)),
    "arrives": (askable("place"), (Become, Remove)),
    "shoots": (askable("place"), (Forbid,)),
    "became": (askable("place"), (Become, Remove)),
    "at_all_times": (askable("place"), (Become, Remove)),
    "whole_turn": (askable("turn"), (Forbid,)),
}


class Defect(NamedTuple):
    """A defect of a spec.

    Attributes:
        path: the path of the field, with the numbers of entries: ``kinds[3].move``.
        what: what is wrong, and what would be right.
        at: the place in the field's text, where it is known.
    """

    path: str
    what: str
    at: int | None = None


@dataclass
class _Defects:
    """The defects of a spec."""

    found: list[Defect] = field(default_factory=list)

    def add(self, path: str, what: str, at: int | None = None) -> None:
        self.found.append(Defect(path, what, at))

    def codes(self, path: str, given: tuple[str, ...], known: Collection[str], refusal: str = _NO_KIND) -> None:
        for code in given:
            if code not in known:
                self.add(path, _(refusal, code=repr(code), suggestion=_right_code(code, known)))


def _right_code(code: str, known: Collection[str]) -> str:
    if not known:
        return _("it has none")
    if meant := nearest_code(code, tuple(known)):
        return _("did you mean {word}?", word=repr(meant))
    shown = list(known) if len(known) <= _MOST_CODES else [*list(known)[:_MOST_CODES], "…"]
    return _("choose from {choices}", choices=" ".join(shown))


def _check_region(path: str, region: Region, board: Rect, defects: _Defects) -> None:
    if isinstance(region, Squares):
        size = {"width": board.width, "height": board.height}
        for name in region.names:
            if board.find(name) is None:
                defects.add(path, _("{name} is no square of a {width}×{height} board", name=repr(name), **size))
    elif not 1 <= region.count <= board.height:
        defects.add(path, _("{count} ranks; expected 1 to {most}", count=region.count, most=board.height))


def _check_movement(path: str, kind: Kind, known: Collection[str], defects: _Defects) -> None:
    try:
        movement = movement_of(kind)
    except BetzaError as error:
        defects.add(path, str(error), error.at)
        return
    if not any(leg.vectors for leg in movement.legs) and not any(walk.vectors for walk in movement.walks):
        defects.add(path, _("the piece has no move at all"))
    if (0, 0) in vectors_of(kind):
        defects.add(path, _("the vector (0, 0) goes nowhere"))
    for leg in movement.legs:
        if leg.captures not in get_args(CaptureWord):
            defects.add(path, _("captures {word}; expected may, never or must", word=repr(leg.captures)))
        if leg.hops and leg.reach == 1:
            defects.add(path, _("a leg of reach 1 hops over nothing; expected a reach of 2 or more, or no limit"))
        if leg.reach is not None and leg.reach < 1:
            defects.add(path, _("a reach of {reach}; expected 1 or more, or no limit", reach=leg.reach))
    shot = movement.shot
    for walk in movement.walks:
        least, most = walk.least, walk.most
        if not 1 <= least <= most:
            defects.add(
                path, _("a walk of {least} to {most} leaps; expected 1 or more, rising", least=least, most=most)
            )
    landings = max((walk.most for walk in movement.walks), default=1)
    shots = 0 if shot is None else shot.targets * (landings if shot.each_landing else 1)
    if landings - 1 + shots > _core.MAX_TRAIL:
        counts = {"landings": landings, "shots": shots, "most": _core.MAX_TRAIL + 1}
        defects.add(path, _("turns of {landings} landings and {shots} shots; the core holds {most} in all", **counts))
    if shot is None:
        return
    if shot.reach < 1 or shot.targets < 1:
        numbers = {"reach": shot.reach, "targets": shot.targets}
        defects.add(path, _("a shot of reach {reach} at {targets} targets; expected 1 or more of both", **numbers))
    defects.codes(f"{path}.shot", (*shot.safe, *(code for code, _ in shot.nearest)), known)
    for code, least in shot.nearest:
        if not 1 <= least <= shot.reach:
            hits = {"code": code, "least": least, "reach": shot.reach}
            defects.add(f"{path}.shot", _("hits {code} from {least} on; expected 1 to its reach of {reach}", **hits))


def _check_kinds(variant: Variant, known: Collection[str], defects: _Defects) -> None:
    first: dict[str, int] = {}
    for index, kind in enumerate(variant.kinds):
        path, code = f"kinds[{index}]", repr(kind.code)
        if (earlier := first.setdefault(kind.code, index)) != index:
            defects.add(path, _("the code stands twice; kinds[{earlier}] is {code}, too", earlier=earlier, code=code))
        letters = kind.code.removeprefix("+")
        if not (letters.isascii() and letters.isalpha() and letters.isupper()):
            words = _("{code} is not upper-case ASCII letters, with or without + in front", code=code)
            defects.add(f"{path}.code", words)
        _check_movement(f"{path}.move", kind, known, defects)
        defects.codes(f"{path}.cannot_capture", kind.cannot_capture, known)
        becomes = kind.becomes
        if bool(becomes.promotes_by_capturing) != (becomes.captures_promote_to is not None):
            defects.add(f"{path}.becomes", _("promotes_by_capturing and captures_promote_to go together"))
        promoted = (becomes.captures_promote_to,) if becomes.captures_promote_to else ()
        defects.codes(f"{path}.becomes.captures_promote_to", promoted, known)
        for name in ("quiet", "captures", "zone", "dropped", "promotes_by_capturing"):
            defects.codes(f"{path}.becomes.{name}", getattr(becomes, name), known)
        ways = ", ".join(get_args(ZoneBy))
        for way in becomes.zone_by:
            if way not in get_args(ZoneBy):
                defects.add(f"{path}.becomes.zone_by", _("{found}; expected {choice}", found=repr(way), choice=ways))
        if not becomes.zone_by:
            defects.add(f"{path}.becomes.zone_by", _("no move counts; expected touch, or some of the others"))
        if becomes.zone and variant.zone is None:
            defects.add(f"{path}.becomes.zone", _("the variant has no promotion zone"))
        if becomes.captured is not None:
            defects.codes(f"{path}.becomes.captured", (becomes.captured,), variant.hand_order, _NO_HAND_KIND)
        if becomes.dropped and kind.code not in variant.hand_order:
            defects.add(f"{path}.becomes.dropped", _("the kind is never in hand (hand_order lacks it)"))
        for name in ("value", "hand_value"):
            value = getattr(kind, name)
            if value is not None and not 0 <= value <= 20_000:
                defects.add(f"{path}.{name}", _("{value} is outside 0 to 20000", value=value))
        if kind.short is not None and len(kind.short) != 1:
            defects.add(f"{path}.short", _("{text} is not one character", text=repr(kind.short)))
        if kind.royal and becomes != Becomes():
            defects.add(f"{path}.becomes", _("a royal piece may not change or be captured; expected no becomes"))


def _check_declaration(rule: Declaration, variant: Variant, known: Collection[str], defects: _Defects) -> None:
    _check_region("declaration.region", rule.region, variant.board, defects)
    if not any(kind.royal for kind in variant.kinds):
        defects.add("declaration", _("the variant has no royal piece that could enter"))
    defects.codes("declaration.points", tuple(code for code, _ in rule.points), known)
    numbers = (rule.least, *(points for _, points in rule.points))
    if min(numbers) < 0:
        defects.add("declaration", _("{found} pieces or points; expected 0 or more", found=min(numbers)))
    if len(rule.wins) != 2 or min(rule.wins) < 1:
        defects.add("declaration.wins", _("{found}; expected two numbers of 1 or more, Black's first", found=rule.wins))
    elif rule.draws is not None and not 1 <= rule.draws < min(rule.wins):
        defects.add("declaration.draws", _("{found}; expected 1 or more, and fewer than win", found=rule.draws))
    _check_side("declaration.missing_for", rule.missing_for, defects)


def _check_side(path: str, side: str | None, defects: _Defects) -> None:
    if side not in (None, *SIDES):
        defects.add(path, _("{name} is no side; expected b, w or nothing", name=repr(side)))


def _check_borrowing(rule: Borrowing, defects: _Defects) -> None:
    if not rule.vectors:
        defects.add("borrowing.vectors", _("there are none; expected where the lender stands, as (0, -1) for behind"))
    if (0, 0) in rule.vectors:
        defects.add("borrowing.vectors", _("the vector (0, 0) is the piece itself"))
    _check_owner("borrowing.of", rule.of, defects)


def _check_owner(path: str, of: str, defects: _Defects) -> None:
    owners = get_args(Owner)
    if of not in owners:
        defects.add(path, _("{name} is no owner; expected {choice}", name=repr(of), choice=", ".join(owners)))


def _check_rules(variant: Variant, known: Collection[str], defects: _Defects) -> None:
    for index, rule in enumerate(variant.rules):
        path, event = f"rules[{index}]", repr(rule.event)
        if rule.event not in EVENTS:
            words = _("{event} is no event; expected {choice}", event=event, choice=", ".join(EVENTS))
            defects.add(f"{path}.event", words)
            continue
        askable_here, actions = _ALLOWED[rule.event]
        name = type(rule.action).__name__
        if not isinstance(rule.action, get_args(Action)):
            defects.add(f"{path}.action", _("{name} is no action the compiler knows", name=name))
        elif not isinstance(rule.action, actions):
            right = _right_part(actions, 1, rule.action)
            words = _("{name} does not go with {event}; {right}", name=name, event=event, right=right)
            defects.add(f"{path}.action", words)
        elif isinstance(rule.action, (Become, Remove)):
            _check_action(f"{path}.action", rule.action, known, defects)
        for atom in atoms(rule.when):
            name = type(atom).__name__
            if not isinstance(atom, CONDITIONS):
                defects.add(f"{path}.when", _("{name} is no condition the compiler knows", name=name))
                continue
            atom.check(_Checks(f"{path}.when", atom, variant, known, defects))
            if not isinstance(atom, askable_here):
                right = _right_part(askable_here, 0, atom)
                words = _("{name} cannot be asked on {event}; {right}", name=name, event=event, right=right)
                defects.add(f"{path}.when", words)


def _right_part(classes: tuple[type, ...], place: int, node: Condition | Action) -> str:
    """Of which classes a part may be, or with which events it goes: a condition (place 0) or an action (1)."""
    choice = listed([cls.__name__ for cls in classes], "or")
    events = _(" or ").join(event for event, allowed in _ALLOWED.items() if isinstance(node, allowed[place]))
    if not events:
        return _("expected {choice}", choice=choice)
    return _("expected {choice}, or the event {events}", choice=choice, events=events)


def _check_action(path: str, action: Become | Remove, known: Collection[str], defects: _Defects) -> None:
    if isinstance(action, Become):
        defects.codes(path, (action.into,), known)
    if action.others is not None:
        defects.codes(path, action.others.codes, known)
        if action.others.most is not None and action.others.most < 1:
            defects.add(path, _("pieces {most} steps away at most; expected 1 or more", most=action.others.most))


@dataclass
class _Checks:
    """The check of one condition's fields (:class:`~komadai.spec.conditions.base.Checks`)."""

    path: str
    atom: Condition
    variant: Variant
    known: Collection[str]
    defects: _Defects

    @property
    def board(self) -> Rect:
        return self.variant.board

    def add(self, what: str) -> None:
        self.defects.add(self.path, what)

    def codes(self, given: tuple[str, ...]) -> None:
        self.defects.codes(self.path, given, self.known)

    def hand_codes(self, given: tuple[str, ...]) -> None:
        self.defects.codes(self.path, given, self.variant.hand_order, _NO_HAND_KIND)

    def region(self, region: Region) -> None:
        _check_region(self.path, region, self.board, self.defects)

    def owner(self, of: str) -> None:
        _check_owner(self.path, of, self.defects)

    def support(self) -> None:
        if self.variant.support is None:
            name = type(self.atom).__name__
            self.add(_("{name} asks for support, and the variant says of none", name=name))


def _check_ends(variant: Variant, known: Collection[str], defects: _Defects) -> None:
    """The conditions on the ends of a game."""
    for path, allowed, refusal in (
        ("survives_if", (Has,), marked("{name} is asked; expected Has of one's own alone")),
        (
            "wins_if",
            askable("end"),
            marked("{name} is asked; expected Stands, GivesCheck, Count, Beside, and Has of one's own, alone"),
        ),
    ):
        condition: Condition | None = getattr(variant, path)
        for atom in atoms(condition) if condition is not None else ():
            if not isinstance(atom, allowed) or (isinstance(atom, Has) and atom.of != "own"):
                defects.add(path, _(refusal, name=type(atom).__name__))
            else:
                atom.check(_Checks(path, atom, variant, known, defects))
            if isinstance(atom, GivesCheck) and not royals(variant):
                defects.add(path, _("GivesCheck asks for check, and the variant has no royal piece"))
    if variant.extinction.guarded and variant.survives_if is None:
        defects.add("extinction.guarded", _("nothing is needed to survive (survives_if), so nothing can be guarded"))


def _check_compound(variant: Variant, defects: _Defects) -> None:
    """The parts of the vocabulary that compound moves exclude."""
    if not is_compound(variant):
        return
    lacking = _("walks, shots, and rules about turns under way")
    if by := _compound_by(variant):
        lacking = _("walks, shots, and rules about turns under way, among which {field} counts", field=by)
    for index, kind in enumerate(variant.kinds):
        if not all(leg.is_plain for leg in movement_of(kind).legs):
            what = _("legs that hop, only capture or never capture do not go with {lacking}", lacking=lacking)
            defects.add(f"kinds[{index}].move", what)
    goals = [] if variant.wins_if is None else list(atoms(variant.wins_if))
    attacked = any(isinstance(atom, Stands) and atom.safe for atom in goals)
    checked = any(isinstance(atom, GivesCheck) for atom in goals)
    for path, there, refusal in (
        ("board", isinstance(variant.board, Unbounded), marked("a board without edges does not go with {lacking}")),
        ("borrowing", variant.borrowing is not None, marked("borrowed moves do not go with {lacking}")),
        ("extinction.guarded", variant.extinction.guarded, marked("guarded survival does not go with {lacking}")),
        ("wins_if", attacked, marked("attacks on a goal do not go with {lacking}")),
        ("wins_if", checked, marked("check as a goal does not go with {lacking}")),
    ):
        if there:
            defects.add(path, _(refusal, lacking=lacking))
    _check_whole_turns(variant, defects)
    codes = {kind.code for kind in variant.kinds}
    for index, rule in enumerate(variant.rules):
        path = f"rules[{index}]"
        for atom in atoms(rule.when):
            if rule.event in ("lands", "always") and not isinstance(atom, askable("landing")):
                what = _(
                    "{name} asked on {event} does not go with {lacking}; expected Is, At, Stuck, Near or Supported",
                    name=type(atom).__name__,
                    event=repr(rule.event),
                    lacking=lacking,
                )
                defects.add(f"{path}.when", what)
            if rule.event in _OF_STEPS and isinstance(atom, Near) and atom.supported:
                what = _("support cannot be asked of other pieces on {event}", event=repr(rule.event))
                defects.add(f"{path}.when", what)
        royal = sorted(royals(variant) & (turned_by(rule, codes) | {getattr(rule.action, "into", "")}))
        if royal:
            what = _("{royal} is royal; no rule turns a royal piece, or makes one", royal=royal[0])
            defects.add(f"{path}.action", what)
        if rule.event == "at_all_times" and getattr(rule.action, "others", None) is not None:
            defects.add(f"{path}.action", _("what is true at all times strikes the piece it is asked of alone"))
    for code in sorted(_endlessly_becoming(variant)):
        defects.add("rules", _("{code} might be turned for ever", code=code))


def _compound_by(variant: Variant) -> str:
    """The field that makes the moves of a variant compound, where that is not seen at once."""
    for index, kind in enumerate(variant.kinds):
        fields = {
            "cannot_capture": kind.cannot_capture,
            "becomes.promotes_by_capturing": kind.becomes.promotes_by_capturing,
            "becomes.zone_by": kind.becomes.zone_by != ("touch",),
        }
        for name, there in fields.items():
            if there:
                return f"kinds[{index}].{name}"
    return ""


def _check_whole_turns(variant: Variant, defects: _Defects) -> None:
    """The parts that rules about whole turns exclude, which ask for captures by landing that have no effects."""
    asked = [atom for rule in variant.rules if rule.event == "whole_turn" for atom in atoms(rule.when)]
    taken = {atom for atom in asked if isinstance(atom, JustTaken)}
    if len(taken) > 1:
        what = _("two JustTaken differ; expected the same in all rules, as positions remember one capture")
        defects.add("rules", what)
    if not asked:
        return
    if variant.hand_order and taken:
        what = _("pieces in hand do not go with JustTaken: positions write either in the same place")
        defects.add("hand_order", what)
    lacking = _("rules about whole turns")
    if any(isinstance(atom, Takes) and atom.protected for atom in asked):
        for index, rule in enumerate(variant.rules):
            if rule.event in ("lands", "always", "turn_end"):
                what = _("{event} does not go with Takes of what is protected", event=repr(rule.event))
                defects.add(f"rules[{index}].event", what)
    for index, kind in enumerate(variant.kinds):
        if movement_of(kind).shot is not None:
            defects.add(f"kinds[{index}].move", _("shots do not go with {lacking}", lacking=lacking))
    for index, rule in enumerate(variant.rules):
        if rule.event in COMPOUND_EVENTS and rule.event != "whole_turn":
            what = _("{event} does not go with {lacking}", event=repr(rule.event), lacking=lacking)
            defects.add(f"rules[{index}].event", what)


def _endlessly_becoming(variant: Variant) -> set[str]:
    """The kinds that rules may turn back into themselves, directly or through others."""
    codes = {kind.code for kind in variant.kinds}
    steps = {
        (code, rule.action.into)
        for rule in variant.rules
        if rule.event in ("became", "at_all_times") and isinstance(rule.action, Become)
        for code in turned_by(rule, codes)
    }
    reached = {code: {into for before, into in steps if before == code} for code in codes}
    for _round in codes:
        for code in codes:
            reached[code] |= {further for into in reached[code] for further in reached.get(into, ())}
    return {code for code in codes if code in reached[code]}


def _check_start(variant: Variant, defects: _Defects) -> None:
    setup, found = read(variant, variant.start)
    for at, what in found:
        defects.add("start", what, at)
    if setup is None:
        return
    for side in SIDES:
        if royals(variant) and count_kinds(count_pieces(variant, setup), royals(variant), side) == 0:
            defects.add("start", _("{side} has no royal piece", side=side_name(side)))
    for index, handicap in enumerate(variant.handicaps):
        for at, what in read(variant, handicap.start)[1]:
            defects.add(f"handicaps[{index}].start", what, at)


def _check_size(variant: Variant, defects: _Defects) -> None:
    """The core's own limits."""
    vectors = set(all_vectors(variant))
    both_ways = vectors | {(-right, -ahead) for right, ahead in vectors}
    groups = {atom.codes for rule in variant.rules for atom in atoms(rule.when) if isinstance(atom, OnFile)}
    for path, refusal, count, most in (
        ("hand_order", marked("{count} hand kinds; the core holds {most}"), len(variant.hand_order), _core.MAX_HAND),
        (
            "kinds",
            marked("{count} different move vectors with their opposites; the core holds {most}"),
            len(both_ways),
            _core.MAX_VECTORS,
        ),
        (
            "rules",
            marked("{count} different sets of kinds in OnFile; the core holds {most}"),
            len(groups),
            _core.MAX_GROUPS,
        ),
    ):
        if count > most:
            defects.add(path, _(refusal, count=count, most=most))


def check_spec(variant: Variant) -> None:
    """Validate a spec.

    Raises:
        SpecError: every defect at once, each with the path of its field; kinds go by their codes there.
    """
    if found := defects_of(variant):

        def by_code(number: re.Match[str]) -> str:
            return f"kinds[{variant.kinds[int(number[1])].code or number[1]}]"

        raise SpecError(f"variant {variant.id!r}", [f"{_KIND.sub(by_code, path)}: {what}" for path, what, _at in found])


def defects_of(variant: Variant) -> list[Defect]:
    """Every defect of a spec."""
    defects = _Defects()
    known = dict.fromkeys(kind.code for kind in variant.kinds)
    board = variant.board
    if not (1 <= board.width <= 25 and 1 <= board.height <= 25):
        size = {"width": board.width, "height": board.height, "most": 25}
        defects.add("board", _("{width}×{height}; expected 1 to {most} files and ranks", **size))
    _check_kinds(variant, known, defects)
    defects.codes("hand_order", variant.hand_order, known)
    for code, count in Counter(variant.hand_order).items():
        if count > 1:
            defects.add("hand_order", _("{code} stands twice", code=repr(code)))
        if code.startswith("+"):
            defects.add("hand_order", _("{code} is turned over; hands hold unturned pieces", code=repr(code)))
    if variant.zone is not None:
        _check_region("zone", variant.zone, board, defects)
    if variant.agreement is not None:
        _check_region("agreement.region", variant.agreement.region, board, defects)
    if variant.borrowing is not None:
        _check_borrowing(variant.borrowing, defects)
    if variant.declaration is not None:
        _check_declaration(variant.declaration, variant, known, defects)
    if variant.repetition.count < 2:
        defects.add("repetition.count", _("{found}; expected 2 or more", found=variant.repetition.count))
    _check_side("repetition.loser", variant.repetition.loser, defects)
    if variant.match_wins is not None and variant.match_wins < 1:
        defects.add("match_wins", _("{found}; expected 1 or more", found=variant.match_wins))
    if variant.support is not None:
        for name in ("roots", "links"):
            defects.codes(f"support.{name}", getattr(variant.support, name), known)
        if variant.support.reach < 1:
            defects.add("support.reach", _("{found}; expected 1 or more", found=variant.support.reach))
    _check_rules(variant, known, defects)
    _check_ends(variant, known, defects)
    if not defects.found:
        _check_compound(variant, defects)
    if isinstance(board, Unbounded):
        anchor = board.anchor
        defects.codes("board.anchor", (anchor,), royals(variant), _NO_ROYAL_KIND)
        for index, rule in enumerate(variant.rules):
            if isinstance(rule.action, Take) and not all(
                never_applies(variant, c, anchor) for c in conjunctions(rule.when)
            ):
                defects.add(f"rules[{index}].when", _("may take {anchor}, which the window follows", anchor=anchor))
        if not (board.width % 2 and board.height % 2):
            defects.add("board", _("the window of an unbounded field needs a middle point, so odd numbers"))
    if not defects.found:
        _check_size(variant, defects)
    if not defects.found:
        _check_start(variant, defects)
    return defects.found
