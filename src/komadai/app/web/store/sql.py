"""The tables and queries of the stores, in SQL for both SQLite and PostgreSQL."""

from __future__ import annotations

import secrets
import time
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any, Literal, TypedDict, TypeVar

import msgspec

from . import (
    USED_TO,
    Activity,
    Challenge,
    ConflictError,
    DamagedError,
    Event,
    GameRow,
    JoinEvent,
    Listed,
    LiveRow,
    OpenChallenge,
    Profile,
    ProfileSeat,
    Sealed,
    Store,
    StoreError,
    Time,
    WriteInDoubtError,
)
from .watch import Stamp, Watch, continued

T = TypeVar("T")

Statement = tuple[str, Sequence[Any]]
"""SQL with ``?`` as placeholders, and the values."""

_GAME = "id, variant, version, options, seats, match, number, position, terms, owner, created"
_GAME_VALUES = ", ".join("?" for _ in _GAME.split(","))
_EVENT = "seq, kind, payload, command, at, mono, boot"
_WATCH = "number, at, mono, boot, last_at, last_mono, last_boot, seen"
_LIVE = "id, key, maker, until, number, shown"
_WATCHES = 1000  # kept: a game whose clock has run for longer is over
_KEPT = 7 * 86_400.0  # seconds for which a game that has left the lobby may come back into it
_WHOLE = "(SELECT id FROM game WHERE id = ? OR match = ?)"


def tables(real: str, table: str = "", events: str = "") -> tuple[str, ...]:
    """The statements that make all tables but that of games, in their oldest format.

    Args:
        real: the type of times. ``table`` and ``events``: what ends the statement of a table, and of that of events.
    """
    return (
        # The id of a match is that of its first game. Each of its games has at most one successor, which closes it.
        "CREATE UNIQUE INDEX game_match ON game (match, number) WHERE match IS NOT NULL",
        f"""
CREATE TABLE event (
    game TEXT NOT NULL REFERENCES game (id),
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    command TEXT,
    at {real} NOT NULL,
    mono {real},
    boot TEXT,
    PRIMARY KEY (game, seq)
){events}
""",
        "CREATE UNIQUE INDEX event_command ON event (game, command) WHERE command IS NOT NULL",
        f"CREATE TABLE record (id TEXT PRIMARY KEY, text TEXT NOT NULL, created {real} NOT NULL){table}",
        f"CREATE TABLE secret (name TEXT PRIMARY KEY, value TEXT NOT NULL){table}",
        # The seats of a person in many games, under the digest of a key.
        f"CREATE TABLE profile (id TEXT PRIMARY KEY, created {real} NOT NULL, used {real} NOT NULL){table}",
        f"""
CREATE TABLE profile_seat (
    profile TEXT NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
    game TEXT NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    sides TEXT NOT NULL,
    key TEXT NOT NULL,
    token TEXT NOT NULL UNIQUE,
    PRIMARY KEY (profile, game)
){table}
""",
        "CREATE INDEX profile_seat_game ON profile_seat (game)",
        "CREATE INDEX profile_seat_key ON profile_seat (key)",
        # Games with an open seat that stand in the lobby.
        f"""
CREATE TABLE challenge (
    game TEXT PRIMARY KEY REFERENCES game (id) ON DELETE CASCADE,
    maker TEXT NOT NULL,
    until {real} NOT NULL
){table}
""",
    )


def watches(real: str, table: str = "") -> tuple[str, ...]:
    """The statement that makes the table of when servers were there; arguments as of :func:`tables`."""
    return (
        f"""
CREATE TABLE watch (
    number INTEGER PRIMARY KEY,
    at {real} NOT NULL,
    mono {real} NOT NULL,
    boot TEXT NOT NULL,
    last_at {real} NOT NULL,
    last_mono {real} NOT NULL,
    last_boot TEXT NOT NULL,
    seen {real} NOT NULL
){table}
""",
    )


def memories() -> tuple[str, ...]:
    """The statements that give profiles a memory: what a browser has encrypted, in base64, and how often it did."""
    return (
        "ALTER TABLE profile ADD COLUMN memory TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE profile ADD COLUMN written INTEGER NOT NULL DEFAULT 0",
    )


def lives(real: str, table: str = "") -> tuple[str, ...]:
    """The statements that make the tables of live studies; arguments as of :func:`tables`."""
    return (
        f"""
CREATE TABLE live (
    id TEXT PRIMARY KEY,
    key TEXT NOT NULL,
    maker TEXT NOT NULL,
    until {real} NOT NULL,
    number INTEGER NOT NULL,
    shown TEXT NOT NULL
){table}
""",
        f"""
CREATE TABLE live_chapter (
    live TEXT NOT NULL REFERENCES live (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (live, id)
){table}
""",
    )


