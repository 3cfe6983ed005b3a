"""The heartbeats of a server, by which all servers of a store know when nobody was there."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from ..store import Store
from ..store.watch import EVERY, Stamp, Watch, late
from .replay import RefusedError, UnreadableError
from .store_calls import ask_store

log = logging.getLogger(__name__)


class Heartbeat:
    """The heartbeats of one server.

    Attributes:
        watches: the stretches of time in which some server was there, as of the last heartbeat.
    """

    def __init__(self, store: Store, gap: Callable[[], None] = lambda: None) -> None:
        """``gap``: called where a heartbeat finds that nobody was there for a while."""
        self._store, self._gap = store, gap
        self.watches: list[Watch] = []
        self._own: Stamp | None = None
        self._beating = asyncio.Lock()

    @property
    def late(self) -> bool:
        """True if the last heartbeat is too long ago to say what time counts."""
        return late(self._own, Stamp())

    async def beat(self) -> None:
        """Write a heartbeat, unless one was written while this waited.

        Raises:
            RefusedError: the store fails.
        """
        before = self._own
        async with self._beating:
            if self._own is not before:
                return
            now, known = Stamp(), self.watches[-1].number if self.watches else 0
            try:
                found = await ask_store(self._store.beat, now, before, known)
            except UnreadableError as error:  # games go on, and all time counts
                if self._own is None or self.watches:
                    log.error("the heartbeats are damaged: %s", error)
                found, known = [], 0
            self.watches = [*(watch for watch in self.watches if watch.number < known), *found]
            self._own = now
        if known and found[-1].number > known:
            self._gap()

    async def keep(self) -> None:
        """Write heartbeats, until cancelled."""
        while True:
            with suppress(RefusedError):  # which is in the log
                await self.beat()
            await asyncio.sleep(EVERY)
