"""From a :class:`Variant` to the plain tables the native core runs on; every defect of a spec is found here.

Conditions are brought into disjunctive normal form. Whatever depends only on the piece and the point (:class:`Is`,
:class:`At`, :class:`Stuck`) is folded into one set of points per piece, so that the core meets only the few questions
that need a live position. A rule without such a question disappears into the sets ``may_land`` and ``may_drop``.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import product

from . import _core
from .board import SIDES, Rect, Region, Side, Squares, Vector
from .errors import NotationError, SpecError
from .move import CHOOSES, DROP, PROMOTES, Move, suffix
from .movement import Movement, betza
from .notation.sfen import Setup, parse
from .spec import (
    AllOf,
    AnyOf,
    At,
    Becomes,
    Condition,
    GivesCheck,
    InHand,
    Is,
    Kind,
    Mates,
    Not,
    OnFile,
    Stuck,
    Variant,
)

Literal_ = tuple[Condition, bool]  # an atomic condition and whether it must hold
STATIC = (Is, At, Stuck)
_UNLIMITED = 255


@cache
def movement_of(kind: Kind) -> Movement:
    """The kind's movement, reading Betza text where the spec gives text."""
    return betza(kind.move) if isinstance(kind.move, str) else kind.move


def conjunctions(condition: Condition) -> list[tuple[Literal_, ...]]:
    """The condition in disjunctive normal form: a list of conjunctions of literals."""

    def walk(node: Condition, holds: bool) -> list[tuple[Literal_, ...]]:
        if isinstance(node, Not):
            return walk(node.part, not holds)
        if isinstance(node, (AllOf, AnyOf)):
            branches = [walk(part, holds) for part in node.parts]
            if isinstance(node, AllOf) == holds:
                return [sum(choice, ()) for choice in product(*branches)]
            return [conjunction for branch in branches for conjunction in branch]
        return [((node, holds),)]

    return walk(condition, True)


def atoms(condition: Condition) -> Iterator[Condition]:
    """Every atomic condition inside ``condition``."""
    if isinstance(condition, Not):
        yield from atoms(condition.part)
    elif isinstance(condition, (AllOf, AnyOf)):
        for part in condition.parts:
            yield from atoms(part)
    else:
        yield condition


# --- Checking -------------------------------------------------------------------------------------------------------


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
        try:
            if not movement_of(kind).legs:
                defects.add(f"{path}.move", "the piece has no move at all")
        except ValueError as error:
            defects.add(f"{path}.move", str(error))
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
        for atom in atoms(rule.when):
            if isinstance(atom, (Is, OnFile)):
                defects.codes(path, atom.codes, known)
            elif isinstance(atom, InHand):
                defects.codes(path, atom.codes, frozenset(variant.hand_order), "hand kind")
            elif isinstance(atom, At):
                _check_region(path, atom.region, variant.board, defects)
            elif not isinstance(atom, (Stuck, GivesCheck, Mates)):
                defects.add(path, f"{type(atom).__name__} is no condition the compiler knows")


def _check_start(variant: Variant, defects: _Defects) -> None:
    try:
        setup = parse(variant, variant.start)
    except NotationError as error:
        for defect in error.defects:
            defects.add("start", defect)
        return
    royals = {kind.code for kind in variant.kinds if kind.royal}
    for hand, side in zip(setup.hands, SIDES, strict=True):
        count = sum(piece is not None and piece.side == side and piece.code in royals for piece in setup.board)
        count += sum(number for number, code in zip(hand, variant.hand_order, strict=True) if code in royals)
        if royals and count == 0:
            defects.add("start", f"side {side} has no royal piece")


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
    if variant.zone is not None:
        _check_region("zone", variant.zone, variant.board, defects)
    if variant.agreement is not None:
        _check_region("agreement.region", variant.agreement.region, variant.board, defects)
    if variant.repetition.count < 2:
        defects.add("repetition.count", f"{variant.repetition.count}; expected 2 or more")
    if variant.match_wins is not None and variant.match_wins < 1:
        defects.add("match_wins", f"{variant.match_wins}; expected 1 or more")
    _check_rules(variant, known, defects)
    if not defects.found:
        _check_start(variant, defects)
    if defects.found:
        raise SpecError(f"variant {variant.id!r}", defects.found)


# --- What follows from a spec ---------------------------------------------------------------------------------------


