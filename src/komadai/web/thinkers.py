"""The computer players of all games: as many think at once as the machine has cores, each with an engine lent to it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from ..engine import Engine
from ..spec import Variant

_PATIENCE = 0.5  # seconds that a search may go on which begins while others wait, before it must give way to them


class Thinkers:
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
