"""Engines that find no move or never end: a game gives up, and the server ends all the same."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import komadai
from helpers.engines import Fake
from helpers.stubborn import Stubborn, left_of
from helpers.web.analyses import ask, line
from helpers.web.served import WAIT, Server
from komadai.app.engine_service import EngineAwayError, InPlaceBackend, Report, SearchRequest, SearchResult, Subject
from komadai.app.engine_service.backend import Reporter, unheard
from komadai.app.web.engines.pool import EnginePool
from komadai.app.web.engines.turns import NOBODY
from komadai.app.web.game import computer
from komadai.app.web.game.registry import GameRegistry
from komadai.app.web.game.seats import HUMAN
from komadai.app.web.game.session import Session
from komadai.app.web.store.sqlite import SqliteStore

asked = 0


class Mute(InPlaceBackend):
    """Finds no move."""

    async def search(self, request: SearchRequest, report: Reporter = unheard) -> SearchResult:
        global asked
        asked += 1
        return SearchResult(0, None, Report(0, 0, 0, 0, 0.0, ()))


async def test_an_engine_that_finds_no_move_is_lost(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    global asked
    asked = 0
    waited: list[float] = []
    real = asyncio.sleep

    async def sleep(seconds: float) -> None:
        waited.append(seconds)
        await real(0)

    monkeypatch.setattr(computer.asyncio, "sleep", sleep)

    hall = GameRegistry(store, EnginePool(1, make=Mute))
    game = (await hall.create("nana", {}, {"b": "level1", "w": HUMAN})).game
    complaint = asyncio.Event()

    def listen(message: str) -> None:
        if "The computer found no move" in message:
            complaint.set()

    with caplog.at_level(logging.WARNING):
        await hall.join(game, listen)
        await asyncio.wait_for(complaint.wait(), WAIT)
    await hall.close()
    assert asked == 6
    assert waited == sorted(waited)
    assert waited[-1] > waited[0], "each time it waits longer"
    last = caplog.records[-1]
    assert last.getMessage() == "the computer failed: the engine plays no move"
    assert not last.exc_info, "it is no defect of this program, whose place would have to be known"


async def test_no_search_begins_when_the_server_ends() -> None:
    pool, subject = EnginePool(1), Subject.of(komadai.Game("nana"))

    async def searching() -> None:
        async with pool.lend(subject, payer=NOBODY):
            pass

    async with pool.lend(subject):
        waiting = asyncio.create_task(searching())
        await asyncio.sleep(0)
        pool.end()
    for attempt in (waiting, searching()):
        with pytest.raises(EngineAwayError):
            await asyncio.wait_for(attempt, WAIT)
    await pool.close()


async def test_games_are_closed_side_by_side(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    hall = GameRegistry(store)
    for _ in range(3):
        await hall.join((await hall.create("nana", {}, {"b": HUMAN, "w": HUMAN})).game, lambda _message: None)
    begun: list[Session] = []
    all_have = asyncio.Event()

    async def close(session: Session) -> None:
        begun.append(session)
        if len(begun) == 3:
            all_have.set()
        await all_have.wait()

    monkeypatch.setattr(Session, "close", close)
    await asyncio.wait_for(hall.close(), WAIT)


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")
@pytest.mark.parametrize("how", [signal.SIGTERM, pytest.param(signal.SIGHUP, marks=pytest.mark.slow)])
def test_a_server_with_engines_that_hang_ends(
    start: Callable[..., Server], tmp_path: Path, how: signal.Signals
) -> None:
    stubborn = Stubborn(tmp_path, "hangs")
    program = " ".join(f"'{word}'" for word in stubborn.command)
    server = start(0, "--engine", f"A=usi:{program}", "--jobs", "3")
    for _ in range(3):
        with server.join(server.game("shogi", w="engine:A")) as client:
            assert client.move("7g7f", 1)["t"] == "ack"
    pids = stubborn.stays(3)
    server.end(how)
    assert server.process.returncode == -signal.SIGTERM
    assert left_of(pids) == []


def test_the_words_of_an_engine_are_not_for_visitors(start: Callable[..., Server], tmp_path: Path) -> None:
    server = start(0, "--engine", f"Fake={Fake(tmp_path, 'crash').spec}")
    with line(server) as socket:
        [fault] = ask(socket, "analyse", variant="shogi", moves=[], seconds=0.3, engine="Fake")
    assert (fault["t"], fault["reason"]) == ("error", "The engine was lost; ask again.")
