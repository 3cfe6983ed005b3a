"""Servers that share a PostgreSQL: what one does reaches the others, and dies with none of them."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import psycopg
import pytest

from helpers.web.served import Server
from komadai.app.web.game.registry import GameRegistry
from komadai.app.web.game.seats import HUMAN, OPEN
from komadai.app.web.schema.commands import MoveCommand, ResignCommand
from komadai.app.web.store import Event, GameRow
from komadai.app.web.store.postgres import PostgresStore
from komadai.app.web.store.postgres_bus import PostgresBus
from komadai.engine import Engine
from komadai.game.time_control import TimeControl

SEATS = {"b": HUMAN, "w": HUMAN}


Heard = asyncio.Queue[tuple[str, int] | None]
"""The notices that a bus received; ``None``: it may have missed some."""


@asynccontextmanager
async def listening(url: str) -> AsyncIterator[tuple[PostgresBus, Heard]]:
    bus, heard = PostgresBus(url), Heard()
    await bus.open(lambda game, seq: heard.put_nowait((game, seq)), lambda: heard.put_nowait(None))
    assert await heard.get() is None, "what happened before"
    try:
        yield bus, heard
    finally:
        await bus.close()


async def test_news_reaches_every_server(url: str) -> None:
    store = PostgresStore(url)
    async with listening(url) as (_, first), listening(url) as (_, second):
        for number in (1, 2):
            game = GameRow(f"h{number}", "hand", "1", {}, SEATS, "h1", number)
            store.follow(game, "h1", 1) if number == 2 else store.create(game)
            store.append(game.id, Event(1, "resign", {"side": "b"}))
        for heard in (first, second):
            assert [await heard.get() for _ in range(3)] == [("h1", 1), ("h1", 2), ("h2", 1)]
        with psycopg.connect(url, autocommit=True) as other:
            other.execute("NOTIFY komadai, 'nonsense'")
        store.append("h2", Event(2, "undo", {"pops": 1}))
        assert (await first.get(), await second.get()) == (("h2", 2), ("h2", 2))
    store.close()


async def test_a_claim_is_one_servers_until_it_is_done_or_dies(url: str) -> None:
    async with listening(url) as (one, _), listening(url) as (two, _):
        async with one.claim("g") as first, two.claim("g") as second, two.claim("h") as other:
            assert (first, second, other) == (True, False, True)
        async with two.claim("g") as now:
            assert now
            with psycopg.connect(url, autocommit=True) as database:
                database.execute("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'")
            while True:
                async with one.claim("g") as inherited:
                    if inherited:
                        return
                await asyncio.sleep(0.01)


class Told(asyncio.Queue[dict[str, Any]]):
    """The messages a client receives, except presence."""

    def hear(self, message: str) -> None:
        said = json.loads(message)
        if said["t"] != "presence":
            self.put_nowait(said)


@asynccontextmanager
async def halls(url: str) -> AsyncIterator[tuple[GameRegistry, GameRegistry]]:
    stores = [PostgresStore(url) for _ in range(2)]
    one, two = (GameRegistry(store) for store in stores)
    for hall in (one, two):
        await hall.open()
    try:
        yield one, two
    finally:
        for hall in (one, two):
            await hall.close()


async def test_a_move_through_one_server_is_sent_by_the_other_even_if_the_line_was_lost(url: str) -> None:
    said = Told()
    async with halls(url) as (one, two):
        made = await one.create("hand", {}, SEATS)
        game, token = made.game, made.tokens["b"]
        first = await one.join(game, lambda _: None)
        second = await two.join(game, said.hear)
        await first.command(MoveCommand("a", 1, "5i4i"), token)
        heard = await said.get()
        assert (heard["t"], [event["usi"] for event in heard["events"]]) == ("events", ["5i4i"])
        assert await second.command(MoveCommand("a", 1, "5i4i"), token) == 1, "the same command, through another server"
        with psycopg.connect(url, autocommit=True) as other:
            other.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        await first.command(MoveCommand("b", 2, "5a4a"), token)
        assert (await said.get())["seq"] == 2, "unheard, and read when the line is up again"
        await first.command(ResignCommand("c"), token)
        following = await one.next_game(game, token)
        while not (await said.get())["position"]["match"]["begun"]:
            pass
        assert await two.next_game(game, token) == following


async def test_one_server_thinks_where_two_have_clients(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    searches, search = [], Engine.search

    def counted(engine: Engine, *arguments: Any, **limits: Any) -> Any:
        searches.append(engine)
        return search(engine, *arguments, **limits)

    monkeypatch.setattr(Engine, "search", counted)

    said = Told()
    async with halls(url) as (one, two):
        made = await one.create("nana", {}, {"b": HUMAN, "w": "level2"})
        game, token = made.game, made.tokens["b"]
        first = await one.join(game, lambda _: None)
        await two.join(game, said.hear)
        await first.command(MoveCommand("a", 1, "K*1a"), token)
        while (await said.get())["seq"] < 2:
            pass
    assert len(searches) == 1


def test_two_servers_play_one_game_and_a_killed_one_loses_nothing(url: str, start: Callable[..., Server]) -> None:
    """Moves alternately through both; one is killed as soon as it has acknowledged a move, and comes back."""
    moves = ("7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e", "6i7h", "4a3b")
    servers = [start(0, "--data", url) for _ in range(2)]
    game = servers[0].game("shogi")
    clients = [server.join(game).__enter__() for server in servers]
    for ply, move in enumerate(moves, 1):
        mover, other = ply % 2, 1 - ply % 2
        assert clients[mover].move(move, ply)["t"] == "ack"
        if ply == 5:
            servers[mover].end(signal.SIGKILL)
        said = clients[other].receive("events")
        assert said["seq"] == ply
        assert [event["usi"] for event in said["events"]] == [move]
        if ply == 5:
            servers[mover] = start(servers[mover].port, "--data", url)
            clients[mover] = servers[mover].join(game, seq=ply).__enter__()
            assert clients[mover].state == {**clients[mover].state, "t": "events", "seq": ply, "events": []}
    for client in clients:
        client.__exit__(None, None, None)
    with servers[0].join(game) as again:
        assert [move["usi"] for move in again.state["moves"]] == list(moves)
    game = servers[0].game("shogi", w="level10")
    with servers[1].join(game) as watching:
        with servers[0].join(game) as client:
            assert client.move("7g7f", 1)["t"] == "ack"
            servers[0].end(signal.SIGKILL)
        assert watching.receive("events")["position"]["thinking"]
        assert watching.receive("events")["position"]["turn"] == "b", "the other server has taken the thought over"


async def test_people_of_two_servers_meet_and_one_flag_falls(url: str) -> None:
    said = Told()
    async with halls(url) as (one, two):
        made = await one.create("nana", {}, {"b": HUMAN, "w": OPEN}, time=TimeControl.parse("1s"))
        assert made.invite is not None
        black = await one.join(made.game, said.hear)
        game, token = await two.accept(made.invite, "Ben", None)
        white = await two.join(game, lambda _: None, token)
        assert (await said.get())["events"][0]["kind"] == "join"
        await black.command(MoveCommand("a", 1, "K*1a"), made.tokens["b"])
        while white.seq < 2:
            await asyncio.sleep(0.01)
        await white.command(MoveCommand("b", 2, "K*3c"), token)
        while "flag" not in {event["kind"] for event in (await said.get())["events"]}:
            pass
        while white.seq < black.seq:
            await asyncio.sleep(0.01)
        outcomes = {str(session.state.game.outcome()) for session in (black, white)}
        assert (black.seq, outcomes) == (4, {"White wins: Black ran out of time"}), "once, and both know"
