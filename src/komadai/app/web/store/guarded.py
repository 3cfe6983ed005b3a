"""A store that takes nothing new when it is full, and whose work is measured."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from typing import Any

from ..metrics import Metrics
from . import ConflictError, Store, StoreError, StoreFullError, WriteInDoubtError

MOST_BYTES = 10_000_000_000
"""The usual size from which a store takes no new games and records."""
LEAST_FREE = 256_000_000
"""Bytes that new games and records leave free on the disk, so that those under way can be played to the end."""
_PART_FREE = 20  # of a small disk so large a part, the twentieth, if that is less
_LOOK_AGAIN = 5.0  # seconds for which the size is believed

_NEW = ("create", "save_record", "make_profile", "add_seats", "keep_memory", "make_live")
_MEASURED = (
    *_NEW,
    *("append", "challenges", "delete", "delete_profile", "delete_record", "follow", "granted", "load", "load_record"),
    *("match", "memory", "profile", "prolong", "rewrite", "withdraw"),
    *("end_live", "live", "live_chapter", "lives", "show_live"),
)


class _Room:
    """Whether a store has room for something new."""

    def __init__(self, store: Store, most: int) -> None:
        self._store, self._most = store, most
        self._looked, self._full = float("-inf"), False

    def require(self) -> None:
        """Check that there is room.

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


def guarded(store: Store, metrics: Metrics, most: int = MOST_BYTES) -> Store:
    """The store itself, whose work is measured from now on.

    New games and records are refused where they would fill it; events are not, so that every game can be played to its
    end.

    Args:
        most: the bytes from which on nothing new is taken.
    """
    room = _Room(store, most)
    for name in _MEASURED:
        setattr(store, name, _measured(getattr(store, name), metrics, room if name in _NEW else None))
    return store


def _measured(call: Callable[..., Any], metrics: Metrics, room: _Room | None) -> Callable[..., Any]:
    @wraps(call)
    def measured(*args: Any, **kwargs: Any) -> Any:
        if room is not None:
            room.require()
        try:
            with metrics.store(call.__name__):
                return call(*args, **kwargs)
        except (ConflictError, StoreFullError):
            raise
        except StoreError as error:
            metrics.failed(in_doubt=isinstance(error, WriteInDoubtError))
            raise

    return measured


def size_or_nan(store: Store) -> float:
    """The size for the metrics: not a number while the store fails."""
    try:
        return float(store.size())
    except StoreError:
        return float("nan")
