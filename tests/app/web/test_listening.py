"""The socket on which the server listens, and its open files."""

from __future__ import annotations

import errno
import logging
import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

from helpers.web.served import WAIT, Server
from komadai.app.web.listening import ListeningServer


def test_a_loop_that_happens_to_be_installed_is_not_used(
    start: Callable[..., Server], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "uvloop.py").write_text("raise SystemExit('used')\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert httpx.get(start().url, timeout=WAIT).status_code == 200


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answers every request with nothing."""
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def answered(port: int, within: float) -> bool:
    with socket.create_connection(("127.0.0.1", port), WAIT) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        client.settimeout(within)
        try:
            return client.recv(100).startswith(b"HTTP/1.1 204")
        except TimeoutError:
            return False


@pytest.mark.parametrize("lasting", [False, True])
def test_where_there_are_no_more_files_a_line_of_the_log_says_so(
    lasting: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    accept, full = socket.socket.accept, threading.Event()

    def perhaps(self: socket.socket) -> Any:
        if full.is_set():
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return accept(self)

    monkeypatch.setattr(socket.socket, "accept", perhaps)
    server = ListeningServer(uvicorn.Config(app, log_level="critical", lifespan="off"))
    with socket.create_server(("127.0.0.1", 0)) as bound, caplog.at_level(logging.WARNING):
        port = bound.getsockname()[1]
        running = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
        running.start()
        try:
            assert answered(port, WAIT)
            full.set()
            assert not answered(port, 0.3)
            if not lasting:
                full.clear()
                assert answered(port, WAIT)
        finally:
            server.should_exit = True
            running.join(WAIT)
        assert not running.is_alive()
    assert [(record.name, record.getMessage()) for record in caplog.records] == [
        ("komadai.app.web.listening", "no connection can be accepted at present: Too many open files")
    ]
