"""From a :class:`Variant` to the plain tables the native core runs on.

Conditions are brought into disjunctive normal form. Whatever depends only on the piece and the point (:class:`Is`,
:class:`At`, :class:`Stuck`) is folded into one set of points per piece, so that the core meets only the few questions
that need a live position. A rule without such a question disappears into the sets ``may_land`` and ``may_drop``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product

from . import _core
from .board import SIDE_NAMES, SIDES, Rect, Side, Unbounded, Vector, other
from .check import check_spec
from .derive import (
    Literal,
    asks_mate,
    atoms,
    conjunctions,
    count_kinds,
    faces,
    families,
    is_stuck,
    lines,
    movement_of,
    piece_values,
    recentred,
    results,
    royal_name,
    royals,
    spares,
    stands_near,
    suffix_flags,
)
from .errors import IllegalPositionError, SpecError
from .move import DROP, Move, suffix
from .notation.sfen import Piece, Setup, describe, parse, print_setup
from .spec import (
    At,
    BeyondSupport,
    Captures,
    Condition,
    GivesCheck,
    InHand,
    Is,
    Kind,
    Mates,
    Near,
    OnFile,
    Rule,
    Stuck,
    Support,
    Supported,
    Take,
    Variant,
)

STATIC = (Is, At, Stuck)
QUESTIONS = (OnFile, InHand, Captures, Near, Supported, BeyondSupport, GivesCheck, Mates)
_UNLIMITED = 255


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
    overlaps: list[int]
    value: list[int]
    captured: list[int]
    changes: list[list[list[int]]]
    may_land: list[list[int]]
    may_drop: list[list[int]]
    zone: list[list[int]]
    drops: list[list[int]]
    hand_value: list[int]
    file_groups: list[list[int]]
    nears: list[tuple[int, int, bool, list[int], list[int]]]
    roots: list[int]
    links: list[int]
    link_reach: int
    anchor: int
    rules: list[tuple[int, bool, list[list[int]], list[tuple[int, bool, int]]]]
    repetition: int
    perpetual_check_loses: bool
    single_royal: bool


_ON_DROP, _ON_LANDING, _AT_END = 1, 2, 4
_EVENTS = {"drops": _ON_DROP, "lands": _ON_LANDING, "always": _ON_DROP | _ON_LANDING, "turn_end": _AT_END}
# The questions that need a live position, cheapest first, numbered as in ``Ask`` of native/rules.hpp.
_ASK = {question: number for number, question in enumerate(QUESTIONS)}


class _Builder:
    """Builds the tables of one checked variant."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.board = variant.board
        self.index = {kind.code: number for number, kind in enumerate(variant.kinds)}
        self.owned = [(kind, side) for kind in variant.kinds for side in SIDES]
        self.pieces = 4 * len(variant.kinds)
        self.file_groups: list[tuple[str, ...]] = []
        self.nears: list[Near] = []
        self.everywhere = list(variant.board.points)
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
                    longest = min(leg.reach or _UNLIMITED, _UNLIMITED)
                    if longest == 1:
                        leaps[piece] |= 1 << vector
                    else:
                        slides[piece] |= 1 << vector
                    at = piece * len(self.vectors) + vector
                    reach[at] = max(reach[at], longest)
            leaps[piece] &= ~slides[piece]
        return leaps, slides, reach

    def _overlaps(self, kind: Kind, side: Side) -> bool:
        """Whether two of the kind's ways lead to the same point."""
        for point in self.board.points:
            reached = [target for line in lines(self.variant, kind, side, point) for target in line]
            if len(reached) != len(set(reached)):
                return True
        return False

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

    def _flags(self, codes: tuple[str, ...]) -> list[int]:
        """One entry a piece number: whether its kind is one of these."""
        marked = {self.piece(code, side) for code in codes for side in SIDES}
        return [int(piece in marked) for piece in range(self.pieces)]

    def _static(self, atom: Condition, kind: Kind, side: Side, point: int) -> bool:
        if isinstance(atom, Is):
            return kind.code in atom.codes
        if isinstance(atom, At):
            return atom.region.contains(self.board, point, side)
        return is_stuck(self.variant, kind, side, point)

    def _question(self, atom: Condition, holds: bool) -> tuple[int, bool, int]:
        argument = 0
        if isinstance(atom, OnFile):
            if atom.codes not in self.file_groups:
                self.file_groups.append(atom.codes)
            argument = self.file_groups.index(atom.codes)
        elif isinstance(atom, InHand):
            order = self.variant.hand_order
            argument = sum(1 << order.index(code) for code in atom.codes or order)
        elif isinstance(atom, Near):
            if atom not in self.nears:
                self.nears.append(atom)
            argument = self.nears.index(atom)
        return _ASK[type(atom)], holds, argument

    def _near(self, near: Near) -> tuple[int, int, bool, list[int], list[int]]:
        """What ``native/rules.hpp`` (``NearTable``) holds: distances, and the pieces wanted by the mover's side."""
        black, white = (
            [
                self.piece(code, side)
                for code in near.codes
                for side in SIDES
                if near.of == "either" or (side == mover) == (near.of == "own")
            ]
            for mover in SIDES
        )
        return near.least, near.most or len(self.board), near.supported, black, white

    def _where(self, literals: tuple[Literal, ...]) -> list[list[int]]:
        static = [(atom, holds) for atom, holds in literals if isinstance(atom, STATIC)]
        by_point = any(not isinstance(atom, Is) for atom, _ in static)
        where: list[list[int]] = [[] for _ in range(self.pieces)]
        for kind, side in self.owned:
            if spares(self.variant, literals, kind.code):
                continue

            def holds_on(point: int, kind: Kind = kind, side: Side = side) -> bool:
                return all(self._static(atom, kind, side, point) == holds for atom, holds in static)

            if by_point:
                where[self.piece(kind.code, side)] = [point for point in self.everywhere if holds_on(point)]
            elif holds_on(0):
                where[self.piece(kind.code, side)] = self.everywhere
        return where

    def build(self) -> RuleTables:
        variant, board = self.variant, self.board
        pad_x = max(abs(right) for right, _ in self.vectors)
        pad_y = max(abs(ahead) for _, ahead in self.vectors)
        stride = board.width + pad_x
        may_land = [set(self.everywhere) for _ in range(self.pieces)]
        may_drop = [set(self.everywhere) for _ in range(self.pieces)]
        anchor = self.piece(board.anchor, "b") if isinstance(board, Unbounded) else 0
        if isinstance(board, Unbounded):
            may_drop[anchor] = {board.middle}
        rules = []
        for rule in variant.rules:
            events = _EVENTS[rule.event]
            for literals in conjunctions(rule.when):
                where = self._where(literals)
                questions = sorted(self._question(a, holds) for a, holds in literals if not isinstance(a, STATIC))
                # What is about mate is passed over where replies to a mate are counted, so it is never folded away.
                if questions or asks_mate(rule) or isinstance(rule.action, Take):
                    rules.append((events, asks_mate(rule), where, questions))
                    continue
                for piece, points in enumerate(where):
                    if events & _ON_LANDING:
                        may_land[piece].difference_update(points)
                    if events & _ON_DROP:
                        may_drop[piece].difference_update(points)
        support = variant.support or Support(())
        royal, overlaps, value = [0] * self.pieces, [0] * self.pieces, [0] * self.pieces
        captured = [-1] * self.pieces
        values = piece_values(variant)
        for kind, side in self.owned:
            piece = self.piece(kind.code, side)
            royal[piece] = int(kind.royal)
            overlaps[piece] = int(self._overlaps(kind, side))
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
            overlaps=overlaps,
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
            nears=[self._near(near) for near in self.nears],
            roots=self._flags(support.roots),
            links=self._flags(support.links),
            link_reach=support.reach,
            anchor=anchor,
            rules=rules,
            repetition=variant.repetition.count,
            perpetual_check_loses=variant.repetition.perpetual_check_loses,
            single_royal=_single_royal(variant),
        )


