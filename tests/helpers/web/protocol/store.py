"""The servers' connections to their common database, with faults, and the notices that they get of one another."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import Context, copy_context
from pathlib import Path
from typing import Any

from komadai.app.web.store import Challenge, ConflictError, Event, GameRow, StoreError, WriteInDoubtError
from komadai.app.web.store.bus import Bus, Heard
from komadai.app.web.store.sql import SqlStore, Statement
from komadai.app.web.store.sqlite import SqliteStore
from komadai.app.web.store.watch import Stamp, Watch, continued

from .simulation import EPOCH, RUNNING, SimulatedLoop

WRITE_FAULTS = ("fails", "lost", "lost after it was done", "done late", "done twice")
"""The ways in which a write may end: it fails; the connection is lost before or after it was done, or it is done only
some time after that; the connection was lost, and the write is repeated although it was done."""
LATE = 0.4  # seconds

Written = GameRow | tuple[str, Event]


class MemoryStore(SqliteStore):
    """A store in memory, which nobody else can read: a single connection does all."""

    def __init__(self) -> None:
        super().__init__(Path(":memory:"))

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            yield self._db


class Database:
    """The database of all servers: what is committed, and who hears of it.

    Attributes:
        committed: called with each write that was done, and the connection on which it came.
        watches: those that heartbeats have made. ``beats``: the true times of the heartbeats.
    """

    def __init__(self, store: SqlStore, loop: SimulatedLoop, committed: Callable[[Line, Written], None]) -> None:
        self.store, self.loop, self._committed = store, loop, committed
        self.buses: list[SimulatedBus] = []
        self.claims: set[str] = set()
        self.watches: list[Watch] = []
        self.beats: list[float] = []

    def beat(self, now: Stamp, own: Stamp | None, known: int) -> list[Watch]:
        """Take in a heartbeat; there are too many to write them down."""
        self.beats.append(self.loop.time())
        changed = continued(self.watches[-1] if self.watches else None, now, own, self.loop.time() + EPOCH)
        self.watches = [*(watch for watch in self.watches if watch.number < changed[0].number), *changed]
        return [watch for watch in self.watches if watch.number >= known]

    def write(self, line: Line, statements: tuple[Statement, ...], what: Written | None) -> None:
        """Do a write, and notify all servers with the commit."""
        before = self._exists(what)
        self.store._write(*statements)
        if what is None or (isinstance(what, GameRow) and (before or not self._exists(what))):
            return
        self._committed(line, what)
        if isinstance(what, tuple):
            self._notify(what[0], what[1].seq)
        elif what.number is not None and what.number > 1:
            previous = self.store.match(what.match or "")[what.number - 2]
            found = self.store.load(previous)
            assert found is not None
            self._notify(previous, len(found[1]) + 1)

    def _exists(self, what: Written | None) -> bool:
        return isinstance(what, GameRow) and self.store.load(what.id) is not None

    def _notify(self, game: str, seq: int) -> None:
        for bus in tuple(self.buses):
            bus.deliver(game, seq)


class Line(SqlStore):
    """The connection of one server, from its start to its end.

    Attributes:
        server: its name. ``beats``: the true times of the heartbeats of all servers.
        down: everything fails. ``plan``: what will become of the next reads and writes; an empty word is no fault.
        faults: how many there were so far.
    """

    def __init__(self, database: Database, server: str) -> None:
        super().__init__()
        self._database, self.server, self.beats = database, server, database.beats
        self.FOR_UPDATE = database.store.FOR_UPDATE  # type: ignore[misc]
        self.down, self.faults = False, 0
        self.plan: dict[str, deque[str]] = {"read": deque(), "write": deque()}
        self._what: Written | None = None
        self._bus = SimulatedBus(database)

    @property
    def place(self) -> str:
        return self._database.store.place

    def bus(self) -> SimulatedBus:
        return self._bus

    def size(self) -> int:
        return 0

    def disk(self) -> None:
        return None

    def defects(self) -> list[str]:
        return self._database.store.defects()

    def close(self) -> None:
        self.down = True

    def append(self, game_id: str, event: Event) -> None:
        self._what = game_id, event
        super().append(game_id, event)

    def create(self, game: GameRow, challenge: Challenge | None = None) -> None:
        self._what = game
        super().create(game, challenge)

    def follow(self, game: GameRow, previous: str, seq: int) -> str:
        self._what = game
        return super().follow(game, previous, seq)

    def beat(self, now: Stamp, own: Stamp | None, known: int) -> list[Watch]:
        if self.down:
            self._fault("write")
        return self._database.beat(now, own, known)

    def _fault(self, kind: str) -> str:
        planned = self.plan[kind].popleft() if self.plan[kind] else ""
        fault = "fails" if self.down else planned
        self.faults += bool(fault)
        if fault == "fails":
            raise StoreError(f"the simulated store cannot {kind}")
        return fault

    def _read(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        self._fault("read")
        return self._database.store._read(sql, *values)

    def _write(self, *statements: Statement) -> None:
        what, self._what = self._what, None
        fault = self._fault("write")

        def write() -> None:
            self._database.write(self, statements, what)

        def late() -> None:
            with suppress(ConflictError):
                write()

        if fault == "done late":
            self._database.loop.call_later(LATE, late, context=Context())
        elif fault != "lost":
            write()
        if fault == "done twice":
            self._database.store._write(*statements)
        elif fault:
            raise WriteInDoubtError("the simulated store lost its connection")


class SimulatedBus(Bus):
    """The notices that one server gets of all writes.

    Attributes:
        delay: seconds that a notice takes. ``down``: notices are lost, and no turn can be claimed.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.delay, self.down = 0.0, False
        self._last, self._connection = 0.0, 0

    async def open(self, heard: Heard, missed: Callable[[], None]) -> None:
        self._heard, self._missed, self._context = heard, missed, copy_context()
        self._database.buses.append(self)

    async def close(self) -> None:
        if self in self._database.buses:
            self._database.buses.remove(self)

    def deliver(self, game: str, seq: int) -> None:
        """Bring a notice, after those before it."""
        if self.down:
            return
        loop, connection = self._database.loop, self._connection

        def arrive() -> None:
            if self._connection == connection and self in self._database.buses:
                self._heard(game, seq)

        self._last = max(self._last, loop.time() + self.delay)
        loop.call_at(self._last, arrive, context=self._context)

    def cut(self) -> None:
        """Lose the connection, and the notices under way."""
        self.down = True
        self._connection += 1

    def mend(self) -> None:
        """Connect again."""
        if self.down:
            self.down = False
            self._database.loop.call_soon(self._missed, context=self._context)

    @asynccontextmanager
    async def claim(self, game: str) -> AsyncIterator[bool]:
        ours = not self.down and game not in self._database.claims
        if ours:
            self._database.claims.add(game)
        try:
            yield ours
        finally:
            process = RUNNING.get()
            if ours and process is not None:
                self._database.claims.discard(game)
