"""The store in a browser's files: what is confirmed is kept, however a tab ends."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from helpers.web import kept_stores
from helpers.web.handles import FILES, FileHandle, opened
from komadai.app.web.store import Event, GameRow, Store, StoreError, StoreFullError, WriteInDoubtError, opfs
from komadai.app.web.store.sqlite import OLDEST

GAME = GameRow("g", "nana", "1", {"drop_faces": "any"}, {"b": "human", "w": "level2"}, created=1.5)
EVENTS = [Event(seq, "move", {"usi": "K*1a"}, f"c{seq}", at=2.5, mono=None, boot=None) for seq in range(1, 8)]


def files(folder: Path) -> list[bytes]:
    return [(folder / name).read_bytes() for name in FILES]


def put(folder: Path, contents: list[bytes]) -> None:
    """A store as a killed tab leaves it."""
    folder.mkdir()
    for name, data in zip(FILES, contents, strict=True):
        (folder / name).write_bytes(data)


def events(store: Store) -> int:
    found = store.load("g")
    return -1 if found is None else len(found[1])


def test_what_a_call_has_confirmed_is_flushed(tmp_path: Path) -> None:
    store, handles = opened(tmp_path)
    store.create(GAME)
    for number, event in enumerate(EVENTS, 1):
        store.append("g", event)
        put(tmp_path / str(number), [handle.flushed for handle in handles])
        with closing(opened(tmp_path / str(number))[0]) as again:
            assert again.load("g") == (GAME, EVENTS[:number])
    store.close()


def test_a_log_cut_at_any_byte_loses_nothing_that_was_confirmed(tmp_path: Path) -> None:
    store, handles = opened(tmp_path)
    begun = handles[0].size()
    store.create(GAME)
    confirmed = {handles[0].size(): 0}
    for number, event in enumerate(EVENTS[:3], 1):
        store.append("g", event)
        confirmed[handles[0].size()] = number
    store.close()
    whole = files(tmp_path)
    assert whole[1] == b""
    for cut in range(begun, len(whole[0]) + 1):
        folder = tmp_path / str(cut)
        put(folder, [whole[0][:cut], b""])
        with closing(opened(folder)[0]) as again:
            kept = max((number for end, number in confirmed.items() if end <= cut), default=-1)
            assert events(again) == kept, cut
            if kept >= 0:  # and the game goes on from there
                again.append("g", Event(kept + 1, "undo", {}))
        with closing(opened(folder)[0]) as again:
            assert events(again) == (kept + 1 if kept >= 0 else -1)
        shutil.rmtree(folder)


@pytest.mark.parametrize("tail", [b"\0" * 512, b"\xff" * 512, b"\7\0\0\0\1\2\3\4seven!!"], ids=["zeros", "ones", "sum"])
def test_what_is_no_record_at_the_end_is_cut_off(tmp_path: Path, tail: bytes) -> None:
    store, _ = opened(tmp_path)
    store.create(GAME)
    store.close()
    whole = files(tmp_path)
    (tmp_path / FILES[0]).write_bytes(whole[0] + tail)
    with closing(opened(tmp_path)[0]) as again:
        assert events(again) == 0
    assert files(tmp_path) == whole


def grown(monkeypatch: pytest.MonkeyPatch, folder: Path) -> list[list[bytes]]:
    """The files before and after each step of a log that is begun anew."""
    monkeypatch.setattr(opfs, "_GROWN", 1 << 30)
    store, handles = opened(folder)
    store.create(GAME)
    for event in EVENTS[:4]:
        store.append("g", event)
    steps = [files(folder)]

    def noted(act: Callable[..., None]) -> Callable[..., None]:
        def acting(*arguments: object) -> None:
            act(*arguments)
            steps.append(files(folder))

        return acting

    for handle in handles:
        for name in ("truncate", "write", "flush"):
            monkeypatch.setattr(handle, name, noted(getattr(handle, name)))
    store._compact()
    store.close()
    return steps


def test_a_log_is_begun_anew_without_a_moment_at_which_it_could_be_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "whole").mkdir()
    steps = grown(monkeypatch, tmp_path / "whole")
    assert [len(data) for data in steps[-1]].count(0) == 1, "the former log is emptied"
    written = next(step for step in steps if len(step[1]) > 0)
    halves = [[written[0], written[1][:cut]] for cut in range(0, len(written[1]), 997)]
    for number, contents in enumerate([*steps, *halves]):
        put(tmp_path / str(number), contents)
        with closing(opened(tmp_path / str(number))[0]) as again:
            assert again.load("g") == (GAME, EVENTS[:4])
            again.append("g", EVENTS[4])
        with closing(opened(tmp_path / str(number))[0]) as again:
            assert events(again) == 5


def test_a_log_that_has_grown_is_begun_anew_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opfs, "_GROWN", 2000)
    store, _handles = opened(tmp_path)
    store.create(GAME)
    longest = 0
    for seq in range(1, 600):
        store.append("g", Event(seq, "move", {"usi": "K*1a" * 40}))
        longest = max(longest, store.size())
    image = len(store._db.serialize())
    assert longest < 4 * image + 10_000
    store.close()
    with closing(opened(tmp_path)[0]) as again:
        assert events(again) == 599


def test_a_write_without_room_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    store, handles = opened(tmp_path)
    store.create(GAME)
    for handle in handles:
        handle.room = handles[0].size() + 50
    with pytest.raises(StoreFullError, match="used up"):
        store.append("g", EVENTS[0])
    assert events(store) == 0
    for handle in handles:
        handle.room = None
    store.append("g", EVENTS[0])
    store.close()
    with closing(opened(tmp_path)[0]) as again:
        assert again.load("g") == (GAME, EVENTS[:1])


def test_a_write_that_may_or_may_not_be_on_the_disk_is_in_doubt(tmp_path: Path) -> None:
    store, handles = opened(tmp_path)
    store.create(GAME)
    handles[0].deaf = True
    with pytest.raises(WriteInDoubtError):
        store.append("g", EVENTS[0])
    handles[0].deaf = False
    store.append("g", EVENTS[0])
    assert events(store) == 1
    store.close()


def test_what_changes_nothing_is_not_written(tmp_path: Path) -> None:
    store, handles = opened(tmp_path)
    store.create(GAME)
    before = handles[0].size()
    store.create(GAME)
    store.prolong(["g"], 60)
    assert not store.delete("nobody's")
    assert handles[0].size() == before
    store.close()


def test_files_of_a_newer_version_are_refused_and_left_as_they_are(tmp_path: Path) -> None:
    store, _handles = opened(tmp_path)
    store._db.execute("PRAGMA user_version=99")
    store._compact()
    store.close()
    before = files(tmp_path)
    with pytest.raises(StoreError, match="newer Komadai"):
        opened(tmp_path)
    assert files(tmp_path) == before


def test_an_older_format_is_brought_up_to_date(tmp_path: Path) -> None:
    """Its log goes on with statements of that format, so the database is upgraded only after them."""
    with closing(sqlite3.connect(":memory:")) as old:
        old.executescript((kept_stores.FOLDER / f"sqlite-{OLDEST}-1.sql").read_text("utf-8"))
        old.execute("UPDATE game SET id = 'g' WHERE id = (SELECT min(id) FROM game)")
        old.commit()
        image = old.serialize()
    record = b'[["INSERT INTO record (id, text, created) VALUES (?, ?, ?)", ["r", "a record", 3.5]]]'
    handle = FileHandle(tmp_path / FILES[0])
    log = opfs._Log(handle)
    log.begin(7, image)
    log.append(record)
    handle.close()
    for _ in range(2):
        store, _handles = opened(tmp_path)
        assert store.load_record("r") == "a record"
        assert events(store) >= 0
        store.make_profile(f"p{_}")
        store.close()
