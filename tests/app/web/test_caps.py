"""The store cannot be filled, by one game, one address or all together; and what is begun can be ended."""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections.abc import Iterable
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from helpers.command import komadai_says
from helpers.support import ROOT, in_a_loop
from helpers.web.inside import inside
from helpers.web.served import Server, refused
from komadai import Record, record
from komadai.app.cli.play import size_of
from komadai.app.lessons import shared
from komadai.app.web.app import Upkeep
from komadai.app.web.engines.addresses import USUAL_NETWORKS, Address, Networks
from komadai.app.web.engines.quota import EVENT_BYTES, GAME_BYTES, Quota
from komadai.app.web.engines.rate_limits import USUAL, Bucket, RateLimits
from komadai.app.web.game import pruning, state
from komadai.app.web.game.pruning import prune_regularly
from komadai.app.web.game.registry import GameRegistry
from komadai.app.web.game.replay import FullError, RefusedError
from komadai.app.web.game.seats import digest
from komadai.app.web.game.store_calls import ask_store
from komadai.app.web.http import backup
from komadai.app.web.http.middleware import SocketLimit
from komadai.app.web.http.studies import _MOST_RECORD
from komadai.app.web.metrics import Metrics
from komadai.app.web.schema.commands import MoveCommand, PauseCommand, RematchCommand, ResignCommand, UndoCommand
from komadai.app.web.store import GameRow
from komadai.app.web.store.guarded import LEAST_FREE, guarded
from komadai.app.web.store.sqlite import SqliteStore
from komadai.game.time_control import TimeControl
from komadai.workshop.limits import MOST_BYTES

of = USUAL_NETWORKS.of
HERE, THERE = "203.0.113.5", "203.0.113.6"
NEW = {"variant": "nana", "seats": {"b": "human", "w": "human"}}
DAY = 86_400
SEATS = {"b": "human", "w": "human"}
TERMS = {"tokens": {"b": digest("ours"), "w": digest("ours")}}


# --- One game -------------------------------------------------------------------------------------------------------


async def test_a_long_game_takes_no_takebacks_then_no_moves_and_can_be_ended(
    hall: GameRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "MOST_EVENTS", 4)

    made = await hall.create("shogi", {}, SEATS, time=TimeControl.parse("10m"))
    session, token = await hall.join(made.game, lambda _: None), made.tokens["b"]
    for ply, move in ((1, "7g7f"), (2, "3c3d"), (3, "")):
        command = MoveCommand(f"m{ply}", ply, move) if move else UndoCommand("u", ply)
        await session.command(command, token)
    await session.command(MoveCommand("m4", 2, "3c3d"), token)
    for command in (UndoCommand("u2", 3), PauseCommand("p")):
        with pytest.raises(RefusedError, match="too long for that"):
            await session.command(command, token)
    for ply, move in ((3, "2g2f"), (4, "8c8d"), (5, "2f2e"), (6, "8d8e")):
        await session.command(MoveCommand(f"n{ply}", ply, move), token)
    with pytest.raises(RefusedError, match="too long for that"):
        await session.command(MoveCommand("n7", 7, "6i7h"), token)
    await session.command(ResignCommand("r"), token)
    assert session.seq == 9


# --- One address ----------------------------------------------------------------------------------------------------


def stored_in_days(days: int, *limits: Any, step: float, size: int, clock: Any) -> int:
    """The bytes that one address stores if it asks whenever it may, in steps of so many seconds."""
    stored, shared, quota = 0, *limits
    for _ in range(int(days * DAY / step)):
        clock.now += step
        while (quota is None or quota.may_begin(of(HERE))) and shared.take():
            stored += size
            if quota is not None:
                quota.spend(of(HERE), size)
    return stored


def test_what_one_address_may_store_in_a_day(clock: Any) -> None:
    """17 GB of records by the rate of requests alone; 40 MB on the first day, and 20 MB on each after it, by bytes."""
    asking = {"step": 5.0, "size": _MOST_RECORD, "clock": clock}
    assert 17e9 < stored_in_days(1, Bucket(*USUAL.shared), None, **asking) < 19e9
    quota = Quota(USUAL.stored)
    for most in (42e6, 22e6):
        assert stored_in_days(1, Bucket(*USUAL.shared), quota, **asking) < most


