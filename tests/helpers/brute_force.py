"""What is forced within some plies, by trying every move and asking for the outcome: the definition, and slow."""

from __future__ import annotations

from collections.abc import Callable

from komadai.game.position import Position
from komadai.spec.move import Move


def can_win(position: Position, plies: int) -> bool:
    """True if the side to move can force a win within ``plies``; 0: that it has won."""
    if (outcome := position.outcome()) is not None:
        return outcome.winner == position.turn
    return plies > 0 and any(_after(position, move, plies - 1, must_lose) for move in position.legal_moves())


def must_lose(position: Position, plies: int) -> bool:
    """True if the side to move loses within ``plies`` by force; 0: that it has lost."""
    if (outcome := position.outcome()) is not None:
        return outcome.winner not in (None, position.turn)
    return plies > 1 and all(_after(position, move, plies - 1, can_win) for move in position.legal_moves())


def _after(position: Position, move: Move, plies: int, question: Callable[[Position, int], bool]) -> bool:
    position.push(move)
    answer = question(position, plies)
    position.pop()
    return answer