def _single_royal(variant: Variant) -> bool:
    """Derived flag: each side has exactly one royal piece, so pins and checkers can be worked out once a turn."""
    setup = parse(variant, variant.start)
    settled = all(
        _settled(variant, literals)
        for rule in variant.rules
        if isinstance(rule.action, Take)
        for literals in conjunctions(rule.when)
    )
    return settled and all(count_kinds(variant, setup, side, royals(variant)) == 1 for side in SIDES)


def _settled(variant: Variant, literals: tuple[Literal, ...]) -> bool:
    """Whether what the end of the turn takes hangs on support, and is never a royal piece.

    Otherwise the fast path could not tell for which moves it makes a difference.
    """
    return (Supported(), False) in literals and all(spares(variant, literals, code) for code in royals(variant))


def _breaks(board: Rect, others: Mapping[int, Piece], rule: Rule, piece: Piece, point: int) -> bool:
    """Whether a rule of ``Is`` and ``Near`` alone forbids the piece to stand there."""

    def holds(atom: Condition) -> bool:
        if isinstance(atom, Near):
            return stands_near(board, others, atom, piece.side, point)
        return isinstance(atom, Is) and piece.code in atom.codes

    return any(all(holds(atom) == wanted for atom, wanted in literals) for literals in conjunctions(rule.when))


