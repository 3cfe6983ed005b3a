"""All games of a store as data, and back: for a browser, whose files nobody copies."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from ....spec.board import Side
from ..store import ConflictError, DamagedError, Event, GameRow, Store, Time
from .replay import RefusedError, Stored
from .state import GameState

log = logging.getLogger(__name__)

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=r"^[\w-]+$")]


class BackedUpEvent(msgspec.Struct, forbid_unknown_fields=True):
    """An event of a game, as :class:`..store.Event`; times of the monotonic clock mean nothing elsewhere."""

    seq: int
    kind: str
    payload: dict[str, Any]
    command: str | None
    at: Time


class BackedUpGame(msgspec.Struct, forbid_unknown_fields=True):
    """A game, as :class:`..store.GameRow`, with its events."""

    id: Id
    variant: str
    version: str
    options: dict[str, str]
    seats: dict[Side, str]
    match: Id | None
    number: int | None
    position: str | None
    terms: dict[str, Any]
    created: Time
    events: list[BackedUpEvent]

    @property
    def row(self) -> GameRow:
        """The game as the store has it."""
        settled = (self.id, self.variant, self.version, self.options, self.seats)
        return GameRow(*settled, self.match, self.number, self.position, self.terms, None, self.created)

    @property
    def stored(self) -> list[Event]:
        """The events as the store has them."""
        return [Event(one.seq, one.kind, one.payload, one.command, one.at, None, None) for one in self.events]


class Backup(msgspec.Struct, forbid_unknown_fields=True):
    """All games of a store, those of a match in order."""

    games: list[BackedUpGame]
    format: Annotated[int, msgspec.Meta(ge=1, le=1)] = 1


class Restored(msgspec.Struct):
    """The outcome of a restoration: numbers of games that were added, and of those that could not be read."""

    games: int
    unreadable: int


def _backed_up(row: GameRow, events: list[Event]) -> BackedUpGame:
    settled = (row.id, row.variant, row.version, dict(row.options), _seats(row.seats))
    kept = [BackedUpEvent(one.seq, one.kind, dict(one.payload), one.command, one.at) for one in events]
    return BackedUpGame(*settled, row.match, row.number, row.position, dict(row.terms), row.created, kept)


def _seats(seats: Mapping[Side, str]) -> dict[Side, str]:
    return dict(seats)


def back_up(store: Store) -> Backup:
    """All games of a store but those that are damaged, which the log names. Blocks on the store."""
    found = []
    for id in store.every("game", log.error):
        try:
            loaded = store.load(id)
        except DamagedError as error:
            log.error("a game is damaged, and not in the backup: %s", error, extra={"game": id})
        else:
            found += [] if loaded is None else [_backed_up(*loaded)]
    return Backup(sorted(found, key=lambda game: (game.match or game.id, game.number or 0)))


def restore(store: Store, backup: Backup) -> Restored:
    """Write the games that a store does not have yet, each with its events. Blocks on the store.

    Games that cannot be replayed are left out.

    Raises:
        StoreError: the store fails; the games before that are there.
    """
    restored = Restored(0, 0)
    for game in sorted(backup.games, key=lambda game: (game.match or game.id, game.number or 0)):
        try:
            if store.load(game.id) is not None:
                continue
            if [event.seq for event in game.events] != list(range(1, len(game.events) + 1)):
                raise RefusedError
            GameState(Stored(game.row, game.stored))
            store.create(game.row)
            for event in game.stored:
                store.append(game.id, event)
        except (RefusedError, ConflictError, DamagedError):
            restored.unreadable += 1
        else:
            restored.games += 1
    return restored
