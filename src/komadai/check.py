"""Is this a variant? Every defect of a spec at once, each with the path of its field."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import get_args

from . import _core
from .board import SIDES, Rect, Region, Squares, Unbounded
from .derive import atoms, conjunctions, count_kinds, movement_of, royals, spares
from .errors import NotationError, SpecError
from .notation.sfen import parse
from .spec import (
    At,
    Becomes,
    BeyondSupport,
    Captures,
    Event,
    Forbid,
    GivesCheck,
    InHand,
    Is,
    Kind,
    Mates,
    Near,
    OnFile,
    Stuck,
    Supported,
    Take,
    Variant,
)

EVENTS: tuple[str, ...] = get_args(Event)


@dataclass
class _Defects:
    """Collects what is wrong with a spec, each with the path of its field."""

    found: list[str] = field(default_factory=list)

    def add(self, path: str, what: str) -> None:
        self.found.append(f"{path}: {what}")

    def codes(self, path: str, given: tuple[str, ...], known: frozenset[str], what: str = "kind") -> None:
        for code in given:
            if code not in known:
                self.add(path, f"{code!r} is no {what} of this variant")


def _check_region(path: str, region: Region, board: Rect, defects: _Defects) -> None:
    if isinstance(region, Squares):
        for name in region.names:
            if board.find(name) is None:
                defects.add(path, f"{name!r} is no square of a {board.width}×{board.height} board")
    elif not 1 <= region.count <= board.height:
        defects.add(path, f"{region.count} ranks; expected 1 to {board.height}")


def _check_movement(path: str, kind: Kind, defects: _Defects) -> None:
    try:
        legs = movement_of(kind).legs
    except ValueError as error:
        defects.add(path, str(error))
        return
    if not any(leg.vectors for leg in legs):
        defects.add(path, "the piece has no move at all")
    for leg in legs:
        if (0, 0) in leg.vectors:
            defects.add(path, "the vector (0, 0) goes nowhere")
        if leg.reach is not None and leg.reach < 1:
            defects.add(path, f"a reach of {leg.reach}; expected 1 or more, or None for no limit")


def _check_kinds(variant: Variant, known: frozenset[str], defects: _Defects) -> None:
    held = frozenset(variant.hand_order)
    for code, count in Counter(kind.code for kind in variant.kinds).items():
        if count > 1:
            defects.add(f"kinds[{code}]", "the code stands twice")
    for index, kind in enumerate(variant.kinds):
        path = f"kinds[{kind.code or index}]"
        letters = kind.code.removeprefix("+")
        if not (letters.isascii() and letters.isalpha() and letters.isupper()):
            defects.add(f"{path}.code", f"{kind.code!r} is not upper-case ASCII letters, with or without + in front")
        _check_movement(f"{path}.move", kind, defects)
        becomes = kind.becomes
        for name in ("quiet", "captures", "zone", "dropped"):
            defects.codes(f"{path}.becomes.{name}", getattr(becomes, name), known)
        if becomes.zone and variant.zone is None:
            defects.add(f"{path}.becomes.zone", "the variant has no promotion zone")
        if becomes.captured is not None:
            defects.codes(f"{path}.becomes.captured", (becomes.captured,), held, "hand kind")
        if becomes.dropped and kind.code not in held:
            defects.add(f"{path}.becomes.dropped", "the kind is never in hand (hand_order lacks it)")
        for name in ("value", "hand_value"):
            value = getattr(kind, name)
            if value is not None and not 0 <= value <= 20_000:
                defects.add(f"{path}.{name}", f"{value} is outside 0 to 20000")
        if kind.royal and becomes != Becomes():
            defects.add(f"{path}.becomes", "a royal piece may not change or be captured")


def _check_rules(variant: Variant, known: frozenset[str], defects: _Defects) -> None:
    for index, rule in enumerate(variant.rules):
        path = f"rules[{index}].when"
        if rule.event not in EVENTS:
            defects.add(f"rules[{index}].event", f"{rule.event!r} is no event; expected {', '.join(EVENTS)}")
        if not isinstance(rule.action, (Forbid, Take)):
            defects.add(f"rules[{index}].action", f"{type(rule.action).__name__} is no action the compiler knows")
        elif isinstance(rule.action, Take) != (rule.event == "turn_end"):
            defects.add(f"rules[{index}].action", f"{type(rule.action).__name__} does not go with {rule.event!r}")
        for atom in atoms(rule.when):
            if isinstance(atom, (Is, OnFile)):
                defects.codes(path, atom.codes, known)
            elif isinstance(atom, InHand):
                defects.codes(path, atom.codes, frozenset(variant.hand_order), "hand kind")
            elif isinstance(atom, At):
                _check_region(path, atom.region, variant.board, defects)
            elif isinstance(atom, Near):
                defects.codes(path, atom.codes, known)
                if not 1 <= atom.least <= (atom.most or atom.least):
                    defects.add(path, f"from {atom.least} to {atom.most} steps; expected 1 or more, rising")
            elif not isinstance(atom, (Stuck, Captures, Supported, BeyondSupport, GivesCheck, Mates)):
                defects.add(path, f"{type(atom).__name__} is no condition the compiler knows")
            asks_support = isinstance(atom, (Supported, BeyondSupport)) or (isinstance(atom, Near) and atom.supported)
            if asks_support and variant.support is None:
                defects.add(path, f"{type(atom).__name__} asks for support, and the variant says of none")
            if rule.event == "turn_end" and not isinstance(atom, (Is, At, Stuck, Supported)):
                defects.add(path, f"{type(atom).__name__} cannot be asked at the end of a turn")


def _check_start(variant: Variant, defects: _Defects) -> None:
    try:
        setup = parse(variant, variant.start)
    except NotationError as error:
        for defect in error.defects:
            defects.add("start", defect)
        return
    for side in SIDES:
        if royals(variant) and count_kinds(variant, setup, side, royals(variant)) == 0:
            defects.add("start", f"side {side} has no royal piece")


def _check_size(variant: Variant, defects: _Defects) -> None:
    """The core's own limits."""
    vectors = {v for kind in variant.kinds for leg in movement_of(kind).legs for v in leg.vectors}
    both_ways = vectors | {(-right, -ahead) for right, ahead in vectors}
    groups = {atom.codes for rule in variant.rules for atom in atoms(rule.when) if isinstance(atom, OnFile)}
    for path, what, count, most in (
        ("hand_order", "hand kinds", len(variant.hand_order), _core.MAX_HAND),
        ("kinds", "different move vectors with their opposites", len(both_ways), _core.MAX_VECTORS),
        ("rules", "different sets of kinds in OnFile", len(groups), _core.MAX_GROUPS),
    ):
        if count > most:
            defects.add(path, f"{count} {what}; the core holds {most}")


