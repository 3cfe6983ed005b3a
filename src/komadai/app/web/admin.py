"""Work on a game store for its operator, while servers use it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from ... import record as records
from ...errors import KomadaiError
from ...record import Record
from ...record.json import to_data
from ...spec.board import Side
from .game.game_record import record_of
from .game.live import shown_in
from .game.profiles import profile_of
from .game.pruning import over
from .game.replay import RefusedError, read
from .game.seats import digest, new_secret
from .game.state import GameState
from .http.middleware import Signer
from .store import ConflictError, DamagedError, Event, GameRow, JoinEvent, Profile, Store
from .store.sql import in_line, shown

_ID = re.compile("[0-9a-f]{64}")  # of a profile
_TRIES = 5  # to resign a game that others go on with


class UnknownPersonError(KomadaiError):
    """A secret that is no seat's token, no cookie and no profile's key of this store."""


@dataclass(slots=True)
class Forgotten:
    """The changes to a person's data: ids of games and matches."""

    deleted: list[str] = field(default_factory=list)
    anonymous: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Person:
    """A person, by the ids that the store has of them."""

    visitor: str | None
    tokens: frozenset[str]

    def joined(self, join: JoinEvent) -> bool:
        """True if they are the guest."""
        return join.payload["token"] in self.tokens or (
            self.visitor is not None and join.payload["visitor"] == self.visitor
        )

    def own_sides(self, row: GameRow, joins: list[JoinEvent]) -> set[Side]:
        """The sides they play in a game."""
        keys: dict[Side, str] = dict(row.terms.get("tokens", {}))
        own = {side for side, key in keys.items() if key in self.tokens}
        own |= {join.payload["side"] for join in joins if self.joined(join)}
        return own


def whole_of(store: Store, game_id: str) -> str | None:
    """The id of the match of a game, or its own; ``None`` if there is no such game."""
    try:
        found = store.load(game_id)
    except DamagedError:
        return game_id
    return None if found is None else found[0].match or game_id


def exported(store: Store, game_id: str) -> Record | None:
    """The record of a game; ``None`` if there is no such game.

    Raises:
        RefusedError: it cannot be replayed.
    """
    stored = read(store, game_id)
    return None if stored is None else record_of(GameState(stored))


# --- A person's data ------------------------------------------------------------------------------------------------


def forget(store: Store, secret: str) -> Forgotten:
    """Delete the games of whoever holds a seat's token or a browser's cookie, and make them nameless in those that
    others have played too: no name, no browser, no token. A game of theirs that still goes on is resigned.

    Raises:
        UnknownPersonError: no game has that token, and the cookie is not signed by this store.
        StoreError: the store fails.
    """
    joins = _joins(store)
    return _forget(store, _person(store, secret, joins), joins)


def _forget(store: Store, person: _Person, joins: dict[str, list[JoinEvent]]) -> Forgotten:
    games = {game for token in person.tokens for game in store.with_term(token)}
    games |= {game for game, there in joins.items() if any(map(person.joined, there))}
    games |= set(store.made_by(person.visitor)) if person.visitor else set()
    done = Forgotten()
    for whole in sorted({found for game in games if (found := whole_of(store, game)) is not None}):
        ids = store.match(whole) or [whole]
        try:
            loaded = [found for found in map(store.load, ids) if found is not None]
        except DamagedError:  # nobody can open it, so nobody loses it
            loaded = []
        if all(_alone(person, row, joins.get(row.id, [])) for row, _ in loaded):
            store.delete(whole)
            done.deleted.append(whole)
        else:
            for row, _ in loaded:
                _anonymise(store, person, row, joins.get(row.id, []))
            done.anonymous.append(whole)
    store.forget_seats(person.tokens)
    return done


def _joins(store: Store) -> dict[str, list[JoinEvent]]:
    joins: dict[str, list[JoinEvent]] = {}
    for join in store.joins():
        joins.setdefault(join.game, []).append(join)
    return joins


