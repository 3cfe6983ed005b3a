"""The computer players of all games: as many think at once as the machine has cores, each with an engine lent to it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ..engine import Engine
from ..spec import Variant


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

    @asynccontextmanager
    async def lend(self, variant: Variant, level: int) -> AsyncIterator[Engine]:
        """An engine for one search, once there is room for it."""
        async with self._room:
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
