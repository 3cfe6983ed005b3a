"""Notifications between the servers of one store, so that an event written by one reaches the clients of all.

Notifications may get lost: the store has all events.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

LIVE = "live:"
"""Before the id of a live study, where those of games stand."""
_ASK_AGAIN = 1.0  # seconds

Heard = Callable[[str, int], None]
"""Called with a game's id and a number: the store has its events up to that number, or the next game of its match; or
with :data:`LIVE` and the id of a live study, and how often it was written."""


class Bus(ABC):
    """A server's connection to the others. All methods run in the event loop; none fails if the connection is lost."""

    @abstractmethod
    async def open(self, heard: Heard, missed: Callable[[], None]) -> None:
        """Start to listen.

        Args:
            heard: called for each write by any server, this one included.
            missed: called when notifications may have been lost.
        """

    @abstractmethod
    def claim(self, game: str) -> AbstractAsyncContextManager[bool]:
        """Claim the engine's turn in a game while the context lasts; false if another server has the claim.

        A claim ends with its server.
        """

    @abstractmethod
    async def close(self) -> None:
        """Stop listening."""


class LocalBus(Bus):
    """The bus of a store that one server has for itself, without notifications."""

    async def open(self, heard: Heard, missed: Callable[[], None]) -> None:
        pass

    @asynccontextmanager
    async def claim(self, game: str) -> AsyncIterator[bool]:
        yield True

    async def close(self) -> None:
        pass


class PolledBus(LocalBus):
    """The bus of a store that other processes may change, which cannot say so: it is asked regularly."""

    def __init__(self, changed: Callable[[], bool]) -> None:
        """``changed``: whether others have changed the store since it was called last; blocks on the disk."""
        self._changed = changed
        self._asking: asyncio.Task[None] | None = None

    async def open(self, heard: Heard, missed: Callable[[], None]) -> None:
        self._asking = asyncio.create_task(self._ask(missed))

    async def _ask(self, missed: Callable[[], None]) -> None:
        while True:
            if await asyncio.to_thread(self._changed):
                missed()
            await asyncio.sleep(_ASK_AGAIN)

    async def close(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)
