"""A game goes on when the engine's process is lost in mid-search: killed, crashed or hanging."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from helpers.web.served import Server

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds the children of a process in /proc")


def children(pid: int) -> list[int]:
    """The process ids of a process's children, of whichever thread."""
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += map(int, (task / "children").read_text().split())
    return found


@pytest.mark.parametrize(
    "how", [signal.SIGKILL, *(pytest.param(how, marks=pytest.mark.slow) for how in (signal.SIGSEGV, signal.SIGSTOP))]
)
def test_a_game_does_not_notice_that_the_engine_is_lost(start: Callable[..., Server], how: signal.Signals) -> None:
    server = start()
    with server.join(server.game("shogi", w="level9")) as client:
        for ply, move in ((1, "7g7f"), (3, "2g2f")):
            if ply == 3:  # stopped before it searches, so that it cannot have answered when it is lost
                [lost] = children(server.process.pid)
                os.kill(lost, signal.SIGSTOP)
            assert client.move(move, ply)["t"] == "ack"
            if ply == 3:
                os.kill(lost, how)
                if how not in (signal.SIGSTOP, signal.SIGKILL):  # which a stopped process need not be woken for
                    os.kill(lost, signal.SIGCONT)
            while (message := client.receive("events", "error"))["position"]["thinking"]:
                pass
            assert message["events"][-1]["seq"] == ply + 1
    [engine] = children(server.process.pid)
    assert engine != lost
