"""The store in a PostgreSQL database that several servers may share."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, TypeVar

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg_pool import ConnectionPool, PoolTimeout

from . import ConflictError, StoreError, WriteInDoubtError
from .bus import LIVE, Bus
from .postgres_bus import ALIVE, CHANNEL, PostgresBus, in_line
from .sql import SqlStore, Statement, check_format, lives, memories, tables, watches

T = TypeVar("T")

logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # failures are logged where the connection is used

_TABLES = (
    """
CREATE TABLE game (
    id TEXT PRIMARY KEY,
    variant TEXT NOT NULL,
    version TEXT NOT NULL,
    options TEXT NOT NULL,
    seats TEXT NOT NULL,
    match TEXT,
    number INTEGER,
    position TEXT,
    terms TEXT NOT NULL,
    owner TEXT,
    created DOUBLE PRECISION NOT NULL
)
""",
    *tables("DOUBLE PRECISION"),
    # The foreign key takes the same lock anyway. It waits for a transaction that writes the next game; the query after
    # it sees that game.
    """
CREATE FUNCTION closed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM game WHERE id = NEW.game FOR KEY SHARE;
    IF EXISTS (
        SELECT 1 FROM game AS own JOIN game AS following
        ON following.match = own.match AND following.number = own.number + 1 WHERE own.id = NEW.game
    ) THEN
        RAISE 'the next game of the match has begun' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$
""",
    "CREATE TRIGGER closed BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION closed()",
    # Notifications are sent with the commit, so that no crash can separate them. The next game of a match is notified
    # with the number that the next event of the previous game would have.
    f"""
CREATE FUNCTION told() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('{CHANNEL}', NEW.seq || ' ' || NEW.game);
    RETURN NULL;
END
$$
""",
    "CREATE TRIGGER told AFTER INSERT ON event FOR EACH ROW EXECUTE FUNCTION told()",
    f"""
CREATE FUNCTION followed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify(
        '{CHANNEL}', (SELECT coalesce(max(seq), 0) + 1 FROM event WHERE game = previous.id) || ' ' || previous.id
    ) FROM game AS previous WHERE match = NEW.match AND number = NEW.number - 1;
    RETURN NULL;
