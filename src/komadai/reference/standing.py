"""Conditions that are asked of a piece where it stands, or is about to stand, straight from the spec."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..spec.board import Side
from ..spec.conditions import AllOf, AnyOf, At, Condition, Has, InSight, Is, Near, Not, Stuck, Supported
from ..spec.geometry import stuck_points
from ..spec.logic import NEVER, for_kind
from ..spec.rules import Event, Rule
from ..spec.setup import Piece
from ..spec.variant import Variant
from .support import Pieces, is_near, is_supported, supported_links


def holds_in_place(
    variant: Variant,
    condition: Condition,
    pieces: Pieces,
    point: int,
    piece: Piece,
    granted: frozenset[int] = frozenset(),
) -> bool:
    """True if a condition holds for the piece that stands, or is about to stand, on ``point``.

    Links on ``granted`` points are supported anyhow.
    """

    def holds(part: Condition) -> bool:
        return holds_in_place(variant, part, pieces, point, piece, granted)

    match condition:
        case AllOf(parts):
            return all(map(holds, parts))
        case AnyOf(parts):
            return any(map(holds, parts))
        case Not(part):
            return not holds(part)
        case Is(codes):
            return piece.code in codes
        case At(region):
            return region.contains(variant.board, point, piece.side)
        case Has(codes, of):
            return any(found.code in codes and concerns(of, found.side, piece.side) for found in pieces.values())
        case Stuck():
            return point in stuck_points(variant.board, variant.kind(piece.code), piece.side)
        case Near():
            return is_near(variant, condition, pieces, piece.side, point)
        case Supported():
            others = {at: other for at, other in pieces.items() if at != point}
            links = supported_links(variant, others, granted)
            return is_supported(variant, others, point, piece.code, links)
        case InSight():
            return _in_sight(variant, condition, pieces, point, piece.side)
    raise TypeError(f"{type(condition).__name__} cannot be asked of a piece in its place")


def _in_sight(variant: Variant, sight: InSight, pieces: Pieces, point: int, side: Side) -> bool:
    for at, looker in pieces.items():
        if looker.code not in sight.codes or not concerns(sight.of, looker.side, side):
            continue
        for vector in sight.vectors:
            met = variant.board.step(at, vector, looker.side)
            while met is not None and met != point and (sight.through or met not in pieces):
                met = variant.board.step(met, vector, looker.side)
            if met == point:
                return True
    return False


def taken_at_end(variant: Variant, before: Pieces, pieces: Pieces, side: Side) -> Iterator[int]:
    """The points of the pieces that the rules about the end of its turn take from the side that has moved.

    Args:
        variant: the game.
        before: the pieces when the turn began. Links of the opponent that had support then still have it.
        pieces: the pieces after the move.
        side: the side that has moved.
    """
    rules = [rule for rule in variant.rules if rule.event == "turn_end"]
    if not rules:
        return
    theirs = {point for point, piece in pieces.items() if piece.side != side}
    granted = supported_links(variant, before) & theirs
    for point, piece in pieces.items():
        if piece.side == side and any(
            holds_in_place(variant, rule.when, pieces, point, piece, granted) for rule in rules
        ):
            yield point


class Rules:
    """The rules of a variant, found by event.

    Threads may share it: what it remembers is only added to.
    """

    def __init__(self, variant: Variant) -> None:
        self._rules = variant.rules
        self._found: dict[tuple[str | None, ...], tuple[Rule, ...]] = {}
        self._one: dict[Rule, Rule] = {}  # equal rules are one object, whichever kind they were made for

    def on(self, *events: Event, code: str | None = None) -> tuple[Rule, ...]:
        """The rules of those events in the variant's order; with a kind what they come to for a piece of it."""
        key = code, *events
        found = self._found.get(key)
        if found is None:
            rules = [rule for rule in self._rules if rule.event in events]
            if code is not None:
                known = (replace(rule, when=for_kind(rule.when, code)) for rule in rules)
                rules = [self._one.setdefault(rule, rule) for rule in known]
            found = self._found[key] = tuple(rule for rule in rules if rule.when != NEVER)
        return found


def concerns(of: str, found: Side, asking: Side) -> bool:
    """True if a piece of side ``found`` is one of those that ``of`` means for a piece of side ``asking``."""
    return of == "either" or (found == asking) == (of == "own")
