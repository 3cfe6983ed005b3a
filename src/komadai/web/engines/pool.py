"""The computer players of all games: as many think at once as the machine has cores, each with an engine lent to it.
Nobody's games take more than their share of the time."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import perf_counter

from ...engine import Clock, Engine, Info
from ...engine.levels import STRONGEST
from ...game.position import Position
from ...spec.variant import Variant
from .rate_limits import Buckets

_SHARE, _SAVED = 0.5, 300.0  # seconds of thinking that a browser's games have a second, and how many they may save up
_LEAST = 0.05  # seconds there are for a move in any case


@dataclass(frozen=True, slots=True)
class Strength:
    """A computer player: the engine's level (1 to 10) and the seconds it may think about a move."""

    level: int
    seconds: float


STRENGTHS = {f"level{level}": Strength(level, 0.2 + 0.08 * level) for level in range(1, STRONGEST + 1)} | {
    "easy": Strength(2, 0.3),
    "medium": Strength(5, 0.6),
    "strong": Strength(10, 1.0),
}
"""The computer players; those without a number are what games of version 0.1.0 call them."""

_PATIENCE = 0.5  # seconds that a search may go on which begins while others wait, before it must give way to them


class EnginePool:
    """Engines, made when they are needed and kept for whichever game asks next.

    An engine takes many times the memory of a game, so there are never more than may think at once.
    """

    def __init__(self, most: int | None = None) -> None:
        """``most``: how many may think at once; by default one for each core."""
        self._most = most or os.cpu_count() or 1
        self._room = asyncio.Semaphore(self._most)
        self._free: list[Engine] = []
        self._lent = 0
        self._waiting = 0
        self._patient: list[Callable[[], object]] = []
        self._shares = Buckets(_SHARE, _SAVED)

    @asynccontextmanager
    async def lend(
        self, variant: Variant, level: int, give_way: Callable[[], object] | None = None
    ) -> AsyncIterator[Engine]:
        """An engine for one search, once there is room for it.

        Args:
            give_way: called when another waits and there is no room: the search shall end soon, and may ask again. A
                search without it is never disturbed.
        """
        await self._enter()
        if give_way is not None:
            self._patient.append(give_way)
            if self._waiting:
                asyncio.get_running_loop().call_later(_PATIENCE, self._disturb)
        kept = next((free for free in self._free if (free.variant, free.level) == (variant, level)), None)
        if kept is not None:
            self._free.remove(kept)
        else:
            del self._free[: max(0, len(self._free) + self._lent + 1 - self._most)]
        self._lent += 1
        try:
            engine = kept if kept is not None else await asyncio.to_thread(Engine, variant, level=level)
            yield engine
            # One whose search was broken off may still be at it, and is not lent again.
            self._free.append(engine)
        finally:
            self._lent -= 1
            if give_way is not None and give_way in self._patient:
                self._patient.remove(give_way)
            self._room.release()

    async def _enter(self) -> None:
        """Wait for room."""
        self._waiting += 1
        try:
            if self._room.locked():
                self._disturb()
            await self._room.acquire()
        finally:
            self._waiting -= 1

    def _disturb(self) -> None:
        """Let the search that has gone on longest of those that may be disturbed give way, if anybody waits."""
        if self._waiting and self._patient:
            self._patient.pop(0)()

    async def search(
        self, engine: Engine, position: Position, seconds: float, clock: Clock | None, owner: str | None
    ) -> Info:
        """Search with an engine that was lent, in a thread.

        Args:
            seconds: for the move; less if the clock of the side to move, or the share of the game's owner, leaves less.
            owner: whose game it is; those that nobody is known to own have one share together.
        """
        share = self._shares.of(owner or "")
        limits = [seconds, max(share.left, _LEAST)] + ([] if clock is None else [clock.budget()[1]])
        started = perf_counter()
        try:
            return await asyncio.to_thread(engine.search, position, time=min(limits))
        finally:
            share.spend(perf_counter() - started)