def successors(kind: Kind) -> tuple[str, ...]:
    """Every kind this one may become by moving."""
    becomes = kind.becomes
    return tuple(dict.fromkeys(becomes.quiet + becomes.captures + becomes.zone))


def faces(variant: Variant, hand_code: str) -> tuple[str, ...]:
    """The kinds a piece of that hand kind may show when dropped."""
    return variant.kind(hand_code).becomes.dropped or (hand_code,)


def results(kind: Kind, *, touches_zone: bool, captures: bool) -> tuple[str, ...]:
    """What ``kind`` may be after a move, before rules about the point it lands on."""
    becomes = kind.becomes
    return (touches_zone and becomes.zone) or (becomes.captures if captures else becomes.quiet) or (kind.code,)


def suffix_flags(before: str, after: str, alternatives: int) -> int:
    """How a move string tells the change: ``+``, ``=CODE`` where there was a choice, or nothing (Move string)."""
    if after == f"+{before}":
        return PROMOTES
    return CHOOSES if after != before and alternatives > 1 else 0


def is_stuck(variant: Variant, kind: Kind, side: Side, point: int) -> bool:
    """Whether the kind could never move again from ``point``, even on an empty board."""
    vectors = (vector for leg in movement_of(kind).legs for vector in leg.vectors)
    return all(variant.board.step(point, vector, side) is None for vector in vectors)


def families(variant: Variant) -> tuple[frozenset[str], ...]:
    """Kinds that can turn into each other by moving, capture and drop: their number never grows."""
    groups: list[set[str]] = []
    for kind in variant.kinds:
        linked = {kind.code, *successors(kind), *kind.becomes.dropped} | {kind.becomes.captured or kind.code}
        touching = [group for group in groups if group & linked]
        groups = [group for group in groups if not group & linked] + [linked.union(*touching)]
    return tuple(frozenset(group) for group in groups)


def _open_board_moves(variant: Variant, kind: Kind) -> float:
    """Mean number of points the kind reaches on an empty board; each further point of a slide counts 0.7 times less."""
    total = 0.0
    for point in variant.board.points:
        for leg in movement_of(kind).legs:
            for vector in leg.vectors:
                at: int | None = point
                weight = 1.0
                for _ in range(leg.reach or len(variant.board)):
                    at = None if at is None else variant.board.step(at, vector, "b")
                    if at is None:
                        break
                    total += weight
                    weight *= 0.7
    return total / len(variant.board)


def piece_values(variant: Variant) -> dict[str, tuple[int, int]]:
    """Each kind's worth on the board and in hand, from the spec where it says, else from the kind's moves.

    A kind that changes as it moves is worth the mean of itself and of what it turns into.
    """
    reach = {kind.code: _open_board_moves(variant, kind) for kind in variant.kinds}

    def cycle(kind: Kind) -> set[str]:
        seen: set[str] = set()
        queue = deque([kind.code])
        while queue:
            code = queue.popleft()
            if code not in seen:
                seen.add(code)
                queue.extend(variant.kind(code).becomes.quiet)
        return seen

    def on_board(kind: Kind) -> int:
        if kind.royal:
            return 0
        if kind.value is not None:
            return kind.value
        turning = cycle(kind)
        return round(100 * (reach[kind.code] + sum(reach[code] for code in turning) / len(turning)) / 2)

    board = {kind.code: on_board(kind) for kind in variant.kinds}

    def in_hand(kind: Kind) -> int:
        if kind.hand_value is not None:
            return kind.hand_value
        shown = kind.becomes.dropped or (kind.code,)
        return sum(board[code] for code in shown) // len(shown)

    return {kind.code: (board[kind.code], in_hand(kind)) for kind in variant.kinds}


# --- Tables ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RuleTables:
    """The plain arrays the native core is built from; ``native/rules.hpp`` (``Tables``) says what each holds."""

    width: int
    height: int
    cells: int
    cell_of: list[int]
    deltas: list[int]
    pieces: int
    leaps: list[int]
    slides: list[int]
    reach: list[int]
    royal: list[int]
    value: list[int]
    captured: list[int]
    changes: list[list[list[int]]]
    may_land: list[list[int]]
    may_drop: list[list[int]]
    zone: list[list[int]]
    drops: list[list[int]]
    hand_value: list[int]
    file_groups: list[list[int]]
    rules: list[tuple[int, list[list[int]], list[tuple[int, bool, int]]]]
    repetition: int
    perpetual_check_loses: bool
    single_royal: bool


