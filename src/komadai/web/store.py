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

_SCHEMA = """
CREATE TABLE IF NOT EXISTS game (
    id TEXT PRIMARY KEY,
    variant TEXT NOT NULL,
    version TEXT NOT NULL,
    options TEXT NOT NULL,
    seats TEXT NOT NULL,
    created REAL NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS event (
    game TEXT NOT NULL REFERENCES game (id),
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    command TEXT,
    at REAL NOT NULL,
    PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS event_command ON event (game, command) WHERE command IS NOT NULL;
"""
_FORMAT = 1  # PRAGMA user_version of the file


@dataclass(frozen=True, slots=True)
class GameRow:
    """What was settled when the game was made: variant, its rules' version, rule options, and who sits where."""

    id: str
    variant: str
    version: str
    options: Mapping[str, str]
    seats: Mapping[str, str]


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
            found: int = self._db.execute("PRAGMA user_version").fetchone()[0]
            if found > _FORMAT:
                raise StoreError(f"{path} was written by a newer Komadai (format {found}, this one reads {_FORMAT})")
            self._db.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version={_FORMAT}; COMMIT;")
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"the game store {path} cannot be opened: {error}") from error

    def close(self) -> None:
        """Close the file; the store cannot be used afterwards."""
        with self._lock:
            self._db.close()

    def create(self, game: GameRow) -> None:
        """Write a new game."""
        values = (game.id, game.variant, game.version, _json(game.options), _json(game.seats), time.time())
        with self._lock:
            self._db.execute("INSERT INTO game VALUES (?, ?, ?, ?, ?, ?)", values)

    def load(self, game_id: str) -> tuple[GameRow, list[Event]] | None:
        """A game with all its events in order, or ``None`` if there is none of that id."""
        with self._lock:
            row = self._db.execute(
                "SELECT id, variant, version, options, seats FROM game WHERE id = ?", (game_id,)
            ).fetchone()
            events = self._db.execute(
                "SELECT seq, kind, payload, command FROM event WHERE game = ? ORDER BY seq", (game_id,)
            ).fetchall()
        if row is None:
            return None
        game = GameRow(row[0], row[1], row[2], msgspec.json.decode(row[3]), msgspec.json.decode(row[4]))
        return game, [Event(seq, kind, msgspec.json.decode(payload), command) for seq, kind, payload, command in events]

    def append(self, game_id: str, event: Event) -> None:
        """Write the game's next event; on return it is on the disk.

        Raises:
            ConflictError: its number or its command is taken.
            StoreError: the disk refuses.
        """
        values = (game_id, event.seq, event.kind, _json(event.payload), event.command, time.time())
        try:
            with self._lock:
                self._db.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?)", values)
        except sqlite3.IntegrityError as error:
            raise ConflictError(f"event {event.seq} of game {game_id} exists already") from error
        except sqlite3.Error as error:
            raise StoreError(f"the game store cannot be written: {error}") from error


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