def check_spec(variant: Variant) -> None:
    """Raise :class:`SpecError` with every defect of the spec, each with its field's path; return if there is none."""
    defects = _Defects()
    known = frozenset(kind.code for kind in variant.kinds)
    if not (1 <= variant.board.width <= 25 and 1 <= variant.board.height <= 25):
        defects.add("board", f"{variant.board.width}×{variant.board.height}; expected 1 to 25 files and ranks")
    _check_kinds(variant, known, defects)
    defects.codes("hand_order", variant.hand_order, known)
    for code, count in Counter(variant.hand_order).items():
        if count > 1:
            defects.add("hand_order", f"{code!r} stands twice")
        if code.startswith("+"):
            defects.add("hand_order", f"{code!r} is turned over; hands hold unturned pieces")
    if variant.zone is not None:
        _check_region("zone", variant.zone, variant.board, defects)
    if variant.agreement is not None:
        _check_region("agreement.region", variant.agreement.region, variant.board, defects)
    if variant.repetition.count < 2:
        defects.add("repetition.count", f"{variant.repetition.count}; expected 2 or more")
    if variant.match_wins is not None and variant.match_wins < 1:
        defects.add("match_wins", f"{variant.match_wins}; expected 1 or more")
    if variant.support is not None:
        for name in ("roots", "links"):
            defects.codes(f"support.{name}", getattr(variant.support, name), known)
        if variant.support.reach < 1:
            defects.add("support.reach", f"{variant.support.reach}; expected 1 or more")
    _check_rules(variant, known, defects)
    if isinstance(variant.board, Unbounded):
        anchor = variant.board.anchor
        defects.codes("board.anchor", (anchor,), royals(variant), "royal kind")
        for index, rule in enumerate(variant.rules):
            if isinstance(rule.action, Take) and not all(spares(variant, c, anchor) for c in conjunctions(rule.when)):
                defects.add(f"rules[{index}].when", f"may take {anchor}, which the window follows")
        if not (variant.board.width % 2 and variant.board.height % 2):
            defects.add("board", "the window of an unbounded field needs a middle point, so odd numbers")
    if not defects.found:
        _check_size(variant, defects)
    if not defects.found:
        _check_start(variant, defects)
    if defects.found:
        raise SpecError(f"variant {variant.id!r}", defects.found)