END
$$
""",
    "CREATE TRIGGER followed AFTER INSERT ON game FOR EACH ROW EXECUTE FUNCTION followed()",
)
"""A store of the oldest format that is opened."""
_UPGRADES = (watches("DOUBLE PRECISION"), memories(), lives("DOUBLE PRECISION"))
"""The statements that upgrade each format from the one before."""
OLDEST = 5
FORMAT = OLDEST + len(_UPGRADES)  # the number in the table `format`
_MIGRATING = 0x6B6F6D61646169  # the advisory lock for upgrades of the format
_CONNECTIONS = 8  # at most, and as many simultaneous appends
_PATIENCE = 5.0  # seconds to wait for a connection
_NEWS = 2**31 - 1  # in a notice, in place of an event's number: more than events have changed


class PostgresStore(SqlStore):
    """Games and their events in one database."""

    FOR_UPDATE = " FOR UPDATE"

    def __init__(self, url: str) -> None:
        """Connect to the database, and create the tables if need be.

        Args:
            url: ``postgresql://user@host/name``, or any other URL that libpq reads; missing parts come from its
                environment variables and files.

        Raises:
            StoreError: it cannot be reached or used, or was written by a newer version or one before 0.2.
        """
        super().__init__()
        self._url = url
        try:
            with psycopg.connect(url, connect_timeout=int(_PATIENCE)) as connection:
                self._place = f"the PostgreSQL database {connection.info.dbname} on {connection.info.host}"
                self._migrate(connection)
        except psycopg.Error as error:
            raise StoreError(f"the game store cannot be opened: {in_line(error)}") from error
        self._pool = ConnectionPool(
            make_conninfo(url, **ALIVE),
            kwargs={"autocommit": True},
            configure=_configure,
            min_size=1,
            max_size=_CONNECTIONS,
            timeout=_PATIENCE,
            reconnect_timeout=_PATIENCE,
            open=True,
        )

    def _migrate(self, connection: psycopg.Connection) -> None:
        """Upgrade the database to the present format; the caller commits."""
        encoding = connection.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            raise StoreError(
                f"{self._place} has the encoding {encoding}, where UTF8 is needed: "
                "make it with createdb --encoding=UTF8 --template=template0"
            )
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATING,))
        connection.execute("CREATE TABLE IF NOT EXISTS format (number INTEGER NOT NULL)")
        row = connection.execute("SELECT max(number) FROM format").fetchone()
        found: int = (row and row[0]) or 0
        check_format(self._place, found, OLDEST, FORMAT)
        for step in _UPGRADES[found - OLDEST :] if found else (_TABLES, *_UPGRADES):
            for statement in step:
                connection.execute(statement)
        if found < FORMAT:
            connection.execute("INSERT INTO format VALUES (%s)", (FORMAT,))

    @property
    def place(self) -> str:
        return self._place

    def bus(self) -> Bus:
        return PostgresBus(self._url)

    def close(self) -> None:
        self._pool.close()

    def size(self) -> int:
        return int(self._read("SELECT pg_database_size(current_database())")[0][0])

    def disk(self) -> tuple[int, int] | None:
        return None

    def defects(self) -> list[str]:
        return self._odd_rows()  # what PostgreSQL finds by itself, only its own tools can ask for

    def _clock(self) -> float:
        return float(self._read("SELECT extract(epoch FROM clock_timestamp())")[0][0])

    def back_up(self, file: Path) -> None:
        raise StoreError(f"{self._place} is copied by PostgreSQL: pg_dump --format=custom --file={file} ADDRESS")

    def _notice(self, whole: str) -> list[Statement]:
        notify = f"SELECT pg_notify('{CHANNEL}', {_NEWS} || ' ' || id) FROM game WHERE id = ? OR match = ?"
        return [(notify, (whole, whole))]

    def _live_notice(self, live: str, ahead: int = 0) -> list[Statement]:
        notify = f"SELECT pg_notify('{CHANNEL}', number + {ahead} || ' {LIVE}' || id) FROM live WHERE id = ?"
        return [(notify, (live,))]

    def _read(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        if any(isinstance(value, str) and "\0" in value for value in values):
            return []  # no text in PostgreSQL contains that character
        try:
            return self._run(lambda connection: connection.execute(_own(sql), values).fetchall())
        except psycopg.Error as error:
            raise StoreError(f"the game store cannot be read: {in_line(error)}") from error

    def _write(self, *statements: Statement) -> None:
        lost = False  # the connection, and with it the answer to the last statement

        def write(connection: psycopg.Connection) -> None:
            nonlocal lost
            # A single statement is a transaction anyway, and saves two round trips.
            try:
                with nullcontext() if len(statements) == 1 else connection.transaction():
                    for sql, values in statements:
                        connection.execute(_own(sql), values)
            except psycopg.OperationalError:
                lost = lost or connection.broken
                raise

        try:
            self._run(write)
        except psycopg.IntegrityError as error:
            raise ConflictError(in_line(error)) from error
        except psycopg.Error as error:
            kind = WriteInDoubtError if lost else StoreError
            raise kind(f"the game store cannot be written: {in_line(error)}") from error

    def _run(self, work: Callable[[psycopg.Connection], T]) -> T:
        """Do the work on a free connection; once more if the connection was lost.

        A write that had already committed then fails with a conflict: whoever reads the game again finds it done.
        """
        try:
            with self._pool.connection() as connection:
                return work(connection)
        except PoolTimeout:
            raise
        except psycopg.OperationalError:
            self._pool.check()
            with self._pool.connection() as connection:
                return work(connection)


def _configure(connection: psycopg.Connection) -> None:
    connection.execute("SET synchronous_commit = on")


def _own(sql: str) -> str:
    return sql.replace("?", "%s")
