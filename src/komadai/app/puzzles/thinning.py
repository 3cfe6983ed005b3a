"""Positions for puzzles: those of a game, and such without a piece, where one stands in the way of a puzzle."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from ...compiler import compile_variant
from ...errors import IllegalPositionError
from ...game.position import Position
from ...spec.board import SIDES, other
from ...spec.logic import is_compound
from ...spec.material import royals
from ...spec.move import Move
from ...spec.setup import Piece, Setup
from ...spec.variant import Variant
from .puzzle import from_black

Unit = int | tuple[int, int]
"""A piece of a position: its point, or for one in hand the side's number and its place in the order of the hand."""


def backwards(game: Position, plies: int) -> Iterator[Position]:
    """The latest positions of a game before its end, Black to move, without their history and in any order."""
    position = game.copy()
    latest = []
    for _ in range(min(plies, len(game.move_stack))):
        position.pop()
        latest.append(position.setup())
    random.Random(game.key()).shuffle(latest)
    yield from (placed(game.variant, from_black(setup)) for setup in latest)


def unit_of(position: Position, move: Move) -> Unit:
    """The piece that a legal move moves or drops."""
    if move.origin_point is not None:
        return move.origin_point
    side, after = SIDES.index(position.turn), position.copy()
    after.push(move)
    before, left = position.setup().hands[side], after.setup().hands[side]
    return side, next(slot for slot, count in enumerate(before) if left[slot] < count)


def without(position: Position, unit: Unit) -> Position | None:
    """The position, its history left out, without that piece; ``None`` where it cannot be played so."""
    setup = position.setup()
    if isinstance(unit, int):
        board = list[Piece | None](setup.board)
        board[unit] = None
        setup = replace(setup, board=tuple(board))
    else:
        side, slot = unit
        if not setup.hands[side][slot]:
            return None
        hands = [list(hand) for hand in setup.hands]
        hands[side][slot] -= 1
        setup = Setup(setup.board, (tuple(hands[0]), tuple(hands[1])), setup.turn)
    must_be_safe = not is_compound(position.variant) or royals(position.variant)
    if must_be_safe and placed(position.variant, replace(setup, turn=other(setup.turn))).is_check():
        return None
    thinner = placed(position.variant, setup)
    return None if thinner.is_game_over() else thinner


def placed(variant: Variant, setup: Setup) -> Position:
    """The position of a setup, without the look at every rule that :class:`Position` takes, which can be long."""
    compiled = compile_variant(variant)
    return Position._around(compiled, compiled.native(setup), setup.ply)


def checked(position: Position) -> Position | None:
    """The position without its history, or ``None`` if it cannot be played."""
    try:
        return Position(position.variant, position.setup())
    except IllegalPositionError:
        return None
