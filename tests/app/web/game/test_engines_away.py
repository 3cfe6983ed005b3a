"""A game whose engines are on another machine, which goes away and comes back."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from helpers.command import running
from helpers.web.served import Server

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="kills processes")

TOKEN = "a secret of theirs"


@contextlib.contextmanager
def engine_worker(port: int = 0) -> Iterator[int]:
    """A machine that thinks; the port on which it listens."""
    command = [sys.executable, "-m", "komadai", "engine-worker", "--port", str(port), "--jobs", "1"]
    environment = os.environ | {"KOMADAI_ENGINE_TOKEN": TOKEN}
    with running(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        found = re.search(r"1 engines are at tcp://127\.0\.0\.1:(\d+)", process.stdout.readline())
        assert found
        yield int(found[1])


def test_a_game_waits_for_the_machine_that_thinks(
    start: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KOMADAI_ENGINE_TOKEN", TOKEN)
    with engine_worker() as port:
        server = start(0, "--cluster", f"tcp://127.0.0.1:{port}", "--jobs", "1")
        game = server.game("shogi", w="level2")
        with server.join(game) as client:
            assert client.move("7g7f", 1)["t"] == "ack"
            while client.receive("events")["position"]["thinking"]:
                pass
    with server.join(game) as client:
        assert client.move("2g2f", 3)["t"] == "ack"
        assert "cannot be reached at present; it moves when it is there again" in client.receive("error")["reason"]
        with engine_worker(port):
            while (message := client.receive("events"))["position"]["thinking"]:
                pass
            assert message["events"][-1]["seq"] == 4
