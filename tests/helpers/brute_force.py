"""What is forced within some plies, by trying every move and asking for the outcome: the definition, and slow."""

from __future__ import annotations

from collections.abc import Callable

from komadai.game.position import Position
from komadai.spec.move import Move


def can_win(position: Position, plies: int) -> bool:
    """True if the side to move can force a win within ``plies``; 0: that it has won."""
    if (outcome := position.outcome()) is not None:
        return outcome.winner == position.turn
    return plies > 0 and any(after(position, move, must_lose, plies - 1) for move in position.legal_moves())


def must_lose(position: Position, plies: int) -> bool:
    """True if the side to move loses within ``plies`` by force; 0: that it has lost."""
    if (outcome := position.outcome()) is not None:
        return outcome.winner not in (None, position.turn)
    return plies > 1 and all(after(position, move, can_win, plies - 1) for move in position.legal_moves())


def checks(position: Position) -> list[Move]:
    """The moves that give check, straight from what a check is."""
    return [move for move in position.legal_moves() if after(position, move, Position.is_check)]


def after(position: Position, move: Move, question: Callable[..., bool], *more: object) -> bool:
    """The answer to a question about the position after a move."""
    position.push(move)
    answer = question(position, *more)
    position.pop()
    return answer
