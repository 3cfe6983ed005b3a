"""The store: the events of all games, behind one interface.

The events define a game; its position is computed by replaying them. An append returns only once the event is durable,
so an acknowledged move survives a killed process and a power failure. :mod:`.sqlite` stores them in a file,
:mod:`.postgres` in a database that several servers share.
"""

from __future__ import annotations

import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from ....i18n import _
from ....spec.board import Side
from .bus import Bus, LocalBus
from .watch import Stamp, Watch, boot


def new_id(size: int = 16) -> str:
    """An unguessable id of that many random bytes, for a game or a shared record.

    It is safe in a link, and on a command line, where an argument that begins with a hyphen is read as an option.
    """
    while (made := secrets.token_urlsafe(size)).startswith("-"):
        pass
    return made


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game as it was created.

    Attributes:
        version: of the variant's rules.
        seats: the occupants by side.
        match: the id of the match, which is that of its first game; ``None`` for a single game.
        number: its number in the match, from 1.
        position: the position string of the start; ``None``: the variant's own start.
        terms: further terms, as JSON; the store reads only whether they are of the right kinds.
        owner: the id of the creator's browser, ``None`` if unknown.
        created: the time of its creation, in seconds of wall-clock time.
    """

    id: str
    variant: str
    version: str
    options: Mapping[str, str]
    seats: Mapping[Side, str]
    match: str | None = None
    number: int | None = None
    position: str | None = None
    terms: Mapping[str, Any] = field(default_factory=dict)
    owner: str | None = None
    created: float = field(default_factory=time.time)


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a game, stamped with the present time by default.

    Attributes:
        seq: its number in the game, from 1 without gaps.
        kind: ``move``, for example. ``payload``: the data needed to replay it, as JSON.
        command: the client's id of the command that caused it, ``None`` for the engine's moves.
        at: the time, in seconds of wall-clock time.
        mono: the time on the machine's monotonic clock, in seconds; ``None`` if unknown.
        boot: the boot of that machine (:func:`boot`).
    """

    seq: int
    kind: str
    payload: Mapping[str, Any]
    command: str | None = None
    at: float = field(default_factory=time.time)
    mono: float | None = field(default_factory=time.monotonic)
    boot: str | None = field(default_factory=boot)


Listed = Literal["game", "record", "profile"]
"""Tables of a store whose rows have ids."""


class Activity(NamedTuple):
    """When a game was last played.

    Attributes:
        whole: the id of its match, or its own.
        moved: it has had a move, even if it was taken back. ``events``: their number.
        last: the time of the last event, or else of its creation.
    """

    id: str
    whole: str
    moved: bool
    events: int
    last: float


class JoinEvent(NamedTuple):
    """The event by which a guest joined a game."""

    game: str
    seq: int
    payload: Mapping[str, Any]


Time = Annotated[float, msgspec.Meta(ge=-1e11, le=1e11)]
"""Seconds that a clock may show."""
USED_TO = 86_400.0
"""Seconds to which the time of a profile's last use is kept."""


class ProfileSeat(NamedTuple):
    """A seat that the bearer of a profile key may take.

    Attributes:
        game: its id. ``variant``: of the game.
        sides: those that the seat plays, ``b``, ``w`` or ``bw``.
        key: the digest of the seat's token. ``token``: that of the profile's own token for it.
    """

    game: str
    variant: str
    sides: str
    key: str
    token: str


class Sealed(NamedTuple):
    """What a browser keeps under a profile, encrypted by a key that the server does not know.

    Attributes:
        number: how often it was written. ``text``: in base64, empty before it was written first.
    """

    number: int
    text: str


class Profile(NamedTuple):
    """The seats of a person in many games, the oldest game first, under the digest of a key.

    Attributes:
        created: the time it was made. ``used``: that of its last use, to a day.
    """

    id: str
    created: float
    used: float
    seats: list[ProfileSeat]


class Challenge(NamedTuple):
    """A place in the lobby for a game with an open seat.

    Attributes:
        maker: stands for the address of whoever made it.
        seconds: it is listed for so long, unless that is prolonged.
    """

    maker: str
    seconds: float


class OpenChallenge(NamedTuple):
    """A game in the lobby, and who made it."""

    game: GameRow
    maker: str