class SqlStore(Store):
    """A store in a database; subclasses run the statements."""

    FOR_UPDATE = ""
    """Suffix of a query that locks the rows found until the transaction ends."""

    def __init__(self) -> None:
        self._secrets: dict[str, str] = {}  # they never change

    @abstractmethod
    def _read(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """The rows of a query.

        Raises:
            StoreError: the database fails.
        """

    def _notice(self, whole: str) -> list[Statement]:
        """Statements that let other servers read a game or match anew."""
        return []

    @abstractmethod
    def _write(self, *statements: Statement) -> None:
        """Run the statements in one transaction, which is durable on return.

        Raises:
            ConflictError: it violates a constraint.
            StoreError: the database fails.
        """

    def create(self, game: GameRow, challenge: Challenge | None = None) -> None:
        listed: list[Statement] = []
        if challenge is not None:
            now = time.time()
            gone = "DELETE FROM challenge WHERE until < ? OR EXISTS (SELECT 1 FROM event WHERE game = challenge.game)"
            values = (game.id, challenge.maker, now + challenge.seconds)
            listed.append((gone, (now - _KEPT,)))
            listed.append(("INSERT INTO challenge (game, maker, until) VALUES (?, ?, ?)", values))
        try:
            self._write((f"INSERT INTO game ({_GAME}) VALUES ({_GAME_VALUES})", _game_values(game)), *listed)
        except ConflictError:
            found = _read_back(self.load, game.id)
            if found is None or found[0] != game:
                raise

    def follow(self, game: GameRow, previous: str, seq: int) -> str:
        assert game.match is not None
        assert game.number is not None
        self._write(
            # Lock the previous game: nobody may append to it during the transaction.
            (f"SELECT 1 FROM game WHERE id = ?{self.FOR_UPDATE}", (previous,)),
            (
                f"INSERT INTO game ({_GAME}) SELECT {_GAME_VALUES} "
                "WHERE (SELECT coalesce(max(seq), 0) FROM event WHERE game = ?) = ? ON CONFLICT DO NOTHING",
                (*_game_values(game), previous, seq),
            ),
        )
        found = _read_back(self.match, game.match)[game.number - 1 :]
        if not found:
            raise ConflictError(f"game {previous} has gone on")
        return found[0]

    def match(self, match: str) -> list[str]:
        return [row[0] for row in self._read("SELECT id FROM game WHERE match = ? ORDER BY number", match)]

    def load(self, game_id: str, after: int = 0) -> tuple[GameRow, list[Event]] | None:
        found = self._read(f"SELECT {_GAME} FROM game WHERE id = ?", game_id)
        if not found:
            return None
        events = self._read(f"SELECT {_EVENT} FROM event WHERE game = ? AND seq > ? ORDER BY seq", game_id, after)
        return _game(*found[0]), [_event(number, *row) for number, row in enumerate(events, after + 1)]

    def append(self, game_id: str, event: Event) -> None:
        payload = _json(event.payload)
        values = (game_id, event.seq, event.kind, payload, event.command, event.at, event.mono, event.boot)
        self._write((f"INSERT INTO event (game, {_EVENT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values))

    def secret(self, name: str) -> str:
        if name not in self._secrets:
            made = secrets.token_urlsafe(32)
            self._write(("INSERT INTO secret (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", (name, made)))
            found = self._read("SELECT value FROM secret WHERE name = ?", name)[0][0]
            self._secrets[name] = _checked(f"the secret {name}", found, _Secret)
        return self._secrets[name]

    def save_record(self, record_id: str, text: str) -> None:
        values = (record_id, text, time.time())
        self._write(("INSERT INTO record (id, text, created) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", values))
        if _read_back(self.load_record, record_id) != text:
            raise ConflictError(f"another record has the id {record_id}")

    def load_record(self, record_id: str) -> str | None:
        found = self._read("SELECT text FROM record WHERE id = ?", record_id)
        return _checked("its text", found[0][0], str) if found else None

    def _odd_rows(self) -> list[str]:
        """Rows with odd values, of the tables whose rows are used each by itself."""
        found = []
        for table, (columns, kind) in _ROWS.items():
            for row in self._read(f"SELECT {columns} FROM {table}"):
                try:
                    _checked(f"{table} {shown(row[0])}", row, kind)
                except DamagedError as error:
                    found.append(str(error))
        return found

    # --- Heartbeats ---

    def _clock(self) -> float:
        """The time by the clock that all servers of the store share."""
        return time.time()

    def beat(self, now: Stamp, own: Stamp | None, known: int) -> list[Watch]:
        newest = next(iter(self._watches("ORDER BY number DESC LIMIT 1")), None)
        for watch in continued(newest, now, own, self._clock()):
            if newest is not None and watch.number == newest.number:
                self._prolong(watch)
            else:
                self._begin_watch(watch)
        return self._watches("WHERE number >= ? ORDER BY number", known)

    def _watches(self, which: str, *values: Any) -> list[Watch]:
        found = self._read(f"SELECT {_WATCH} FROM watch {which}", *values)
        sound = []
        for row in found:
            try:
                number, *began, at, mono, boot, seen = _checked("", row, _Watch)
            except DamagedError:  # of what is before it nothing is known, then
                self._write(("DELETE FROM watch WHERE number <= ?", (row[0],)))
                return self._watches(which, *values)
            sound.append(Watch(number, Stamp(*began), Stamp(at, mono, boot), seen))
        return sound

    def _prolong(self, watch: Watch) -> None:
        """Write the latest heartbeat of a watch."""
        self._write(prolonging(watch))

    def _begin_watch(self, watch: Watch) -> None:
        """Write a new watch, unless another server has just begun it."""
        values = (watch.began.at, watch.began.mono, watch.began.boot, watch.last.at, watch.last.mono, watch.last.boot)
        add = f"INSERT INTO watch ({_WATCH}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        prune = "DELETE FROM watch WHERE number <= ?"
        self._write((add, (watch.number, *values, watch.seen)), (prune, (watch.number - _WATCHES,)))

    # --- The lobby ---

    def challenges(self, most: int) -> list[OpenChallenge]:
        found = self._read(
            f"SELECT maker, {_GAME} FROM challenge JOIN game ON id = game WHERE until > ? "
            "AND NOT EXISTS (SELECT 1 FROM event WHERE event.game = challenge.game) ORDER BY created DESC LIMIT ?",
            time.time(),
            most,
        )
        listed = []
        for maker, *row in found:
            with suppress(DamagedError):  # the others are listed
                listed.append(OpenChallenge(_game(*row), maker))
        return listed

    def prolong(self, games: Iterable[str], seconds: float) -> None:
        until = time.time() + seconds
        later = "UPDATE challenge SET until = ? WHERE game = ? AND until < ?"
        self._write(*((later, (until, game, until)) for game in games))

    def withdraw(self, game_id: str) -> None:
        self._write(("DELETE FROM challenge WHERE game = ?", (game_id,)))

    # --- Profiles ---

    def make_profile(self, profile: str) -> None:
        now = time.time()
        values = (profile, now, now)
        self._write(("INSERT INTO profile (id, created, used) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", values))

    def profile(self, profile: str) -> Profile | None:
        found = self._read("SELECT id, created, used FROM profile WHERE id = ?", profile)
        seats = self._read(
            "SELECT game, variant, sides, key, token FROM profile_seat JOIN game ON game.id = game "
            "WHERE profile = ? ORDER BY created, game",
            profile,
        )
        if not found:
            return None
        [(id, created, used)] = found
        _checked("its times", (created, used), tuple[Time, Time])
        sound = [_checked("a seat", seat, tuple[str, str, Literal["b", "w", "bw"], str, str]) for seat in seats]
        return Profile(id, created, used, [ProfileSeat(*seat) for seat in sound])

    def add_seats(self, profile: str, seats: Iterable[ProfileSeat], most: int) -> None:
        now = time.time()
        add = (
            "INSERT INTO profile_seat (profile, game, sides, key, token) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT (profile, game) DO UPDATE SET sides = excluded.sides, key = excluded.key"
        )
        self._write(
            ("UPDATE profile SET used = ? WHERE id = ? AND used < ?", (now, profile, now - USED_TO)),
            *((add, (profile, seat.game, seat.sides, seat.key, seat.token)) for seat in seats),
            (
                "DELETE FROM profile_seat WHERE profile = ? AND game NOT IN (SELECT game FROM profile_seat "
                "JOIN game ON game.id = game WHERE profile = ? ORDER BY created DESC, game LIMIT ?)",
                (profile, profile, most),
            ),
        )

    def memory(self, profile: str) -> Sealed | None:
        found = self._read("SELECT written, memory FROM profile WHERE id = ?", profile)
        return Sealed(*_checked("its memory", found[0], tuple[int, str])) if found else None

    def keep_memory(self, profile: str, after: int, text: str) -> bool:
        update = "UPDATE profile SET memory = ?, written = written + 1, used = ? WHERE id = ? AND written = ?"
        self._write((update, (text, time.time(), profile, after)))
        # Nobody else writes the same text: each is encrypted with a number drawn by lot.
        return _read_back(self.memory, profile) == Sealed(after + 1, text)

    def granted(self, token: str) -> str | None:
        found = self._read("SELECT key FROM profile_seat WHERE token = ?", token)
        return _checked("a seat", found[0][0], str) if found else None

    def delete_profile(self, profile: str) -> bool:
        found = bool(self._read("SELECT 1 FROM profile WHERE id = ?", profile))
        notices = self._notices("profile", profile)
        self._write(("DELETE FROM profile WHERE id = ?", (profile,)), *notices)
        return found

    # --- Live studies ---

    def _live_notice(self, live: str, ahead: int = 0) -> list[Statement]:
        """Statements that let other servers read a live study; ``ahead``: by how much its number will be higher."""
        return []

    def make_live(self, live: LiveRow, chapters: Mapping[str, str]) -> None:
        self._write(
            ("DELETE FROM live WHERE until < ?", (time.time(),)),
            (f"INSERT INTO live ({_LIVE}) VALUES (?, ?, ?, ?, ?, ?)", tuple(live)),
            *(_chapter(live.id, id, text) for id, text in chapters.items()),
        )

    def lives(self) -> list[LiveRow]:
        rows = self._read(f"SELECT {_LIVE} FROM live WHERE until > ? ORDER BY until", time.time())
        return [LiveRow(*_checked("a live study", row, _Live)) for row in rows]

    def live(self, live: str) -> LiveRow | None:
        found = self._read(f"SELECT {_LIVE} FROM live WHERE id = ? AND until > ?", live, time.time())
        return LiveRow(*_checked("a live study", found[0], _Live)) if found else None

    def live_chapter(self, live: str, chapter: str) -> str | None:
        found = self._read("SELECT text FROM live_chapter WHERE live = ? AND id = ?", live, chapter)
        return _checked("a chapter", found[0][0], str) if found else None

    def show_live(self, live: LiveRow, chapters: Mapping[str, str], gone: Iterable[str]) -> bool:
        former, now = self.live(live.id), live.number
        if former is None or former.number != now - 1:
            return False
        # A number that another server has just written is written again: that violates a constraint.
        update = "UPDATE live SET shown = ?, number = CASE number WHEN ? THEN ? END WHERE id = ?"
        try:
            self._write(
                (update, (live.shown, now - 1, now, live.id)),
                *(("DELETE FROM live_chapter WHERE live = ? AND id = ?", (live.id, id)) for id in (*gone, *chapters)),
                *(_chapter(live.id, id, text) for id, text in chapters.items()),
                *self._live_notice(live.id),
            )
        except ConflictError:
            return False
        return True

    def end_live(self, live: str) -> None:
        notice = self._live_notice(live, 1)
        self._write(*notice, ("DELETE FROM live WHERE id = ?", (live,)))

    # --- Upkeep ---

    def idle_profiles(self, empty: float, unused: float) -> list[str]:
        found = self._read(
            "SELECT id FROM profile WHERE used < ? OR "
            "(created < ? AND memory = '' AND NOT EXISTS (SELECT 1 FROM profile_seat WHERE profile = profile.id))",
            unused,
            empty,
        )
        return [row[0] for row in found]

    def forget_seats(self, keys: Iterable[str]) -> None:
        for key in keys:
            notices = self._notices("key", key)
            self._write(("DELETE FROM profile_seat WHERE key = ?", (key,)), *notices)

    def _notices(self, column: str, value: str) -> list[Statement]:
        """Notices of the games in which seats of profiles end."""
        games = self._read(f"SELECT game FROM profile_seat WHERE {column} = ?", value)
        return [statement for (game,) in games for statement in self._notice(game)]

    def ids(self, table: Listed, past: str | None = None, *, backwards: bool = False) -> list[str]:
        which, order = ("<", "DESC") if backwards else (">", "ASC")
        first = "" if past is None else f"WHERE id {which} CAST(? AS TEXT) "
        found = self._read(
            f"SELECT id FROM {table} {first}ORDER BY id {order} LIMIT 200", *([] if past is None else [past])
        )
        named = [id for (id,) in found if isinstance(id, str)]
        return named or (self.ids(table, found[-1][0], backwards=backwards) if found else [])

    def games(self, after: str = "", most: int = 200) -> list[Activity]:
        found = self._read(
            "SELECT id, coalesce(match, id), "
            "EXISTS (SELECT 1 FROM event WHERE game = game.id AND kind = 'move'), "
            "coalesce((SELECT max(seq) FROM event WHERE game = game.id), 0), "
            "coalesce((SELECT at FROM event WHERE game = game.id ORDER BY seq DESC LIMIT 1), created) "
            "FROM game WHERE id > CAST(? AS TEXT) ORDER BY id LIMIT ?",
            after,
            most,
        )
        named = [Activity(id, whole, bool(moved), *rest) for id, whole, moved, *rest in found if isinstance(id, str)]
        return named or (self.games(found[-1][0], most) if found else [])

    def records(self, after: str = "", most: int = 200) -> list[tuple[str, float]]:
        every = "SELECT id, created FROM record WHERE id > CAST(? AS TEXT) ORDER BY id LIMIT ?"
        found = self._read(every, after, most)
        named = [(id, created) for id, created in found if isinstance(id, str)]
        return named or (self.records(found[-1][0], most) if found else [])

    def delete(self, whole: str, events: int | None = None) -> bool:
        pair = (whole, whole)
        unchanged = "" if events is None else f" AND (SELECT count(*) FROM event WHERE game IN {_WHOLE}) = ?"
        values = () if events is None else (*pair, events)
        before = self._there(whole)
        self._write(
            # Lock the games: nobody may append to them during the transaction.
            (f"SELECT 1 FROM game WHERE id = ? OR match = ?{self.FOR_UPDATE}", pair),
            *self._notice(whole),
            (f"DELETE FROM event WHERE game IN {_WHOLE}{unchanged}", (*pair, *values)),
            (
                f"DELETE FROM game WHERE (id = ? OR match = ?) "
                f"AND NOT EXISTS (SELECT 1 FROM event WHERE game IN {_WHOLE})",
                (*pair, *pair),
            ),
        )
        return before and not self._there(whole)

    def _there(self, whole: str) -> bool:
        return bool(self._read("SELECT 1 FROM game WHERE id = ? OR match = ? LIMIT 1", whole, whole))

    def delete_record(self, record_id: str) -> bool:
        found = self.load_record(record_id) is not None
        self._write(("DELETE FROM record WHERE id = ?", (record_id,)))
        return found

    def made_by(self, owner: str) -> list[str]:
        return [row[0] for row in self._read("SELECT id FROM game WHERE owner = ? ORDER BY id", owner)]

    def with_term(self, text: str) -> list[str]:
        return [row[0] for row in self._read("SELECT id FROM game WHERE terms LIKE ? ORDER BY id", f"%{text}%")]

    def joins(self) -> list[JoinEvent]:
        found = self._read("SELECT game, seq, payload FROM event WHERE kind = 'join' ORDER BY game, seq")
        joins = []
        for game, seq, payload in found:
            with suppress(DamagedError):  # nobody can find themselves in it
                joins.append(JoinEvent(game, seq, _decoded("", payload, _joined)))
        return joins

    def rewrite(self, game: GameRow, joins: Iterable[JoinEvent]) -> None:
        terms = ("UPDATE game SET terms = ?, owner = ? WHERE id = ?", (_json(game.terms), game.owner, game.id))
        update = "UPDATE event SET payload = ? WHERE game = ? AND seq = ?"
        payloads = [(update, (_json(join.payload), join.game, join.seq)) for join in joins]
        self._write(terms, *payloads, *self._notice(game.id))


def prolonging(watch: Watch) -> Statement:
    """The statement that writes the latest heartbeat of a watch."""
    last = (watch.last.at, watch.last.mono, watch.last.boot, watch.seen, watch.number)
    return "UPDATE watch SET last_at = ?, last_mono = ?, last_boot = ?, seen = ? WHERE number = ?", last


def check_format(place: str, found: int, oldest: int, present: int) -> None:
    """Check that a store has a format that this version opens; 0 stands for a new one.

    Raises:
        StoreError: only older or later versions know it.
    """
    if found > present:
        raise StoreError(
            f"{place} was written by a newer Komadai (format {found}; this version knows formats up to {present}): "
            "start the newer version again, or restore a backup made before the update"
        )
    if 0 < found < oldest:
        raise StoreError(
            f"{place} was written by a Komadai before 0.2 (format {found}; this version opens formats {oldest} to "
            f"{present}): open it with the version that wrote it"
        )


def _read_back(read: Callable[[str], T], name: str) -> T:
    """Read what a write has left.

    Raises:
        WriteInDoubtError: the database fails, after the write.
    """
    try:
        return read(name)
    except StoreError as error:
        raise WriteInDoubtError(str(error)) from error


def _chapter(live: str, id: str, text: str) -> Statement:
    return "INSERT INTO live_chapter (live, id, text) VALUES (?, ?, ?)", (live, id, text)


def _game_values(game: GameRow) -> tuple[str | float | None, ...]:
    settled = (game.id, game.variant, game.version, _json(game.options), _json(game.seats))
    return (*settled, game.match, game.number, game.position, _json(game.terms), game.owner, game.created)


class _Seats(TypedDict):
    b: str
    w: str


class _Terms(TypedDict, total=False):
    """Terms of a game, so far as they are there."""

    tokens: dict[Literal["b", "w"], str]
    names: dict[Literal["b", "w"], str]
    invite: str
    lobby: bool
    rematch: str
    rules: str
    file: str
    time: str
    forgotten: list[Literal["b", "w"]]


class _Joined(TypedDict):
    """Whoever joined, as ``komadai admin`` must know them."""

    side: Literal["b", "w"]
    token: str
    visitor: str | None


_Watch = tuple[int, Time, Time, str, Time, Time, str, Time]
_Live = tuple[str, str, str, Time, int, str]
_Secret = Annotated[str, msgspec.Meta(min_length=32)]
_ROWS: dict[str, tuple[str, Any]] = {
    "watch": (_WATCH, _Watch),
    "secret": ("name, value", tuple[str, _Secret]),
    "challenge": ("game, maker, until", tuple[str, str, Time]),
    "record": ("id, created", tuple[str, Time]),
    "live": (_LIVE, _Live),
}
_texts = msgspec.json.Decoder(dict[str, str])
_anything = msgspec.json.Decoder(dict[str, Any])
_seats = msgspec.json.Decoder(_Seats)
_joined = msgspec.json.Decoder(_Joined)
_EVENT_KINDS: dict[str, Any] = {
    "kind": str,
    "payload": str,
    "command": str | None,
    "time": Time,
    "monotonic time": Time | None,
    "boot": str | None,
}
_GAME_KINDS: dict[str, Any] = {
    "variant": str,
    "version": str,
    "options": str,
    "seats": str,
    "match": str | None,
    "number": Annotated[int, msgspec.Meta(ge=1)] | None,
    "position": str | None,
    "terms": str,
    "owner": str | None,
    "time of creation": Time,
}


def _game(id: str, *values: Any) -> GameRow:
    kept = {
        name: _checked(f"its {name}", value, kind)
        for (name, kind), value in zip(_GAME_KINDS.items(), values, strict=True)
    }
    for name, decoder in (("options", _texts), ("seats", _seats), ("terms", _anything)):
        kept[name] = _decoded(f"its {name}", kept[name], decoder)
    _checked("its terms", kept["terms"], _Terms)
    return GameRow(id, *kept.values())


def _event(number: int, seq: int, *values: Any) -> Event:
    """An event, which is to have that number."""
    if seq != number:
        raise DamagedError(f"event {number} is missing")
    kind, payload, *rest = (
        _checked(f"event {seq}, its {name}", value, kind)
        for (name, kind), value in zip(_EVENT_KINDS.items(), values, strict=True)
    )
    return Event(seq, kind, _decoded(f"event {seq}, its payload", payload, _anything), *rest)


def _checked(what: str, value: Any, kind: Any) -> Any:
    """The value, which must be of that kind."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        wrong = "it is not in UTF-8" if isinstance(value, bytes) else error
        raise DamagedError(f"{what}: {wrong}") from error


def _decoded(what: str, text: str, decoder: msgspec.json.Decoder[Any]) -> Any:
    try:
        return decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, TypeError) as error:
        raise DamagedError(f"{what}: {error}") from error


def in_line(text: str) -> str:
    """A text as a line, without what cannot be seen."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in " ".join(text.split()))


def shown(id: str | bytes | int) -> str:
    """An id for a line of text, whatever has become of it."""
    text = id.decode("ascii", "backslashreplace") if isinstance(id, bytes) else str(id)
    return in_line(text[:80]) or "''"


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
