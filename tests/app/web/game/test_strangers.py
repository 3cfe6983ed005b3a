"""A little of what ``fuzzing.py`` does at length: strangers on the wire, and what they have found."""

from __future__ import annotations

import asyncio
import gc
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from fuzz.messages.__main__ import Siege, fuzz
from helpers.support import in_a_loop
from helpers.volume import volume
from helpers.web.served import WAIT, Server
from komadai.app.web.game.registry import GameRegistry
from komadai.app.web.game.replay import RefusedError, UnavailableError
from komadai.app.web.game.store_calls import to_the_end
from komadai.app.web.http.responses import ProblemError, refusing
from komadai.app.web.store.sqlite import SqliteStore


@pytest.mark.filterwarnings("ignore:Do not use the `random` module")  # other threads do
def test_strangers_are_answered_and_disturb_nobody(tmp_path: Path) -> None:
    report = in_a_loop(
        fuzz(tmp_path, Siege(messages=volume(500, 200), requests=volume(160, 64), seed=7, strangers=4, plies=5))
    )
    assert report.faults == []
    assert sum(report.answers.values()) > volume(600, 240)


async def test_who_leaves_before_being_refused_leaves_nothing_in_the_log() -> None:
    async def refuse() -> None:
        await asyncio.sleep(0.01)
        raise RefusedError("no")

    faults: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, fault: faults.append(fault))
    asked = asyncio.create_task(to_the_end(asyncio.create_task(refuse())))
    await asyncio.sleep(0)
    asked.cancel()
    await asyncio.gather(asked, return_exceptions=True)
    await asyncio.sleep(0.05)
    gc.collect()
    assert faults == []


def test_what_turns_out_to_be_no_request_leaves_no_error_in_the_log(
    start: Callable[..., Server], tmp_path: Path
) -> None:
    server = start(log=tmp_path / "log")
    for _ in range(10):
        with socket.create_connection(("127.0.0.1", server.port), timeout=WAIT) as line:
            line.sendall(b"POST /api/join HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")
            assert line.recv(100).startswith(b"HTTP/1.1 4")
    with server.client() as client:
        client.socket.send(b'{"t": "ping\xc8"}', text=True)
        with pytest.raises(ConnectionClosed) as closed:
            client.receive()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1007, "text that is no text"
    server.end()
    lines = (tmp_path / "log").read_text().splitlines()
    assert {line.partition(" WARNING ")[2] for line in lines} == {"Invalid HTTP request received."}


def test_who_leaves_in_the_middle_of_a_request_leaves_no_error_in_the_log(
    start: Callable[..., Server], tmp_path: Path
) -> None:
    server = start(log=tmp_path / "log")
    head = b"POST /api/join HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    body = b"Content-Type: application/json\r\nContent-Length: 90\r\n\r\n{"
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", server.port), timeout=WAIT) as line:
            line.sendall(head + body)
    assert server.game("nana"), "it goes on"
    server.end()
    assert (tmp_path / "log").read_text() == ""


async def test_who_opens_a_long_game_keeps_nobody_from_another(tmp_path: Path) -> None:
    hold = threading.Event()

    class Slow(SqliteStore):
        def load(self, game_id: str, after: int = 0) -> Any:
            if game_id == "long":
                hold.wait(WAIT)
            return super().load(game_id, after)

    hall = GameRegistry(Slow(tmp_path / "games.sqlite3"))
    game = (await hall.create("nana", {}, {"b": "human", "w": "human"})).game
    long = asyncio.create_task(hall.join("long", lambda _: None))
    await asyncio.sleep(0)
    try:
        first, second = await asyncio.wait_for(
            asyncio.gather(*(hall.join(game, lambda _: None) for _ in range(2))), WAIT / 2
        )
        assert first is second, "a game is opened once"
        assert not long.done()
    finally:
        hold.set()
        await asyncio.gather(long, return_exceptions=True)
        await hall.close()


@pytest.mark.parametrize(("error", "status"), [(RefusedError("no"), 409), (UnavailableError("no store"), 503)])
def test_a_store_that_fails_is_no_refusal(error: Exception, status: int) -> None:
    with pytest.raises(ProblemError) as answered, refusing(409):
        raise error
    assert answered.value.status == status
