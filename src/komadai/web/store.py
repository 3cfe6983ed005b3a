"""The store: every event of every game in one SQLite file. All SQL of the web part is in this module.

The event log is the truth; a position is its replay. An append returns only once the event is on the disk
(write-ahead log, ``synchronous=FULL``), so what has been acknowledged survives a killed process and a lost power line.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

_TABLES = (
    """
CREATE TABLE game (
    id TEXT PRIMARY KEY,
    variant TEXT NOT NULL,
    version TEXT NOT NULL,
    options TEXT NOT NULL,
    seats TEXT NOT NULL,
    created REAL NOT NULL
) STRICT
""",
    """
CREATE TABLE event (
    game TEXT NOT NULL REFERENCES game (id),
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    command TEXT,
    at REAL NOT NULL,
    PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID
""",
    "CREATE UNIQUE INDEX event_command ON event (game, command) WHERE command IS NOT NULL",
)
# A match is named by its first game's id. Each of its games has one successor at most, and is closed by it.
_MATCHES = (
    "ALTER TABLE game ADD COLUMN match TEXT",
    "ALTER TABLE game ADD COLUMN number INTEGER",
    "CREATE UNIQUE INDEX game_match ON game (match, number) WHERE match IS NOT NULL",
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
# Where the game begins, if that is not the variant's own start.
_POSITIONS = ("ALTER TABLE game ADD COLUMN position TEXT",)
_STEPS = (_TABLES, _MATCHES, _POSITIONS)
"""What makes each format out of the one before it; an empty file is format 0."""
_FORMAT = len(_STEPS)  # PRAGMA user_version of the file


@dataclass(frozen=True, slots=True)
class GameRow:
    """What was settled when the game was made: variant, its rules' version, rule options, and who sits where.

    Attributes:
        match: the match it belongs to, named by its first game's id; ``None`` for a game of its own.
        number: which game of the match it is, from 1.
        position: the position string it begins from; ``None``: the variant's start.
    """

    id: str
    variant: str
    version: str
    options: Mapping[str, str]
    seats: Mapping[str, str]
    match: str | None = None
    number: int | None = None
    position: str | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a game.

    Attributes:
        seq: its number in the game, from 1 without gaps.
        kind: ``move``, ``undo``, ``resign`` or ``draw``. ``payload``: what that kind needs to be replayed.
        command: the id the client gave the command that caused it, ``None`` for the computer's moves.
    """

    seq: int
    kind: str
    payload: Mapping[str, Any]
    command: str | None = None


class ConflictError(Exception):
    """Another process has appended to the game meanwhile; nothing was written."""


class StoreError(Exception):
    """The file cannot be used; the message says why."""


class Store:
    """Games and their events in one file. Every method may be called from any thread and blocks on the disk."""

    def __init__(self, path: Path) -> None:
        """Open the file, or make it.

        Raises:
            StoreError: it cannot be opened, is no Komadai store, or was written by a newer version.
        """
        self.path = path
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=10)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            self._db.execute("PRAGMA foreign_keys=ON")
            self._migrate()
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"the game store {path} cannot be opened: {error}") from error

    def _migrate(self) -> None:
        """Bring the file to this format, whole or not at all."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            found: int = self._db.execute("PRAGMA user_version").fetchone()[0]
            if found > _FORMAT:
                raise StoreError(
                    f"{self.path} was written by a newer Komadai (format {found}, this one reads {_FORMAT})"
                )
            for step in _STEPS[found:]:
                for statement in step:
                    self._db.execute(statement)
            self._db.execute(f"PRAGMA user_version={_FORMAT}")
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def close(self) -> None:
        """Close the file; the store cannot be used afterwards."""
        with self._lock:
            self._db.close()

    def create(self, game: GameRow) -> None:
        """Write a new game."""
        with self._lock:
            self._db.execute(f"INSERT INTO game ({_COLUMNS}) VALUES ({_PLACES})", _values(game))

    def follow(self, game: GameRow, previous: str, seq: int) -> str:
        """Write the next game of a match, unless there is one already; the id of the one that is there.

        Args:
            previous: the id of the game before it.
            seq: the number of that game's last event.

        Raises:
            ConflictError: the previous game has other events, so it may not be over; nothing was written.
            StoreError: the disk refuses.
        """
        try:
            with self._lock:
                self._db.execute(
                    f"INSERT OR IGNORE INTO game ({_COLUMNS}) SELECT {_PLACES} "
                    "WHERE (SELECT coalesce(max(seq), 0) FROM event WHERE game = ?) = ?",
                    (*_values(game), previous, seq),
                )
        except sqlite3.Error as error:
            raise StoreError(f"the game store cannot be written: {error}") from error
        found = self.match(game.match)[(game.number or 1) - 1 :]
        if not found:
            raise ConflictError(f"game {previous} has gone on")
        return found[0]

    def match(self, match: str | None) -> list[str]:
        """The ids of a match's games in order."""
        with self._lock:
            rows = self._db.execute("SELECT id FROM game WHERE match = ? ORDER BY number", (match,)).fetchall()
        return [row[0] for row in rows]

    def load(self, game_id: str) -> tuple[GameRow, list[Event]] | None:
        """A game with all its events in order, or ``None`` if there is none of that id."""
        with self._lock:
            row = self._db.execute(f"SELECT {_COLUMNS} FROM game WHERE id = ?", (game_id,)).fetchone()
            events = self._db.execute(
                "SELECT seq, kind, payload, command FROM event WHERE game = ? ORDER BY seq", (game_id,)
            ).fetchall()
        if row is None:
            return None
        id_, variant, version, options, seats, _, match, number, position = row
        game = GameRow(id_, variant, version, _read(options), _read(seats), match, number, position)
        return game, [Event(seq, kind, _read(payload), command) for seq, kind, payload, command in events]

    def append(self, game_id: str, event: Event) -> None:
        """Write the game's next event; on return it is on the disk.

        Raises:
            ConflictError: its number or its command is taken, or the next game of its match has begun.
            StoreError: the disk refuses.
        """
        values = (game_id, event.seq, event.kind, _json(event.payload), event.command, time.time())
        try:
            with self._lock:
                self._db.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?)", values)
        except sqlite3.IntegrityError as error:
            raise ConflictError(f"event {event.seq} of game {game_id} cannot be written: {error}") from error
        except sqlite3.Error as error:
            raise StoreError(f"the game store cannot be written: {error}") from error


_COLUMNS = "id, variant, version, options, seats, created, match, number, position"
_PLACES = ", ".join("?" for _ in _COLUMNS.split(","))


def _values(game: GameRow) -> tuple[str | float | None, ...]:
    settled = (game.id, game.variant, game.version, _json(game.options), _json(game.seats))
    return (*settled, time.time(), game.match, game.number, game.position)


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _read(text: str) -> Any:
    return msgspec.json.decode(text)
