"""The store in a file: what it promises about the disk, its formats, and what it says when it cannot."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from helpers.web import kept_stores
from komadai.app.web.store import ConflictError, Event, GameRow, StoreError
from komadai.app.web.store.sqlite import OLDEST, SqliteStore

GAME = GameRow("g", "nana", "1", {"drop_faces": "any"}, {"b": "human", "w": "level2"}, created=1.5)
EVENT = Event(1, "move", {"usi": "K*1a"}, "a", at=2.5, mono=None, boot=None)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    made = SqliteStore(tmp_path / "deep" / "games.sqlite3")
    made.create(GAME)
    yield made
    made.close()


def test_another_connection_sees_an_appended_event_at_once(store: SqliteStore) -> None:
    store.append("g", EVENT)
    with closing(sqlite3.connect(store.path)) as other:
        assert other.execute("SELECT seq, kind, payload FROM event").fetchall() == [(1, "move", '{"usi":"K*1a"}')]


def test_every_commit_is_forced_to_the_disk(store: SqliteStore) -> None:
    assert store._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store._db.execute("PRAGMA synchronous").fetchone() == (2,), "FULL: each commit is synced"


def appended_at_once(store: SqliteStore, events: Sequence[Event]) -> tuple[list[Future[None]], list[str]]:
    """Append by a thread each while the disk is busy; what came of each, and the transactions that it took."""
    ran: list[str] = []
    store._db.set_trace_callback(ran.append)
    with ThreadPoolExecutor(len(events)) as pool, store._lock:
        appended = [pool.submit(store.append, "g", event) for event in events]
        while len(store._waiting) < len(events):
            time.sleep(0.001)
    store._db.set_trace_callback(None)
    return appended, [text for text in ran if text.startswith(("BEGIN", "COMMIT", "ROLLBACK"))]


def test_writes_that_wait_are_committed_together(store: SqliteStore) -> None:
    events = [Event(seq, "move", {}, f"{seq}", at=2.5, mono=None, boot=None) for seq in range(1, 9)]
    appended, transactions = appended_at_once(store, events)
    assert [one.exception() for one in appended] == [None] * 8
    assert transactions == ["BEGIN IMMEDIATE", "COMMIT"]
    assert store.load("g") == (GAME, events)


@pytest.mark.parametrize(
    ("bad", "error"),
    [
        (Event(1, "move", {}, "b", at=2.5, mono=None, boot=None), ConflictError),
        (Event(3, "move", {"x": "x" * 999_999}, "b"), StoreError),
    ],
    ids=["a number that is there already", "more than the disk holds"],
)
def test_a_write_that_fails_leaves_alone_those_that_waited_with_it(
    store: SqliteStore, bad: Event, error: type[StoreError]
) -> None:
    store.append("g", EVENT)
    second = Event(2, "undo", {"pops": 1}, "c", at=2.5, mono=None, boot=None)
    store._db.execute(f"PRAGMA max_page_count={store.size() // 4096 + 8}")
    appended, _ = appended_at_once(store, [bad, second])
    assert isinstance(appended[0].exception(), error)
    assert appended[1].exception() is None
    assert store.load("g") == (GAME, [EVENT, second])


def test_closing_does_not_wait_for_a_write_that_hangs(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("komadai.app.web.store.sqlite._LEAVE", 0.01)
    with ThreadPoolExecutor(1) as other, store._lock:
        other.submit(store.close).result(60)
    store.append("g", EVENT)
    with closing(SqliteStore(store.path)) as another:
        assert another.load("g") == (GAME, [EVENT]), "a write that is under way ends"


def test_reads_do_not_wait_for_a_write(store: SqliteStore) -> None:
    with ThreadPoolExecutor(1) as other, store._lock:
        assert other.submit(store.load, "g").result(60) == (GAME, [])
    with ThreadPoolExecutor(1) as other, store._read_lock:
        other.submit(store.append, "g", EVENT).result(60)
    assert store.load("g") == (GAME, [EVENT])


def test_own_writes_are_no_change_by_another(store: SqliteStore) -> None:
    store._changed()
    store.append("g", EVENT)
    store.load("g")
    assert not store._changed()
    with closing(SqliteStore(store.path)) as other:
        other.append("g", Event(2, "undo", {"pops": 1}, "c", at=2.5, mono=None, boot=None))
    assert store._changed()


def test_a_full_disk_is_said_and_writes_nothing(store: SqliteStore) -> None:
    store._db.execute("PRAGMA max_page_count=1")
    with pytest.raises(StoreError, match="cannot be written"):
        store.append("g", Event(1, "move", {"usi": "x" * 100_000}))
    assert store.load("g") == (GAME, [])


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite3"
    file.write_text("this is a shopping list " * 100)
    with pytest.raises(StoreError, match="cannot be opened"):
        SqliteStore(file)


def test_a_store_of_a_newer_version_is_refused(store: SqliteStore) -> None:
    store._db.execute("PRAGMA user_version=99")
    with pytest.raises(StoreError, match="newer Komadai"):
        SqliteStore(store.path)


def test_a_store_of_a_version_before_0_2_is_refused_and_left_alone(store: SqliteStore) -> None:
    store._db.execute(f"PRAGMA user_version={OLDEST - 1}")
    with pytest.raises(
        StoreError, match=rf"before 0\.2 \(format {OLDEST - 1}; .* open it with the version that wrote it"
    ):
        SqliteStore(store.path)
    assert store._db.execute("PRAGMA user_version").fetchone() == (OLDEST - 1,)


def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    (kept,) = kept_stores.FOLDER.glob(f"sqlite-{OLDEST}-1.sql")
    file = tmp_path / "games.sqlite3"
    with closing(sqlite3.connect(file)) as old:
        old.executescript(kept.read_text("utf-8") + "CREATE TABLE watch (x);")  # in the way
    with pytest.raises(StoreError, match="cannot be opened"):
        SqliteStore(file)
    with closing(sqlite3.connect(file)) as old:
        assert old.execute("PRAGMA user_version").fetchone() == (OLDEST,)
        assert len(old.execute("PRAGMA table_info(watch)").fetchall()) == 1
