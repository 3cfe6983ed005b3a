"""From a :class:`Variant` to the plain tables the native core runs on.

Conditions are brought into disjunctive normal form. Whatever depends only on the piece and the point (:class:`Is`,
:class:`At`, :class:`Stuck`) is folded into one set of points per piece, so that the core meets only the few questions
that need a live position. A rule without such a question disappears into the sets ``may_land`` and ``may_drop``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from itertools import product

from . import _core
from .board import SIDES, Side, Unbounded, Vector, other
from .check import check_spec
from .derive import (
    Literal,
    asks_mate,
    atoms,
    conjunctions,
    count_kinds,
    count_pieces,
    faces,
    has_turns,
    is_stuck,
    movement_of,
    piece_values,
    recentred,
    results,
    royal_name,
    royals,
    spares,
    suffix_flags,
    ties,
    vectors_of,
)
from .errors import IllegalPositionError, SpecError
from .move import DROP, TRAIL_LANDING, TRAIL_SHOT, Landing, Move, suffix
from .movement import Shot, Walk
from .notation.sfen import Setup, parse, position_words, print_setup
from .playable import setup_defects
from .spec import (
    At,
    BeyondSupport,
    Captures,
    Condition,
    Forbid,
    GivesCheck,
    Has,
    Hold,
    InHand,
    InSight,
    Is,
    Kind,
    Mates,
    Near,
    OnFile,
    Owner,
    Remove,
    Stuck,
    Support,
    Supported,
    Take,
    Turn,
    Variant,
)
from .speech import _, side_name
from .tables import ActionTable, RuleTables, ShotTable, SightTable, TurnRuleTable, TurnTables, WalkTable
from .turns import concerns, possible

STATIC = (Is, At, Stuck)
QUESTIONS = (OnFile, InHand, Captures, Near, Supported, BeyondSupport, GivesCheck, Mates, Has, InSight)
_UNLIMITED = 255


_ON_DROP, _ON_LANDING, _AT_END = 1, 2, 4
_EVENTS = {"drops": _ON_DROP, "lands": _ON_LANDING, "always": _ON_DROP | _ON_LANDING, "turn_end": _AT_END}
# The events of turns, as in ``Moment`` of native/rules.hpp, and what is done then, as in ``Act``.
_MOMENTS = ("turn_start", "arrives", "shoots", "turns", "at_all_times")
_ACTS = (Forbid, Hold, Turn, Remove)
_STANDING = ("never", "only", "may")
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
        self.has: list[Has] = []
        self.sights: list[InSight] = []
        self.everywhere = list(variant.board.points)
        self.vectors = self._vectors()

    def piece(self, code: str, side: Side) -> int:
        return self.index[code] << 2 | 1 << SIDES.index(side)

    def _vectors(self) -> dict[Vector, int]:
        """Every vector of every kind with its opposite next to it, so that ``v ^ 1`` turns round."""
        numbers: dict[Vector, int] = {}
        for kind in self.variant.kinds:
            for right, ahead in vectors_of(kind):
                if (right, ahead) not in numbers:
                    numbers[right, ahead] = len(numbers)
                    numbers[-right, -ahead] = len(numbers)
        return numbers

    def vector(self, vector: Vector, side: Side) -> int:
        """The number of a vector that is seen so by ``side``."""
        right, ahead = vector
        return self.vectors[(right, ahead) if side == "b" else (-right, -ahead)]

    def mask(self, vectors: Iterable[Vector], side: Side) -> int:
        """The vectors as a set of bits."""
        return sum(1 << self.vector(vector, side) for vector in set(vectors))

    def _moves(self) -> tuple[list[int], list[int], list[int]]:
        leaps, slides = [0] * self.pieces, [0] * self.pieces
        reach = [0] * (self.pieces * len(self.vectors))
        for kind, side in self.owned:
            piece = self.piece(kind.code, side)
            for leg in movement_of(kind).legs:
                for seen in leg.vectors:
                    vector = self.vector(seen, side)
                    longest = min(leg.reach or _UNLIMITED, _UNLIMITED)
                    if longest == 1:
                        leaps[piece] |= 1 << vector
                    else:
                        slides[piece] |= 1 << vector
                    at = piece * len(self.vectors) + vector
                    reach[at] = max(reach[at], longest)
            leaps[piece] &= ~slides[piece]
        return leaps, slides, reach

    def _overlaps(self, kind: Kind) -> bool:
        """Whether two of the kind's ways lead to the same point."""
        reached = [
            (right * times, ahead * times)
            for leg in movement_of(kind).legs
            for right, ahead in leg.vectors
            for times in range(1, (leg.reach or max(self.board.width, self.board.height)) + 1)
            if abs(right * times) < self.board.width and abs(ahead * times) < self.board.height
        ]
        return len(reached) != len(set(reached))

    def _changes(self) -> list[list[list[int]]]:
        table: list[list[list[int]]] = [[[] for _ in range(4)] for _ in range(self.pieces)]
        for kind, side in self.owned:
            for touches, captures in product((False, True), repeat=2):
                after = results(kind, touches_zone=touches, captures=captures)
                table[self.piece(kind.code, side)][touches * 2 + captures] = [
                    number
                    for code in after
                    for number in (self.piece(code, side), suffix_flags(self.variant, kind.code, code, len(after)))
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
        elif isinstance(atom, Has):
            if atom not in self.has:
                self.has.append(atom)
            argument = self.has.index(atom)
        elif isinstance(atom, InSight):
            if atom not in self.sights:
                self.sights.append(atom)
            argument = self.sights.index(atom)
        return _ASK[type(atom)], holds, argument

    def _near(self, near: Near) -> tuple[int, int, bool, list[int], list[int]]:
        """What ``native/rules.hpp`` (``NearTable``) holds: distances, and the pieces wanted by the mover's side."""
        return near.least, near.most or len(self.board), near.supported, *self._wanted(near.codes, near.of)

    def _wanted(self, codes: tuple[str, ...], of: Owner) -> tuple[list[int], list[int]]:
        """The pieces of these kinds that ``of`` means when Black asks, and when White does."""
        black, white = (
            [self.piece(code, side) for code in codes for side in SIDES if concerns(of, side, asking)]
            for asking in SIDES
        )
        return black, white

    def _by_side(self, codes: frozenset[str]) -> list[list[int]]:
        """The pieces of these kinds, Black's and then White's."""
        return [[self.piece(code, side) for code in sorted(codes)] for side in SIDES]

    def _walk(self, walk: Walk, side: Side) -> WalkTable:
        """First vectors, least and most leaps, whether it may revisit, and after each vector the next ones."""
        following = [0] * len(self.vectors)
        for vector in walk.vectors:
            following[self.vector(vector, side)] = self.mask(walk.after(vector), side)
        return self.mask(walk.vectors, side), walk.least, walk.most, walk.revisits, following

    def _shot(self, shot: Shot, side: Side) -> ShotTable:
        """As ``Shot`` of the movement; the last entry is the least distance by target, 0: it cannot be hit."""
        nearest = dict(shot.nearest)
        least = [0] * self.pieces
        for kind in self.variant.kinds:
            if kind.code not in shot.safe:
                least[self.piece(kind.code, other(side))] = nearest.get(kind.code, 1)
        vectors = [self.vector(vector, side) for vector in shot.vectors]
        standing = _STANDING.index(shot.standing)
        return (vectors, shot.reach, shot.targets, shot.over, shot.after_capture, shot.each_landing, standing, least)

    def _sight(self, sight: InSight) -> SightTable:
        """The pieces that look, by the side asked, and along what, by the side that looks."""
        black, white = self._wanted(sight.codes, sight.of)
        return black, white, self.mask(sight.vectors, "b"), self.mask(sight.vectors, "w"), sight.through

    def _action(self, action: Forbid | Hold | Turn | Remove) -> ActionTable:
        """Which act, the vectors barred by side, what is turned into, and which other pieces: kinds, and how near."""
        barred = action.vectors if isinstance(action, Hold) else ()
        into = self.index[action.into] if isinstance(action, Turn) else 0
        those = action.those if isinstance(action, (Turn, Remove)) else None
        codes = those.codes or tuple(self.index) if those else ()
        black, white = self._wanted(codes, those.of) if those else ([], [])
        most = those.most if those and those.most is not None else len(self.board)
        return (
            _ACTS.index(type(action)),
            self.mask(barred, "b"),
            self.mask(barred, "w"),
            into,
            those is not None,
            black,
            white,
            most,
        )

    def _turn_rules(self) -> list[TurnRuleTable]:
        return [
            (
                _MOMENTS.index(rule.event),
                self._where(literals),
                sorted(self._question(a, holds) for a, holds in literals if not isinstance(a, STATIC)),
                self._action(rule.action),
            )
            for rule in self.variant.rules
            if rule.event in _MOMENTS and not isinstance(rule.action, Take)
            for literals in conjunctions(rule.when)
        ]

    def _alive(self) -> list[list[tuple[int, bool]]]:
        """The ways of being alive, each as questions of :class:`Has`: their numbers and answers."""
        if self.variant.alive is None:
            return []
        ways = conjunctions(self.variant.alive)
        return [[(self._question(atom, holds)[2], holds) for atom, holds in way] for way in ways]

    def _vital(self) -> list[int]:
        """Whether a turn that costs the piece may cost its side its life, by piece."""
        codes = _commanders(self.variant)
        for rule in self.variant.rules:
            if rule.event == "at_all_times" and codes & {
                kind.code for kind in self.variant.kinds if possible(rule.when, kind.code)
            }:
                codes |= {code for atom in atoms(rule.when) for code in _codes(atom)}
        return self._flags(tuple(codes))

    def _turns(self) -> TurnTables:
        variant, board = self.variant, self.board
        turn_rules, alive = self._turn_rules(), self._alive()
        triumph = [0] * self.pieces
        walks: list[list[WalkTable]] = [[] for _ in range(self.pieces)]
        shots: list[list[ShotTable]] = [[] for _ in range(self.pieces)]
        spared: list[list[int]] = [[] for _ in range(self.pieces)]
        prey: list[list[int]] = [[] for _ in range(self.pieces)]
        for kind, side in self.owned:
            piece, movement, becomes = self.piece(kind.code, side), movement_of(kind), kind.becomes
            walks[piece] = [self._walk(walk, side) for walk in movement.walks]
            shots[piece] = [self._shot(movement.shot, side)] if movement.shot else []
            spared[piece] = [self.piece(code, other(side)) for code in kind.spares]
            prey[piece] = [self.piece(code, other(side)) for code in becomes.prey]
            triumph[piece] = 0 if becomes.triumph is None else self.piece(becomes.triumph, side)
        names = sorted(board.points, key=board.name)
        return TurnTables(
            walks=walks,
            shots=shots,
            spared=spared,
            triumph=triumph,
            prey=prey,
            has=[self._wanted(has.codes, has.of) for has in self.has],
            sights=[self._sight(sight) for sight in self.sights],
            turn_rules=turn_rules,
            alive=alive,
            vital=self._vital(),
            commanders=self._flags(tuple(_commanders(variant))),
            ties=[(self._by_side(needed), self._by_side(hanging), worth) for needed, hanging, worth in ties(variant)],
            name_order=[names.index(point) for point in board.points],
        )

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
            if rule.event in _MOMENTS:
                continue
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
            overlaps[piece] = int(self._overlaps(kind))
            value[piece] = values[kind.code][0]
            if kind.becomes.captured is not None:
                captured[piece] = variant.hand_order.index(kind.becomes.captured)
        leaps, slides, reach = self._moves()
        turns = self._turns() if has_turns(variant) else None
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
            turns=turns,
        )


