"""Stores that former versions left: every game is as it was, and its people go on with what they hold."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import msgspec
import psycopg
import pytest

import komadai
from helpers.command import komadai_says
from helpers.web import kept_stores
from helpers.web.cluster import Cluster
from komadai import record as records
from komadai.app.web import admin
from komadai.app.web.game.profiles import profile_of
from komadai.app.web.game.registry import GameRegistry
from komadai.app.web.game.replay import RefusedError
from komadai.app.web.game.seats import digest
from komadai.app.web.game.session import Session
from komadai.app.web.http.middleware import Signer
from komadai.app.web.schema.commands import MoveCommand, ResignCommand, ResumeCommand
from komadai.app.web.schema.events import GameEvent
from komadai.app.web.store import Sealed, Store, StoreError
from komadai.app.web.store import postgres as postgres_store
from komadai.app.web.store.postgres import PostgresStore

FILES = sorted(kept_stores.FOLDER.glob("*.sql"))
HOW = "PYTHONPATH=tests python -m helpers.web.kept_stores"


@pytest.fixture(params=FILES, ids=lambda file: file.stem)
def file(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    return found


@pytest.fixture
def store(file: Path, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    cluster = request.getfixturevalue("cluster") if file.stem.startswith("postgres") else None
    with closing(kept_stores.load(file, cluster, tmp_path)) as made:
        yield made


@pytest.fixture
def held(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
    return found


def same_rules(store: Store, game: dict[str, Any]) -> bool:
    """True if this version plays the game by the rules under which it was begun, or by others with the same moves."""
    found = store.load(game["id"])
    assert found is not None
    return game["seen"]["rules"] in komadai.variant(found[0].variant).versions


@pytest.mark.parametrize("database", kept_stores.FORMATS)
def test_there_is_a_kept_store_of_the_present_format_with_every_kind_of_event(database: str) -> None:
    assert list(kept_stores.FOLDER.glob(f"{database}-{kept_stores.FORMATS[database]}-*.sql")), HOW
    kinds = {msgspec.inspect.type_info(kind).tag for kind in get_args(GameEvent)}  # type: ignore[attr-defined]
    kept = [json.loads(path.read_text(encoding="utf-8")) for path in kept_stores.FOLDER.glob(f"{database}-*.json")]
    games = [game for held in kept for game in held["games"].values()]
    assert kinds - {kind for game in games for kind in game["seen"]["events"]} == set(), HOW


def test_every_game_is_as_it_was(store: Store, held: dict[str, Any]) -> None:
    assert {game.id for game in store.games()} == {game["id"] for game in held["games"].values()}
    for name, game in held["games"].items():
        if same_rules(store, game):
            assert kept_stores.seen(store, game["id"]) == game["seen"], name
        else:
            with pytest.raises(RefusedError, match="was started under version"):
                kept_stores.seen(store, game["id"])


def test_nothing_is_wrong_with_it(store: Store, held: dict[str, Any]) -> None:
    old = {game["id"] for game in held["games"].values() if not same_rules(store, game)}
    assert [defect for defect in admin.check(store) if not any(id in defect for id in old)] == []


def test_what_people_hold_still_opens_what_it_opened(store: Store, held: dict[str, Any]) -> None:
    assert Signer(store.secret("cookies")).read(held["cookie"]) is not None
    assert records.read(store.load_record(held["record"]) or "", form="json")[0].nodes[-1].move
    profile = store.profile(profile_of(held["profile"]))
    assert profile is not None
    seats = {held["games"][name]["id"]: "b" for name in ("taken back", "computer")}
    assert {seat.game: seat.sides for seat in profile.seats} == seats
    kept = store.memory(profile.id)
    assert kept is not None
    assert kept == (Sealed(1, kept_stores.SEALED) if "memory" in held else Sealed(0, ""))
    for game in held["games"].values():
        row, joins = store.load(game["id"])  # type: ignore[misc]
        digests = repr((row.terms, [event.payload for event in joins if event.kind == "join"]))
        for side in {"b", "w"} & game.keys():
            assert digest(game[side]) in digests


async def test_its_games_go_on(store: Store, held: dict[str, Any]) -> None:
    """Both sides move with their tokens, stopped clocks run again, and those invited come."""
    games = {name: game for name, game in held["games"].items() if same_rules(store, game)}
    if not {"taken back", "paused", "invited", "lobby", "computer"} <= games.keys():
        pytest.skip("the rules of these games have changed since")

    registry, said = GameRegistry(store), asyncio.Queue[str]()
    await registry.open()

    async def joined(name: str) -> Session:
        return await registry.join(games[name]["id"], said.put_nowait, games[name]["b"])

    apart = await joined("taken back")
    ply = apart.state.game.position.ply
    assert await apart.command(MoveCommand("x1", ply, "3c3d"), games["taken back"]["w"])
    assert await apart.command(MoveCommand("x2", ply + 1, "2g2f"), games["taken back"]["b"])
    stopped = await joined("paused")
    for side in "bw":
        await stopped.command(ResumeCommand(f"x{side}"), games["paused"][side])
    assert await stopped.command(MoveCommand("x3", stopped.state.game.position.ply, "2f2e"), games["paused"]["b"])
    computer = await joined("computer")
    move = str(computer.state.game.position.legal_moves()[0])
    assert await computer.command(MoveCommand("x4", computer.state.game.position.ply, move), games["computer"]["b"])
    for name in ("invited", "lobby"):
        _game, token = await registry.accept(games[name]["invite"], "Eve", None)
        waiting = await joined(name)
        assert await waiting.command(ResignCommand("x5"), token)
    for session in (apart, stopped, computer):
        session.leave(said.put_nowait)
    await registry.close()


def test_a_database_of_a_version_before_0_2_is_refused_and_left_alone(cluster: Cluster) -> None:
    url, found = cluster.database(), postgres_store.OLDEST - 1
    with psycopg.connect(url) as old:
        old.execute("CREATE TABLE format (number INTEGER NOT NULL)")
        old.execute("INSERT INTO format VALUES (%s)", (found,))
    with pytest.raises(StoreError, match=rf"before 0\.2 \(format {found}; "):
        PostgresStore(url)
    with psycopg.connect(url) as old:
        assert old.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall() == [("format",)]


def test_a_newer_store_is_refused_in_words_and_left_alone(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "games.sqlite3")) as newer:
        newer.executescript("CREATE TABLE game (of_the_future TEXT); PRAGMA user_version=99;")
    for command in (("play", "--no-browser"), ("admin", "stats")):
        ran = komadai_says(*command, "--data", str(tmp_path))
        said = " ".join(ran.err.split())
        assert ran.status == 2
        assert "was written by a newer Komadai (format 99; this version knows formats up to" in said
        assert "restore a backup made before the update" in said
    with closing(sqlite3.connect(tmp_path / "games.sqlite3")) as newer:
        assert [row[0] for row in newer.execute("SELECT name FROM sqlite_master")] == ["game"]