def test_the_browser_reads_as_much_as_the_server() -> None:
    script = (ROOT / "src/komadai/app/web/static/js/lib/bounds.js").read_text(encoding="utf-8")
    sizes = dict(re.findall(r"export const (\w+) = ([\d* ]+);", script))
    found = {name: math.prod(map(int, size.split("*"))) for name, size in sizes.items()}
    assert found == {
        "VARIANT_FILE": MOST_BYTES,
        "LESSON": shared.MOST_BYTES,
        "RECORDS": _MOST_RECORD,
        "BACKUP": backup._MOST,
    }


def test_moves_have_half_of_the_share_for_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    quota = Quota((0.0, 10 * GAME_BYTES))
    games = 0
    while quota.may_begin(of(HERE)):
        quota.spend(of(HERE), GAME_BYTES)
        games += 1
    assert games == 5
    moves = 0
    while quota.may_go_on(of(HERE)):
        quota.spend(of(HERE), EVENT_BYTES)
        moves += 1
    assert moves == 9
    assert quota.may_begin(of(THERE))
    for own in ("127.0.0.1", "::1"):
        quota.spend(of(own), 10**9)
        assert quota.may_begin(of(own))


async def test_an_address_that_has_stored_enough_is_refused_and_no_other(store: SqliteStore) -> None:
    shared = record.write([Record.begin("nana")], "json")
    limits = RateLimits(stored=(0.0, 4 * GAME_BYTES + 2 * len(shared)))

    async with inside(store, limits=limits) as at:
        for path, body in (("/api/records", shared), ("/api/games", NEW), ("/api/games", NEW)):
            sent = {"content": body} if isinstance(body, str) else {"json": body}
            answer = await at(HERE).post(path, **sent)
            assert answer.status_code in (200, 201), answer.text
        for path, sent in (("/api/records", {"content": shared}), ("/api/games", {"json": NEW})):
            answer = await at(HERE).post(path, **sent)
            assert refused(answer, 429) == "Your address has stored as much as it may today; go on later."
            assert (await at(THERE).post(path, **sent)).status_code in (200, 201)


async def test_a_player_whose_address_has_stored_too_much_can_still_resign(store: SqliteStore) -> None:
    from komadai.app.web.game.socket import Client

    games = GameRegistry(store, quota=Quota((0.0, EVENT_BYTES)))
    made = await games.create("nana", {}, SEATS)
    session = await games.join(made.game, lambda _: None)
    client, said = Client(None, games, (1, 1), of(HERE)), list[str]()  # type: ignore[arg-type]
    client._token = made.tokens["b"]
    client._send = said.append  # type: ignore[method-assign]
    for command in (MoveCommand("a", 1, "K*1a"), MoveCommand("b", 2, "K*3c"), ResignCommand("c")):
        await client._command(session, command)
    assert ['"ack"' in text for text in said] == [True, False, True]
    assert "as much as it may today" in said[1]
    await games.close()


