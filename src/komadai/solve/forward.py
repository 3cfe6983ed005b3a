"""The value of the start of a game so small that all positions after it can be listed.

A table (:mod:`.build`) needs a number for every position that its pieces could make; this needs none, so it also takes
games of other rules. A position that recurs is a draw. Where a game says otherwise, a forced win is one all the same,
since it never leads through a position twice; only a draw may then be none.
"""

from __future__ import annotations

from ..errors import SpecError
from ..game.position import Position
from ..spec.variant import Variant
from .table import DRAW, Value

MOST_POSITIONS = 5_000
MOST_MOVES = 40_000


def value_of_start(variant: Variant) -> tuple[int, Value]:
    """The number of positions that play from the start leads to, and the value of the start.

    Raises:
        SpecError: there are too many, or its value depends on how positions recur.
    """
    known, after, values = _listed(variant)
    before: list[list[int]] = [[] for _ in known]
    for number, moves in enumerate(after):
        for move in moves:
            before[move].append(number)
    left = [len(moves) for moves in after]  # the moves that may not lose
    waiting = [number for number, value in enumerate(values) if value is not None and value != DRAW]
    for number in waiting:  # in the order of their distances
        value = values[number]
        assert value is not None
        for earlier in before[number]:
            left[earlier] -= value.outcome == "win"
            if values[earlier] is None and (value.outcome == "loss" or not left[earlier]):
                values[earlier] = value.before()
                waiting.append(earlier)
    found = values[0]
    draws = not (variant.repetition.loser or variant.repetition.perpetual_check_loses)
    if found is None and not draws and _recurs(after, values):
        raise SpecError(f"variant {variant.id!r}", ["positions recur, and not every repetition is a draw"])
    return len(known), found or DRAW


def _listed(variant: Variant) -> tuple[dict[str, int], list[list[int]], list[Value | None]]:
    """The positions by their strings, the numbers of those after each, and the values of those where the game is over.

    Raises:
        SpecError: there are too many, or a side may end the game by a claim.
    """
    if variant.declaration is not None:
        raise SpecError(f"variant {variant.id!r}", ["a side may end the game by declaring"])
    texts = [Position(variant).sfen()]
    known = {texts[0]: 0}
    after: list[list[int]] = []
    values: list[Value | None] = []
    moves = 0
    for text in texts:
        position = Position(variant, text)
        over = position.outcome()
        after.append([])
        values.append(None if over is None else DRAW)
        if over is not None:
            if over.winner is not None:
                values[-1] = Value("win" if over.winner == position.turn else "loss", 0)
            continue
        for move in position.legal_moves():
            position.push(move)
            there = position.sfen()
            position.pop()
            if there not in known:
                known[there] = len(texts)
                texts.append(there)
            after[-1].append(known[there])
            moves += 1
        if len(texts) > MOST_POSITIONS or moves > MOST_MOVES:
            what = f"more than {min(len(texts), MOST_POSITIONS):,} positions can follow the start"
            raise SpecError(f"variant {variant.id!r}", [what])
    return known, after, values


def _recurs(after: list[list[int]], values: list[Value | None]) -> bool:
    """True if play among positions that nobody is known to win can come back to one of them."""
    open_moves = {
        number: [move for move in moves if values[move] is None]
        for number, moves in enumerate(after)
        if values[number] is None
    }
    while ends := [number for number, moves in open_moves.items() if not any(move in open_moves for move in moves)]:
        for number in ends:
            del open_moves[number]
    return bool(open_moves)
