"""Guarantees of every store, whatever its database."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from helpers.web.handles import opened
from komadai.app.web.store import (
    Challenge,
    ConflictError,
    Event,
    GameRow,
    LiveRow,
    ProfileSeat,
    Sealed,
    Store,
    StoreError,
    WriteInDoubtError,
    boot,
    new_id,
)
from komadai.app.web.store.postgres import PostgresStore
from komadai.app.web.store.sqlite import SqliteStore

GAME = GameRow("g", "nana", "1", {"drop_faces": "any"}, {"b": "human", "w": "level2"})
SEATS = {"b": "human", "w": "human"}


@pytest.fixture(params=["sqlite", "opfs", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store
    if request.param == "sqlite":
        made = SqliteStore(tmp_path / "games.sqlite3")
    elif request.param == "opfs":
        made, _handles = opened(tmp_path)
    else:
        made = PostgresStore(request.getfixturevalue("cluster").database())
    made.create(GAME)
    yield made
    made.close()


def test_what_is_written_is_read_again(store: Store) -> None:
    events = [Event(1, "move", {"usi": "K*1a"}, "a"), Event(2, "undo", {"pops": 1, "歩\0": [None]}, at=0.1, mono=None)]
    for event in events:
        store.append("g", event)
    assert store.load("g") == (GAME, events)
    assert store.load("g", after=1) == (GAME, events[1:])
    assert store.load("nobody's") is None
    settled = GameRow(
        "p",
        "nana",
        "1",
        {},
        SEATS,
        position="k1d/c2/[SW]K1 b B 1",
        terms={"time": "10m+5s", "names": {"b": "先手 \0"}},
        owner="mine",
    )
    store.create(settled)
    assert store.load("p") == (settled, [])


def test_an_event_knows_when_it_happened(store: Store) -> None:
    before = time.time(), time.monotonic()
    store.append("g", Event(1, "move", {"usi": "K*1a"}))
    after = time.time(), time.monotonic()
    (event,) = store.load("g")[1]  # type: ignore[index]
    assert event.mono is not None
    assert before <= (event.at, event.mono) <= after
    assert event.boot == boot()


@pytest.mark.parametrize("event", [Event(1, "move", {}, "b"), Event(2, "move", {}, "a")], ids=["number", "command"])
def test_a_taken_number_or_command_is_a_conflict(store: Store, event: Event) -> None:
    store.append("g", Event(1, "move", {"usi": "K*1a"}, "a"))
    with pytest.raises(ConflictError):
        store.append("g", event)
    assert len(store.load("g")[1]) == 1  # type: ignore[index]


def test_a_game_is_made_once_and_before_its_events(store: Store) -> None:
    store.create(GAME)  # as it is when the answer to the first attempt was lost
    with pytest.raises(ConflictError):
        store.create(replace(GAME, owner="another's"))
    with pytest.raises(ConflictError):
        store.create(replace(GAME, variant="hand"))
    assert store.load("g") == (GAME, [])
    with pytest.raises(ConflictError):
        store.append("nobody's", Event(1, "move", {}))


# --- Matches --------------------------------------------------------------------------------------------------------


def hand_game(number: int) -> GameRow:
    return GameRow(f"h{number}", "hand", "1", {}, SEATS, "h1", number)


def test_the_next_game_is_written_once_and_closes_the_one_before(store: Store) -> None:
    following = hand_game(2)
    store.create(hand_game(1))
    store.append("h1", Event(1, "resign", {"side": "b"}))
    assert store.follow(following, "h1", 1) == "h2"
    another = GameRow("h2 again", "hand", "1", {}, SEATS, "h1", 2)
    assert store.follow(another, "h1", 1) == "h2"
    assert store.match("h1") == ["h1", "h2"]
    assert store.load("h2") == (following, [])
    with pytest.raises(ConflictError, match="next game"):
        store.append("h1", Event(2, "undo", {"pops": 1}))
    store.append("h2", Event(1, "move", {"usi": "5i4i"}))
    store.append("g", Event(1, "move", {"usi": "K*1a"}))


def test_no_game_follows_one_that_has_gone_on(store: Store) -> None:
    store.create(hand_game(1))
    store.append("h1", Event(1, "resign", {"side": "b"}))
    store.append("h1", Event(2, "undo", {"pops": 1}))
    with pytest.raises(ConflictError, match="gone on"):
        store.follow(hand_game(2), "h1", 1)
    assert store.match("h1") == ["h1"]


# --- What is shown and shared ---------------------------------------------------------------------------------------


def test_a_record_is_kept_and_never_changes(store: Store) -> None:
    assert store.load_record("r") is None
    for _ in range(2):
        store.save_record("r", '{"moves":["7g7f"]}')
    with pytest.raises(ConflictError, match="another record"):
        store.save_record("r", "{}")
    assert store.load_record("r") == '{"moves":["7g7f"]}'


def test_what_was_written_and_cannot_be_read_again_is_in_doubt(
    store: SqliteStore | PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = replace(GAME, id="h", match="h", number=1)
    store.create(first)

    def fail(*_: object) -> None:
        raise StoreError("no answer")

    monkeypatch.setattr(store, "_read", fail)
    for write in (
        lambda: store.create(first),
        lambda: store.follow(replace(first, id="i", number=2), "h", 0),
        lambda: store.save_record("r", "{}"),
    ):
        with pytest.raises(WriteInDoubtError, match="no answer"):
            write()
    monkeypatch.undo()
    assert (store.match("h"), store.load_record("r")) == (["h", "i"], "{}")


# --- The lobby ------------------------------------------------------------------------------------------------------


def test_the_lobby_lists_games_in_which_nothing_has_happened(store: Store) -> None:
    for number in range(1, 5):
        game = replace(GAME, id=f"g{number}", created=float(number))
        for _ in range(2):  # as it is when the answer to the first attempt was lost
            store.create(game, Challenge("maker", 60.0))
    store.create(replace(GAME, id="quiet"))
    store.append("g2", Event(1, "join", {}))
    assert store.delete("g3")
    assert [(one.game.id, one.maker) for one in store.challenges(9)] == [("g4", "maker"), ("g1", "maker")]
    assert [one.game.id for one in store.challenges(1)] == ["g4"]


def test_a_game_leaves_the_lobby_unless_it_is_prolonged(store: Store) -> None:
    store.create(replace(GAME, id="left"), Challenge("maker", -5.0))
    assert store.challenges(9) == []
    store.prolong(["left", "g", "nowhere"], 60.0)
    assert [one.game.id for one in store.challenges(9)] == ["left"], "only what was in the lobby comes back"
    store.prolong(["left"], -60.0)
    assert [one.game.id for one in store.challenges(9)] == ["left"], "it is never made shorter"
    store.create(replace(GAME, id="old"), Challenge("maker", -8 * 86_400.0))
    store.create(replace(GAME, id="new"), Challenge("maker", 60.0))
    store.prolong(["old"], 60.0)
    assert sorted(one.game.id for one in store.challenges(9)) == ["left", "new"], "after a week it is forgotten"


# --- Profiles -------------------------------------------------------------------------------------------------------


def seat(game: str, key: str = "k", token: str = "") -> ProfileSeat:
    return ProfileSeat(game, "nana", "b", key, token or f"token of {game}")


def test_a_profile_keeps_the_seats_in_the_latest_games(store: Store) -> None:
    assert store.profile("p") is None
    for _ in range(2):
        store.make_profile("p")
    for number in range(1, 5):
        store.create(replace(GAME, id=f"g{number}", created=float(number)))
    store.add_seats("p", [seat("g3"), seat("g1")], most=3)
    store.add_seats("p", [seat("g2"), seat("g4"), seat("g3", "another")], most=3)
    found = store.profile("p")
    assert found is not None
    assert found.seats == [seat("g2"), seat("g3", "another"), seat("g4")]
    assert (store.granted("token of g3"), store.granted("token of g1")) == ("another", None)
    with pytest.raises(ConflictError):
        store.add_seats("p", [seat("nowhere")], most=3)
    with pytest.raises(ConflictError):
        store.add_seats("nobody", [seat("g1")], most=3)


def test_seats_leave_with_their_game_their_person_or_their_profile(store: Store) -> None:
    store.make_profile("p")
    for number in (1, 2, 3):
        store.create(replace(GAME, id=f"g{number}"))
        store.append(f"g{number}", Event(1, "move", {"usi": "K*1a"}))
    store.add_seats("p", [seat("g1"), seat("g2", "mine"), seat("g3")], most=9)
    assert store.delete("g1")
    store.forget_seats(["mine", "nobody's"])
    found = store.profile("p")
    assert found is not None
    assert found.seats == [seat("g3")]
    assert store.delete_profile("p")
    assert not store.delete_profile("p")
    assert store.granted("token of g3") is None
    assert store.load("g3") is not None


def test_a_memory_is_replaced_by_whoever_has_seen_it(store: Store) -> None:
    assert store.memory("p") is None
    assert not store.keep_memory("p", 0, "AAEC")
    store.make_profile("p")
    assert store.memory("p") == Sealed(0, "")
    assert store.keep_memory("p", 0, "AAEC")
    assert not store.keep_memory("p", 0, "other")
    assert store.memory("p") == Sealed(1, "AAEC")
    assert store.keep_memory("p", 1, "more")
    assert store.memory("p") == Sealed(2, "more")
    store.make_profile("p")
    assert store.memory("p") == Sealed(2, "more"), "making it again changes nothing"
    assert store.idle_profiles(time.time() + 60, 0) == [], "what is kept is no empty profile"
    assert store.delete_profile("p")
    assert store.memory("p") is None


def test_profiles_that_are_empty_or_unused_are_found(store: Store) -> None:
    now = time.time()
    for name in ("empty", "used"):
        store.make_profile(name)
    store.add_seats("used", [seat("g")], most=9)
    assert store.idle_profiles(now - 60, now - 60) == []
    assert store.idle_profiles(now + 60, now - 60) == ["empty"]
    assert sorted(store.idle_profiles(now - 60, now + 60)) == ["empty", "used"]


def test_an_id_is_no_option_of_a_command() -> None:
    """One in 64 ids once began with a hyphen, and `komadai admin delete game ID` then refused an unknown option."""
    made = {new_id() for _ in range(2000)}
    assert len(made) == 2000
    assert not any(id.startswith("-") for id in made)


def test_a_live_study_is_written_by_one_after_the_other(store: Store) -> None:
    first = LiveRow("l", "key", "maker", time.time() + 60, 1, "{}")
    store.make_live(first, {"a": "A", "b": "B"})
    assert (store.live("l"), store.lives()) == (first, [first])
    second = first._replace(number=2, shown='{"歩": 1}')
    assert store.show_live(second, {"b": "BB", "c": "C"}, ["a"])
    assert store.live("l") == second
    assert [store.live_chapter("l", id) for id in "abc"] == [None, "BB", "C"]
    assert not store.show_live(second, {"b": "late"}, []), "another server was first"
    assert store.live_chapter("l", "b") == "BB"
    store.end_live("l")
    assert (store.live("l"), store.live_chapter("l", "b"), store.lives()) == (None, None, [])
    assert not store.show_live(second._replace(number=3), {"b": "late"}, [])
    store.make_live(first._replace(until=time.time() - 1), {})
    assert store.live("l") is None, "its time is over"
