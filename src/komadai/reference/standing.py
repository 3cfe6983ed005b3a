"""Conditions that are asked of a piece where it stands, or is about to stand, straight from the spec."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..spec.board import Side
from ..spec.conditions import Condition, combined
from ..spec.kinds import Kind
from ..spec.logic import NEVER, for_kind
from ..spec.rules import Event, Rule
from ..spec.setup import Piece
from ..spec.variant import Variant
from .support import Pieces, is_supported, supported, supported_links


class Standing:
    """A piece that stands, or is about to stand, on a point (:class:`~komadai.spec.conditions.base.InPlace`)."""

    def __init__(
        self, variant: Variant, pieces: Pieces, point: int, piece: Piece, granted: frozenset[int] = frozenset()
    ) -> None:
        """``granted``: points of links that are supported anyhow."""
        self.variant, self.board = variant, variant.board
        self._pieces, self.point, self.piece, self._granted = pieces, point, piece, granted

    @property
    def pieces(self) -> Pieces:
        return self._pieces

    @property
    def kind(self) -> Kind:
        return self.variant.kind(self.piece.code)

    def is_supported(self) -> bool:
        others = {at: other for at, other in self.pieces.items() if at != self.point}
        links = supported_links(self.variant, others, self._granted)
        return is_supported(self.variant, others, self.point, self.piece.code, links)

    def supported_pieces(self) -> Pieces:
        return supported(self.variant, self.pieces, supported_links(self.variant, self.pieces))


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
    at = Standing(variant, pieces, point, piece, granted)
    return combined(condition, lambda part: part.in_place(at))


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
