"""Rule tables of a variant, in the form of ``native/layout.hpp``.

Conditions are brought into disjunctive normal form. Whatever depends only on the piece and the point (:class:`Is`,
:class:`At`, :class:`Stuck`) is folded into one set of points per piece, so that the core evaluates only the few
conditions that need a live position. A rule without such a condition disappears into ``may_land`` and ``may_drop``.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any, TypeVar

from .. import _core
from ..spec.board import SIDES, Side, Unbounded, Vector
from ..spec.conditions import CONDITIONS, Condition, Has, InSight, Is, Near, OnFile, Owner, Supported, concerns
from ..spec.geometry import movement_of
from ..spec.kinds import Kind
from ..spec.logic import (
    Term,
    all_vectors,
    asks_mate,
    atoms,
    conjunctions,
    is_compound,
    is_regular,
    never_applies,
    possible,
)
from ..spec.material import count_kinds, count_pieces, piece_values, royals
from ..spec.promotion import faces, results, suffix_flags
from ..spec.rules import Take
from ..spec.sfen import start_of
from ..spec.variant import Borrowing, Support, Variant

STATIC = tuple(one for one in CONDITIONS if not one.core)
_ZONE_BY = {"touch": 1, "entry": 2, "capture": 4, "last_rank": 8}
"""The bits of ``native/layout.hpp``."""
_EVENTS = {
    "drops": [_core.Event.DROPS],
    "lands": [_core.Event.LANDS],
    "always": [_core.Event.DROPS, _core.Event.LANDS],
    "turn_end": [_core.Event.TURN_END],
}
_UNLIMITED = 255


class Builder:
    """Builds the tables of one checked variant."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.board = variant.board
        self.index = {kind.code: number for number, kind in enumerate(variant.kinds)}
        self.owned = [(kind, side) for kind in variant.kinds for side in SIDES]
        self.pieces = 4 * len(variant.kinds)
        self.file_groups: list[tuple[str, ...]] = []
        self.asked: dict[str, list[Condition]] = {one.table: [] for one in CONDITIONS if one.table}
        self.everywhere = list(variant.board.points)
        self.vectors = self._vectors()

    def piece(self, code: str, side: Side) -> int:
        return self.index[code] << 2 | 1 << SIDES.index(side)

    def _vectors(self) -> dict[Vector, int]:
        """Every vector of every kind and rule with its opposite next to it, so that ``v ^ 1`` turns round."""
        numbers: dict[Vector, int] = {}
        for right, ahead in all_vectors(self.variant):
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
                for seen in leg.vectors if leg.is_plain else ():
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

    def _special_legs(self) -> list[list[_core.LegTable]]:
        """By piece, the legs that are no plain leaps and slides."""
        table: list[list[_core.LegTable]] = [[] for _ in range(self.pieces)]
        for kind, side in self.owned:
            table[self.piece(kind.code, side)] = [
                _core.LegTable(
                    vector=self.vector(seen, side),
                    reach=min(leg.reach or _UNLIMITED, _UNLIMITED),
                    hops=leg.hops,
                    quiet=leg.captures != "must",
                    captures=leg.captures != "never",
                )
                for leg in movement_of(kind).legs
                if not leg.is_plain
                for seen in leg.vectors
            ]
        return table

    def _overlaps(self, kind: Kind) -> bool:
        """True if two of the kind's ways lead to the same point."""
        reached = [
            (right * times, ahead * times)
            for leg in movement_of(kind).legs
            for right, ahead in leg.vectors
            for times in range(1, (leg.reach or max(self.board.width, self.board.height)) + 1)
            if abs(right * times) < self.board.width and abs(ahead * times) < self.board.height
        ]
        return len(reached) != len(set(reached))

    def _changes(self) -> list[list[list[_core.Change]]]:
        table: list[list[list[_core.Change]]] = [[[] for _ in range(4)] for _ in range(self.pieces)]
        for kind, side in self.owned:
            for counts, captures in product((False, True), repeat=2):
                after = results(kind, in_zone=counts, captures=captures)
                table[self.piece(kind.code, side)][counts * 2 + captures] = [
                    _core.Change(
                        piece=self.piece(code, side), flags=suffix_flags(self.variant, kind.code, code, len(after))
                    )
                    for code in after
                ]
        return table

    def flags(self, codes: tuple[str, ...]) -> list[int]:
        """One entry a piece number: whether its kind is one of these."""
        marked = {self.piece(code, side) for code in codes for side in SIDES}
        return [int(piece in marked) for piece in range(self.pieces)]

    @property
    def hand_order(self) -> tuple[str, ...]:
        return self.variant.hand_order

    def number(self, condition: Condition) -> int:
        """The number of the condition's row in its table, to which it is added if it is new."""
        return _number(self.asked[condition.table], condition)

    def file_group(self, codes: tuple[str, ...]) -> int:
        """The number of a set of kinds that are looked for on a file."""
        return _number(self.file_groups, codes)

    def rows(self, *, compound: bool) -> dict[str, list[Any]]:
        """By the name of the table, the rows of the conditions asked so far."""
        tables = {one.table for one in CONDITIONS if one.table and one.compound == compound}
        return {table: [condition.row(self) for condition in self.asked[table]] for table in tables}

    def term(self, atom: Condition, expected: bool) -> _core.Term:
        """One condition with its row, which is added if it is new."""
        return _core.Term(condition=_core.Condition[atom.core], expected=expected, argument=atom.argument(self))

    def terms(self, conjunction: tuple[Term, ...]) -> list[_core.Term]:
        """The conditions of a conjunction that need a live position, cheapest first."""
        live = [self.term(atom, expected) for atom, expected in conjunction if not isinstance(atom, STATIC)]
        return sorted(live, key=lambda term: (term.condition.value, term.expected, term.argument))

    def ways(self, condition: Condition | None) -> list[list[_core.Term]]:
        """The conjunctions of a condition on the end of a game."""
        return [] if condition is None else [self.terms(way) for way in conjunctions(condition)]

    def wanted(self, codes: tuple[str, ...], of: Owner) -> list[list[int]]:
        """The pieces of these kinds that ``of`` means, by the side of the piece that the condition is about."""
        return [
            [self.piece(code, side) for code in codes for side in SIDES if concerns(of, side, asking)]
            for asking in SIDES
        ]

    def where(self, literals: tuple[Term, ...]) -> list[list[int]]:
        static = [(atom, holds) for atom, holds in literals if isinstance(atom, STATIC)]
        where: list[list[int]] = [[] for _ in range(self.pieces)]
        for kind, side in self.owned:
            if never_applies(self.variant, literals, kind.code):
                continue
            points = set(self.everywhere)
            for atom, holds in static:
                found = atom.points(self.board, kind, side)
                points = points.intersection(found) if holds else points.difference(found)
            where[self.piece(kind.code, side)] = sorted(points)
        return where

    def build(self, compound: _core.CompoundTables | None) -> _core.RuleTables:
        variant, board = self.variant, self.board
        pad_x = max(abs(right) for right, _ in self.vectors)
        pad_y = max(abs(ahead) for _, ahead in self.vectors)
        stride = board.width + pad_x
        may_land = [set(self.everywhere) for _ in range(self.pieces)]
        may_drop = [set(self.everywhere) for _ in range(self.pieces)]
        anchor = self.piece(board.anchor, "b") if isinstance(board, Unbounded) else None
        if anchor is not None and isinstance(board, Unbounded):
            may_drop[anchor] = {board.middle}
        rules = []
        for rule in variant.rules:
            if rule.event not in _EVENTS:
                continue
            events = _EVENTS[rule.event]
            for literals in conjunctions(rule.when):
                where = self.where(literals)
                terms = self.terms(literals)
                # Rules about mate are ignored where replies to a mate are counted, so they are never folded away.
                if terms or asks_mate(rule) or isinstance(rule.action, Take):
                    rules.append(_core.RuleTable(events=events, about_mate=asks_mate(rule), where=where, terms=terms))
                    continue
                for piece, points in enumerate(where):
                    if _core.Event.LANDS in events:
                        may_land[piece].difference_update(points)
                    if _core.Event.DROPS in events:
                        may_drop[piece].difference_update(points)
        support = variant.support or Support(())
        borrowing = variant.borrowing or Borrowing(())
        royal, overlaps, value = [0] * self.pieces, [0] * self.pieces, [0] * self.pieces
        captured, zone_by = [-1] * self.pieces, [0] * self.pieces
        values = piece_values(variant)
        for kind, side in self.owned:
            piece = self.piece(kind.code, side)
            royal[piece] = int(kind.royal)
            zone_by[piece] = sum(_ZONE_BY[way] for way in set(kind.becomes.zone_by))
            overlaps[piece] = int(self._overlaps(kind))
            value[piece] = values[kind.code][0]
            if kind.becomes.captured is not None:
                captured[piece] = variant.hand_order.index(kind.becomes.captured)
        leaps, slides, reach = self._moves()
        survives_if, wins_if = self.ways(variant.survives_if), self.ways(variant.wins_if)
        return _core.RuleTables(
            width=board.width,
            height=board.height,
            cells=stride * (board.height + 2 * pad_y) + 2 * pad_x,
            cell_of=[pad_x + (point // board.width + pad_y) * stride + point % board.width for point in board.points],
            deltas=[right - ahead * stride for right, ahead in self.vectors],
            pieces=self.pieces,
            leaps=leaps,
            slides=slides,
            reach=reach,
            special_legs=self._special_legs(),
            lender_vectors=[[self.vector(seen, side) for seen in borrowing.vectors] for side in SIDES],
            lent_by_own=borrowing.of != "enemy",
            lent_by_enemy=borrowing.of != "own",
            lent_besides=borrowing.besides,
            royal=royal,
            overlaps=overlaps,
            value=value,
            captured=captured,
            changes=self._changes(),
            zone_by=zone_by,
            may_land=[sorted(points) for points in may_land],
            may_drop=[sorted(points) for points in may_drop],
            zone=[
                [point for point in board.points if variant.zone and variant.zone.contains(board, point, side)]
                for side in SIDES
            ],
            drops=[[self.index[face] for face in faces(variant, code)] for code in variant.hand_order],
            hand_value=[values[code][1] for code in variant.hand_order],
            file_groups=[[self.index[code] for code in group] for group in self.file_groups],
            roots=self.flags(support.roots),
            links=self.flags(support.links),
            link_reach=support.reach,
            anchor=anchor,
            rules=rules,
            repetition=variant.repetition.count,
            perpetual_check_loses=variant.repetition.perpetual_check_loses,
            repetition_loser=None if variant.repetition.loser is None else SIDES.index(variant.repetition.loser),
            single_royal=_single_royal(variant),
            survives_if=survives_if,
            wins_if=wins_if,
            guarded=variant.extinction.guarded,
            survival_pieces=self.flags(tuple(_survival_kinds(variant))),
            critical=self.flags(tuple(_critical_kinds(variant))),
            compound=compound,
            **self.rows(compound=False),
        )


_Table = TypeVar("_Table")


def _number(tables: list[_Table], table: _Table) -> int:
    """The number of a table, which is added if it is new."""
    if table not in tables:
        tables.append(table)
    return tables.index(table)


def _survival_kinds(variant: Variant) -> set[str]:
    """The kinds that ``survives_if`` names."""
    return {code for atom in atoms(variant.survives_if) for code in _codes(atom)} if variant.survives_if else set()


def _critical_kinds(variant: Variant) -> set[str]:
    """The kinds whose loss may cost their side the game; of royal kinds only those of compound moves, as the loss of
    others is no question of what is left."""
    codes = _survival_kinds(variant) | (royals(variant) if is_compound(variant) else set())
    for rule in variant.rules:
        if rule.event == "at_all_times" and codes & {
            kind.code for kind in variant.kinds if possible(rule.when, kind.code)
        }:
            codes |= {code for atom in atoms(rule.when) for code in _codes(atom)}
    return codes


def _codes(atom: Condition) -> tuple[str, ...]:
    """The kinds an atomic condition names."""
    return atom.codes if isinstance(atom, (Is, Has, Near, OnFile, InSight)) else ()


def _single_royal(variant: Variant) -> bool:
    """Derived flag: no side has more than one royal piece, so pins and checkers can be worked out once a turn.

    Where the game has royal pieces, each side has one; where survival is guarded there may be several. What moves
    irregularly pins and checks in other ways.
    """
    if variant.extinction.guarded or not is_regular(variant):
        return False
    setup = start_of(variant)
    settled = all(
        _settled(variant, literals)
        for rule in variant.rules
        if isinstance(rule.action, Take)
        for literals in conjunctions(rule.when)
    )
    counted, royal = count_pieces(variant, setup), royals(variant)
    return settled and all(count_kinds(counted, royal, side) == bool(royal) for side in SIDES)


def _settled(variant: Variant, literals: tuple[Term, ...]) -> bool:
    """True if what the end of the turn takes depends on support, and is never a royal piece.

    Otherwise the fast path could not tell for which moves it makes a difference.
    """
    return (Supported(), False) in literals and all(never_applies(variant, literals, code) for code in royals(variant))
