"""The queries of the stores, in SQL for both SQLite and PostgreSQL; their schemas are in their own modules."""

from __future__ import annotations

import secrets
import time
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import msgspec

from . import (
    USED_TO,
    Activity,
    Challenge,
    ConflictError,
    Event,
    GameRow,
    JoinEvent,
    OpenChallenge,
    Profile,
    ProfileSeat,
    Store,
    StoreError,
    WriteInDoubtError,
)

T = TypeVar("T")

Statement = tuple[str, Sequence[Any]]
"""SQL with ``?`` as placeholders, and the values."""

_GAME = "id, variant, version, options, seats, match, number, position, terms, owner, created"
_GAME_VALUES = ", ".join("?" for _ in _GAME.split(","))
_EVENT = "seq, kind, payload, command, at, mono, boot"
_KEPT = 7 * 86_400.0  # seconds for which a game that has left the lobby may come back into it
_WHOLE = "(SELECT id FROM game WHERE id = ? OR match = ?)"


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
        return _game(*found[0]), [Event(seq, kind, _parsed(payload), *rest) for seq, kind, payload, *rest in events]

    def append(self, game_id: str, event: Event) -> None:
        payload = _json(event.payload)
        values = (game_id, event.seq, event.kind, payload, event.command, event.at, event.mono, event.boot)
        self._write((f"INSERT INTO event (game, {_EVENT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values))

    def secret(self, name: str) -> str:
        if name not in self._secrets:
            made = secrets.token_urlsafe(32)
            self._write(("INSERT INTO secret (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", (name, made)))
            self._secrets[name] = self._read("SELECT value FROM secret WHERE name = ?", name)[0][0]
        return self._secrets[name]

    def save_record(self, record_id: str, text: str) -> None:
        values = (record_id, text, time.time())
        self._write(("INSERT INTO record (id, text, created) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", values))
        if _read_back(self.load_record, record_id) != text:
            raise ConflictError(f"another record has the id {record_id}")

    def load_record(self, record_id: str) -> str | None:
        found = self._read("SELECT text FROM record WHERE id = ?", record_id)
        return found[0][0] if found else None

    # --- The lobby ---

    def challenges(self, most: int) -> list[OpenChallenge]:
        found = self._read(
            f"SELECT maker, {_GAME} FROM challenge JOIN game ON id = game WHERE until > ? "
            "AND NOT EXISTS (SELECT 1 FROM event WHERE event.game = challenge.game) ORDER BY created DESC LIMIT ?",
            time.time(),
            most,
        )
        return [OpenChallenge(_game(*row), maker) for maker, *row in found]

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
        return Profile(id, created, used, [ProfileSeat(*seat) for seat in seats])

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

    def granted(self, token: str) -> str | None:
        found = self._read("SELECT key FROM profile_seat WHERE token = ?", token)
        return found[0][0] if found else None

    def delete_profile(self, profile: str) -> bool:
        found = bool(self._read("SELECT 1 FROM profile WHERE id = ?", profile))
        self._write(("DELETE FROM profile WHERE id = ?", (profile,)))
        return found

    # --- Upkeep ---

    def idle_profiles(self, empty: float, unused: float) -> list[str]:
        found = self._read(
            "SELECT id FROM profile WHERE used < ? OR "
            "(created < ? AND NOT EXISTS (SELECT 1 FROM profile_seat WHERE profile = profile.id))",
            unused,
            empty,
        )
        return [row[0] for row in found]

    def forget_seats(self, keys: Iterable[str]) -> None:
        for key in keys:
            self._write(("DELETE FROM profile_seat WHERE key = ?", (key,)))

    def games(self, after: str = "", most: int = 200) -> list[Activity]:
        found = self._read(
            "SELECT id, coalesce(match, id), "
            "EXISTS (SELECT 1 FROM event WHERE game = game.id AND kind = 'move'), "
            "coalesce((SELECT max(seq) FROM event WHERE game = game.id), 0), "
            "coalesce((SELECT at FROM event WHERE game = game.id ORDER BY seq DESC LIMIT 1), created) "
            "FROM game WHERE id > ? ORDER BY id LIMIT ?",
            after,
            most,
        )
        return [Activity(id, whole, bool(moved), events, last) for id, whole, moved, events, last in found]

    def records(self, after: str = "", most: int = 200) -> list[tuple[str, float]]:
        found = self._read("SELECT id, created FROM record WHERE id > ? ORDER BY id LIMIT ?", after, most)
        return [(id, created) for id, created in found]

    def counts(self) -> dict[str, int]:
        every = (
            "SELECT variant, count(*) FROM game GROUP BY variant UNION ALL SELECT 'events', count(*) FROM event "
            "UNION ALL SELECT 'records', count(*) FROM record UNION ALL SELECT 'profiles', count(*) FROM profile"
        )
        return dict(self._read(every))

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
        return [JoinEvent(game, seq, _parsed(payload)) for game, seq, payload in found]

    def rewrite(self, game: GameRow, joins: Iterable[JoinEvent]) -> None:
        terms = ("UPDATE game SET terms = ?, owner = ? WHERE id = ?", (_json(game.terms), game.owner, game.id))
        update = "UPDATE event SET payload = ? WHERE game = ? AND seq = ?"
        payloads = [(update, (_json(join.payload), join.game, join.seq)) for join in joins]
        self._write(terms, *payloads, *self._notice(game.id))


def newer(place: str, found: int, known: int) -> StoreError:
    """The error for a store of a format that only later versions know."""
    return StoreError(
        f"{place} was written by a newer Komadai (format {found}; this version knows formats up to {known}): "
        "start the newer version again, or restore a backup made before the update"
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


def _game_values(game: GameRow) -> tuple[str | float | None, ...]:
    settled = (game.id, game.variant, game.version, _json(game.options), _json(game.seats))
    return (*settled, game.match, game.number, game.position, _json(game.terms), game.owner, game.created)


def _game(id_: str, variant: str, version: str, options: str, seats: str, *rest: Any) -> GameRow:
    match, number, position, terms, owner, created = rest
    settled = (id_, variant, version, _parsed(options), _parsed(seats))
    return GameRow(*settled, match, number, position, _parsed(terms), owner, created)


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _parsed(text: str) -> Any:
    return msgspec.json.decode(text)
