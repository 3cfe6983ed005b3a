"""A little of what ``fuzzing.py`` does at length: strangers on the wire, and what they have found."""

from __future__ import annotations

import asyncio
import gc
import socket
from pathlib import Path
from typing import Any

import pytest
from fuzzing import Siege, fuzz
from served import WAIT, Server
from support import in_a_loop

from komadai.web.replay import RefusedError
from komadai.web.session import _to_the_end


@pytest.mark.filterwarnings("ignore:Do not use the `random` module")  # other threads do
def test_strangers_are_answered_and_disturb_nobody(tmp_path: Path) -> None:
    report = fuzz(tmp_path, Siege(messages=500, requests=160, seed=7, strangers=4, plies=5))
    assert report.faults == []
    assert sum(report.answers.values()) > 600


def test_who_leaves_before_being_refused_leaves_nothing_in_the_log() -> None:
    async def refuse() -> None:
        await asyncio.sleep(0.01)
        raise RefusedError("no")

    async def run() -> None:
        faults: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _loop, fault: faults.append(fault))
        asked = asyncio.create_task(_to_the_end(refuse()))
        await asyncio.sleep(0)
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        await asyncio.sleep(0.05)
        gc.collect()
        assert faults == []

    in_a_loop(run())


def test_what_turns_out_to_be_no_request_leaves_no_error_in_the_log(tmp_path: Path) -> None:
    server = Server(tmp_path, log=tmp_path / "log")
    for _ in range(10):
        with socket.create_connection(("127.0.0.1", server.port), timeout=WAIT) as line:
            line.sendall(b"POST /api/join HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")
            assert line.recv(100).startswith(b"HTTP/1.1 4")
    server.end()
    assert set((tmp_path / "log").read_text().splitlines()) == {"WARNING:  Invalid HTTP request received."}
