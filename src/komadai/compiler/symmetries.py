"""The symmetries of a variant's rules, found from its tables.

A symmetry is a turn or reflection of the board, with or without an exchange of the sides, together with a permutation
of the kinds, that keeps every move, every change of a piece and every rule; where the start stands does not matter.
The tables of the variant are translated by each candidate and compared with themselves, so a symmetry that nobody
declared is found, and one that a rule breaks is not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from enum import Enum
from functools import cached_property, lru_cache
from itertools import product
from types import SimpleNamespace
from typing import Any, TypeVar, cast

from .. import _core
from ..spec.board import Unbounded
from ..spec.conditions import CONDITIONS
from ..spec.symmetry import IDENTITY, MAPS, Map, Symmetry
from ..spec.variant import Variant
from . import compile_variant
from .rule_tables import Builder

T = TypeVar("T")
_BY_NAME = {one.core: one for one in CONDITIONS}
_MOST_TRIED = 10_000  # permutations of the kinds for one map of the board


def _read(table: Any) -> Any:
    """A table of the core with everything in it, read once: the core copies a table each time it is asked for it."""
    if isinstance(table, list):
        return [_read(one) for one in table] if table and not isinstance(table[0], int) else table
    if isinstance(table, (int, Enum)) or table is None:
        return table
    fields = [name for name, what in vars(type(table)).items() if isinstance(what, property)]
    return SimpleNamespace(**{name: _read(getattr(table, name)) for name in fields})


@lru_cache(maxsize=4)
def _tables(variant: Variant) -> _core.RuleTables:
    return cast(_core.RuleTables, _read(compile_variant(variant).tables))


class _Translation:
    """The tables of a variant under a map, an exchange of the sides, and a permutation of the kinds."""

    def __init__(self, variant: Variant, by: Map, exchanges: bool, kinds: tuple[int, ...]) -> None:
        self.tables = _tables(variant)
        self._known: dict[tuple[int, ...], frozenset[int]] = {}
        self._kinds, self._exchanges, self._map = kinds, exchanges, by
        self._point = [Symmetry(by, exchanges, kinds).point(variant.board, point) for point in variant.board.points]
        self._unbounded = isinstance(variant.board, Unbounded)
        a, b, c, d = by
        numbers = Builder(variant).vectors
        self._vector = [numbers.get((a * right - b * ahead, d * ahead - c * right), -1) for right, ahead in numbers]

    def piece(self, piece: int) -> int:
        side = (piece & 3) >> 1
        return self._kinds[piece >> 2] << 2 | 1 << (side ^ self._exchanges) if piece & 3 else piece

    def pieces(self, pieces: Iterable[int]) -> frozenset[int]:
        return frozenset(map(self.piece, pieces))

    def points(self, points: Iterable[int]) -> frozenset[int]:
        key = tuple(points)
        if key not in self._known:
            self._known[key] = frozenset(self._point[point] for point in key)
        return self._known[key]

    def vectors(self, bits: int) -> frozenset[int]:
        return frozenset(self._vector[v] for v in range(bits.bit_length()) if bits >> v & 1)

    def slot(self, slot: int) -> frozenset[int]:
        """A place in hand, by the kinds that are dropped from it."""
        return frozenset(self._kinds[kind] for kind in self.tables.drops[slot])

    def sides(self, both: list[T], read: Callable[[T], Hashable]) -> tuple[Hashable, ...]:
        found = [read(one) for one in both]
        return tuple(found[::-1] if self._exchanges else found)

    def by_piece(self, table: list[T], read: Callable[[T], Hashable]) -> frozenset[Hashable]:
        """A table by piece, of those that there are."""
        return frozenset((self.piece(piece), read(one)) for piece, one in enumerate(table) if piece & 3 in (1, 2))

    def movement(self, piece: int) -> Hashable:
        t = self.tables
        reach = [
            (self._vector[v], t.reach[piece * len(t.deltas) + v], bool(t.slides[piece] >> v & 1))
            for v in range(len(t.deltas))
            if (t.leaps[piece] | t.slides[piece]) >> v & 1
        ]
        special = Counter(
            (self._vector[leg.vector], leg.reach, leg.hops, leg.quiet, leg.captures) for leg in t.special_legs[piece]
        )
        rules = Counter((tuple(rule.events), len(rule.where[piece])) for rule in t.rules)
        return (
            frozenset(reach),
            frozenset(special.items()),
            t.royal[piece],
            t.roots[piece],
            t.links[piece],
            frozenset(rules.items()),
            (t.compound and self._compound_movement(t.compound, piece)),
        )

    def _compound_movement(self, c: _core.CompoundTables, piece: int) -> Hashable:
        """The features of a piece that are seen without a look at other kinds."""
        rules = Counter((rule.event, rule.action, len(rule.where[piece])) for rule in c.rules)
        named = Counter(
            (rule.event, rule.action, tuple(sorted(piece in side for side in rule.targets))) for rule in c.rules
        )
        counts = len(c.shots[piece]), len(c.cannot_capture[piece]), len(c.promotes_by_capturing[piece])
        cannot = sum(piece in others for others in c.cannot_capture)
        return self._walks(c.walks[piece]), counts, cannot, frozenset(rules.items()), frozenset(named.items())

    def _walks(self, walks: list[_core.WalkTable]) -> Hashable:
        return frozenset(
            (
                *(self.vectors(walk.first), walk.least, walk.most, walk.revisits),
                frozenset(
                    (self._vector[v], self.vectors(after))
                    for v, after in enumerate(walk.next)
                    if v < len(self._vector) and after
                ),
            )
            for walk in walks
        )

    def slots(self, bits: int) -> frozenset[frozenset[int]]:
        return frozenset(self.slot(slot) for slot in range(len(self.tables.drops)) if bits >> slot & 1)

    def file_group(self, number: int) -> Hashable:
        # Files are files: a map that makes ranks of them changes such a condition.
        return frozenset(self._kinds[one] for one in self.tables.file_groups[number]), self._map[1] == 0

    def row(self, table: str, number: int) -> Any:
        owner = self.tables if hasattr(self.tables, table) else self.tables.compound
        return getattr(owner, table)[number]

    def _term(self, term: _core.Term) -> Hashable:
        condition = _BY_NAME[term.condition.name]
        # Without compound moves the core has no tables for what those ask.
        there = not condition.compound or self.tables.compound is not None
        return term.condition, term.expected, condition.translated(term.argument, self) if there else None

    def _terms(self, terms: list[_core.Term]) -> frozenset[Hashable]:
        return frozenset(map(self._term, terms))

    def _compound(self, c: _core.CompoundTables) -> Iterator[Hashable]:
        def shots(of: list[_core.ShotTable]) -> Hashable:
            return frozenset(
                (
                    *(frozenset(self._vector[v] for v in shot.vectors), shot.reach, shot.targets, shot.over),
                    *(shot.after_capture, shot.each_landing, shot.standing),
                    self.by_piece(shot.least_distance, int),
                )
                for shot in of
            )

        yield self.by_piece(c.walks, self._walks)
        yield self.by_piece(c.shots, shots)
        yield self.by_piece(c.cannot_capture, self.pieces)
        yield self.by_piece(c.captures_promote_to, self.piece)
        yield self.by_piece(c.promotes_by_capturing, self.pieces)
        yield "remembered", self.sides(c.remembered, self.pieces), self.by_piece(c.captors, bool)
        for rule in c.rules:
            yield (
                *("rule", rule.event, rule.action, rule.others, rule.most),
                *(self.by_piece(rule.where, self.points), self._terms(rule.terms)),
                self.sides(rule.barred, self.vectors),
                *(self._kinds[rule.into] if rule.action == _core.Action.BECOME else None,),
                self.sides(rule.targets, self.pieces),
            )

    def _points_of(self, points: list[list[int]]) -> Hashable:
        # Without edges the one square where the anchor is dropped is no place.
        return None if self._unbounded else self.by_piece(points, self.points)

    @cached_property
    def everything(self) -> Counter[Hashable]:
        """All that matters to play."""
        t = self.tables
        found: list[Hashable] = [
            frozenset((self.piece(piece), self.movement(piece)) for piece in range(t.pieces) if piece & 3 in (1, 2)),
            self.by_piece(t.captured, lambda slot: None if slot < 0 else self.slot(slot)),
            self.by_piece(
                t.changes,
                lambda classes: tuple(frozenset(self.piece(change.piece) for change in one) for one in classes),
            ),
            ("counts", self.by_piece(t.zone_by, int)),
            ("land", self._points_of(t.may_land)),
            ("drop", self._points_of(t.may_drop)),
            ("zone", self.sides(t.zone, self.points)),
            ("survives", frozenset(map(self._terms, t.survives_if))),
            ("wins", frozenset(map(self._terms, t.wins_if))),
            ("lenders", self.sides(t.lender_vectors, lambda some: frozenset(self._vector[v] for v in some))),
            ("repeats", self.sides([t.repetition_loser == side for side in (0, 1)], bool)),
        ]
        for rule in t.rules:
            where = self.by_piece(rule.where, self.points)
            found.append((tuple(rule.events), rule.about_mate, where, self._terms(rule.terms)))
        if t.compound is not None:
            found += self._compound(t.compound)
        return Counter(found)


def _candidates(variant: Variant, by: Map, exchanges: bool) -> list[set[int]]:
    """For each kind those that it may become, as far as its own moves and changes tell."""
    kinds = range(len(variant.kinds))
    same = _Translation(variant, IDENTITY, False, tuple(kinds))
    under = _Translation(variant, by, exchanges, tuple(kinds))
    tables = same.tables

    def piece(kind: int, side: int) -> int:
        return kind << 2 | 1 << side

    moved = [[under.movement(piece(kind, side)) for side in (0, 1)] for kind in kinds]
    there = [[same.movement(piece(kind, side ^ exchanges)) for side in (0, 1)] for kind in kinds]
    found = [{to for to in kinds if moved[kind] == there[to]} for kind in kinds]

    def into(kind: int) -> list[list[int]]:
        slot = tables.captured[piece(kind, 0)]
        changes = [[change.piece >> 2 for change in one] for one in tables.changes[piece(kind, 0)]]
        return [*changes, [] if slot < 0 else list(tables.drops[slot])]

    def fits(kind: int, to: int) -> bool:
        return all(
            len(ones) == len(others) and all(found[one] & set(others) for one in ones)
            for ones, others in zip(into(kind), into(to), strict=True)
        )

    while True:
        left = [{to for to in found[kind] if fits(kind, to)} for kind in kinds]
        if left == found:
            return found
        found = left


def keeps_rules(variant: Variant, by: Map, *, exchanges: bool = False) -> bool:
    """True if a turn or reflection of the board is a symmetry, where every kind becomes itself.

    Raises:
        SpecError: the variant has defects.
    """
    kinds = tuple(range(len(variant.kinds)))
    here, there = (_Translation(variant, one, other, kinds) for one, other in ((IDENTITY, False), (by, exchanges)))
    return here.everything == there.everything


def symmetries(variant: Variant) -> tuple[Symmetry, ...]:
    """Every symmetry of the variant's rules, the identity first.

    Where kinds that do the same may be exchanged in very many ways, only the first of those are looked at.

    Raises:
        SpecError: the variant has defects.
    """
    board, kinds = variant.board, tuple(range(len(variant.kinds)))
    rules = _Translation(variant, IDENTITY, False, kinds).everything
    found = []
    for by, exchanges in product(MAPS, (False, True)):
        if by[1] and board.width != board.height:
            continue
        choices = [
            [*({kind} & choice), *sorted(choice - {kind})]
            for kind, choice in enumerate(_candidates(variant, by, exchanges))
        ]
        for tried, permutation in enumerate(product(*choices)):
            if tried == _MOST_TRIED:
                break
            if (
                len(set(permutation)) == len(kinds)
                and _Translation(variant, by, exchanges, permutation).everything == rules
            ):
                found.append(Symmetry(by, exchanges, permutation))
    return tuple(found)
