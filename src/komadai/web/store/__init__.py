"""The store: every event of every game, behind one interface.

The event log is the truth; a position is its replay. An append returns only once the event is durable, so what has been
acknowledged survives a killed process and a lost power line. :mod:`.sqlite` keeps it in a file, :mod:`.postgres` in a
database that several servers share.
"""

from __future__ import annotations

import time
import uuid
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from .bus import Bus, LocalBus


@cache
def boot() -> str:
    """The id of the machine's boot: moments of the monotonic clock may be compared where it is the same.

    Where the system tells none, the id is this process's own.
    """
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return str(uuid.uuid4())


@dataclass(frozen=True, slots=True)
class GameRow:
    """What was settled when the game was made: variant, its rules' version, rule options, and who sits where.

    Attributes:
        match: the match it belongs to, named by its first game's id; ``None`` for a game of its own.
        number: which game of the match it is, from 1.
        position: the position string it begins from; ``None``: the variant's start.
        terms: what else was agreed, as JSON; the store does not look into it.
        owner: the id of the browser that made it, ``None`` if that is not known.
        created: when it was made, in seconds of wall time.
    """

    id: str
    variant: str
    version: str
    options: Mapping[str, str]
    seats: Mapping[str, str]
    match: str | None = None
    number: int | None = None
    position: str | None = None
    terms: Mapping[str, Any] = field(default_factory=dict)
    owner: str | None = None
    created: float = field(default_factory=time.time)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a game; it is stamped when it is made, unless the maker says otherwise.

    Attributes:
        seq: its number in the game, from 1 without gaps.
        kind: what happened, ``move`` for example. ``payload``: what that kind needs to be replayed, as JSON.
        command: the id the client gave the command that caused it, ``None`` for the computer's moves.
        at: when, in seconds of wall time.
        mono: the same moment on the machine's monotonic clock, in seconds; ``None`` if it was not noted.
        boot: the boot of the machine whose clock that was; see :func:`boot`.
    """

    seq: int
    kind: str
    payload: Mapping[str, Any]
    command: str | None = None
    at: float = field(default_factory=time.time)
    mono: float | None = field(default_factory=time.monotonic)
    boot: str | None = field(default_factory=boot)


class ConflictError(Exception):
    """What is there already does not allow it: for example, another process has appended to the game meanwhile.

    Nothing was written.
    """


class StoreError(Exception):
    """The store cannot be opened, read or written; the message says why."""


class Store(ABC):
    """Games, their events, and shared records.

    Every method may be called from any thread, blocks on the disk, and raises :class:`StoreError` where that or the
    database fails. What is written is durable on return.
    """

    @property
    @abstractmethod
    def place(self) -> str:
        """Where it is, in words for the person who runs the server; no secrets."""

    def bus(self) -> Bus:
        """What a server hears of the others that share the store."""
        return LocalBus()

    @abstractmethod
    def close(self) -> None:
        """Let go of it; the store cannot be used afterwards."""

    @abstractmethod
    def create(self, game: GameRow) -> None:
        """Write a new game.

        Raises:
            ConflictError: there is one of that id.
        """

    @abstractmethod
    def follow(self, game: GameRow, previous: str, seq: int) -> str:
        """Write the next game of a match, unless there is one already; the id of the one that is there.

        From then on the previous game takes no more events.

        Args:
            previous: the id of the game before it.
            seq: the number of that game's last event.

        Raises:
            ConflictError: the previous game has other events, so it may not be over.
        """

    @abstractmethod
    def match(self, match: str) -> list[str]:
        """The ids of a match's games in order."""

    @abstractmethod
    def load(self, game_id: str, after: int = 0) -> tuple[GameRow, list[Event]] | None:
        """A game with its events after that number in order, or ``None`` if there is none of that id."""

    @abstractmethod
    def append(self, game_id: str, event: Event) -> None:
        """Write the game's next event.

        Raises:
            ConflictError: its number or its command is taken, or the next game of its match has begun.
        """

    @abstractmethod
    def save_record(self, record_id: str, text: str) -> None:
        """Keep a record. It never changes: saved again, it must be the same.

        Raises:
            ConflictError: another record has that id.
        """

    @abstractmethod
    def load_record(self, record_id: str) -> str | None:
        """The text of a record, or ``None`` if there is none of that id."""
