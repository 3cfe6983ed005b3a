"""A store that takes nothing new when it is full, and whose work is measured."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ParamSpec, TypeVar

from ..metrics import Metrics
from . import (
    Activity,
    Challenge,
    ConflictError,
    Event,
    GameRow,
    JoinEvent,
    Listed,
    OpenChallenge,
    Profile,
    ProfileSeat,
    Store,
    StoreError,
    StoreFullError,
    WriteInDoubtError,
)
from .bus import Bus
from .watch import Stamp, Watch

P = ParamSpec("P")
T = TypeVar("T")

MOST_BYTES = 10_000_000_000
"""The usual size from which a store takes no new games and records."""
LEAST_FREE = 256_000_000
"""Bytes that new games and records leave free on the disk, so that those under way can be played to the end."""
_PART_FREE = 20  # of a small disk so large a part, the twentieth, if that is less
_LOOK_AGAIN = 5.0  # seconds for which the size is believed


class GuardedStore(Store):
    """Passes everything on to another store. New games and records are refused where they would fill it; events are
    not, so that every game can be played to its end."""

    def __init__(self, store: Store, metrics: Metrics, most: int = MOST_BYTES) -> None:
        """``most``: the bytes from which on nothing new is taken."""
        self._store, self._metrics, self._most = store, metrics, most
        self._looked, self._full = float("-inf"), False

    @contextmanager
    def _measured(self, operation: str) -> Iterator[None]:
        try:
            with self._metrics.store(operation):
                yield
        except (ConflictError, StoreFullError):
            raise
        except StoreError as error:
            self._metrics.failed(in_doubt=isinstance(error, WriteInDoubtError))
            raise

    def _do(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        with self._measured(call.__name__):
            return call(*args, **kwargs)

    def _require_room(self) -> None:
        """Check that there is room for something new.

        Raises:
            StoreFullError: there is none.
        """
        now = time.monotonic()
        if now - self._looked > _LOOK_AGAIN:
            free, total = self._store.disk() or (LEAST_FREE, LEAST_FREE)
            self._looked = now
            self._full = self._store.size() >= self._most or free < min(LEAST_FREE, total // _PART_FREE)
        if self._full:
            raise StoreFullError(self._store.no_room())

    @property
    def place(self) -> str:
        return self._store.place

    def bus(self) -> Bus:
        return self._store.bus()

    def close(self) -> None:
        self._store.close()

    def create(self, game: GameRow, challenge: Challenge | None = None) -> None:
        self._require_room()
        self._do(self._store.create, game, challenge)

    def follow(self, game: GameRow, previous: str, seq: int) -> str:
        return self._do(self._store.follow, game, previous, seq)

    def match(self, match: str) -> list[str]:
        return self._do(self._store.match, match)

    def load(self, game_id: str, after: int = 0) -> tuple[GameRow, list[Event]] | None:
        return self._do(self._store.load, game_id, after)

    def append(self, game_id: str, event: Event) -> None:
        self._do(self._store.append, game_id, event)

    def secret(self, name: str) -> str:
        return self._store.secret(name)

    def save_record(self, record_id: str, text: str) -> None:
        self._require_room()
        self._do(self._store.save_record, record_id, text)

    def load_record(self, record_id: str) -> str | None:
        return self._do(self._store.load_record, record_id)

    def beat(self, now: Stamp, own: Stamp | None, known: int) -> list[Watch]:
        return self._store.beat(now, own, known)

    def challenges(self, most: int) -> list[OpenChallenge]:
        return self._do(self._store.challenges, most)

    def prolong(self, games: Iterable[str], seconds: float) -> None:
        self._do(self._store.prolong, games, seconds)

    def withdraw(self, game_id: str) -> None:
        self._do(self._store.withdraw, game_id)

    def make_profile(self, profile: str) -> None:
        self._require_room()
        self._do(self._store.make_profile, profile)

    def profile(self, profile: str) -> Profile | None:
        return self._do(self._store.profile, profile)

    def add_seats(self, profile: str, seats: Iterable[ProfileSeat], most: int) -> None:
        self._require_room()
        self._do(self._store.add_seats, profile, seats, most)

    def granted(self, token: str) -> str | None:
        return self._do(self._store.granted, token)

    def delete_profile(self, profile: str) -> bool:
        return self._do(self._store.delete_profile, profile)

    def idle_profiles(self, empty: float, unused: float) -> list[str]:
        return self._store.idle_profiles(empty, unused)

    def forget_seats(self, keys: Iterable[str]) -> None:
        self._store.forget_seats(keys)

    def size(self) -> int:
        return self._store.size()

    def size_or_nan(self) -> float:
        """The size for the metrics: not a number while the store fails."""
        try:
            return float(self._store.size())
        except StoreError:
            return float("nan")

    def disk(self) -> tuple[int, int] | None:
        return self._store.disk()

    def no_room(self) -> str:
        return self._store.no_room()

    def games(self, after: str = "", most: int = 200) -> list[Activity]:
        return self._store.games(after, most)

    def records(self, after: str = "", most: int = 200) -> list[tuple[str, float]]:
        return self._store.records(after, most)

    def delete(self, whole: str, events: int | None = None) -> bool:
        return self._do(self._store.delete, whole, events)

    def delete_record(self, record_id: str) -> bool:
        return self._do(self._store.delete_record, record_id)

    def made_by(self, owner: str) -> list[str]:
        return self._store.made_by(owner)

    def with_term(self, text: str) -> list[str]:
        return self._store.with_term(text)

    def joins(self) -> list[JoinEvent]:
        return self._store.joins()

    def rewrite(self, game: GameRow, joins: Iterable[JoinEvent]) -> None:
        self._do(self._store.rewrite, game, joins)

    def ids(self, table: Listed, past: str | None = None, *, backwards: bool = False) -> list[str]:
        return self._store.ids(table, past, backwards=backwards)

    def defects(self) -> list[str]:
        return self._store.defects()

    def back_up(self, file: Path) -> None:
        self._store.back_up(file)
