"""Upkeep of a store while servers use it, in both databases."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from helpers.command import Ran, komadai_says
from komadai import record as records
from komadai.app.web import admin
from komadai.app.web.engines.addresses import USUAL_NETWORKS
from komadai.app.web.engines.rate_limits import USUAL
from komadai.app.web.engines.running_games import RunningGames
from komadai.app.web.game.live import Chapter, Lives
from komadai.app.web.game.lobby import Lobby
from komadai.app.web.game.pruning import Ages, idle_games, prune
from komadai.app.web.game.registry import GameRegistry
from komadai.app.web.game.replay import DeletedError, RefusedError
from komadai.app.web.game.seats import digest
from komadai.app.web.http.books import Bookshelf
from komadai.app.web.http.live import prepared
from komadai.app.web.http.middleware import Signer
from komadai.app.web.schema.commands import MoveCommand, RematchCommand, ResignCommand
from komadai.app.web.schema.live import LiveView, NewLive, SentChapter
from komadai.app.web.store import Event, GameRow, Store, StoreError
from komadai.app.web.store.opening import open_store
from komadai.app.web.store.sqlite import SqliteStore
from komadai.record import Record

DAY = 86_400.0
TERMS = {"tokens": {"b": "one digest", "w": "another"}}
MINE, YOURS = "m" * 32, "y" * 32
"""The ids in two browsers' cookies."""
PEOPLE = {"b": "human", "w": "open"}


@dataclass
class Place:
    """A store, and how the command line names it."""

    data: str

    def store(self) -> Store:
        return open_store(self.data)

    def says(self, *arguments: str) -> Ran:
        return komadai_says("admin", *arguments, "--data", self.data)


@pytest.fixture
def place(kept_in: str) -> Place:
    return Place(kept_in)


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    with closing(place.store()) as made:
        yield made


def begin(store: Store, id: str, days: float = 0, *moves: str, **more: Any) -> None:
    """Write a game of Nana Shogi with these moves, begun so long ago."""
    at = time.time() - days * DAY
    more = {"terms": TERMS} | more
    store.create(GameRow(id, "nana", "1", {}, {"b": "human", "w": "human"}, created=at, **more))
    for seq, move in enumerate(moves, 1):
        payload = {"side": "b"} if move == "resign" else {"usi": move}
        store.append(id, Event(seq, "resign" if move == "resign" else "move", payload, at=at))


def cookie(store: Store, id: str) -> str:
    return Signer(store.secret("cookies")).sign(id)


# --- Pruning --------------------------------------------------------------------------------------------------------


def test_games_are_pruned_by_their_age_and_progress(store: Store) -> None:
    begin(store, "new")
    begin(store, "old", 8)
    begin(store, "left", 40, "K*1a")
    begin(store, "over", 400, "K*1a", "resign")
    for number in (1, 2):
        more: dict[str, Any] = {"match": "m1", "number": number, "terms": TERMS}
        store.create(GameRow(f"m{number}", "hand", "1", {}, {"b": "human", "w": "human"}, created=1.0, **more))
        store.append(f"m{number}", Event(1, "move", {"usi": "5i4i"}, at=1.0))
        store.append(f"m{number}", Event(2, "resign", {"side": "b"}) if number == 1 else Event(2, "undo", {"pops": 1}))
    assert {(one.whole, one.progress) for one in idle_games(store, Ages(0, 0, 0))} == {
        ("new", "unstarted"),
        ("old", "unstarted"),
        ("left", "unfinished"),
        ("over", "finished"),
        ("m1", "unfinished"),
    }
    assert prune(store, Ages(unstarted=7)) == 1
    assert prune(store, Ages(unstarted=7, unfinished=41, finished=399), kept=["over"]) == 0
    assert store.load("old") is None
    assert prune(store, Ages(unfinished=30, finished=399)) == 2
    assert [game.id for game in store.games()] == ["m1", "m2", "new"], "the match has gone on"


def test_a_game_that_is_begun_just_now_is_not_pruned(store: Store) -> None:
    begin(store, "g", 8)
    [found] = idle_games(store, Ages(unstarted=7))
    store.append("g", Event(1, "move", {"usi": "K*1a"}))
    assert not store.delete(found.whole, found.events)
    assert len(store.load("g")[1]) == 1  # type: ignore[index]
    assert store.delete("g")
    assert not store.delete("g")