def _commanders(variant: Variant) -> set[str]:
    """The kinds that what a side needs to play on speaks of."""
    return {code for atom in atoms(variant.alive) for code in _codes(atom)} if variant.alive else set()


def _codes(atom: Condition) -> tuple[str, ...]:
    """The kinds an atomic condition names."""
    return atom.codes if isinstance(atom, (Is, Has, Near, OnFile, InSight)) else ()


def _single_royal(variant: Variant) -> bool:
    """Derived flag: each side has exactly one royal piece, so pins and checkers can be worked out once a turn."""
    setup = parse(variant, variant.start)
    settled = all(
        _settled(variant, literals)
        for rule in variant.rules
        if isinstance(rule.action, Take)
        for literals in conjunctions(rule.when)
    )
    counted = count_pieces(variant, setup)
    return settled and all(count_kinds(counted, royals(variant), side) == 1 for side in SIDES)


def _settled(variant: Variant, literals: tuple[Literal, ...]) -> bool:
    """Whether what the end of the turn takes hangs on support, and is never a royal piece.

    Otherwise the fast path could not tell for which moves it makes a difference.
    """
    return (Supported(), False) in literals and all(spares(variant, literals, code) for code in royals(variant))


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
    def _index(self) -> Mapping[str, int]:
        return {kind.code: number for number, kind in enumerate(self.variant.kinds)}

    def move(self, code: int, trail: int = 0) -> Move:
        """The :class:`Move` of a native move's two words (``native/types.hpp``)."""
        board = self.variant.board
        origin, target = code & 0xFFFF, self.point_of[code >> 16 & 0xFFFF]
        number, flags = code >> 32 & 0xFFFF, code >> 48
        piece = self.code(number) if number else None
        if flags & DROP:
            return Move(f"{piece}*{board.name(target)}", None, target, piece, code)
        start = self.point_of[origin]
        way = self._way(start, target, trail)
        stands = target == start and len(way) == 1
        text = board.name(start)
        for landing in way:
            text += "" if stands else board.name(landing.point)
            text += "".join(f"*{board.name(point)}" for point in landing.shots)
        return Move(text + suffix(flags, piece or ""), start, target, piece, code, trail, way)

    def _way(self, start: int, target: int, trail: int) -> tuple[Landing, ...]:
        """The landings that a native move's second word tells of; its items are as in ``native/types.hpp``."""
        way: list[Landing] = []
        last = Landing(target)
        while trail:
            tag, point = trail >> 14 & 3, self.point_of[trail & 0x3FFF]
            if tag == TRAIL_LANDING:
                way.append(Landing(point))
            elif tag == TRAIL_SHOT:
                way[-1] = way[-1]._replace(shots=(*way[-1].shots, point))
            else:
                last = last._replace(shots=(*last.shots, point))
            trail >>= 16
        return (*way, last)

    def load(self, setup: Setup) -> _core.Position:
        """The native position of a setup.

        Raises:
            IllegalPositionError: it cannot be played; every reason at once.
        """
        defects = setup_defects(self.variant, self.tables, self.piece, setup)
        if not defects:
            pieces = recentred(self.variant.board, setup.board) or ()
            board = [self.piece(piece.code, piece.side) if piece else 0 for piece in pieces]
            hands, turn = [list(hand) for hand in setup.hands], SIDES.index(setup.turn)
            if self.tables.turns or not _core.Position(self.rules, board, hands, 1 - turn).in_check():
                return _core.Position(self.rules, board, hands, turn)
            defects.append(
                _(
                    "{other}'s {piece} is attacked although {side} is to move",
                    other=side_name(other(setup.turn)),
                    piece=royal_name(self.variant),
                    side=side_name(setup.turn),
                )
            )
        raise IllegalPositionError(position_words(repr(print_setup(self.variant, setup))), defects)


@lru_cache(maxsize=32)
def compile_variant(variant: Variant) -> Compiled:
    """Check a spec and compile it; the latest results are cached.

    Raises:
        SpecError: with every defect of the spec, each with the path of its field.
    """
    return Compiled(variant)
