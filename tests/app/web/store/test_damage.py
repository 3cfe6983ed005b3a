"""Damaged stores: each defect is named in a line, everything else goes on, and nothing ends in a traceback."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest

from helpers.command import komadai_says
from helpers.support import in_a_loop
from helpers.volume import volume
from helpers.web import damage, kept_stores
from helpers.web.served import new_key
from komadai.app.web import admin
from komadai.app.web.game.backup import back_up
from komadai.app.web.game.profiles import Profiles
from komadai.app.web.game.registry import GameRegistry
from komadai.app.web.game.replay import RefusedError
from komadai.app.web.store import DamagedError, StoreError
from komadai.app.web.store.opening import open_store
from komadai.app.web.store.sqlite import SqliteStore
from komadai.app.web.store.watch import Stamp

KEPT = kept_stores.FOLDER / f"sqlite-{kept_stores.FORMATS['sqlite']}-1.sql"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a store with games in every state."""
    folder = tmp_path_factory.mktemp("sound")
    with closing(kept_stores.load(KEPT, None, folder)) as store:
        store.beat(Stamp(), None, 0)
    return (folder / "games.sqlite3").read_bytes()


def looked_at(file: Path) -> tuple[dict[str, str], list[str], set[str], set[str]]:
    """What `check` says of each game, all that it says, the games that are exported, and those that a server opens."""
    with closing(SqliteStore(file)) as store:
        lines = list(admin.check(store))
        told: list[str] = []
        exported = set()
        for id in store.every("game", told.append):
            with suppress(RefusedError):
                if admin.exported(store, id) is not None:
                    exported.add(id)
        figures = admin.stats(store, told.append)
        json.dumps(figures)
        with suppress(DamagedError):
            back_up(store)
    named = {}
    for line in [*lines, *told]:
        assert line.isprintable(), line
        if found := re.match(r"game (\S+): (.*)", line):
            named[found[1]] = found[2]
    return named, lines, exported, in_a_loop(opened(file))


async def opened(file: Path) -> set[str]:
    """The games that a server opens."""
    registry, there = GameRegistry(SqliteStore(file)), set()
    with closing(SqliteStore(file)) as store:
        ids = list(store.every("game", lambda _line: None))
    for id in ids:
        for _again in range(2):
            with suppress(RefusedError):
                session = await registry.join(id, [].append)
                session.views.state(None)
                session.leave([].append)
                there.add(id)
    await registry.close()
    return there


def games_in(file: Path) -> set[str]:
    """The ids of the games, as far as they can be read."""
    with closing(SqliteStore(file)) as store:
        return set(store.every("game", lambda _line: None))


