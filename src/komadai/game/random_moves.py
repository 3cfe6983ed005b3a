"""Random moves for games that can be repeated: the same seed gives the same moves."""

from __future__ import annotations

import random

from .position import Position


def any_move(chance: random.Random, position: Position) -> str:
    """A random legal move, all equally likely. The game must not be over."""
    # Sorted, so that the choice does not depend on the order of move generation.
    return chance.choice(sorted(position.legal_moves().texts()))


def move_that_goes_on(chance: random.Random, position: Position) -> str:
    """A random legal move that does not end the game, or any if all do. The game must not be over."""
    moves = sorted(position.legal_moves().texts())
    chance.shuffle(moves)
    trial = position.copy()
    for move in moves:
        trial.push(move)
        if not trial.is_game_over():
            return move
        trial.pop()
    return moves[0]