class LiveRow(NamedTuple):
    """A live study as it stands, without the records of its chapters.

    Attributes:
        key: the digest of its maker's key. ``maker``: stands for the address of whoever made it.
        until: the time at which it ends.
        number: how often it was written. ``shown``: JSON, which the store does not read.
    """

    id: str
    key: str
    maker: str
    until: float
    number: int
    shown: str


class ConflictError(Exception):
    """A write conflicts with stored data, for example because another process has appended to the game.

    Nothing was written.
    """


class StoreError(Exception):
    """The store cannot be opened, read or written. Nothing was written."""


class DamagedError(StoreError):
    """Something stored cannot be read, and never will be: the message says what and why."""


class StoreFullError(StoreError):
    """The store takes no more games and records; those that are there go on."""


class WriteInDoubtError(StoreError):
    """The store failed in a write, of which it is not known whether it was done."""


class Store(ABC):
    """Games, their events, and shared records.

    Every method may be called from any thread, blocks on the disk, and raises :class:`StoreError` if the disk or the
    database fails. Writes are durable on return.
    """

    @property
    @abstractmethod
    def place(self) -> str:
        """A description of its place for the administrator, without secrets."""

    def bus(self) -> Bus:
        """The bus that connects the servers sharing the store."""
        return LocalBus()

    @abstractmethod
    def close(self) -> None:
        """Close the store; it cannot be used afterwards."""

    @abstractmethod
    def create(self, game: GameRow, challenge: Challenge | None = None) -> None:
        """Write a new game, and with a challenge list it in the lobby. Writing the same game again does nothing.

        Raises:
            ConflictError: another game has that id.
        """

    @abstractmethod
    def follow(self, game: GameRow, previous: str, seq: int) -> str:
        """Write the next game of a match, unless it exists; the id of the one that exists then.

        From then on no events can be appended to the previous game.

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
        """A game with its events after that number, in order; ``None`` if no game has that id.

        Raises:
            DamagedError: something of it is not what it should be, or an event is missing.
        """

    @abstractmethod
    def append(self, game_id: str, event: Event) -> None:
        """Write the game's next event.

        Raises:
            ConflictError: an event has its number or its command already, or the next game of its match exists.
        """

    @abstractmethod
    def secret(self, name: str) -> str:
        """The secret of that name, shared by the servers of the store; made when it is first asked for."""

    @abstractmethod
    def save_record(self, record_id: str, text: str) -> None:
        """Store a record. Storing the same record again does nothing.

        Raises:
            ConflictError: another record has that id.
        """

    @abstractmethod
    def load_record(self, record_id: str) -> str | None:
        """The text of a record; ``None`` if no record has that id."""

    @abstractmethod
    def beat(self, now: Stamp, own: Stamp | None, known: int) -> list[Watch]:
        """Write a server's heartbeat; the watches from number ``known`` on.

        Args:
            own: the heartbeat of that server before this one.
        """

    # --- The lobby ---

    @abstractmethod
    def challenges(self, most: int) -> list[OpenChallenge]:
        """The games in the lobby in which nothing has happened, the latest first: at most so many."""

    @abstractmethod
    def prolong(self, games: Iterable[str], seconds: float) -> None:
        """List these games for so many seconds more, from now, if they have ever been in the lobby."""

    @abstractmethod
    def withdraw(self, game_id: str) -> None:
        """Take a game out of the lobby for good."""

    # --- Profiles ---

    @abstractmethod
    def make_profile(self, profile: str) -> None:
        """Write a new profile without seats. Writing the same one again does nothing."""

    @abstractmethod
    def profile(self, profile: str) -> Profile | None:
        """The profile with that id, the digest of its key."""

    @abstractmethod
    def add_seats(self, profile: str, seats: Iterable[ProfileSeat], most: int) -> None:
        """Add seats to a profile, which is in use; beyond ``most`` those in the oldest games leave it.

        Raises:
            ConflictError: the profile or a game has been deleted.
        """

    @abstractmethod
    def memory(self, profile: str) -> Sealed | None:
        """What the bearer of a profile's key keeps under it; ``None`` if there is no such profile."""

    @abstractmethod
    def keep_memory(self, profile: str, after: int, text: str) -> bool:
        """Replace what is kept under a profile, which is in use; false if it has another number than ``after``."""

    @abstractmethod
    def granted(self, token: str) -> str | None:
        """The key of the seat for which a profile has a token with that digest."""

    @abstractmethod
    def delete_profile(self, profile: str) -> bool:
        """Delete a profile; false if it was not there."""

    # --- Live studies ---

    @abstractmethod
    def make_live(self, live: LiveRow, chapters: Mapping[str, str]) -> None:
        """Write a new live study with the records of its chapters by their ids; those that are over are deleted."""

    @abstractmethod
    def lives(self) -> list[LiveRow]:
        """The live studies that there are, those that end first before others."""

    @abstractmethod
    def live(self, live: str) -> LiveRow | None:
        """The live study with that id, unless it is over."""

    @abstractmethod
    def live_chapter(self, live: str, chapter: str) -> str | None:
        """The record of a chapter."""

    @abstractmethod
    def show_live(self, live: LiveRow, chapters: Mapping[str, str], gone: Iterable[str]) -> bool:
        """Replace what is shown, write some chapters and delete others; false, and nothing is written, if the number
        that is stored is not the one before."""

    @abstractmethod
    def end_live(self, live: str) -> None:
        """Delete a live study."""

    # --- Upkeep ---

    @abstractmethod
    def idle_profiles(self, empty: float, unused: float) -> list[str]:
        """The ids of profiles made before the one time that keep nothing, and of those last used before the other."""

    @abstractmethod
    def forget_seats(self, keys: Iterable[str]) -> None:
        """Delete the seats with these keys from all profiles."""

    @abstractmethod
    def size(self) -> int:
        """The bytes that the games and records take; what deleted ones have left free is not counted, where the
        database says so."""

    @abstractmethod
    def disk(self) -> tuple[int, int] | None:
        """The bytes free on the disk of the store, and all; ``None`` if that is not known."""

    def no_room(self) -> str:
        """The reason why nothing new is taken where there is no room, for the person here."""
        return _("this server has no room for new games and records at present")

    @abstractmethod
    def games(self, after: str = "", most: int = 200) -> list[Activity]:
        """The next games by id."""

    @abstractmethod
    def records(self, after: str = "", most: int = 200) -> list[tuple[str, float]]:
        """The next records by id, with the times of their creation."""

    @abstractmethod
    def delete(self, whole: str, events: int | None = None) -> bool:
        """Delete a game that belongs to no match, or a whole match with all its games.

        Args:
            whole: the id of the game or match.
            events: the number of its events; it is not deleted if there are others by now.

        Returns:
            True if it was there and is deleted.
        """

    @abstractmethod
    def delete_record(self, record_id: str) -> bool:
        """Delete a record; false if it was not there."""

    @abstractmethod
    def made_by(self, owner: str) -> list[str]:
        """The ids of the games whose creator's browser has that id."""

    @abstractmethod
    def with_term(self, text: str) -> list[str]:
        """The ids of the games in whose terms that text occurs."""

    @abstractmethod
    def joins(self) -> list[JoinEvent]:
        """The events by which guests joined games."""

    @abstractmethod
    def rewrite(self, game: GameRow, joins: Iterable[JoinEvent]) -> None:
        """Replace the terms and the owner of a game, and the payloads of some of its events."""

    @abstractmethod
    def ids(self, table: Listed, past: str | None = None, *, backwards: bool = False) -> list[str]:
        """Some hundred ids after ``past`` in order, or before it. Nothing else is read, for that may be damaged."""

    def every(self, table: Listed, report: Callable[[str], object]) -> Iterator[str]:
        """All ids that can be read: where the list is broken, those before and those behind.

        Args:
            report: called with a line about each defect.
        """
        seen = set[str]()
        for backwards in (False, True):
            past: str | None = None
            try:
                while some := self.ids(table, past, backwards=backwards):
                    past = some[-1]
                    yield from (id for id in some if id not in seen)
                    seen.update(some)
                return
            except DamagedError as error:
                end, way = ("end", "before") if backwards else ("beginning", "after")
                report(f"the list of {table}s is broken {way} {past or 'its ' + end}: {error}")

    @abstractmethod
    def defects(self) -> list[str]:
        """Defects that the database itself finds, each in a line."""

    def back_up(self, file: Path) -> None:
        """Write a copy of the store to a file that does not exist yet, while servers go on.

        Raises:
            StoreError: it fails, or the database has a program of its own for that.
        """
        raise StoreError("this store has no copies in a file")