# --- All together ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["size", "disk"])
async def test_a_full_store_takes_nothing_new_and_lets_games_be_played_to_their_end(
    store: SqliteStore, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("komadai.app.web.store.guarded._LOOK_AGAIN", 0.0)
    if fault == "disk":
        monkeypatch.setattr(store, "disk", lambda: (LEAST_FREE - 1, 10**12))

    store.create(GameRow("g", "nana", "1", {}, SEATS, terms=TERMS))
    full = guarded(store, Metrics(), store.size() if fault == "size" else 10**12)
    games = GameRegistry(full)
    session = await games.join("g", lambda _: None)
    await session.command(MoveCommand("a", 1, "K*1a"), "ours")
    await session.command(ResignCommand("b"), "ours")
    for beginning in (games.create("nana", {}, SEATS), session.command(RematchCommand("c"), "ours")):
        with pytest.raises(FullError, match=r"^Nothing was changed: this server has no room for new games"):
            await beginning
    async with inside(store, keep=Upkeep(bytes=1)) as at:
        client = at(HERE)
        for answer in (
            await client.post("/api/games", json=NEW),
            await client.post("/api/records", content=record.write([Record.begin("nana")], "json")),
        ):
            if fault == "size":
                assert "no room for new games and records" in refused(answer, 507)


def test_a_store_that_has_been_pruned_takes_games_again(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("komadai.app.web.store.guarded._LOOK_AGAIN", 0.0)
    text = "x" * 1_000_000
    store.save_record("r", text)
    full = guarded(store, Metrics(), store.size())
    row = GameRow("g", "nana", "1", {}, SEATS, terms=TERMS)
    with pytest.raises(Exception, match="no room"):
        full.create(row)
    store.delete_record("r")
    full.create(row)
    monkeypatch.setattr(store, "disk", lambda: (500_000, 9_000_000))
    full.create(GameRow("small", "nana", "1", {}, SEATS, terms=TERMS))


# --- What nobody goes on with ---------------------------------------------------------------------------------------


async def test_a_server_deletes_what_nobody_has_begun_unless_somebody_is_there(
    hall: GameRegistry, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pruning, "_FIRST", 0.0)
    long_ago = time.time() - 8 * DAY
    for id, created in (("old", long_ago), ("open", long_ago), ("new", time.time())):
        store.create(GameRow(id, "nana", "1", {}, SEATS, created=created, terms=TERMS))

    await hall.join("open", lambda _: None)
    task = asyncio.create_task(prune_regularly(store, 7, hall.attended))
    while store.load("old") is not None:
        await asyncio.sleep(0.01)
    task.cancel()
    assert [game.id for game in store.games()] == ["new", "open"]
    await prune_regularly(store, 0, hall.attended)  # never, and ends


async def test_pruning_leaves_the_store_to_others(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    together = Barrier(3, timeout=60)  # the pruning, and both threads that there are for all else
    monkeypatch.setattr(pruning, "_FIRST", 0.0)
    monkeypatch.setattr(pruning, "prune", lambda *_: together.wait() * 0)

    task = asyncio.create_task(prune_regularly(store, 7, tuple))
    await asyncio.gather(ask_store(together.wait), ask_store(together.wait))
    task.cancel()


# --- Options --------------------------------------------------------------------------------------------------------


def test_sizes_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [size_of(text) for text in ("5", "7k", "500M", "20G", "1T")] == [5, 7000, 500 * 10**6, 2 * 10**10, 10**12]
    for wrong in ("", "G", "0G", "1.5G", "10GB", "-1", "١G", "1001T", "9" * 5000, "9" * 5000 + "G"):
        assert size_of(wrong) is None
        if wrong:
            monkeypatch.setenv("KOMADAI_MAX_STORE", wrong)
            ran = komadai_says("play")
            assert (ran.status, ran.err.count("\n")) == (2, 1)
            assert ran.err.startswith("komadai: KOMADAI_MAX_STORE '")
            assert ran.err.endswith("with K, M, G or T, such as 500M or 20G\n")


@pytest.mark.parametrize("text", ["x", "-1", "nan", "1e13", "xml"])
@pytest.mark.parametrize(
    ("name", "expected"),
    [("KOMADAI_PRUNE_DAYS", "a number of days, 0 to 1,000,000,000,000"), ("KOMADAI_LOG_FORMAT", "text or json")],
)
def test_odd_values_of_variables_are_refused(
    name: str, text: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, text)
    ran = komadai_says("play")
    assert (ran.status, ran.out, ran.err) == (2, "", f"komadai: {name} {text!r}: expected {expected}\n")


def test_a_server_has_the_limit_it_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOMADAI_MAX_STORE", "1K")
    monkeypatch.setenv("KOMADAI_PRUNE_DAYS", "0")
    with Server(tmp_path) as server:
        assert server.ask().status_code == 507


def test_sockets_are_counted_by_network() -> None:
    """256 of a household, four times as many of a site, and of a widened network as the operator says."""
    limit = 256
    counted = Networks.parse(["203.0.113.0/24=2"])
    here = counted.of("203.0.113.9")
    site = [counted.of(f"2001:db8:4:{number}00::1") for number in range(6)]

    async def opened(asked: Iterable[Address]) -> int:
        held, taken = asyncio.Event(), list[Scope]()

        async def app(scope: Scope, _receive: Receive, _send: Send) -> None:
            taken.append(scope)
            await held.wait()

        async def refuse(_message: Message) -> None:
            pass

        door = SocketLimit(app, limit)
        scopes = [{"type": "websocket", "headers": [], "komadai.address": one} for one in asked]
        tasks = [asyncio.ensure_future(door(scope, None, refuse)) for scope in scopes]  # type: ignore[arg-type]
        await asyncio.sleep(0)
        held.set()
        await asyncio.gather(*tasks)
        assert not door._open
        return len(taken)

    assert in_a_loop(opened([site[0]] * 400)) == limit
    assert in_a_loop(opened([one for one in site for _ in range(250)])) == 4 * limit
    assert in_a_loop(opened([here] * 700)) == 2 * limit
    assert in_a_loop(opened([counted.of("127.0.0.1")] * 700)) == 700
