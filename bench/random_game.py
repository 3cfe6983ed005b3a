"""Random games, which are the same at each call with the same chance."""

from __future__ import annotations

import random

import komadai
from komadai.game.random_moves import any_move


def random_game(variant: str, plies: int, chance: random.Random) -> list[str]:
    """The move strings of a random game of at most that many plies."""
    position = komadai.Position(variant)
    moves: list[str] = []
    while len(moves) < plies and position.outcome() is None:
        moves.append(any_move(chance, position))
        position.push(moves[-1])
    return moves
