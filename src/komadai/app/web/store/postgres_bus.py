"""The bus of servers that share a PostgreSQL database: ``LISTEN`` and ``NOTIFY``, and advisory locks as claims."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable

import psycopg
from psycopg import AsyncConnection
from psycopg.conninfo import make_conninfo

from .bus import Bus, Heard

CHANNEL = "komadai"
"""The channel of notifications: a number, a space, a game's id."""
log = logging.getLogger(__name__)

_RETRY = 1.0  # seconds between attempts to reconnect
ALIVE = {
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
    "connect_timeout": 5,
}
"""libpq's parameters with which a dead connection is detected within a minute, also while it is written to."""


def in_line(error: psycopg.Error) -> str:
    """The message of an error on one line."""
    return error.diag.message_primary or " ".join(str(error).split())


class PostgresBus(Bus):
    """Two connections: one listens, the other holds the claims."""

    def __init__(self, url: str) -> None:
        self._line = make_conninfo(url, **ALIVE)
        self._listening: asyncio.Task[None] | None = None
        self._claims: AsyncConnection | None = None
        self._claiming = asyncio.Lock()

    async def open(self, heard: Heard, missed: Callable[[], None]) -> None:
        self._listening = asyncio.create_task(self._listen(heard, missed))

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
                with contextlib.suppress(psycopg.Error):  # the claim is lost with the connection anyway
                    await self._ask("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", game)

    async def close(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)
        if self._claims is not None:
            await self._claims.close()

    async def _listen(self, heard: Heard, missed: Callable[[], None]) -> None:
        lost = False
        while True:
            try:
                async with await AsyncConnection.connect(self._line, autocommit=True) as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    if lost:
                        log.warning("events of other servers are received again")
                    lost = False
                    missed()
                    async for notice in connection.notifies():
                        seq, _, game = notice.payload.partition(" ")
                        if seq.isdecimal():
                            heard(game, int(seq))
            except psycopg.Error as error:
                if not lost:
                    log.warning("no events of other servers until the database is back: %s", in_line(error))
                lost = True
            await asyncio.sleep(_RETRY)

    async def _ask(self, sql: str, game: str) -> bool:
        """The result of a query for one truth value; connects if need be."""
        async with self._claiming:
            if self._claims is None or self._claims.closed:
                self._claims = await AsyncConnection.connect(self._line, autocommit=True)
            row = await (await self._claims.execute(sql, (game,))).fetchone()
            return row is not None and bool(row[0])
