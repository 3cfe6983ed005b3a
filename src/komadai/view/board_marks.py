"""Marks drawn on a board: zone corners and points closed to drops."""

from __future__ import annotations

from ..spec.board import FarRanks, Squares
from ..spec.conditions import At
from ..spec.rules import Forbid
from ..spec.variant import Variant


def zone_marks(variant: Variant) -> list[tuple[float, int]]:
    """The corners of the promotion zones: line crossings, a third of the width from each edge."""
    if not isinstance(variant.zone, FarRanks):
        return []
    third = variant.board.width // 3
    rows = {variant.zone.count, variant.board.height - variant.zone.count}
    return [(x, y) for y in sorted(rows) for x in (third, variant.board.width - third)]


def no_drops(variant: Variant) -> list[str]:
    """Squares on which nothing may ever be dropped."""
    return [
        name
        for rule in variant.rules
        if rule.event == "drops" and isinstance(rule.action, Forbid)
        if isinstance(rule.when, At) and isinstance(rule.when.region, Squares)
        for name in rule.when.region.names
    ]