def _person(store: Store, secret: str, joins: dict[str, list[JoinEvent]]) -> _Person:
    """The person who holds a secret, with all tokens of games they made or joined if it is a cookie."""
    secret = secret.strip().removeprefix("komadai=")
    known = Signer(store.secret("cookies")).read(secret)
    if known is None:
        person = _Person(None, frozenset({digest(secret)}))
        every = (join for there in joins.values() for join in there)
        if not any(map(person.joined, every)) and not store.with_term(digest(secret)):
            raise UnknownPersonError(
                "this is neither the token of a seat in this store nor a cookie that it has signed; "
                "a token is the part of a game's link after #, a cookie the value of komadai in the browser"
            )
        return person
    visitor = digest(known)
    tokens = {join.payload["token"] for there in joins.values() for join in there if join.payload["visitor"] == visitor}
    for game in store.made_by(visitor):
        try:
            found = store.load(game)
        except DamagedError:
            continue
        keys = set(found[0].terms.get("tokens", {}).values()) if found else set()
        if len(keys) == 1:  # a rematch has the tokens of both: which is whose, the game before it says
            tokens |= keys
    return _Person(visitor, frozenset(tokens))


def _alone(person: _Person, row: GameRow, joins: list[JoinEvent]) -> bool:
    """True if nobody else has a seat in the game."""
    people = {side for side, seat in row.seats.items() if seat == "human"} | {join.payload["side"] for join in joins}
    return people <= person.own_sides(row, joins)


def _anonymise(store: Store, person: _Person, row: GameRow, joins: list[JoinEvent]) -> None:
    own = person.own_sides(row, joins)
    for side in own:
        _resign(store, row.id, side)
    terms: dict[str, Any] = dict(row.terms)
    terms["names"] = {side: name for side, name in row.terms.get("names", {}).items() if side not in own}
    if "tokens" in terms:
        keys = row.terms["tokens"].items()
        terms["tokens"] = {side: digest(new_secret()) if side in own else key for side, key in keys}
    terms["forgotten"] = sorted({*row.terms.get("forgotten", ()), *own})
    made = own & (row.terms.get("tokens", {}).keys() - {join.payload["side"] for join in joins})
    owner = None if made or row.owner == person.visitor else row.owner
    nameless = {"name": "", "visitor": None}
    kept = [
        join._replace(payload={**join.payload, **nameless, "token": digest(new_secret())})
        for join in joins
        if join.payload["side"] in own  # the same guest may have joined again, with another token
    ]
    store.rewrite(replace(row, terms=terms, owner=owner), kept)


def _resign(store: Store, game_id: str, side: Side) -> None:
    """Resign a game for a side, if it goes on and can be replayed."""
    for _ in range(_TRIES):
        try:
            stored = read(store, game_id)
            if stored is None or stored.following is not None:
                return
            state = GameState(stored)
        except RefusedError:
            return
        if state.game.outcome() is not None:
            return
        try:
            store.append(game_id, Event(state.seq + 1, "resign", {"side": side}))
        except ConflictError:
            continue
        return


# --- Profiles -------------------------------------------------------------------------------------------------------


def profile(store: Store, name: str) -> Profile:
    """The profile that a key opens, or that has that id.

    Raises:
        UnknownPersonError: there is none.
        StoreError: the store fails.
    """
    try:
        id = name.strip().lower() if _ID.fullmatch(name.strip().lower()) else profile_of(name)
    except RefusedError as error:
        raise UnknownPersonError(str(error)) from None
    found = store.profile(id)
    if found is None:
        raise UnknownPersonError("no profile of this store has that key or id")
    return found


def profile_data(store: Store, found: Profile) -> dict[str, Any]:
    """All that is stored under a profile: its times, its games with their records, ``null`` where a game cannot be
    replayed, and what the browser keeps there, encrypted by it and in base64."""
    games = []
    for seat in found.seats:
        try:
            record = exported(store, seat.game)
        except RefusedError:
            record = None
        games.append({"game": seat.game, "sides": seat.sides, "record": record and to_data(record)})
    kept = store.memory(found.id)
    about = {"profile": found.id, "created": found.created, "used": found.used}
    return {**about, "games": games, "memory": kept.text if kept else ""}