_ON_DROP, _ON_LANDING = 1, 2
_EVENTS = {"drops": _ON_DROP, "lands": _ON_LANDING, "always": _ON_DROP | _ON_LANDING}
_ASK_ON_FILE, _ASK_IN_HAND, _ASK_GIVES_CHECK, _ASK_MATES = range(4)


class _Builder:
    """Builds the tables of one checked variant."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.board = variant.board
        self.index = {kind.code: number for number, kind in enumerate(variant.kinds)}
        self.owned = [(kind, side) for kind in variant.kinds for side in SIDES]
        self.pieces = 4 * len(variant.kinds)
        self.file_groups: list[tuple[str, ...]] = []
        self.vectors = self._vectors()

    def piece(self, code: str, side: Side) -> int:
        return self.index[code] << 2 | 1 << SIDES.index(side)

    def _vectors(self) -> dict[Vector, int]:
        """Every vector of every kind with its opposite next to it, so that ``v ^ 1`` turns round."""
        numbers: dict[Vector, int] = {}
        for kind in self.variant.kinds:
            for leg in movement_of(kind).legs:
                for right, ahead in leg.vectors:
                    if (right, ahead) not in numbers:
                        numbers[right, ahead] = len(numbers)
                        numbers[-right, -ahead] = len(numbers)
        return numbers

    def _moves(self) -> tuple[list[int], list[int], list[int]]:
        leaps, slides = [0] * self.pieces, [0] * self.pieces
        reach = [0] * (self.pieces * len(self.vectors))
        for kind, side in self.owned:
            piece = self.piece(kind.code, side)
            for leg in movement_of(kind).legs:
                for right, ahead in leg.vectors:
                    vector = self.vectors[(right, ahead) if side == "b" else (-right, -ahead)]
                    longest = _UNLIMITED if leg.reach is None else leg.reach
                    if longest == 1:
                        leaps[piece] |= 1 << vector
                    else:
                        slides[piece] |= 1 << vector
                    at = piece * len(self.vectors) + vector
                    reach[at] = max(reach[at], longest)
            leaps[piece] &= ~slides[piece]
        return leaps, slides, reach

    def _changes(self) -> list[list[list[int]]]:
        table: list[list[list[int]]] = [[[] for _ in range(4)] for _ in range(self.pieces)]
        for kind, side in self.owned:
            for touches, captures in product((False, True), repeat=2):
                after = results(kind, touches_zone=touches, captures=captures)
                table[self.piece(kind.code, side)][touches * 2 + captures] = [
                    number
                    for code in after
                    for number in (self.piece(code, side), suffix_flags(kind.code, code, len(after)))
                ]
        return table

    def _static(self, atom: Condition, kind: Kind, side: Side, point: int) -> bool:
        if isinstance(atom, Is):
            return kind.code in atom.codes
        if isinstance(atom, At):
            return atom.region.contains(self.board, point, side)
        return is_stuck(self.variant, kind, side, point)

    def _question(self, atom: Condition, holds: bool) -> tuple[int, bool, int]:
        if isinstance(atom, OnFile):
            if atom.codes not in self.file_groups:
                self.file_groups.append(atom.codes)
            return _ASK_ON_FILE, holds, self.file_groups.index(atom.codes)
        if isinstance(atom, InHand):
            order = self.variant.hand_order
            return _ASK_IN_HAND, holds, sum(1 << order.index(code) for code in atom.codes or order)
        return (_ASK_GIVES_CHECK if isinstance(atom, GivesCheck) else _ASK_MATES), holds, 0

    def _where(self, literals: tuple[Literal_, ...]) -> list[list[int]]:
        static = [(atom, holds) for atom, holds in literals if isinstance(atom, STATIC)]
        where: list[list[int]] = [[] for _ in range(self.pieces)]
        for kind, side in self.owned:
            where[self.piece(kind.code, side)] = [
                point
                for point in self.board.points
                if all(self._static(atom, kind, side, point) == holds for atom, holds in static)
            ]
        return where

    def build(self) -> RuleTables:
        variant, board = self.variant, self.board
        pad_x = max(abs(right) for right, _ in self.vectors)
        pad_y = max(abs(ahead) for _, ahead in self.vectors)
        stride = board.width + pad_x
        may_land = [set(board.points) for _ in range(self.pieces)]
        may_drop = [set(board.points) for _ in range(self.pieces)]
        rules = []
        for rule in variant.rules:
            events = _EVENTS[rule.event]
            for literals in conjunctions(rule.when):
                where = self._where(literals)
                questions = sorted(self._question(a, holds) for a, holds in literals if not isinstance(a, STATIC))
                if questions:
                    rules.append((events, where, questions))
                    continue
                for piece, points in enumerate(where):
                    if events & _ON_LANDING:
                        may_land[piece].difference_update(points)
                    if events & _ON_DROP:
                        may_drop[piece].difference_update(points)
        royal, value, captured = [0] * self.pieces, [0] * self.pieces, [-1] * self.pieces
        values = piece_values(variant)
        for kind, side in self.owned:
            piece = self.piece(kind.code, side)
            royal[piece] = int(kind.royal)
            value[piece] = values[kind.code][0]
            if kind.becomes.captured is not None:
                captured[piece] = variant.hand_order.index(kind.becomes.captured)
        leaps, slides, reach = self._moves()
        return RuleTables(
            width=board.width,
            height=board.height,
            cells=stride * (board.height + 2 * pad_y) + 2 * pad_x,
            cell_of=[pad_x + (point // board.width + pad_y) * stride + point % board.width for point in board.points],
            deltas=[right - ahead * stride for right, ahead in self.vectors],
            pieces=self.pieces,
            leaps=leaps,
            slides=slides,
            reach=reach,
            royal=royal,
            value=value,
            captured=captured,
            changes=self._changes(),
            may_land=[sorted(points) for points in may_land],
            may_drop=[sorted(points) for points in may_drop],
            zone=[
                [point for point in board.points if variant.zone and variant.zone.contains(board, point, side)]
                for side in SIDES
            ],
            drops=[[self.index[face] for face in faces(variant, code)] for code in variant.hand_order],
            hand_value=[values[code][1] for code in variant.hand_order],
            file_groups=[[self.index[code] for code in group] for group in self.file_groups],
            rules=rules,
            repetition=variant.repetition.count,
            perpetual_check_loses=variant.repetition.perpetual_check_loses,
            single_royal=_single_royal(variant),
        )


def _single_royal(variant: Variant) -> bool:
    """Derived flag: each side has exactly one royal piece, so pins and checkers can be worked out once a turn."""
    setup = parse(variant, variant.start)
    royals = {kind.code for kind in variant.kinds if kind.royal}
    return all(royal_count(variant, setup, side, royals) == 1 for side in SIDES)


def royal_count(variant: Variant, setup: Setup, side: Side, royals: set[str]) -> int:
    """How many pieces of the kinds ``royals`` the side has, on the board and in hand."""
    hand = setup.hands[SIDES.index(side)]
    held = sum(count for count, code in zip(hand, variant.hand_order, strict=True) if code in royals)
    return held + sum(piece is not None and piece.side == side and piece.code in royals for piece in setup.board)


class Compiled:
    """A variant ready to play: the spec, its tables, and the native rules built from them.

    Attributes:
        variant: the spec. ``tables``: the plain arrays. ``rules``: the native form, shared by all positions.
    """

    def __init__(self, variant: Variant) -> None:
        check_spec(variant)
        self.variant = variant
        self.tables = _Builder(variant).build()
        self.point_of = {cell: point for point, cell in enumerate(self.tables.cell_of)}
        self.rules = _core.Rules(self.tables, self.move)

    def piece(self, code: str, side: Side) -> int:
        """The native number of a piece."""
        return self._index[code] << 2 | 1 << SIDES.index(side)

    def code(self, piece: int) -> str:
        """The kind's code of a native piece number."""
        return self.variant.kinds[piece >> 2].code

    @cached_property
    def _index(self) -> Mapping[str, int]:
        return {kind.code: number for number, kind in enumerate(self.variant.kinds)}

    def move(self, code: int) -> Move:
        """The :class:`Move` of a native move code."""
        board = self.variant.board
        origin, target = code & 0xFFFF, self.point_of[code >> 16 & 0xFFFF]
        piece, flags = self.code(code >> 32 & 0xFFFF), code >> 48
        if flags & DROP:
            return Move(f"{piece}*{board.name(target)}", None, target, piece, code)
        start = self.point_of[origin]
        text = board.name(start) + board.name(target) + suffix(flags, piece)
        return Move(text, start, target, piece, code)


@cache
def compile_variant(variant: Variant) -> Compiled:
    """Check a spec and compile it; the result is cached.

    Raises:
        SpecError: with every defect of the spec, each with the path of its field.
    """
    return Compiled(variant)
