"""Quick games of the engine with itself, in which puzzles are looked for."""

from __future__ import annotations

import random
from collections import Counter

from ...engine import Engine
from ...game.position import Position
from ...spec.board import SIDES
from ...spec.variant import Variant

_NODES = (300, 1_000, 2_000)  # of a player, chosen for each game
_ASTRAY = (0.002, 0.004, 0.006)  # how often the weaker one moves at random, for each piece that there is, likewise
_LONGEST = 300  # plies


class SelfPlay:
    """Plays games of one variant, each of which depends on seed and number alone."""

    def __init__(self, variant: Variant, seed: int) -> None:
        self._start = Position(variant)
        self._engine = Engine(variant, hash_mb=4, tables=False)
        self._seed = seed
        hands = sum(sum(self._start.hand(side).values()) for side in SIDES)
        self._pieces = hands + sum(piece is not None for piece in self._start.board)

    def game(self, number: int) -> Position:
        """The game of that number, over or given up."""
        lots = random.Random(f"{self._seed} {number}")
        self._engine.clear()
        weaker = (min(_NODES), min(lots.choice(_ASTRAY) * self._pieces, 1.0))
        players = [(lots.choice(_NODES), 0.0), weaker]
        lots.shuffle(players)
        game = self._start.copy()
        for _ in range(lots.randint(2, 4 + self._pieces // 4)):
            if not game.is_game_over():
                game.push(self._any(game, lots))
        self._play_on(game, players, lots)
        return game

    def _play_on(self, game: Position, players: list[tuple[int, float]], lots: random.Random) -> None:
        seen = Counter[int]()
        while not game.is_game_over() and len(game.move_stack) < _LONGEST:
            nodes, astray = players[len(game.move_stack) % 2]
            seen[game.key()] += 1
            if seen[game.key()] > 1 or lots.random() < astray:
                game.push(self._any(game, lots))
            else:
                move = self._engine.search(game, nodes=nodes).move
                assert move is not None, "the game goes on"
                game.push(move)

    @staticmethod
    def _any(game: Position, lots: random.Random) -> str:
        # Sorted, so that the choice does not depend on the order of move generation.
        return lots.choice(sorted(map(str, game.legal_moves())))
