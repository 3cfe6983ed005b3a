"""The levels people play against: how each is weakened, and how it chooses its move.

``docs/reference/strength.md`` tells how far apart they are, and how that was measured.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from ..game.position import Position
from ..spec.move import Move

STRONGEST = 10
CHOICES = 6  # root moves among which a level that wavers chooses


@dataclass(frozen=True, slots=True)
class Level:
    """The handicaps of a level.

    Attributes:
        nodes: how many positions it looks at, on the average.
        wavers: how often it does not play the best move it has found, but chooses among the best, 0 to 1.
        temperature: how far below the best, in score, a move so chosen may fall; above 0.
        careful: whether it never overlooks a win at once, and never a loss at once that can be helped.
    """

    nodes: int
    wavers: float
    temperature: float = 200.0
    careful: bool = True

    def limit(self, chance: random.Random) -> int:
        """The node limit of one search: the level's, varied by up to a quarter so that games differ."""
        return round(self.nodes * chance.uniform(0.75, 1.25))


LEVELS = {
    1: Level(9_500, 1.0, 360, careful=False),
    2: Level(11_500, 0.91, 300, careful=False),
    3: Level(13_500, 0.80, 260),
    4: Level(17_500, 0.69, 230),
    5: Level(22_500, 0.58, 208),
    6: Level(32_000, 0.455),
    7: Level(49_000, 0.33),
    8: Level(80_000, 0.22),
    9: Level(110_000, 0.12),
}
"""The levels below the strongest, which is not weakened."""

KNOWN_TEMPERATURE = {level: 260 / 1.7 ** (level - 1) for level in LEVELS}
"""The temperature of each level where a table gives the values of all moves."""
_NEAR, _FADING = 600, 0.96  # a win so many plies away is worth _NEAR * _FADING ** plies more than a draw


def known_worth(sign: int, distance: int | None) -> float:
    """The score of a table value for a weak level: 0 for a draw, higher the nearer a win is."""
    return sign * _NEAR * _FADING ** (distance or 0)


def choose(scores: Sequence[float], temperature: float, chance: random.Random) -> int:
    """The number of a score, the likelier the nearer it is to the best (softmax); the temperature is above 0."""
    best = max(scores)
    weights = [math.exp((score - best) / temperature) for score in scores]
    return chance.choices(range(len(scores)), weights)[0]


def wins_at_once(position: Position) -> Move | None:
    """A move that wins the game, if there is one."""
    return position._native.winning_move()


def loses_at_once(position: Position, move: Move) -> bool:
    """True if the move loses by itself or lets the opponent win with the next."""
    twin, side = position.copy(), position.turn
    twin.push(move)
    if (outcome := twin.outcome()) is not None:
        return outcome.winner not in (side, None)
    return wins_at_once(twin) is not None
