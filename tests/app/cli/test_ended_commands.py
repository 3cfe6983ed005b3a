"""Commands that are ended in mid-work: what they have started ends with them, and the status says how they ended."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, NoReturn

import pytest

import komadai.app.cli.mate
from helpers.command import PATIENCE, komadai_says, running
from helpers.stubborn import Stubborn, left_of, wait_for
from komadai.app.puzzles.mine import Miner
from komadai.lab.jobs import LocalPool

COMMANDS = {
    "match that hangs at the start": ("", ["match", "usi:{}", "random", "--game", "shogi"]),
    "match that hangs in a search": ("hangs", ["match", "usi:{}", "random", "--game", "shogi", "--movetime", "1h"]),
    "match of workers": ("hangs", ["match", "usi:{}", "random", "--game", "shogi", "--nodes=1", "--jobs=1"]),
    "grade": ("", ["grade", "nana", "--by=levels", "--learner", "command:{}", "--timeout", "3600"]),
    "play": ("", ["play", "--no-browser", "--port", "0", "--engine", "A=usi:{}"]),
}


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL, pytest.param(signal.SIGHUP, marks=pytest.mark.slow)])
@pytest.mark.parametrize("command", COMMANDS)
def test_no_program_outlives_its_command(
    command: str, how: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    protocol, words = COMMANDS[command]
    stubborn = Stubborn(tmp_path, protocol)
    program = " ".join(f"'{word}'" for word in stubborn.command)
    with running(
        [sys.executable, "-m", "komadai", *(word.replace("{}", program) for word in words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        pids = stubborn.stays()
        process.send_signal(how)
        out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == -how
        assert b"Traceback" not in out + err
        assert err == b"" or how is signal.SIGKILL  # after which Python says that it has cleaned up
        assert left_of(pids) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("again", [signal.SIGINT, signal.SIGTERM])
def test_a_server_that_is_interrupted_twice_puts_its_games_away(again: signal.Signals, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "komadai", "play", "--no-browser", "--port=0", f"--data={tmp_path}"]
    with running(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"Komadai is at ")
        process.send_signal(signal.SIGINT)
        process.send_signal(again)
        out, err = process.communicate(timeout=PATIENCE)
    assert (out, err) == (b"", b"")
    # A shell starts what is in the background so that interrupts are ignored: the end is an ordinary one then.
    interrupted = 0 if signal.getsignal(signal.SIGINT) is signal.SIG_IGN else 130
    assert process.returncode in (interrupted, -again)
    assert [path.name for path in tmp_path.iterdir()] == ["games.sqlite3"]


def interrupted(*_arguments: Any) -> NoReturn:
    raise KeyboardInterrupt


def test_an_interrupted_search_for_puzzles_keeps_what_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Miner, "mine", interrupted)
    file = tmp_path / "puzzles.tsv"
    ran = komadai_says("puzzles", "mine", "nana", "-o", str(file))
    assert (ran.status, ran.err) == (130, f"interrupted; {file} holds what was found so far\n")
    assert file.exists()


def test_an_interrupted_check_of_mate_problems_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    problems = tmp_path / "problems.txt"
    problems.write_text("4k4/9/4P4/9/9/9/9/9/9 b G\n", encoding="utf-8")
    monkeypatch.setattr(komadai.app.cli.mate, "_judge", interrupted)
    ran = komadai_says("mate", "shogi", str(problems))
    assert ran.status == 130
    assert "Traceback" not in ran.err


@pytest.fixture
def failures(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What threads fail with."""
    found: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", found.append)
    return found


def test_a_pool_that_is_closed_with_jobs_that_nobody_waits_for(failures: list[Any]) -> None:
    """The interruption of a run: its jobs are given up, and then the processes are killed."""
    pool = LocalPool(1)
    jobs = [pool.submit({}) for _ in range(8)]
    wait_for(pool.executor._call_queue.full)  # type: ignore[attr-defined] # the others are pending
    for job in jobs:
        job.cancel()
    before = set(threading.enumerate())
    [process] = pool.executor._processes.values()  # type: ignore[attr-defined]
    process.kill()  # before its manager has looked at the others
    for thread in before - {threading.current_thread()}:
        if "Executor" in type(thread).__name__:
            thread.join(PATIENCE)
    pool.close()
    assert [str(one.exc_value) for one in failures] == []
