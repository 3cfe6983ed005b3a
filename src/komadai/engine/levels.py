"""The levels people play against: how each is weakened, and how it chooses its move.

``levels.toml`` holds the figures, game by game; ``docs/reference/strength.md`` tells how far apart the levels are, and
how that was measured.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ..game.position import Position
from ..spec.board import other
from ..spec.move import Move
from ..spec.variant import CACHED_VARIANTS, Variant

if TYPE_CHECKING:
    from ..solve import MoveValue

STRONGEST = 10
"""The only level that is not weakened."""
_FIGURES: dict[str, dict[str, Any]] = tomllib.loads((files(__package__) / "levels.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Level:
    """The handicaps of a level.

    Attributes:
        careless: how often it makes any move by chance, 0 to 1.
        overlooks: the share of its moves that it does not see otherwise, 0 to 1. What captures or gives check is plain
            to see: of such moves it overlooks the square of that share.
        nodes: how many positions it looks at, on the average; 0: it does not search, but sees what a move takes and
            what can be taken after it.
        errs: how often it chooses a move that loses value, 0 to 1. This holds where a table gives the values of all
            moves, and there nothing else does.
    """

    careless: float
    overlooks: float
    nodes: int
    errs: float

    def limits(self, chance: random.Random) -> tuple[int | None, int | None]:
        """The depth and the nodes of one search, ``None`` for no limit.

        Nodes are varied by up to a quarter so that games differ.
        """
        return (None, max(round(self.nodes * chance.uniform(0.75, 1.25)), 1)) if self.nodes else (1, None)

    def seen(self, position: Position, chance: random.Random) -> Sequence[Move]:
        """The legal moves among which it chooses this time."""
        moves = position.legal_moves()
        if not moves:
            return []
        if chance.random() < self.careless:
            return [chance.choice(moves)]
        if not self.overlooks:
            return moves
        striking = _striking(position)
        drawn = ((move, chance.random()) for move in moves)
        seen = [move for move, lot in drawn if lot >= self.overlooks or (lot >= self.overlooks**2 and striking(move))]
        return seen or [chance.choice(moves)]

    def choose_known(self, moves: Sequence[MoveValue], chance: random.Random) -> MoveValue:
        """Choose among moves with their values, the best first."""
        if chance.random() >= self.errs:
            return moves[0]
        losing = [known for known in moves if known.value.outcome != moves[0].value.outcome]
        return chance.choice(losing or moves)


def _striking(position: Position) -> Callable[[Move], bool]:
    """Tells of a legal move whether it captures or gives check."""
    board, theirs = position.board, other(position.turn)
    twin = position._native.copy()

    def striking(move: Move) -> bool:
        points = {point for landing in move.way for point in (landing.point, *landing.shots)}
        if any((piece := board[point]) is not None and piece.side == theirs for point in points):
            return True
        twin.push(move)
        checks = twin.in_check()
        twin.pop()
        return checks

    return striking


@dataclass(frozen=True, slots=True)
class Ladder:
    """The levels of a game.

    Attributes:
        levels: those below the strongest, by number.
        nodes: the positions a move that stand for the strongest where levels are measured: it has no limit of its own.
        plies: the moves after which a game of a match is drawn.
    """

    levels: dict[int, Level]
    nodes: int
    plies: int


@lru_cache(maxsize=CACHED_VARIANTS)
def ladder(variant: Variant) -> Ladder:
    """The levels of a game; what ``levels.toml`` does not say of it is as for games that were not measured."""
    figures = _FIGURES["default"] | _FIGURES.get(variant.id, {})
    columns = [figures[name][: STRONGEST - 1] for name in ("careless", "overlooks", "nodes", "errs")]
    levels = {level: Level(*its) for level, its in enumerate(zip(*columns, strict=True), 1)}
    return Ladder(levels, figures["nodes"][-1], figures["plies"])


def wins_at_once(position: Position) -> Move | None:
    """A move that wins the game, if there is one."""
    return position._native.winning_move()
