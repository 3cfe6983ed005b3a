"""What servers of one store hear of each other, so that an event written by one reaches the clients of all.

The store tells of what is written to it. Nothing hangs on being heard: who missed something reads it in the store.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

Heard = Callable[[str, int], None]
"""Called with a game's id and a number: its events up to that are in the store, or the game that follows it is."""


class Bus(ABC):
    """A server's line to the others. All methods belong to the event loop; none fails because the line is down."""

    @abstractmethod
    async def open(self, heard: Heard, missed: Callable[[], None]) -> None:
        """Begin to listen.

        Args:
            heard: called for what any server has written, this one included.
            missed: called when things may have happened that were not heard.
        """

    @abstractmethod
    def claim(self, game: str) -> AbstractAsyncContextManager[bool]:
        """Whether this server may let the computer think in the game, and no other does while the context lasts.

        The claim of a server that dies ends with it.
        """

    @abstractmethod
    async def close(self) -> None:
        """Listen no more."""


class LocalBus(Bus):
    """The bus of a server that is alone: there is nobody to hear."""

    async def open(self, heard: Heard, missed: Callable[[], None]) -> None:
        pass

    @asynccontextmanager
    async def claim(self, game: str) -> AsyncIterator[bool]:
        yield True

    async def close(self) -> None:
        pass
