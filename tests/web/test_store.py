"""The store: what it promises about the disk, and what it says when it cannot."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from komadai.web.store import ConflictError, Event, GameRow, Store, StoreError

FORMAT_1 = """
CREATE TABLE game (
    id TEXT PRIMARY KEY, variant TEXT NOT NULL, version TEXT NOT NULL, options TEXT NOT NULL, seats TEXT NOT NULL,
    created REAL NOT NULL
) STRICT;
CREATE TABLE event (
    game TEXT NOT NULL REFERENCES game (id), seq INTEGER NOT NULL, kind TEXT NOT NULL, payload TEXT NOT NULL,
    command TEXT, at REAL NOT NULL, PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX event_command ON event (game, command) WHERE command IS NOT NULL;
INSERT INTO game VALUES ('g', 'nana', '1', '{"drop_faces":"any"}', '{"b":"human","w":"easy"}', 1.5);
INSERT INTO event VALUES ('g', 1, 'move', '{"usi":"K*1a"}', 'a', 2.5);
PRAGMA user_version=1;
"""
FORMAT_2 = (
    FORMAT_1
    + """
ALTER TABLE game ADD COLUMN match TEXT;
ALTER TABLE game ADD COLUMN number INTEGER;
CREATE UNIQUE INDEX game_match ON game (match, number) WHERE match IS NOT NULL;
CREATE TRIGGER closed BEFORE INSERT ON event
WHEN EXISTS (
    SELECT 1 FROM game AS own JOIN game AS following
    ON following.match = own.match AND following.number = own.number + 1 WHERE own.id = NEW.game
)
BEGIN
    SELECT RAISE(ABORT, 'the next game of the match has begun');
END;
PRAGMA user_version=2;
"""
)
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


# --- Matches and formats --------------------------------------------------------------------------------------------


def hand_game(number: int) -> GameRow:
    return GameRow(f"h{number}", "hand", "1", {}, {"b": "human", "w": "human"}, "h1", number)


def test_the_next_game_is_written_once_and_closes_the_one_before(store: Store) -> None:
    store.create(hand_game(1))
    store.append("h1", Event(1, "resign", {"side": "b"}))
    assert store.follow(hand_game(2), "h1", 1) == "h2"
    another = GameRow("h2 again", "hand", "1", {}, {"b": "human", "w": "human"}, "h1", 2)
    assert store.follow(another, "h1", 1) == "h2"
    assert store.match("h1") == ["h1", "h2"]
    assert store.load("h2") == (hand_game(2), [])
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


@pytest.mark.parametrize("script", [FORMAT_1, FORMAT_2], ids=["format 1", "format 2"])
def test_a_store_of_an_older_format_is_brought_up_to_date_and_keeps_its_games(tmp_path: Path, script: str) -> None:
    file = tmp_path / "games.sqlite3"
    with closing(sqlite3.connect(file)) as old:
        old.executescript(script)
    for _ in range(2):  # migrating, and opening what was migrated
        with closing(Store(file)) as store:
            assert store.load("g") == (GAME, [Event(1, "move", {"usi": "K*1a"}, "a")])
            assert store._db.execute("PRAGMA user_version").fetchone() == (3,)
    with closing(Store(file)) as store:
        store.append("g", Event(2, "undo", {"pops": 1}))
        store.create(hand_game(1))
        assert store.match("h1") == ["h1"]
        begun = GameRow("p", "nana", "1", {}, {"b": "human", "w": "strong"}, position="k1d/c2/[SW]K1 b B 1")
        store.create(begun)
        assert store.load("p") == (begun, [])


def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite3"
    with closing(sqlite3.connect(file)) as old:
        old.executescript(FORMAT_1 + "CREATE TABLE game_match (x);")  # in the way of an index
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(file)
    with closing(sqlite3.connect(file)) as old:
        assert old.execute("PRAGMA user_version").fetchone() == (1,)
        assert len(old.execute("PRAGMA table_info(game)").fetchall()) == 6
