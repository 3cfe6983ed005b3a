"""The levels people play against: how each is weakened, and how it chooses its move.

``docs/strength.md`` tells how far apart they are, and how that was measured.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from ..move import Move
from ..position import Position

STRONGEST = 10
CHOICES = 6  # root moves among which a weakened level chooses


@dataclass(frozen=True, slots=True)
class Level:
    """How a level is weakened.

    Attributes:
        nodes: the most positions it looks at.
        temperature: how far below the best, in score, a chosen move may fall; 0: it plays the best it has found.
        careful: whether it never overlooks a win at once, and never a loss at once that can be helped.
        astray: how often it plays any move at all, 0 to 1.
    """

    nodes: int
    temperature: float
    careful: bool = True
    astray: float = 0.0


LEVELS = {
    1: Level(120, 180.0, careful=False, astray=0.03),
    2: Level(200, 110.0, careful=False),
    3: Level(240, 90.0),
    4: Level(400, 60.0),
    5: Level(900, 40.0),
    6: Level(2_200, 25.0),
    7: Level(5_500, 12.0),
    8: Level(12_500, 0.0),
    9: Level(45_000, 0.0),
}
"""The levels below the strongest, which is not weakened."""

KNOWN_TEMPERATURE = {level: 260 / 1.7 ** (level - 1) for level in LEVELS}
"""As :attr:`Level.temperature`, where the values of all moves are known from a table."""
_NEAR, _FADING = 600, 0.96  # a win so many plies away is worth _NEAR * _FADING ** plies more than a draw


def known_worth(sign: int, distance: int | None) -> float:
    """What a known value is worth to a weak level: 0 for a draw, more the nearer a win is."""
    return sign * _NEAR * _FADING ** (distance or 0)


def choose(scores: Sequence[float], temperature: float, chance: random.Random) -> int:
    """The number of a score, the likelier the nearer it is to the best; at temperature 0 the best (softmax)."""
    best = max(scores)
    if temperature == 0:
        return list(scores).index(best)
    weights = [math.exp((score - best) / temperature) for score in scores]
    return chance.choices(range(len(scores)), weights)[0]


def wins_at_once(position: Position) -> Move | None:
    """A move that wins the game, if there is one."""
    return position._native.winning_move()


def loses_at_once(position: Position, move: Move) -> bool:
    """Whether the move lets the opponent win with the next, or loses by itself."""
    twin, side = position.copy(), position.turn
    twin.push(move)
    if (outcome := twin.outcome()) is not None:
        return outcome.winner not in (side, None)
    return wins_at_once(twin) is not None
