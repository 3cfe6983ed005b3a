"""Kinds that a piece may become by moving, capturing or being dropped."""

from __future__ import annotations

from functools import lru_cache

from .kinds import Kind
from .logic import is_compound, turned_by
from .move import CHOOSES, PROMOTES
from .rules import Become
from .variant import CACHED_VARIANTS, Variant


def successors(kind: Kind) -> tuple[str, ...]:
    """Every kind this one may become by moving."""
    becomes = kind.becomes
    captures_promote_to = () if becomes.captures_promote_to is None else (becomes.captures_promote_to,)
    return tuple(dict.fromkeys(becomes.quiet + becomes.captures + becomes.zone + captures_promote_to))


def faces(variant: Variant, hand_code: str) -> tuple[str, ...]:
    """The kinds a piece of that hand kind may show when dropped."""
    return variant.kind(hand_code).becomes.dropped or (hand_code,)


def in_zone(kind: Kind, *, starts: bool, ends: bool, captures: bool, last_rank: bool) -> bool:
    """True if a move counts for ``Becomes.zone``.

    ``starts``, ``ends``: it does so in the zone. ``last_rank``: it ends on the farthest rank.
    """
    counts = {
        "touch": starts or ends,
        "entry": ends and not starts,
        "capture": captures and (starts or ends),
        "last_rank": last_rank,
    }
    return any(counts[way] for way in kind.becomes.zone_by)


def results(kind: Kind, *, in_zone: bool, captures: bool) -> tuple[str, ...]:
    """The kinds that ``kind`` may be after a move, before rules about the square it lands on."""
    becomes = kind.becomes
    return (in_zone and becomes.zone) or (becomes.captures if captures else becomes.quiet) or (kind.code,)


def suffix_flags(variant: Variant, before: str, after: str, alternatives: int) -> int:
    """The flags for how a move string writes a promotion: ``+``, ``=CODE`` where there was a choice, or nothing.

    Forced promotion is written with ``+`` too, except in games with compound moves (ko.md 6a).
    """
    if after == f"+{before}":
        return 0 if alternatives == 1 and is_compound(variant) else PROMOTES
    return CHOOSES if after != before and alternatives > 1 else 0


@lru_cache(maxsize=CACHED_VARIANTS)
def families(variant: Variant) -> tuple[frozenset[str], ...]:
    """Kinds that can turn into each other by moving, capture, drop and rules: their total number never grows."""
    groups: list[set[str]] = []
    codes = [kind.code for kind in variant.kinds]
    changes = [
        {kind.code, *successors(kind), *kind.becomes.dropped} | {kind.becomes.captured or kind.code}
        for kind in variant.kinds
    ]
    changes += [
        {rule.action.into, *turned_by(rule, codes)} for rule in variant.rules if isinstance(rule.action, Become)
    ]
    for linked in changes:
        touching = [group for group in groups if group & linked]
        groups = [group for group in groups if not group & linked] + [linked.union(*touching)]
    return tuple(frozenset(group) for group in groups)