def test_what_would_be_pruned_is_said_first(place: Place, store: Store) -> None:
    begin(store, "old", 8)
    store.save_record("r", "{}")
    asked = ("prune", "--unstarted", "7d", "--records", "0d")
    shown = place.says(*asked, "--dry-run").out
    assert "unstarted   old  0 events  8 days\n" in shown
    assert "To be deleted: 1 unstarted, 1 record" in shown
    assert store.load("old") is not None
    assert place.says(*asked).out == "Deleted: 1 unstarted, 1 record\n"
    assert (store.load("old"), store.load_record("r")) == (None, None)
    assert place.says(*asked).out == "Deleted: nothing\n"
    assert "needs --unstarted" in place.says("prune").err


# --- Deletion while a server runs -----------------------------------------------------------------------------------


async def test_players_hear_that_their_game_was_deleted_and_it_stays_so(place: Place) -> None:
    games, said = GameRegistry(place.store()), asyncio.Queue[str]()
    await games.open()
    made = await games.create("nana", {}, {"b": "human", "w": "level1"})
    session = await games.join(made.game, said.put_nowait, made.tokens["b"])
    ran = await asyncio.to_thread(place.says, "delete", "game", made.game)
    assert (ran.out, ran.err) == ("Deleted.\n", "")
    with pytest.raises(DeletedError, match="has been deleted"):
        await session.command(MoveCommand("a", 1, "K*1a"), made.tokens["b"])
    while "has been deleted" not in await said.get():
        pass
    for again in range(2):
        with pytest.raises(DeletedError):
            await session.command(ResignCommand(f"b{again}"), made.tokens["b"])
    with pytest.raises(RefusedError):
        await games.join(made.game, said.put_nowait)
    session.leave(said.put_nowait)
    with pytest.raises(RefusedError, match="has been deleted"):
        await games.join(made.game, said.put_nowait)
    await games.close()
    with closing(place.store()) as store:
        assert store.games() == []


async def test_a_thinking_computer_does_not_resurrect_a_deleted_game(place: Place) -> None:
    games, said = GameRegistry(place.store()), asyncio.Queue[str]()
    await games.open()
    made = await games.create("nana", {}, {"b": "human", "w": "level10"})
    session = await games.join(made.game, said.put_nowait, made.tokens["b"])
    await session.command(MoveCommand("a", 1, "K*1a"), made.tokens["b"])
    with closing(place.store()) as other:
        other.delete(made.game)
        while "has been deleted" not in await said.get():
            pass
        await games.close()
        assert other.games() == []


def test_a_match_is_deleted_as_a_whole(place: Place, store: Store) -> None:
    for number in (1, 2):
        more: dict[str, Any] = {"match": "m1", "number": number, "terms": TERMS}
        store.create(GameRow(f"m{number}", "hand", "1", {}, {"b": "human", "w": "human"}, **more))
    assert place.says("delete", "game", "m2").out == "Deleted, with all 2 games of the match.\n"
    assert store.games() == []
    missing = place.says("delete", "game", "m2")
    assert (missing.status, "there is no game 'm2'" in missing.err) == (2, True)
    assert "there is no record" in place.says("delete", "record", "r").err


async def test_followers_hear_that_a_live_study_was_deleted(place: Place) -> None:
    shared, here = place.store(), USUAL_NETWORKS.of("127.0.0.1")
    games, said = GameRegistry(shared), asyncio.Queue[str]()

    async def prepare(text: str, _payer: object) -> Chapter:
        return prepared(text.encode(), Bookshelf())

    lives = Lives(shared, Lobby(shared, lambda: ()), USUAL, RunningGames(), prepare)
    await games.open(lives)
    record = records.to_data(Record.begin("nana")) | {"headers": {"Chapter": "Ann's"}}
    sent = NewLive([SentChapter("a", record)], LiveView("a", 0))
    fresh = {"a": prepared(json.dumps(record).encode(), Bookshelf())}
    made = await lives.make(sent, fresh, here)
    await lives.join(made.id, said.put_nowait, None, here)
    ran = await asyncio.to_thread(place.says, "live")
    assert (ran.out.split()[0], ran.out.rstrip().endswith("Ann's")) == (made.id, True)
    assert (await asyncio.to_thread(place.says, "delete", "live", made.id)).out == "Deleted.\n"
    while "ended" not in await said.get():
        pass
    assert (await asyncio.to_thread(place.says, "live")).out == "Nothing is live.\n"
    assert "there is no live study" in (await asyncio.to_thread(place.says, "delete", "live", made.id)).err
    lives.close()
    await games.close()


# --- People ---------------------------------------------------------------------------------------------------------


