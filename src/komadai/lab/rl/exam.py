"""The positions in which every learner of a solved game is asked for a move: the same for all of them.

They are drawn from the table: positions in which some legal move loses value, won and drawn ones, and of each as many
in which most moves keep the value as in which few do. What a learner plays elsewhere has no part in it.
"""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass, replace

from ...errors import SpecError
from ...game.position import Position
from ...solve import Table
from .measure import each_after, value

POSITIONS = 100
"""How many there are by default."""
_SEED = 20_261  # of every set
_DRAWN = 40  # positions that are looked at, at most, for each that is wanted
_TIERS = ((1 / 2, "most moves keep it"), (1 / 5, "some do"), (0.0, "few do"))  # by the share of moves above which
_PLIES = 5, 61  # the numbers of moves that they are given by chance: nothing tells them from those of a game


@dataclass(frozen=True, slots=True)
class Question:
    """A position in which a learner is to move.

    Attributes:
        position: the position. ``tier``: what it is worth, and how many moves keep that.
        chance: the mean regret of its legal moves.
    """

    position: Position
    tier: str
    chance: float


def questions(table: Table, count: int = POSITIONS) -> tuple[Question, ...]:
    """The questions of a game: always the same for a table of its rules and a number.

    Raises:
        SpecError: the table has no position in which a move loses value.
    """
    chance = random.Random(_SEED)
    pools: dict[str, list[Question]] = {f"{worth}, {words}": [] for worth in ("won", "drawn") for _, words in _TIERS}
    quota = -(-count // len(pools))
    for position in table.sample(_DRAWN * count, _SEED):
        ply = chance.randrange(*_PLIES, 2) + (position.turn == "w")
        if (found := _question(table, position, ply)) is not None:
            pools[found.tier].append(found)
            if sum(min(len(pool), quota) for pool in pools.values()) >= count:
                break
    # Each tier in turn, as far as it goes.
    chosen = [pool[place] for place in range(count) for pool in pools.values() if place < len(pool)][:count]
    if not chosen:
        raise SpecError(table.variant.id, ["no move loses value in any of the positions that were drawn"])
    return tuple(sorted(chosen, key=lambda question: [*pools].index(question.tier)))


def _question(table: Table, position: Position, ply: int) -> Question | None:
    """The question of a position, with that number of the move; ``None`` where no move loses value."""
    before = None if position.is_game_over() else value(table, position)
    if before is None or before < 0:
        return None
    after = each_after(position, lambda twin: value(table, twin))
    regrets = [before + known for known in after if known is not None]
    if len(regrets) < len(after) or not any(regrets):
        return None
    share = regrets.count(0) / len(regrets)
    words = next(words for least, words in _TIERS if share > least)
    numbered = Position(table.variant, replace(position.setup(), ply=ply))
    return Question(numbered, f"{'won' if before else 'drawn'}, {words}", sum(regrets) / len(regrets))


def digest(chosen: tuple[Question, ...]) -> str:
    """Names a set of questions."""
    text = "".join(f"{question.position.sfen(ply=True)}\n" for question in chosen)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
