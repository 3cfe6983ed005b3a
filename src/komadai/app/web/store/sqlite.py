"""The store in one SQLite file: write-ahead log, ``synchronous=FULL``."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....storage import replacing
from . import ConflictError, DamagedError, StoreError, WriteInDoubtError
from .bus import Bus, PolledBus
from .sql import SqlStore, Statement, check_format, lives, memories, shown, tables, watches

_TABLES = (
    """
CREATE TABLE game (
    id TEXT PRIMARY KEY,
    variant TEXT NOT NULL,
    version TEXT NOT NULL,
    options TEXT NOT NULL,
    seats TEXT NOT NULL,
    created REAL NOT NULL,
    match TEXT,
    number INTEGER,
    position TEXT,
    terms TEXT NOT NULL DEFAULT '{}',
    owner TEXT
) STRICT
""",
    *tables("REAL", " STRICT", " STRICT, WITHOUT ROWID"),
    """
CREATE TRIGGER closed BEFORE INSERT ON event
WHEN EXISTS (
    SELECT 1 FROM game AS own JOIN game AS following
    ON following.match = own.match AND following.number = own.number + 1 WHERE own.id = NEW.game
)
BEGIN
    SELECT RAISE(ABORT, 'the next game of the match has begun');
END
""",
)
"""A store of the oldest format that is opened."""
_UPGRADES = (watches("REAL", " STRICT"), memories(), lives("REAL", " STRICT"))
"""The statements that upgrade each format from the one before."""
OLDEST = 8
FORMAT = OLDEST + len(_UPGRADES)  # PRAGMA user_version of the file
_NAMES = {
    "game": ("id",),
    "event": ("game",),
    "record": ("id",),
    "profile": ("id",),
    "profile_seat": ("profile", "game"),
    "live": ("id",),
    "live_chapter": ("live", "id"),
}
"""The columns by which rows are found; what else is in a row, its readers check."""
_LEAVE = 1.0  # seconds that closing waits for a write; one that another program keeps waiting is lost with the process
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_BEFORE_WRITING = (sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_LOCK)


class SqliteDatabase(SqlStore):
    """Games and their events in one SQLite database; subclasses open it as ``_db``."""

    _db: sqlite3.Connection

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()

    def _migrate(self) -> bool:
        """Upgrade the database to the present format in one transaction; false if it has that format.

        Raises:
            StoreError: as :meth:`_format`.
        """
        with self._transaction():
            found = self._format()
            for step in _UPGRADES[found - OLDEST :] if found else (_TABLES, *_UPGRADES):
                for statement in step:
                    self._db.execute(statement)
            self._db.execute(f"PRAGMA user_version={FORMAT}")
        return found < FORMAT

    def _format(self) -> int:
        """The format of the database.

        Raises:
            DamagedError: it is of another program.
            StoreError: it was written by a newer version, or by one before 0.2.
        """
        found: int = self._db.execute("PRAGMA user_version").fetchone()[0]
        check_format(self.place, found, OLDEST, FORMAT)
        tables = {row[0] for row in self._db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if tables if not found else not {"game", "event"} <= tables:
            raise DamagedError(f"{self.place} is a database, but no game store of Komadai")
        return found

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._lock, self._begun():
            yield

    @contextmanager
    def _begun(self) -> Iterator[None]:
        """A transaction of the thread that holds the lock."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def close(self) -> None:
        if self._lock.acquire(timeout=_LEAVE):
            try:
                self._db.close()
            finally:
                self._lock.release()

    def size(self) -> int:
        pages = self._read("SELECT page_count - freelist_count FROM pragma_page_count, pragma_freelist_count")[0][0]
        return int(pages) * int(self._read("PRAGMA page_size")[0][0])

    def defects(self) -> list[str]:
        found = []
        for look in (self._broken, self._orphans, self._unnamed, self._odd_rows):
            try:
                found += look()
            except StoreError as error:
                found.append(str(error))
        return list(dict.fromkeys(found))

    def _broken(self) -> list[str]:
        rows = self._read("PRAGMA integrity_check")
        return [f"the file: {' '.join(str(row[0]).split())}" for row in rows if row[0] != "ok"]

    def _orphans(self) -> list[str]:
        """Rows of games and profiles that are not there."""
        found = []
        for table, name, other in (
            ("event", "game", "game"),
            ("challenge", "game", "game"),
            ("profile_seat", "game", "game"),
            ("profile_seat", "profile", "profile"),
            ("live_chapter", "live", "live"),
        ):
            rows = self._read(f"SELECT DISTINCT {name} FROM {table} WHERE {name} NOT IN (SELECT id FROM {other})")
            found += [f"{other} {shown(row[0])}: it is missing, but not its rows in the table {table}" for row in rows]
        return found

    def _unnamed(self) -> list[str]:
        """Rows that nobody can find, because their names are not in UTF-8."""
        found = []
        for table, names in _NAMES.items():
            for name in names:
                rows = self._read(f"SELECT DISTINCT CAST({name} AS BLOB) FROM {table}")
                found += [f"{table} {shown(id)}: its {name} is not in UTF-8" for (id,) in rows if not _utf8(id)]
        return found

    def _read(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        try:
            with self._reading() as db:
                try:
                    return db.execute(sql, values).fetchall()
                except sqlite3.OperationalError as error:
                    if "UTF-8" not in str(error):
                        raise
                # Some text is not in UTF-8: that stays bytes.
                db.text_factory = lambda text: text.decode() if _utf8(text) else text
                try:
                    return db.execute(sql, values).fetchall()
                finally:
                    db.text_factory = str
        except sqlite3.Error as error:
            kind = DamagedError if getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGE else StoreError
            raise kind(f"the game store cannot be read: {error}") from error

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """The connection that reads, for this thread alone."""
        with self._lock:
            yield self._db


@dataclass(eq=False)
class _Write:
    """A write that waits for its commit. Once ``done``, ``error`` says why it failed, if it did."""

    statements: Sequence[Statement]
    done: bool = False
    error: Exception | None = None


class SqliteStore(SqliteDatabase):
    """Games and their events in one file.

    Writes that come while another is being forced to the disk wait for one commit together. With a commit each, on a
    disk that takes 5 ms, the last of twenty would wait for 100. Reads have a connection of their own, so that neither
    waits for the other.
    """

    def __init__(self, path: Path) -> None:
        """Open the file, or create it.

        Raises:
            DamagedError: it is no Komadai store, or broken at its beginning.
            StoreError: it cannot be opened, or was written by a newer version or one before 0.2.
        """
        super().__init__()
        self._read_lock = threading.Lock()
        self._waiting: deque[_Write] = deque()
        self._version: int | None = None  # which changes when another connection writes
        self.path = path
        if path.is_dir():
            raise DamagedError(f"the game store {path} is a folder, not a file")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=10)
            with ExitStack() as unless_opened:
                unless_opened.callback(self._db.close)
                self._format()  # before anything is written
                self._db.execute("PRAGMA journal_mode=WAL")
                self._db.execute("PRAGMA synchronous=FULL")
                self._db.execute("PRAGMA foreign_keys=ON")
                self._db.execute("PRAGMA secure_delete=ON")  # what is deleted must not be found in the file
                self._migrate()
                self._reader = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=10)
                unless_opened.pop_all()
        except (sqlite3.Error, OSError) as error:
            kind = DamagedError if getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGE else StoreError
            raise kind(f"the game store {path} cannot be opened: {error}") from error

    @property
    def place(self) -> str:
        return str(self.path)

    def bus(self) -> Bus:
        return PolledBus(self._changed)

    def _changed(self) -> bool:
        """True if another process has written to the file since this was asked last; false, too, if it cannot be
        read."""
        with suppress(sqlite3.Error), self._lock:  # asked of the connection that writes: its own changes do not count
            before, [(self._version,)] = self._version, self._db.execute("PRAGMA data_version").fetchall()
            return before not in (None, self._version)
        return False

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._read_lock:
            yield self._reader

    def close(self) -> None:
        if self._read_lock.acquire(timeout=_LEAVE):
            try:
                self._reader.close()
            finally:
                self._read_lock.release()
        super().close()

    def disk(self) -> tuple[int, int] | None:
        try:
            found = shutil.disk_usage(self.path.parent)
            return found.free, found.total
        except OSError as error:
            raise StoreError(f"the disk of the game store cannot be read: {error}") from error

    def back_up(self, file: Path) -> None:
        if os.path.exists(file) and os.path.samefile(file, self.path):
            raise StoreError(f"{file} is the store itself; name another file for the copy")
        try:
            with (
                replacing(file) as part,
                closing(sqlite3.connect(self.path, timeout=10)) as source,
                closing(sqlite3.connect(part)) as target,
            ):
                source.backup(target)  # in one step, during which others may write
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"the copy {file} cannot be written: {error}") from error

    def _write(self, *statements: Statement) -> None:
        write = _Write(statements)
        self._waiting.append(write)
        with self._lock:
            if not write.done:  # whoever had the lock before may have done it
                self._commit([self._waiting.popleft() for _ in range(len(self._waiting))])
        if isinstance(write.error, sqlite3.IntegrityError):
            raise ConflictError(str(write.error)) from write.error
        if isinstance(write.error, sqlite3.Error):
            kind = WriteInDoubtError if _may_be_written(write.error) else StoreError
            raise kind(f"the game store cannot be written: {write.error}") from write.error
        if write.error is not None:
            raise write.error
        if not write.done:  # whoever took it to do it has failed
            raise WriteInDoubtError("the game store cannot be written: the write was broken off")

    def _commit(self, writes: Sequence[_Write]) -> None:
        """Do the writes in one transaction or, where that is certain to have failed, each in one of its own."""
        statements = [statement for write in writes for statement in write.statements]
        try:
            # A single statement is a transaction anyway; fewer calls wait less for the interpreter lock.
            with nullcontext() if len(statements) == 1 else self._begun():
                for sql, values in statements:
                    self._db.execute(sql, values)
        except Exception as error:
            if len(writes) > 1 and not _may_be_written(error):
                for write in writes:
                    self._commit([write])
                return
            for write in writes:
                write.error = error
        for write in writes:
            write.done = True


def _utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _may_be_written(error: Exception) -> bool:
    """True if the next start may find the transaction complete, as when its sync failed."""
    code = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF == sqlite3.SQLITE_IOERR and code not in _BEFORE_WRITING