async def meet(games: GameRegistry, me: str, you: str) -> tuple[str, str, str]:
    """A game of two named people, with the tokens of Black and White."""
    made = await games.create("nana", {}, PEOPLE, name="Ann", owner=digest(me))
    assert made.invite is not None
    for _again in range(2):  # the answer was lost, for example
        game, token = await games.accept(made.invite, "Bob", digest(you))
    return game, made.tokens["b"], token


def everything(store: Store) -> str:
    """All that is stored of games, as text."""
    return repr([store.load(game.id) for game in store.games()])


@pytest.mark.parametrize("by", ["cookie", "token"])
async def test_a_guest_is_forgotten_and_their_opponent_keeps_the_game(place: Place, by: str) -> None:
    games, said = GameRegistry(place.store()), asyncio.Queue[str]()
    await games.open()
    game, ann, bob = await meet(games, MINE, YOURS)
    session = await games.join(game, said.put_nowait, ann)
    await session.command(MoveCommand("a", 1, "K*1a"), ann)
    alone = await games.create("nana", {}, {"b": "human", "w": "level1"}, name="Bob", owner=digest(YOURS))
    with closing(place.store()) as other:
        done = admin.forget(other, cookie(other, YOURS) if by == "cookie" else bob)
        assert done.anonymous == [game]
        assert done.deleted == ([alone.game] if by == "cookie" else [])
        left = repr(other.load(game))
        assert not any(trace in left for trace in ("Bob", digest(bob), digest(YOURS)))
        assert "Ann" in left
        assert digest(ann) in left
        if by == "cookie":
            assert digest(YOURS) not in everything(other)
    await session.refresh()
    shown = json.loads(session.views.state(ann))
    assert (shown["names"], shown["you"]) == ({"b": "Ann"}, ["b"])
    assert shown["position"]["outcome"]["reason"] == "resign"
    with pytest.raises(RefusedError, match="watching"):
        await session.command(ResignCommand("b"), bob)
    session.leave(said.put_nowait)
    await games.close()


async def test_a_maker_of_games_is_forgotten_in_rematches_too(place: Place) -> None:
    games = GameRegistry(place.store())
    game, ann, bob = await meet(games, MINE, YOURS)
    session = await games.join(game, lambda _: None, ann)
    await session.command(ResignCommand("a"), ann)
    for token, id in ((ann, "b"), (bob, "c")):
        await session.command(RematchCommand(id), token)
    await games.close()
    with closing(place.store()) as other:
        done = admin.forget(other, f"komadai={cookie(other, MINE)}\n")
        assert (len(done.anonymous), done.deleted) == (2, [])
        left = everything(other)
        assert not any(trace in left for trace in ("Ann", digest(ann), digest(MINE)))
        assert left.count(digest(bob)) == 2
        assert list(admin.check(other)) == []


def test_a_stranger_is_no_person(place: Place, store: Store) -> None:
    begin(store, "g", 0, owner=digest(MINE))
    for secret in ("nonsense", f"{MINE}.{'0' * 32}", digest(MINE), ""):
        with pytest.raises(admin.UnknownPersonError, match="neither the token"):
            admin.forget(store, secret)
    assert store.load("g") is not None


# --- Looking, copying -----------------------------------------------------------------------------------------------


def test_games_are_exported_as_records(place: Place, store: Store) -> None:
    begin(store, "g", 0, "K*1a", "resign")
    begin(store, "h")
    lines = place.says("export").out.splitlines()
    read = [records.read(line, form="json")[0] for line in lines]
    assert [len(record.nodes) - 1 for record in read] == [1, 0]
    assert place.says("export", "g").out.splitlines() == lines[:1]
    assert "there is no game" in place.says("export", "x").err
    store.create(GameRow("old", "nana", "0", {}, {"b": "human", "w": "human"}))
    ran = place.says("export")
    assert (ran.status, ran.out.splitlines()) == (1, lines)
    assert "game old: This game was started under version 0" in " ".join(ran.err.split())


def test_defects_are_found(place: Place, store: Store) -> None:
    begin(store, "g", 0, "K*1a")
    store.save_record("good", '{"schema":"no"}')
    begin(store, "gap", 0, "K*1a")
    store.append("gap", Event(3, "undo", {"pops": 1}))
    begin(store, "wrong", 0, "K*1a", "K*1a")
    store.create(GameRow("m2", "hand", "1", {}, {"b": "human", "w": "human"}, "m1", 2, terms=TERMS))
    ran = place.says("check")
    assert ran.status == 1
    found = ran.out.splitlines()
    assert [line.partition(":")[0] for line in found] == ["game gap", "game m2", "game wrong", "record good", "Defects"]
    assert found[0] == "game gap: event 2 is missing"
    for game in ("gap", "wrong", "m2"):
        store.delete(game)
    store.delete_record("good")
    assert place.says("check").out == "Nothing is wrong.\n"


