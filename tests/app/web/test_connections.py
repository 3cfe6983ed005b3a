"""What a client may leave unfinished or unread on its connection, and for how long."""

from __future__ import annotations

import asyncio
import gc
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from helpers.web.served import WAIT
from komadai.app.web import connections
from komadai.app.web.connections import HttpConnection, WebSocketConnection
from komadai.app.web.game.socket import MOST_WAITING, Outbox

HEAD = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
SHORT = 0.5  # seconds, for each of the limits
LARGE = 20_000_000  # bytes, more than the buffers of a connection hold


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answers a request with what was sent; ``/slow`` late, ``/large`` with much. Echoes on a WebSocket."""
    if scope["type"] == "lifespan":
        return
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            text = message["text"] * (LARGE if message["text"] == "x" else 1)
            await send({"type": "websocket.send", "text": text})
        return
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    if scope["path"] == "/slow":
        await asyncio.sleep(3 * SHORT)
    body = b"x" * LARGE if scope["path"] == "/large" else body
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    await send({"type": "http.response.body", "body": body})


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The port of a server whose limits are short."""
    for limit in ("REQUEST_WITHIN", "READ_WITHIN", "CLOSE_WITHIN"):
        monkeypatch.setattr(connections, limit, SHORT)
    config = uvicorn.Config(
        app, port=0, http=HttpConnection, ws=WebSocketConnection, log_level="critical", lifespan="off", ws_max_size=99
    )
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as bound:
        running = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
        running.start()
        yield bound.getsockname()[1]
        server.should_exit = True
        running.join(WAIT)


def line(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), WAIT)


def until_cut(client: socket.socket) -> bytes:
    """All that comes until the server ends the connection."""
    received = b""
    try:
        while data := client.recv(1 << 20):
            received += data
    except ConnectionResetError:
        pass
    return received


@pytest.mark.parametrize("begun", [b"", HEAD, HEAD + b"Content-Length: 9\r\n\r\n1234"], ids=["nothing", "head", "body"])
def test_a_request_must_come_in_time(port: int, begun: bytes) -> None:
    with line(port) as client:
        client.sendall(begun)
        assert b"200" not in until_cut(client)


def test_a_drip_of_headers_is_no_request_in_time(port: int) -> None:
    def drip(client: socket.socket) -> None:
        for number in range(1000):
            client.sendall(b"X-%d: 1\r\n" % number)
            time.sleep(SHORT / 5)

    with line(port) as client:
        client.sendall(HEAD)
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            drip(client)


def test_whoever_keeps_to_the_limits_is_served_again_and_again(port: int) -> None:
    with line(port) as client:
        for path in (b"/", b"/slow", b"/"):
            client.sendall(b"POST " + path + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\nok")
            answer = b""
            while not answer.endswith(b"ok"):
                answer += client.recv(1 << 16)
            assert answer.startswith(b"HTTP/1.1 200")


def test_what_is_not_read_ends_the_connection(port: int) -> None:
    with line(port) as client:
        client.sendall(b"GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        time.sleep(4 * SHORT)
        assert len(until_cut(client)) < LARGE


def test_a_websocket_may_be_silent_but_not_deaf(port: int) -> None:
    with connect(f"ws://127.0.0.1:{port}/", max_size=None, compression=None, ping_interval=None) as quiet:
        time.sleep(3 * SHORT)
        quiet.send("hello")
        assert quiet.recv(WAIT) == "hello"
    client = line(port)
    key = b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
    client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" + key + b"\r\n")
    assert client.recv(1 << 16).startswith(b"HTTP/1.1 101")
    client.sendall(b"\x81\x81\0\0\0\0x")
    time.sleep(4 * SHORT)
    assert 1000 < len(until_cut(client)) < LARGE
    client.close()


def test_a_websocket_that_has_ended_leaves_nothing_in_memory(port: int) -> None:
    def alive() -> int:
        kept = ("ServerProtocol", "WebSocketConnection", "_SelectorSocketTransport")
        return sum(type(each).__name__ in kept for each in gc.get_objects())

    gc.collect()
    gc.disable()  # it comes late
    try:
        before = alive()
        for _ in range(3):
            with connect(f"ws://127.0.0.1:{port}/") as client:
                client.send("hello")
                assert client.recv(WAIT) == "hello"
                assert alive() > before
        until = time.monotonic() + WAIT
        while alive() > before and time.monotonic() < until:
            time.sleep(0.05)
        assert alive() == before
    finally:
        gc.enable()


def test_pings_are_answered_only_so_often(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    most = 50
    monkeypatch.setattr(connections, "PINGS", (0.001, most))
    with connect(f"ws://127.0.0.1:{port}/", ping_interval=None) as client:
        assert client.ping().wait(WAIT)
        for _ in range(most):  # and not one more, which could reach a closed connection and reset it
            client.ping()
        with pytest.raises(ConnectionClosed) as closed:
            client.recv(WAIT)
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1008, "Too many pings.")


async def test_an_outbox_is_bounded_by_bytes() -> None:
    outbox = Outbox()
    large, small = "x" * (MOST_WAITING * 2), "x" * (MOST_WAITING // 3)
    assert outbox.put(large), "one may be of any size"
    assert not outbox.put(small)
    waiting = asyncio.create_task(outbox.emptied())
    await asyncio.sleep(0)
    assert not waiting.done()
    assert await outbox.get() == large
    await waiting
    assert [outbox.put(small) for _ in range(4)] == [True, True, False, False]
    outbox.clear()
    assert outbox.put(small)