@pytest.mark.parametrize("seed", range(volume(160)))
def test_an_odd_value_costs_the_games_that_it_concerns(
    seed: int, sound: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "games.sqlite3"
    file.write_bytes(sound)
    done = damage.in_a_row(file, Random(seed))
    named, lines, exported, there = looked_at(file)
    assert not [record for record in caplog.records if record.exc_info], done
    assert there == exported == games_in(file) - named.keys(), (done, lines)
    assert len(games_in(file) - there) <= 2, (done, lines)
    logged = [record for record in caplog.records if record.message.startswith("a game is damaged: ")]
    assert len(logged) == len({record.game for record in logged}), "once"  # type: ignore[attr-defined]


@pytest.mark.parametrize("seed", range(volume(48)))
def test_a_broken_file_costs_the_games_that_cannot_be_read(
    seed: int, sound: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "games.sqlite3"
    file.write_bytes(sound)
    done = damage.in_the_file(file, Random(seed))
    try:
        named, lines, exported, there = looked_at(file)
    except StoreError:
        return  # nothing of it can be read
    if any("no such column" in line for line in lines):
        return  # a flip in a name of the schema, which is not told from a failure that passes
    assert not [record for record in caplog.records if record.exc_info], done
    assert there == exported == games_in(file) - named.keys(), (done, lines)


def broken(case: str, file: Path, sound: bytes) -> None:
    """Put something that is no sound store in its place."""
    if case == "folder":
        file.mkdir()
    elif case == "another database":
        with closing(sqlite3.connect(file)) as other:
            other.execute("CREATE TABLE book (title TEXT)")
    else:
        begun = {"empty": b"", "text": b"not a database, but words " * 99, "cut": sound[:5000]}
        data = bytearray(begun.get(case, sound))
        if case == "flipped":
            at = data.index(b'{"usi":"')
            data[at : at + 5] = b"%%%%%"
        file.write_bytes(data)
    odd = {
        "odd game": "UPDATE game SET seats = '[' WHERE id = (SELECT min(id) FROM game WHERE match IS NULL)",
        "odd event": "UPDATE event SET payload = CAST(X'FF' AS TEXT) WHERE kind = 'draw'",
    }
    if case in odd:
        with closing(sqlite3.connect(file)) as database, database:
            database.execute(odd[case])


@pytest.mark.parametrize("command", ["check", "stats", "stats --json", "export", "backup"])
@pytest.mark.parametrize(
    "case", ["empty", "folder", "text", "cut", "another database", "odd game", "odd event", "flipped"]
)
def test_commands_name_what_is_wrong_and_end_with_1(case: str, command: str, sound: bytes, tmp_path: Path) -> None:
    file, copy = tmp_path / "games.sqlite3", tmp_path / "copy.sqlite3"
    broken(case, file, sound)
    arguments = [*command.split(), *(["-o", str(copy)] if command == "backup" else [])]
    before = file.read_bytes() if file.is_file() else b""
    ran = komadai_says("admin", *arguments, "--data", str(tmp_path))
    said = ran.out + ran.err
    assert ran.status == 1, said
    if "odd" in case or case == "flipped":
        ids = games_in(file)
        [_bad] = {id for id in ids if f"game {id}: " in said}
        if command == "backup":
            assert f"the copy {copy} has the same defects as the store: 1" in ran.err
            assert games_in(copy) == ids
        elif command == "export":
            assert len(ran.out.splitlines()) == len(ids) - 1
        elif command.startswith("stats"):
            assert re.search(rf'"?games"?:? +{len(ids)}\b', ran.out)
            assert re.search(r'1 unreadable|"unreadable": 1', ran.out)
    else:
        [line] = said.splitlines()
        assert line.startswith("komadai: admin: ")
        assert str(file) in line
        assert not copy.exists()
        assert (file.read_bytes() if file.is_file() else b"") == before, "nothing is changed"


ODD = (
    ("terms", '{"tokens": {"b": "é", "w": "é"}}', True),
    ("terms", '{"tokens": {}}', False),
    ("terms", '{"tokens": []}', False),
    ("terms", '{"tokens": {"x": "y"}}', False),
    ("terms", '{"names": -1}', False),
    ("terms", '{"names": {"b": 5}, "tokens": {"b": null}}', False),
    ("terms", '{"time": 7}', False),
    ("join", '{"side": "w", "name": "Sumi", "token": 1e300, "visitor": null}', False),
    ("join", '{"side": "w", "token": "x"}', False),
    ("join", '{"side": "b", "name": 3, "token": "é", "visitor": null}', False),
)


@pytest.mark.parametrize(("what", "odd", "opens"), ODD)
def test_odd_seats_harm_only_their_game(what: str, odd: str, opens: bool, tmp_path: Path) -> None:
    """Profiles, people's data and whoever shows a token: all ask for the seats of a game."""

    async def prepared() -> tuple[str, list[tuple[str, str]]]:
        games = GameRegistry(store)
        seats = []
        for _game in range(2):
            made = await games.create("nana", {}, {"b": "human", "w": "open"}, name="Hana")
            assert made.invite is not None
            await games.accept(made.invite, "Sumi", None)
            seats.append((made.game, made.tokens["b"]))
        key = new_key()
        await Profiles(store, list).make(key)
        assert await Profiles(store, list).add(key, seats[1:]) == 1
        return key, seats

    async def asked() -> int:
        games = GameRegistry(SqliteStore(tmp_path / "games.sqlite3"))
        for token in (None, seats[0][1], "é"):
            try:
                session = await games.join(seats[0][0], [].append, token)
            except RefusedError:
                assert not opens
                continue
            assert opens
            session.views.state(token)
        await games.close()
        return await Profiles(store, list).add(key, seats)

    with closing(SqliteStore(tmp_path / "games.sqlite3")) as store:
        key, seats = in_a_loop(prepared())
        with closing(sqlite3.connect(tmp_path / "games.sqlite3")) as database, database:
            change = "game SET terms = ? WHERE id = ?" if what == "terms" else "event SET payload = ? WHERE game = ?"
            database.execute(f"UPDATE {change}", (odd, seats[0][0]))
        assert in_a_loop(asked()) == 1, "the seat in the game that is sound"
        assert [line.startswith(f"game {seats[0][0]}: ") for line in admin.check(store)] == [True] * (not opens)
        found = admin.profile(store, key)
        assert [game["game"] for game in admin.profile_data(store, found)["games"]] == [seats[1][0]]
        with suppress(admin.UnknownPersonError):
            admin.forget(store, seats[0][1])
        admin.delete_profile(store, found, games=True)


def test_no_server_writes_into_a_database_of_another_program(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite3"
    broken("another database", file, b"")
    with pytest.raises(DamagedError, match="no game store of Komadai"):
        open_store(tmp_path)
    with closing(sqlite3.connect(file)) as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("book",)]


def test_a_log_that_was_cut_loses_what_it_had(sound: bytes, tmp_path: Path) -> None:
    """SQLite reads as much of a write-ahead log as is whole: what comes after is lost, and nothing is wrong."""
    file, log = tmp_path / "games.sqlite3", tmp_path / "games.sqlite3-wal"
    file.write_bytes(sound)
    with closing(SqliteStore(file)) as store:
        store.save_record("r1", "x" * 9000)
        whole, kept = file.read_bytes(), log.read_bytes()
    chance = Random(1)
    for _again in range(4):
        file.write_bytes(whole)
        log.write_bytes(kept[: chance.randrange(len(kept))])
        (tmp_path / "games.sqlite3-shm").unlink(missing_ok=True)
        named, _lines, exported, there = looked_at(file)
        assert (named, there) == ({}, exported)


def test_what_is_damaged_can_be_deleted(sound: bytes, tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite3"
    broken("odd game", file, sound)
    with closing(SqliteStore(file)) as store:
        [(bad,)] = store._read("SELECT id FROM game WHERE seats = '['")
    assert komadai_says("admin", "delete", "game", bad, "--data", str(tmp_path)).out == "Deleted.\n"
    assert komadai_says("admin", "check", "--data", str(tmp_path)).out == "Nothing is wrong.\n"
