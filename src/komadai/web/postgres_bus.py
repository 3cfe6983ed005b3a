"""The bus of servers that share a PostgreSQL database: ``LISTEN`` and ``NOTIFY``, and advisory locks as claims."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from typing import Any

import psycopg
from psycopg import AsyncConnection
from psycopg.conninfo import make_conninfo

from .bus import Bus, Heard

log = logging.getLogger(__name__)

_CHANNEL = "komadai"
_RETRY = 1.0  # seconds after a lost line
_FAREWELL = 1.0  # seconds to say the last things
# A line that is down without saying so is found out in a minute.
_ALIVE = {"keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3, "connect_timeout": 5}


class PostgresBus(Bus):
    """Two connections: one listens, the other talks and holds the claims.

    News is sent after the commit it is about and in a transaction of its own: a commit that notifies waits for all
    others that do.
    """

    def __init__(self, url: str) -> None:
        self._line = make_conninfo(url, **_ALIVE)
        self._news: dict[str, int] = {}  # what is still to be told
        self._stirred = asyncio.Event()
        self._talk: AsyncConnection | None = None
        self._talking = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self, heard: Heard, missed: Callable[[], None]) -> None:
        self._tasks = [asyncio.create_task(work) for work in (self._listen(heard, missed), self._send())]

    def tell(self, game: str, seq: int) -> None:
        self._news[game] = max(seq, self._news.get(game, 0))
        self._stirred.set()

    @contextlib.asynccontextmanager
    async def claim(self, game: str) -> AsyncIterator[bool]:
        try:
            ours = await self._ask("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", game)
        except psycopg.Error:
            ours = False
        try:
            yield ours
        finally:
            if ours:
                with contextlib.suppress(psycopg.Error):  # with the connection the claim has gone too
                    await self._ask("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", game)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(psycopg.Error, TimeoutError):
            async with asyncio.timeout(_FAREWELL):
                await self._flush()
        if self._talk is not None:
            await self._talk.close()

    async def _listen(self, heard: Heard, missed: Callable[[], None]) -> None:
        while True:
            try:
                async with await AsyncConnection.connect(self._line, autocommit=True) as connection:
                    await connection.execute(f"LISTEN {_CHANNEL}")
                    missed()
                    async for notice in connection.notifies():
                        seq, _, game = notice.payload.partition(" ")
                        if seq.isdecimal():
                            heard(game, int(seq))
            except psycopg.Error as error:
                log.warning("events of other servers are not heard: %s", error)
            await asyncio.sleep(_RETRY)

    async def _send(self) -> None:
        while True:
            await self._stirred.wait()
            try:
                await self._flush()
            except psycopg.Error as error:
                log.warning("other servers are not told of events: %s", error)
                await asyncio.sleep(_RETRY)

    async def _flush(self) -> None:
        """Tell what is to be told; what cannot be stays."""
        while self._news:
            news = self._news.copy()
            payloads = [f"{seq} {game}" for game, seq in news.items()]
            await self._ask(f"SELECT count(pg_notify('{_CHANNEL}', told)) FROM unnest(%s::text[]) AS told", payloads)
            for game, seq in news.items():
                if self._news[game] == seq:
                    del self._news[game]
        self._stirred.clear()

    async def _ask(self, sql: str, value: Any) -> Any:
        """The one value that a query answers; the connection is made if there is none."""
        async with self._talking:
            if self._talk is None or self._talk.closed:
                self._talk = await AsyncConnection.connect(self._line, autocommit=True)
                await self._talk.execute("SET synchronous_commit = off")  # news need not survive anything
            row = await (await self._talk.execute(sql, (value,))).fetchone()
            return row and row[0]