class Compiled:
    """A variant ready to play: the spec, its tables, and the native rules built from them.

    Attributes:
        variant: the spec. ``tables``: the plain arrays. ``rules``: the native form, shared by all positions.
        start: the native start position, to be copied.
    """

    def __init__(self, variant: Variant) -> None:
        check_spec(variant)
        self.variant = variant
        self.tables = _Builder(variant).build()
        self.point_of = {cell: point for point, cell in enumerate(self.tables.cell_of)}
        self.rules = _core.Rules(self.tables, self.move)
        try:
            self.start = self.load(parse(variant, variant.start))
        except IllegalPositionError as error:
            raise SpecError(f"variant {variant.id!r}", [f"start: {defect}" for defect in error.defects]) from None

    def piece(self, code: str, side: Side) -> int:
        """The native number of a piece."""
        return self._index[code] << 2 | 1 << SIDES.index(side)

    def code(self, piece: int) -> str:
        """The kind's code of a native piece number."""
        return self.variant.kinds[piece >> 2].code

    @cached_property
    def _distances(self) -> tuple[Rule, ...]:
        """The rules on how far apart royal pieces must be: true after every move of either, so true at all times."""
        royal = royals(self.variant)

        def plain(atom: Condition) -> bool:
            if isinstance(atom, Near):
                return royal.issuperset(atom.codes) and atom.of == "enemy" and not atom.supported
            return isinstance(atom, Is) and royal.issuperset(atom.codes)

        return tuple(
            rule
            for rule in self.variant.rules
            if rule.event == "always" and all(plain(atom) for atom in atoms(rule.when))
        )

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

    def load(self, setup: Setup) -> _core.Position:
        """The native position of a setup.

        Raises:
            IllegalPositionError: it cannot be played; every reason at once.
        """
        defects = self._defects(setup)
        if not defects:
            pieces = recentred(self.variant.board, setup.board) or ()
            board = [self.piece(piece.code, piece.side) if piece else 0 for piece in pieces]
            hands, turn = [list(hand) for hand in setup.hands], SIDES.index(setup.turn)
            if not _core.Position(self.rules, board, hands, 1 - turn).in_check():
                return _core.Position(self.rules, board, hands, turn)
            moved, to_move = SIDE_NAMES[other(setup.turn)], SIDE_NAMES[setup.turn]
            defects.append(f"{moved}'s {royal_name(self.variant)} is attacked although {to_move} is to move")
        raise IllegalPositionError(f"position {print_setup(self.variant, setup)!r}", defects)

    def _defects(self, setup: Setup) -> list[str]:
        """Everything that keeps a setup from being played, but for the attacked king, which needs a position."""
        variant, start = self.variant, parse(self.variant, self.variant.start)
        royal = royals(variant)
        defects = []
        for side in SIDES:
            wanted, found = (count_kinds(variant, at, side, royal) for at in (start, setup))
            if found != wanted:
                defects.append(f"{SIDE_NAMES[side]}'s {royal_name(variant)} is there {found} times; expected {wanted}")
        for family in families(variant):
            most, found = (sum(count_kinds(variant, at, side, family) for side in SIDES) for at in (start, setup))
            if found > most and not family & royal:
                kinds = ", ".join(kind.code for kind in variant.kinds if kind.code in family)
                defects.append(f"there are {found} pieces of the kinds {kinds}; the game has {most}")
        defects += self._field_defects(setup)
        for point, piece in enumerate(setup.board):
            if piece is not None:
                defects += self._standing_defects(setup, point, piece)
        return defects

    def _field_defects(self, setup: Setup) -> list[str]:
        """What keeps a setup out of the window of an unbounded field."""
        board = self.variant.board
        if not isinstance(board, Unbounded):
            return []
        name = self.variant.kind(board.anchor).name
        if Piece("b", board.anchor) not in setup.board:
            begun = any(setup.board) or setup.turn == "w"
            return [f"Black's {name} is not on the field, so only Black's first move can come next"] if begun else []
        return [] if recentred(board, setup.board) else [f"a piece stands too far from Black's {name}"]

    def _standing_defects(self, setup: Setup, point: int, piece: Piece) -> list[str]:
        """Why a piece cannot stand where it does."""
        variant, square = self.variant, self.variant.board.name(point)
        others = {at: other for at, other in enumerate(setup.board) if other and at != point}
        found = [
            f"{describe(piece, variant)} on {square}: {rule.action.why}"
            for rule in self._distances
            if _breaks(variant.board, others, rule, piece, point)
        ]
        number = self.piece(piece.code, piece.side)
        if not {point} & {*self.tables.may_land[number], *self.tables.may_drop[number]}:
            found.append(f"{describe(piece, variant)} cannot stand on {square}: it could never move again")
        return found


@lru_cache(maxsize=32)
def compile_variant(variant: Variant) -> Compiled:
    """Check a spec and compile it; the latest results are cached.

    Raises:
        SpecError: with every defect of the spec, each with the path of its field.
    """
    return Compiled(variant)
