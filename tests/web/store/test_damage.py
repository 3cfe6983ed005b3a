"""Damaged stores: each defect is named in a line, everything else goes on, and nothing ends in a traceback."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest

from helpers.support import in_a_loop
from helpers.volume import volume
from helpers.web import damage, kept_stores
from komadai.web import admin
from komadai.web.game.backup import back_up
from komadai.web.game.registry import GameRegistry
from komadai.web.game.replay import RefusedError
from komadai.web.store import DamagedError
from komadai.web.store.sqlite import SqliteStore

KEPT = kept_stores.FOLDER / f"sqlite-{kept_stores.FORMATS['sqlite']}-1.sql"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a store with games in every state."""
    folder = tmp_path_factory.mktemp("sound")
    with closing(kept_stores.load(KEPT, None, folder)) as store:
        store.beat(*[__import__("komadai.web.store.watch", fromlist=["Stamp"]).Stamp()], None, 0)
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
                session.state(None)
                session.leave([].append)
                there.add(id)
    await registry.close()
    return there


@pytest.mark.parametrize("seed", range(volume(40)))
def test_an_odd_value_costs_the_games_that_it_concerns(
    seed: int, sound: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "games.sqlite3"
    file.write_bytes(sound)
    done = damage.in_a_row(file, Random(seed))
    named, lines, exported, there = looked_at(file)
    assert not [record for record in caplog.records if record.exc_info], done
    with closing(sqlite3.connect(file)) as database:
        database.text_factory = bytes
        ids = {row[0].decode(errors="replace") for row in database.execute("SELECT id FROM game")}
    assert there == ids - named.keys(), (done, lines)
    assert exported == there, (done, lines)
    assert len(ids - there) <= 2, (done, lines)
    logged = [record.game for record in caplog.records if record.message.startswith("a game is damaged")]
    assert len(logged) <= 2 * len(set(logged)), "once for each opening and backup"
