"""A pool of engines for all games and analyses: as many search at once as the machine has cores."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Self

import msgspec

from ....engine import BALANCED, BOTS, STRONGEST, Clock
from ....i18n import _
from ...engine_service import (
    Backend,
    EngineAwayError,
    EngineLostError,
    InPlaceBackend,
    SearchRequest,
    SearchResult,
    Subject,
)
from ..schema.model import BOT_SEAT, ENGINE_SEAT
from .named import NamedEngine
from .rate_limits import USUAL, Bucket, Buckets, RateLimits, Share, Shares
from .turns import NOBODY, Payer, Turns

log = logging.getLogger(__name__)

_LEAST = 0.05  # seconds that every move gets
_LOST = 3  # engines, one after the other, before a reply is given up


@dataclass(frozen=True, slots=True)
class Strength:
    """The strength of the engine: its level (1 to 10), and the seconds for a move.

    ``engine``: the name of another engine than ours, which knows no levels. ``style``: of our engine.
    """

    level: int
    seconds: float
    engine: str = ""
    style: str = BALANCED

    @classmethod
    def of(cls, level: int, style: str = BALANCED) -> Self:
        """Our engine at a level, which thinks the longer the stronger it is."""
        return cls(level, 0.2 + 0.08 * level, style=style)


STRENGTHS = {
    **{f"level{level}": Strength.of(level) for level in range(1, STRONGEST + 1)},
    **{f"{BOT_SEAT}{bot.id}": Strength.of(bot.level, bot.style) for bot in BOTS.values()},
}
"""The strengths by the name of the seat."""

_SECONDS = 1.0  # for a move of another engine than ours


def strength_of(seat: str) -> Strength:
    """The strength of the computer in a seat."""
    if seat.startswith(ENGINE_SEAT):
        return Strength(STRONGEST, _SECONDS, seat.removeprefix(ENGINE_SEAT))
    return STRENGTHS[seat]


_PATIENCE = 0.5  # seconds before a search that begins while others wait must give way to them


class _Backends:
    """The backends of one engine."""

    def __init__(self, make: Callable[[], Backend], most: int) -> None:
        self._make, self._most = make, most
        self.made: list[Backend] = []
        self.free: list[Backend] = []

    def take(self, subject: Subject) -> Backend:
        """A free backend: one that has served the subject, else a new one, else the one that is free for longest."""
        for free in self.free:
            if free.subject == subject:
                self.free.remove(free)
                return free
        if len(self.made) < self._most:
            self.made.append(self._make())
            return self.made[-1]
        return self.free.pop(0)


class EnginePool:
    """Backends of the engine service, created when they are needed and kept: never more than may search at once."""

    def __init__(
        self,
        most: int | None = None,
        limits: RateLimits = USUAL,
        make: Callable[[], Backend] = InPlaceBackend,
        named: Sequence[NamedEngine] = (),
    ) -> None:
        """Prepare; nothing is started yet.

        Args:
            most: the number of simultaneous searches; by default one for each core.
            make: a backend of our own engine.
            named: other engines, for those who ask for them by name.
        """
        self._most = most or os.cpu_count() or 1
        self._turns = Turns(self._most)
        self.named = {engine.name: engine for engine in named}
        makers = {"": make} | {engine.name: engine.backend for engine in named}
        self._backends = {name: _Backends(one, self._most) for name, one in makers.items()}
        self.thought = 0.0  # seconds for which backends have been lent
        self._patient: list[Callable[[], object]] = []
        self._shares, self._shares_from = Buckets(*limits.thinking), Shares(*limits.thinking_from)
        self._ending = False

    @asynccontextmanager
    async def lend(
        self, subject: Subject, give_way: Callable[[], object] | None = None, payer: Payer = NOBODY
    ) -> AsyncIterator[Backend]:
        """A backend for one search, when the payer's turn has come.

        Args:
            subject: of the search, with a known engine: the backend that last served the same one is preferred.
            give_way: called when others wait for an engine: the search must end soon, and may ask again. A search
                without it is never interrupted.

        Raises:
            EngineAwayError: this program is about to end.
        """
        await self._enter(payer)
        began = perf_counter()
        try:
            if give_way is not None:
                self._patient.append(give_way)
                if self._turns.waiting:
                    asyncio.get_running_loop().call_later(_PATIENCE, self._disturb)
            backends = self._backends[subject.engine]
            backend = backends.take(subject)
            try:
                yield backend
            finally:
                backends.free.append(backend)
        finally:
            self.thought += perf_counter() - began
            if give_way is not None and give_way in self._patient:
                self._patient.remove(give_way)
            self._turns.release(payer)

    def plays(self, engine: str, variant: str) -> bool:
        """True if there is an engine of that name, empty for ours, and it plays the variant."""
        return not engine or (engine in self.named and variant in self.named[engine].games)

    @property
    def searching(self) -> int:
        """The number of engines at work."""
        return sum(len(backends.made) - len(backends.free) for backends in self._backends.values())

    @property
    def waiting(self) -> int:
        """The number of those who wait for an engine."""
        return self._turns.queued

    async def _enter(self, payer: Payer) -> None:
        """Wait for a free engine."""
        if self._patient and self._turns.must_wait(payer.address):
            self._patient.pop(0)()
        if not self._ending:
            await self._turns.take(payer)
            if not self._ending:
                return
            self._turns.release(payer)
        raise EngineAwayError(_("the computer that thinks cannot be reached at present"))

    def _disturb(self) -> None:
        """Let the longest-running of the interruptible searches give way, if anybody waits."""
        if self._turns.waiting and self._patient:
            self._patient.pop(0)()

    async def search(self, backend: Backend, request: SearchRequest, clock: Clock | None, payer: Payer) -> SearchResult:
        """Search with a backend of the pool.

        Args:
            request: its time is cut if the clock of the side to move, or the shares of the payer, allow less.
        """
        shares: list[Bucket | Share] = [
            self._shares.of(f"{payer.address.name}\n{payer.owner}"),
            self._shares_from.of(payer.address),
        ]
        left = max(min(share.left for share in shares), _LEAST)
        limits = [request.seconds, left] + ([] if clock is None else [clock.budget()[1]])
        started = perf_counter()
        try:
            return await backend.search(msgspec.structs.replace(request, seconds=min(limits)))
        finally:
            for share in shares:
                share.spend(perf_counter() - started)

    async def reply(self, request: SearchRequest, payer: Payer) -> str | None:
        """The best move of a search by our own engine, or ``None`` if engine after engine is lost over it.

        Raises:
            KomadaiError: no such variant, position, move or level.
        """
        for _lost in range(_LOST):
            try:
                async with self.lend(request.subject, payer=payer) as engine:
                    if (found := await self.search(engine, request, None, payer)).move is not None:
                        return found.move
            except EngineLostError as error:
                log.warning("%s", error)
        return None

    def end(self) -> None:
        """Begin no search any more."""
        self._ending = True

    async def close(self) -> None:
        """End all backends, at once, with what they search."""
        self.end()
        await asyncio.gather(*(backend.close() for backends in self._backends.values() for backend in backends.made))
