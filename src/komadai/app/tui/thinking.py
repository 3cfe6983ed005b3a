"""The computer player: one search at a time, in whichever thread asks, and given up when nobody wants it any more."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ...engine import BOTS, Engine
from ...game.position import Position
from ...solve import background
from ...spec.move import Move
from ...spec.variant import Variant
from .play import Opponent

SECONDS = 2.0  # for a move at most; the weaker levels end long before


class Thinker:
    """Engines of one variant, each made when its level or bot is asked for first."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self._engines: dict[Opponent, Engine] = {}
        self._busy = threading.Lock()

    def best(self, position: Position, wanted: Callable[[], bool], player: Opponent) -> Move | None:
        """The move of that opponent; ``None`` if there is none or none is wanted. Blocks while another is found.

        Args:
            position: where to search; nobody else may use it meanwhile.
            wanted: whether the move is still of use; asked before the search begins.
        """
        with self._busy:
            if not wanted():
                return None
            if player not in self._engines:
                self._engines[player] = self._made(player)
            return self._engines[player].search(position, time=SECONDS).move

    def _made(self, player: Opponent) -> Engine:
        background.begin(self._variant)
        if isinstance(player, int):
            return Engine(self._variant, level=player)
        bot = BOTS[player]
        return Engine(self._variant, level=bot.level, style=bot.style)

    def stop(self) -> None:
        """End a search that is running soon."""
        for engine in tuple(self._engines.values()):
            engine.stop()
