"""The store: what it promises about the disk, and what it says when it cannot."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from komadai.web.store import ConflictError, Event, GameRow, Store, StoreError

GAME = GameRow("g", "nana", "1", {"drop_faces": "any"}, {"b": "human", "w": "easy"})


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(tmp_path / "deep" / "games.sqlite3")
    made.create(GAME)
    yield made
    made.close()


def test_what_is_written_is_read_again(store: Store) -> None:
    events = [Event(1, "move", {"usi": "K*1a"}, "a"), Event(2, "undo", {"pops": 1})]
    for event in events:
        store.append("g", event)
    assert store.load("g") == (GAME, events)
    assert store.load("nobody's") is None


def test_another_connection_sees_an_appended_event_at_once(store: Store) -> None:
    store.append("g", Event(1, "move", {"usi": "K*1a"}, "a"))
    with closing(sqlite3.connect(store.path)) as other:
        assert other.execute("SELECT seq, kind, payload FROM event").fetchall() == [(1, "move", '{"usi":"K*1a"}')]


def test_every_commit_is_forced_to_the_disk(store: Store) -> None:
    assert store._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store._db.execute("PRAGMA synchronous").fetchone() == (2,), "FULL: each commit is synced"


@pytest.mark.parametrize("event", [Event(1, "move", {}, "b"), Event(2, "move", {}, "a")], ids=["number", "command"])
def test_a_taken_number_or_command_is_a_conflict(store: Store, event: Event) -> None:
    store.append("g", Event(1, "move", {"usi": "K*1a"}, "a"))
    with pytest.raises(ConflictError):
        store.append("g", event)
    assert len(store.load("g")[1]) == 1  # type: ignore[index]


def test_a_full_disk_is_said_and_writes_nothing(store: Store) -> None:
    store._db.execute("PRAGMA max_page_count=1")
    with pytest.raises(StoreError, match="cannot be written"):
        store.append("g", Event(1, "move", {"usi": "x" * 100_000}))
    assert store.load("g") == (GAME, [])


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite3"
    file.write_text("this is a shopping list " * 100)
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(file)


def test_a_store_of_a_newer_version_is_refused(store: Store) -> None:
    store._db.execute("PRAGMA user_version=99")
    with pytest.raises(StoreError, match="newer Komadai"):
        Store(store.path)
