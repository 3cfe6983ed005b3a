"""Positions of random games."""

from __future__ import annotations

import random

import komadai
from komadai.spec.variant import Variant


def random_positions(name: str | Variant, options: dict[str, str], games: int, plies: int) -> list[komadai.Position]:
    """Positions of random games, from the start on."""
    chance = random.Random(20260101)
    found = []
    for _ in range(games):
        position = komadai.Position(name, **options)
        for _ in range(plies):
            found.append(position.copy())
            moves = position.legal_moves()
            if not moves or position.outcome():
                break
            position.push(chance.choice(sorted(moves, key=str)))
    return found
