"""Themes that the engine's search judges: the one move that wins material, and the one that keeps the balance.

What a search says is no proof. A position is a puzzle if searches of so many and of ten times as many nodes agree on
the move, and on its being better than every other by a margin, but for other orders of the same moves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from itertools import takewhile

from ...engine import Engine, Info
from ...game.position import Position
from ...spec.move import Move
from ...spec.variant import Variant
from ...view.guide import balance
from ...view.steps import ladder
from .puzzle import Puzzle, Theme, puzzle_of, reordered
from .thinning import backwards

TEN_TIMES = 10  # the nodes of a search that finds are so often those of the search that proves

# In hundredths of the least piece, as scores of the engine are.
MARGIN = 250  # by which the move is better than any other
_FAR_AHEAD = 1_500  # at which the solver would win in many ways
_BALANCE = 150  # from 0, at most, where neither side is ahead
GAIN = 200  # of material, at least


class Sight:
    """Searches of one variant for moves that are better than all others; those of the latest game are kept.

    Attributes:
        engine: the engine that searches.
    """

    nodes = 1_000

    def __init__(self, variant: Variant) -> None:
        self.engine = Engine(variant, hash_mb=16, tables=False)
        self._game: tuple[Move, ...] | None = None
        self._found: list[tuple[Position, Info]] = []

    def of_game(self, game: Position) -> list[tuple[Position, Info]]:
        """The positions of a game in which one move is better than any other at sight, in any order."""
        if self._game != game.move_stack:
            found = [(position, self.best(position, self.nodes)) for position in backwards(game, len(game.move_stack))]
            self._game, self._found = game.move_stack, [(position, best) for position, best in found if best]
        return self._found

    def best(self, position: Position, nodes: int) -> Info | None:
        """What a search finds, if its best move is better than any other by a margin; ``None`` where a side wins.

        It has two lines, or a third if the second is another order of the first.
        """
        if position.is_game_over() or len(position.legal_moves()) < 2:
            return None
        for lines in (2, 3):
            self.engine.clear()  # so that nothing depends on what was searched before
            found = self.engine.search(position, nodes=nodes, multipv=lines)
            if len(found.multipv) < lines:  # so short a search that it has looked at too few moves
                return None
            first, *others = found.multipv
            if first.mate is not None or first.score >= _FAR_AHEAD:
                return None
            if first.score - others[-1].score >= MARGIN:
                return found
            if others[-1].move is None or reordered(position, first.pv, others[-1].move) is None:
                return None
        return None


def won(position: Position, moves: Iterable[Move]) -> list[int]:
    """What the side to move has won after each of the moves, in hundredths of the least piece."""
    at, before = position.copy(), balance(position, position.turn)
    least = min(value for value, _held in ladder(position.variant).values() if value)
    found = []
    for move in moves:
        at.push(move)
        found.append((balance(at, position.turn) - before) * 100 // least)
    return found


class Searched(ABC):
    """Positions with one move that is better than any other by a margin."""

    theme: Theme
    each_game = 2
    nodes = 10_000

    def __init__(self, sight: Sight) -> None:
        self._sight = sight

    @abstractmethod
    def share(self, plies: int) -> float:
        """The greatest part of a file's puzzles of the theme that may be of a length."""

    @abstractmethod
    def _solution(self, position: Position, best: Info) -> tuple[Move, ...]:
        """The moves that are to be found, with the replies between them; none if the position does not suit."""

    def candidates(self, game: Position) -> Iterator[Position]:
        """The positions of a game in which one move is better than any other at sight, in any order."""
        yield from (position for position, best in self._sight.of_game(game) if self._solution(position, best))

    def prove(self, position: Position) -> Puzzle | None:
        """The puzzle of the position, if both searches agree."""
        best = [self._sight.best(position, nodes) for nodes in (self.nodes, TEN_TIMES * self.nodes)]
        if best[0] is None or best[1] is None or best[0].move != best[1].move:
            return None
        solution = self._solution(position, best[1])
        orders = [line.move for line in best[1].multipv[1:-1]]
        if not solution or any(move is None or reordered(position, solution, move) is None for move in orders):
            return None
        return puzzle_of(position, self.theme, solution, self._effort(position))

    def _effort(self, position: Position) -> int:
        """The positions that the search looks at until it has its move and keeps it."""
        depths: list[Info] = []
        self._sight.engine.clear()
        last = self._sight.engine.search(position, nodes=TEN_TIMES * self.nodes, report=depths.append)
        kept = takewhile(lambda info: info.move == last.move, reversed(depths))
        return min((info.nodes for info in kept), default=last.nodes)


class Material(Searched):
    """Wins of material by more than one move of the solver, which the line of the search keeps to its end."""

    theme: Theme = "material"
    _longest = 7

    def share(self, plies: int) -> float:
        return 0.5

    def _solution(self, position: Position, best: Info) -> tuple[Move, ...]:
        gains = won(position, best.pv)
        for length in range(1, min(self._longest, len(gains) - 1) + 1, 2):
            if min(gains[length - 1 :]) >= GAIN:
                return best.pv[:length] if length > 1 else ()  # a capture that pays at once is no task
        return ()


class Held(Searched):
    """Positions about in balance, in which every move but one loses much."""

    theme: Theme = "only"

    def share(self, plies: int) -> float:
        return 1.0

    def _solution(self, position: Position, best: Info) -> tuple[Move, ...]:
        first, second = best.multipv[0], best.multipv[-1]
        quiet = first.move is not None and not position.is_capture(first.move)
        held = quiet and abs(first.score) <= _BALANCE and second.score <= -MARGIN
        return best.pv[:1] if held else ()
