"""The computer player: one search at a time, in whichever thread asks, and given up when nobody wants it any more."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ..engine import Engine
from ..game.position import Position
from ..spec.move import Move
from ..spec.variant import Variant

SECONDS = 2.0  # for a move at most; the weaker levels end long before


class Thinker:
    """Engines of one variant, each made when its level is asked for first."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self._engines: dict[int, Engine] = {}
        self._busy = threading.Lock()

    def best(self, position: Position, wanted: Callable[[], bool], level: int) -> Move | None:
        """The move of that level; ``None`` if there is none, or it is no longer wanted. Blocks while another is found.

        Args:
            position: where to search; nobody else may use it meanwhile.
            wanted: whether the move is still of use; asked before the search begins.
        """
        with self._busy:
            if not wanted():
                return None
            if level not in self._engines:
                self._engines[level] = Engine(self._variant, level=level)
            return self._engines[level].search(position, time=SECONDS).move

    def stop(self) -> None:
        """End a search that is running soon."""
        for engine in tuple(self._engines.values()):
            engine.stop()
