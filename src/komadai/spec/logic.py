"""Conditions read as logic: normal forms, atoms, and flags derived from them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import product

from .board import Vector
from .conditions import AllOf, AnyOf, Condition, InSight, Is, JustTaken, Mates, Not, Supported
from .geometry import movement_of, vectors_of
from .rules import Become, Immobilize, Rule
from .variant import CACHED_VARIANTS, Variant

Term = tuple[Condition, bool]
"""An atomic condition, and whether it must hold."""


def conjunctions(condition: Condition) -> list[tuple[Term, ...]]:
    """The condition in disjunctive normal form: a list of conjunctions of terms.

    Repeated terms and contradictory conjunctions are left out.
    """
    unique = [tuple(dict.fromkeys(conjunction)) for conjunction in _normal(condition, True)]
    return [found for found in unique if not any((atom, not holds) in found for atom, holds in found)]


def _normal(node: Condition, holds: bool) -> list[tuple[Term, ...]]:
    """The node, or where ``holds`` is false its negation, in disjunctive normal form."""
    if isinstance(node, Not):
        return _normal(node.part, not holds)
    if isinstance(node, (AllOf, AnyOf)):
        branches = [_normal(part, holds) for part in node.parts]
        if isinstance(node, AllOf) == holds:
            return [sum(choice, ()) for choice in product(*branches)]
        return [conjunction for branch in branches for conjunction in branch]
    return [((node, holds),)]


def atoms(condition: Condition) -> Iterator[Condition]:
    """Every atomic condition inside ``condition``."""
    if isinstance(condition, Not):
        yield from atoms(condition.part)
    elif isinstance(condition, (AllOf, AnyOf)):
        for part in condition.parts:
            yield from atoms(part)
    else:
        yield condition


def all_vectors(variant: Variant) -> Iterator[Vector]:
    """Every vector by which a kind moves or shoots, and those by which rules look or hold; some more than once."""
    for kind in variant.kinds:
        yield from vectors_of(kind)
    if variant.borrowing is not None:
        yield from variant.borrowing.vectors
    for rule in variant.rules:
        for atom in atoms(rule.when):
            if isinstance(atom, InSight):
                yield from atom.vectors
        if isinstance(rule.action, Immobilize):
            yield from rule.action.vectors


def is_regular(variant: Variant) -> bool:
    """True if kind, place and what stands in the way alone decide where a piece moves, to capture or not."""
    return variant.borrowing is None and all(leg.is_plain for kind in variant.kinds for leg in movement_of(kind).legs)


COMPOUND_EVENTS = ("turn_start", "arrives", "shoots", "became", "at_all_times", "whole_turn")
"""The events of compound moves."""


@lru_cache(maxsize=CACHED_VARIANTS)
def is_compound(variant: Variant) -> bool:
    """True if the variant has compound moves: several landings, shots, effects in the course of a move, or what else
    the core knows of single landings in such games alone."""
    movements = [movement_of(kind) for kind in variant.kinds]
    return (
        any(movement.walks or movement.shot for movement in movements)
        or any(kind.cannot_capture or kind.becomes.promotes_by_capturing for kind in variant.kinds)
        or any(kind.becomes.zone_by != ("touch",) for kind in variant.kinds)
        or any(rule.event in COMPOUND_EVENTS for rule in variant.rules)
    )


@lru_cache(maxsize=CACHED_VARIANTS)
def memory(variant: Variant) -> JustTaken | None:
    """The capture that positions remember, ``None`` if no rule asks for one."""
    asked = (atom for rule in variant.rules for atom in atoms(rule.when) if isinstance(atom, JustTaken))
    return next(asked, None)


def asks_mate(rule: Rule) -> bool:
    """True if the rule contains :class:`Mates`: such rules are not applied to replies to a mate."""
    return any(isinstance(atom, Mates) for atom in atoms(rule.when))


ALWAYS, NEVER = AllOf(()), AnyOf(())
"""The conditions that hold of everything, and of nothing."""


def for_kind(condition: Condition, code: str) -> Condition:
    """The condition as it is for a piece of that kind, without :class:`Is`; ``ALWAYS`` or ``NEVER`` if that decides."""
    match condition:
        case Is(codes):
            return ALWAYS if code in codes else NEVER
        case Not(part):
            left = for_kind(part, code)
            return {ALWAYS: NEVER, NEVER: ALWAYS}.get(left) or Not(left)
        case AllOf(parts) | AnyOf(parts):
            joined = type(condition)
            neutral, deciding = (ALWAYS, NEVER) if joined is AllOf else (NEVER, ALWAYS)
            found = [one for part in parts if (one := for_kind(part, code)) != neutral]
            if deciding in found:
                return deciding
            return found[0] if len(found) == 1 else joined(tuple(found))
    return condition


def possible(condition: Condition, code: str) -> bool:
    """True if a condition may hold for a piece of that kind, as far as the kinds in :class:`Is` decide it."""
    return for_kind(condition, code) != NEVER


def turned_by(rule: Rule, codes: Collection[str]) -> set[str]:
    """The kinds, out of ``codes``, whose pieces the rule may turn into another kind."""
    if not isinstance(rule.action, Become):
        return set()
    others = rule.action.others
    if others is not None:
        return set(others.codes or codes)
    return {code for code in codes if possible(rule.when, code)}


def never_applies(variant: Variant, literals: Collection[Term], code: str) -> bool:
    """True if a conjunction never holds for a piece of that kind: it needs another kind, or a root without support."""
    named = any(isinstance(atom, Is) and (code in atom.codes) != holds for atom, holds in literals)
    rooted = variant.support is not None and code in variant.support.roots and (Supported(), False) in literals
    return named or rooted