@pytest.mark.parametrize(
    ("column", "table", "value", "words"),
    [
        ("payload", "event", "{", "event 1, its payload: Input data was truncated"),
        ("payload", "event", "[]", "event 1, its payload: Expected `object`, got `array`"),
        ("kind", "event", "dance", "event: 1 is of unknown kind 'dance'"),
        ("at", "event", 1e308, "event 1, its time: Expected `float` <= 100000000000.0"),
        ("seats", "game", '{"b":1}', "its seats: Expected `str`, got `int` - at `$.b`"),
        ("terms", "game", "null", "its terms: Expected `object`, got `null`"),
        ("terms", "game", '{"names":7}', "Expected `object`, got `int` - at `$.names`"),
        ("variant", "game", "go", "go"),
    ],
)
def test_a_damaged_game_is_named_and_the_others_go_on(
    place: Place, store: Store, column: str, table: str, value: object, words: str
) -> None:
    for id in ("bad", "good", "more"):
        begin(store, id, 0, "K*1a")
    where = "id" if table == "game" else "game"
    store._write((f"UPDATE {table} SET {column} = ? WHERE {where} = 'bad'", (value,)))  # type: ignore[attr-defined]
    check, stats, export = place.says("check"), place.says("stats", "--json"), place.says("export")
    assert check.out.splitlines()[1:] == ["Defects: 1"]
    for said in (check.out, stats.err, export.err):
        assert "game bad: " in said
        assert words in said
    assert (check.status, stats.status, export.status) == (1, 1, 1)
    assert json.loads(stats.out)["progress"] == {"unstarted": 0, "unfinished": 2, "finished": 0, "unreadable": 1}
    assert len(export.out.splitlines()) == 2


def test_figures_are_counted(place: Place, store: Store) -> None:
    begin(store, "g", 0, "K*1a")
    begin(store, "h")
    found = json.loads(place.says("stats", "--json").out)
    assert (found["games"], found["events"], found["variants"]) == (2, 1, {"nana": 2})
    assert found["progress"] == {"unstarted": 1, "unfinished": 1, "finished": 0, "unreadable": 0}
    assert found["bytes"] > 0
    assert "games     2" in place.says("stats").out


def test_a_copy_is_written_while_a_server_writes(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "games.sqlite3")) as store:
        begin(store, "g", 0, "K*1a")
        copy = tmp_path / "copy.sqlite3"
        ran = komadai_says("admin", "backup", "-o", str(copy), "--data", str(tmp_path))
        assert ran.out.startswith(str(copy))
        begin(store, "later")
        with closing(SqliteStore(copy)) as kept:
            assert kept.load("g") == store.load("g")
            assert kept.load("later") is None
            assert kept.defects() == []
        assert "is there already" in komadai_says("admin", "backup", "-o", str(copy), "--data", str(tmp_path)).err
        nowhere = komadai_says("admin", "backup", "-o", str(tmp_path / "no" / "copy"), "--data", str(tmp_path))
        assert "cannot be written" in nowhere.err


def test_postgresql_is_copied_by_its_own_program(url: str) -> None:
    assert "pg_dump --format=custom" in komadai_says("admin", "backup", "-o", "copy", "--data", url).err


def test_a_broken_file_and_a_missing_one_are_said(tmp_path: Path) -> None:
    assert "there is no game store" in komadai_says("admin", "stats", "--data", str(tmp_path)).err
    with closing(SqliteStore(tmp_path / "games.sqlite3")) as store:
        begin(store, "g", 0, "K*1a")
        with closing(sqlite3.connect(store.path)) as other:
            other.execute("DELETE FROM game")
            other.commit()
        assert store.defects() == ["game g: it is missing, but not its rows in the table event"]


def test_a_store_that_has_no_files_is_not_copied(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no copies"):
        Store.back_up(SqliteStore(tmp_path / "games.sqlite3"), tmp_path / "copy")


def test_what_is_deleted_is_not_found_in_the_file(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "games.sqlite3")) as store:
        begin(store, "g", 0, terms={"names": {"b": "a name to be found"}})
        store.delete("g")
    assert b"a name to be found" not in (tmp_path / "games.sqlite3").read_bytes()
