"""A pool of engines for all games and analyses: as many search at once as the machine has cores."""

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
from .rate_limits import USUAL, Buckets, Limits
from .turns import NOBODY, Payer, Turns

_LEAST = 0.05  # seconds that every move gets


@dataclass(frozen=True, slots=True)
class Strength:
    """The strength of the engine: its level (1 to 10), and the seconds for a move."""

    level: int
    seconds: float


STRENGTHS = {f"level{level}": Strength(level, 0.2 + 0.08 * level) for level in range(1, STRONGEST + 1)} | {
    "easy": Strength(2, 0.3),
    "medium": Strength(5, 0.6),
    "strong": Strength(10, 1.0),
}
"""The strengths by the name of the seat; those without a number are from games of version 0.1.0."""

_PATIENCE = 0.5  # seconds before a search that begins while others wait must give way to them


class EnginePool:
    """Engines, created when they are needed and kept for the next game.

    An engine takes many times the memory of a game, so there are never more than may search at once.
    """

    def __init__(self, most: int | None = None, limits: Limits = USUAL) -> None:
        """``most``: the number of simultaneous searches; by default one for each core."""
        self._most = most or os.cpu_count() or 1
        self._turns = Turns(self._most)
        self._free: list[Engine] = []
        self._lent = 0
        self.thought = 0.0  # seconds for which engines have been lent
        self._patient: list[Callable[[], object]] = []
        self._shares, self._shares_from = Buckets(*limits.thinking), Buckets(*limits.thinking_from)

    @asynccontextmanager
    async def lend(
        self, variant: Variant, level: int, give_way: Callable[[], object] | None = None, payer: Payer = NOBODY
    ) -> AsyncIterator[Engine]:
        """An engine for one search, when the payer's turn has come.

        Args:
            give_way: called when others wait for an engine: the search must end soon, and may ask again. A search
                without it is never interrupted.
        """
        await self._enter(payer)
        if give_way is not None:
            self._patient.append(give_way)
            if self._turns.waiting:
                asyncio.get_running_loop().call_later(_PATIENCE, self._disturb)
        kept = next((free for free in self._free if (free.variant, free.level) == (variant, level)), None)
        if kept is not None:
            self._free.remove(kept)
        else:
            del self._free[: max(0, len(self._free) + self._lent + 1 - self._most)]
        self._lent += 1
        began = perf_counter()
        try:
            engine = kept if kept is not None else await asyncio.to_thread(Engine, variant, level=level)
            yield engine
            # Not after an exception: an engine whose search was cancelled may still be searching.
            self._free.append(engine)
        finally:
            self._lent -= 1
            self.thought += perf_counter() - began
            if give_way is not None and give_way in self._patient:
                self._patient.remove(give_way)
            self._turns.release()

    @property
    def searching(self) -> int:
        """The number of engines at work."""
        return self._lent

    @property
    def waiting(self) -> int:
        """The number of those who wait for an engine."""
        return self._turns.queued

    async def _enter(self, payer: Payer) -> None:
        """Wait for a free engine."""
        if self._turns.full and self._patient:
            self._patient.pop(0)()
        await self._turns.take(payer)

    def _disturb(self) -> None:
        """Let the longest-running of the interruptible searches give way, if anybody waits."""
        if self._turns.waiting and self._patient:
            self._patient.pop(0)()

    async def search(
        self, engine: Engine, position: Position, seconds: float, clock: Clock | None, payer: Payer
    ) -> Info:
        """Search with an engine of the pool, in a thread.

        Args:
            seconds: for the move; less if the clock of the side to move, or the shares of the payer, allow less.
        """
        shares = self._shares.of("\n".join(payer)), self._shares_from.of(payer.address)
        left = max(min(share.left for share in shares), _LEAST)
        limits = [seconds, left] + ([] if clock is None else [clock.budget()[1]])
        started = perf_counter()
        try:
            return await asyncio.to_thread(engine.search, position, time=min(limits))
        finally:
            for share in shares:
                share.spend(perf_counter() - started)