def delete_profile(store: Store, found: Profile, *, games: bool) -> Forgotten:
    """Delete a profile; with ``games`` also what is stored of its person, as :func:`forget` does for one token."""
    store.delete_profile(found.id)
    if not games:
        return Forgotten()
    return _forget(store, _Person(None, frozenset(seat.key for seat in found.seats)), _joins(store))


# --- Defects --------------------------------------------------------------------------------------------------------


def check(store: Store) -> Iterator[str]:
    """Find what is wrong with a store, each defect in a line: files, numbers of events, games that cannot be replayed,
    matches with gaps, and records and profiles that cannot be read.

    Raises:
        StoreError: the store fails.
    """
    yield from store.defects()
    lists = list[str]()
    for game in store.every("game", lists.append):
        if defect := defect_of_game(store, game):
            yield f"game {shown(game)}: {defect}"
    for record in store.every("record", lists.append):
        try:
            records.read(store.load_record(record) or "", form="json")
        except (DamagedError, KomadaiError) as error:
            yield f"record {shown(record)}: {in_line(str(error))}"
    for profile in store.every("profile", lists.append):
        try:
            store.profile(profile)
        except DamagedError as error:
            yield f"profile {shown(profile)}: {in_line(str(error))}"
    yield from lists


def defect_of_game(store: Store, game: str) -> str:
    """The defect of a stored game, in a line; nothing if it is sound, or gone."""
    try:
        loaded = store.load(game)
        if loaded is None:
            return ""  # deleted in the meantime
        row, _events = loaded
        if row.match is not None:
            number = store.match(row.match).index(game) + 1
            if number != row.number:
                return f"it is game {row.number} of its match, of which {number - 1} are there before it"
        stored = read(store, game)
        if stored is not None:
            GameState(stored)
    except (DamagedError, RefusedError) as error:
        return in_line(str(error))
    return ""


# --- Live studies ---------------------------------------------------------------------------------------------------


def lives(store: Store) -> list[dict[str, Any]]:
    """The live studies of a store: of each its id, the time at which it ends, and the names of its chapters.

    Raises:
        StoreError: the store fails.
    """
    return [
        {
            "id": row.id,
            "until": datetime.fromtimestamp(row.until, UTC).isoformat(timespec="seconds"),
            "chapters": [chapter.name for chapter in shown_in(row).chapters],
        }
        for row in store.lives()
    ]


# --- Figures --------------------------------------------------------------------------------------------------------


def stats(store: Store, report: Callable[[str], object] = lambda _defect: None) -> dict[str, Any]:
    """Figures of a store: its place and size, events, records, profiles, and games by variant and by progress.

    Args:
        report: called with a line about each defect, without which the figures are.

    Raises:
        StoreError: the store fails.
    """
    progress = {"unstarted": 0, "unfinished": 0, "finished": 0, "unreadable": 0}
    variants, events = Counter[str](), 0
    for game in store.every("game", report):
        try:
            row, happened = store.load(game) or (None, [])
            if row is None:
                continue
            variants[row.variant] += 1
            events += len(happened)
            progress[_progress(store, game, happened)] += 1
        except (DamagedError, RefusedError) as error:
            progress["unreadable"] += 1
            report(f"game {shown(game)}: {in_line(str(error))}")
    return {
        "place": store.place,
        "bytes": store.size(),
        "events": events,
        "records": sum(1 for _record in store.every("record", report)),
        "profiles": sum(1 for _profile in store.every("profile", report)),
        "games": sum(progress.values()),
        "variants": dict(sorted(variants.items())),
        "progress": progress,
    }


def _progress(store: Store, game: str, events: Sequence[Event]) -> str:
    stored = read(store, game)
    ended = stored is not None and over(GameState(stored))
    if not any(event.kind == "move" for event in events):
        return "unstarted"
    return "finished" if ended else "unfinished"
