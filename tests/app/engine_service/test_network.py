"""Engines on other machines: hosts that are away, full or not ours, engines that are lost, and strangers."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import wraps
from typing import Any

import pytest

import komadai
from helpers.command import komadai_says
from helpers.support import in_a_loop
from helpers.web.served import WAIT
from komadai.app.engine_service import EngineAwayError, NetworkBackend, SearchRequest, host, network, parse_addresses
from komadai.app.engine_service.host import EngineHost
from komadai.app.engine_service.network import Address
from komadai.errors import KomadaiError, NotationError

pytestmark = pytest.mark.skipif(sys.platform in ("win32", "emscripten"), reason="processes of POSIX")

GAME = komadai.Game("nana")
SEARCH = SearchRequest.of(GAME, 0.05)
CRASHING = [sys.executable, "-c", "import sys; sys.stdin.readline(); sys.exit(1)"]


def looped(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    @wraps(test)
    def run(**fixtures: object) -> None:
        in_a_loop(test(**fixtures))

    return run


def free() -> socket.socket:
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    found.bind(("127.0.0.1", 0))
    return found


@asynccontextmanager
async def hosting(made: EngineHost, listening: socket.socket | None = None) -> AsyncIterator[Address]:
    listening = listening or free()
    address = Address("127.0.0.1", listening.getsockname()[1])
    server = await made.start(listening)
    try:
        yield address
    finally:
        server.close()  # from Python 3.12 on wait_closed waits for the connections


async def freed(made: EngineHost) -> None:
    async with asyncio.timeout(WAIT):
        while made.taken:
            await asyncio.sleep(0.01)


@looped
async def test_a_search_is_answered_by_another_machine() -> None:
    made = EngineHost(1, "secret")
    async with hosting(made) as address:
        backend, reports = NetworkBackend([address], "secret"), []
        found = await backend.search(SEARCH, reports.append)
        assert GAME.position.is_legal(found.move or "")
        assert reports
        with pytest.raises(KomadaiError, match="did you mean"):
            await backend.search(SearchRequest("nanna", {}, "", [], 0.05))
        assert (await backend.search(SEARCH)).move
        await backend.close()
        await freed(made)


@looped
async def test_a_stop_reaches_the_other_machine() -> None:
    async with hosting(EngineHost(1)) as address:
        backend = NetworkBackend([address])
        searching = asyncio.Event()
        work = asyncio.create_task(backend.search(SearchRequest.of(GAME, 10_000), lambda _: searching.set()))
        await asyncio.wait_for(searching.wait(), WAIT)
        backend.stop()
        assert (await asyncio.wait_for(work, WAIT)).move
        await backend.close()


@looped
async def test_hosts_that_refuse(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    made = EngineHost(1, "secret")
    async with hosting(made) as address:
        with pytest.raises(EngineAwayError, match="cannot be reached at present"):
            await NetworkBackend([address], "guess").search(SEARCH)
        assert "refused: the token is another one" in caplog.text
        first, second = NetworkBackend([address], "secret"), NetworkBackend([address], "secret")
        assert (await first.search(SEARCH)).move
        with pytest.raises(EngineAwayError):
            await second.search(SEARCH)
        assert "refused: all 1 engines are in use" in caplog.text
        await first.close()
        await freed(made)
        monkeypatch.setattr(network, "__version__", "9.9.9")
        with pytest.raises(EngineAwayError):
            await second.search(SEARCH)
        assert "the server 9.9.9" in caplog.text


@looped
async def test_a_host_that_is_away_and_comes_back() -> None:
    listening = free()
    address = Address("127.0.0.1", listening.getsockname()[1])
    backend = NetworkBackend([address])
    with pytest.raises(EngineAwayError):
        await backend.search(SEARCH)
    async with hosting(EngineHost(1), listening):
        assert (await backend.search(SEARCH)).move
    await backend.close()


@looped
async def test_of_several_hosts_one_that_is_there_is_taken() -> None:
    gone = free()
    away = Address("127.0.0.1", gone.getsockname()[1])
    async with hosting(EngineHost(4)) as address:
        for _ in range(2):
            backend = NetworkBackend([away, address])
            assert (await backend.search(SEARCH)).move
            await backend.close()
    gone.close()


@looped
async def test_an_engine_that_is_lost_is_replaced_by_that_of_another_host() -> None:
    async with hosting(EngineHost(2, command=CRASHING)) as bad, hosting(EngineHost(2)) as good:
        for _ in range(2):
            backend = NetworkBackend([bad, good])
            assert (await backend.search(SEARCH)).move
            await backend.close()


@looped
async def test_strangers_get_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "_HELLO_WITHIN", 0.2)
    made = EngineHost(1, "secret")
    async with hosting(made) as address:
        for said in (b"", b"what\n", b"{}\n", b"x" * 5000 + b"\n", b"x" * 3_000_000, b'{"t":"search"}\n'):
            reader, writer = await asyncio.open_connection(*address, limit=1 << 23)
            assert json.loads(await reader.readline())["t"] == "challenge"
            try:
                writer.write(said)
                assert await asyncio.wait_for(reader.read(), WAIT) == b""
            except ConnectionError:
                pass
            finally:
                writer.close()
        assert made.taken == 0
        backend = NetworkBackend([address], "secret")
        assert (await backend.search(SEARCH)).move
        await backend.close()


def test_addresses() -> None:
    assert parse_addresses("tcp://a.b:1, tcp://[::1]:65535") == (("a.b", 1), ("::1", 65535))
    assert str(Address("::1", 5)) == "tcp://[::1]:5"
    for text in ("tcp://", "tcp://a", "tcp://a:0", "tcp://a:99999", "tcp://a:1,", "http://a:1"):
        with pytest.raises(NotationError, match="is no address; expected tcp://HOST:PORT"):
            parse_addresses(text)


def test_engines_for_strangers_need_a_token() -> None:
    ran = komadai_says("engine-worker", "--host", "0.0.0.0")
    assert ran.status == 2
    assert "can be reached by strangers; set KOMADAI_ENGINE_TOKEN" in ran.err
    ran = komadai_says("play", "--cluster", "elsewhere")
    assert ran.status == 2
    assert "expected tcp://HOST:PORT" in ran.err
