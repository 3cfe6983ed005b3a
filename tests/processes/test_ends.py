"""However this program ends, nothing that it has started is left; nor is what keeps watch over that."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.command import PATIENCE, running
from helpers.stubborn import Stubborn, alive, ids_in, left_of, wait_for
from helpers.support import ROOT, in_a_loop
from komadai import processes
from komadai.lab.external_engine.client import EngineClient
from komadai.processes import Program, streams

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

STARTED = """
import asyncio, os, signal, sys, threading, time
from komadai import processes
from komadai.app.engine_service import ChildBackend
from komadai.lab.external_engine.process import LineProcess
from komadai.lab.jobs import LocalPool
from komadai.lab.rl.learners import Program as Learner
from komadai.app.web.http.workshop.sandbox import Sandbox

how, ids, *command = sys.argv[1:]
if how == "SIGHUP":
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # which is ignored where the tests run below nohup
loop = asyncio.new_event_loop()
pool, sandbox, backend = LocalPool(1), Sandbox(), ChildBackend(command)
sandbox._command = command
frozen = "import os, signal; open({!r}, 'a').write(f'{{os.getpid()}}\\\\n'); os.kill(os.getpid(), signal.SIGSTOP)"

def start():
    threading.Thread(target=processes.run, args=(command, None, None), daemon=True).start()
    pool.executor.submit(exec, frozen.format(ids))
    return [
        processes.Program(command, stdin=-1),
        LineProcess(command),
        Learner(command),
        loop.run_until_complete(backend._start()),
        loop.create_task(sandbox._answer(b"")),
    ]

def go_on():
    while len(processes._running) < 7:  # until the loop has heard of all
        loop.run_until_complete(asyncio.sleep(0.01))
    print("started", flush=True)
    if how == "return":
        input()
    elif how == "exception":
        input()
        raise SystemExit("it failed")
    else:
        while True:
            loop.run_until_complete(asyncio.sleep(0.1))

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with processes.ended_by_signals():
        kept = start()
        try:
            go_on()
        finally:
            pool.close()  # as every command does
"""

WAYS = {
    "return": 0,
    "exception": 1,
    "SIGINT": -signal.SIGINT,
    "SIGTERM": -signal.SIGTERM,
    "SIGHUP": -signal.SIGHUP,
    "SIGKILL": -signal.SIGKILL,
}


@pytest.mark.parametrize("how", WAYS)
def test_nothing_outlives_this_program(how: str, tmp_path: Path) -> None:
    program, stubborn, frozen = tmp_path / "started.py", Stubborn(tmp_path), tmp_path / "frozen"
    program.write_text(STARTED, encoding="utf-8")
    command = [sys.executable, str(program), how, str(frozen), *stubborn.command]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with running(command, text=True, start_new_session=True, **pipes) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "started\n"
        pids = stubborn.stays(6) + ids_in(frozen, 1)
        assert [pid for pid in pids if not alive(pid)] == []
        [watch] = watches_of(process.pid)
        if how.startswith("SIG"):
            process.send_signal(getattr(signal, how))
        else:
            process.stdin.write("\n")
            process.stdin.flush()
        assert process.wait(PATIENCE) == WAYS[how]
        assert left_of([*pids, watch]) == []
        process.communicate(timeout=PATIENCE)  # nobody holds its output either


def files_of(pid: int) -> set[str]:
    """The files that a process has open."""
    found = set()
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):  # that by which this is read
            found.add(os.readlink(file))
    return found


def watches_of(pid: int) -> list[int]:
    """The shells that hold the other ends of the pipes of a process."""
    pipes, found = files_of(pid) - {"/dev/null"}, []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            said = (folder / "cmdline").read_text("utf-8", "replace")
            if "komadai: ends what is left" in said and files_of(int(folder.name)) & pipes:
                found.append(int(folder.name))
    return found


def test_the_watch_is_there_while_there_are_processes_and_holds_nothing_else() -> None:
    assert watches_of(os.getpid()) == []
    first, second = (Program(["/bin/sleep", "3600"], stdout=subprocess.PIPE) for _ in range(2))
    [watch] = watches_of(os.getpid())
    pipe = os.readlink(f"/proc/self/fd/{processes._pipe}")
    assert files_of(watch) == {"/dev/null", pipe}
    assert os.getsid(watch) != os.getsid(0)
    assert pipe not in files_of(first.pid), "it would never end there"
    assert first.end() == -signal.SIGKILL
    assert watches_of(os.getpid()) == [watch]
    assert second.end() == -signal.SIGKILL
    assert left_of([watch]) == []
    with pytest.raises(FileNotFoundError):
        Program(["/no/such/program"])
    assert processes._pipe == -1
    for program in (first, second):
        assert program.stdout is not None
        program.stdout.close()


def test_a_watch_that_was_killed_is_replaced() -> None:
    first = Program(["/bin/sleep", "3600"])
    [watch] = watches_of(os.getpid())
    os.kill(watch, signal.SIGKILL)
    assert left_of([watch]) == []
    second = Program(["/bin/sleep", "3600"])
    [other] = watches_of(os.getpid())
    first.end()
    second.end()
    assert left_of([other]) == []


@pytest.mark.parametrize("end", ["wait", "poll", "end"])
def test_a_group_ends_with_its_program(end: str, tmp_path: Path) -> None:
    ids = tmp_path / "ids"
    program = Program(["/bin/sh", "-c", f"sleep 3600 & echo $! >{ids}"])
    [child] = ids_in(ids, 1)
    if end == "poll":
        while program.poll() is None:
            pass
    else:
        getattr(program, end)()
    assert left_of([child]) == []


def test_programs_lead_groups_of_our_session() -> None:
    """Where Linux shares the processors among sessions, one of its own would keep the server waiting."""

    async def ids() -> tuple[int, int]:
        process = await streams.start(["/bin/sleep", "3600"], 1 << 16)
        try:
            return os.getpgid(process.pid) - process.pid, os.getsid(process.pid)
        finally:
            await streams.end(process)

    program = Program(["/bin/sleep", "3600"])
    try:
        assert (os.getpgid(program.pid) - program.pid, os.getsid(program.pid)) == (0, os.getsid(0))
    finally:
        program.end()
    assert in_a_loop(ids()) == (0, os.getsid(0))


def test_a_group_ends_with_a_program_that_a_loop_waits_for(tmp_path: Path) -> None:
    async def run() -> None:
        for script in ("", "; sleep 3600"):
            ids = tmp_path / f"ids{script}"
            process = await streams.start(["/bin/sh", "-c", f"sleep 3600 & echo $! >'{ids}'{script}"], 1 << 16)
            [child] = ids_in(ids, 1)
            if script:
                assert await streams.end(process) == -signal.SIGKILL
            else:
                assert await process.wait() == 0
                await streams.end(process)
            assert left_of([child]) == []

    in_a_loop(run())


def members_of(group: int) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if os.getpgid(int(folder.name)) == group:
                found.append(int(folder.name))
    return found


def test_an_engine_that_quits_leaves_no_child(tmp_path: Path) -> None:
    stubborn = Stubborn(tmp_path, "quits")
    client = EngineClient(["/bin/sh", "-c", '"$@"; exit', "wrapper", *stubborn.command])
    group = client._process._program.pid
    members = members_of(group)
    assert len(members) == 3
    client.close()
    assert left_of(members) == []


FORKING = """
import os, sys
from komadai.processes import Program
program = Program(["/bin/sleep", "3600"])
if os.fork() == 0:
    sys.exit()
os.wait()
assert program.poll() is None, "a fork has ended the program of its parent"
if os.fork() == 0:
    os.close(1)
    while True:
        pass  # the pipe of the watch is not its own
print(program.pid, flush=True)
os.kill(os.getpid(), 9)
"""


def test_forks_neither_end_the_programs_of_their_parent_nor_keep_them() -> None:
    with running([sys.executable, "-c", FORKING], stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        out, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == -signal.SIGKILL
        assert left_of([int(out)]) == []


# A shell that had just begun a program of its own would never be seen as stopped: it would wait for that one's start.
STOPPING = """
import sys
from komadai.processes import run
print(run(["/bin/sh", "-c", "echo $$ >&2; echo $$ >" + sys.argv[1] + "; exec sleep 3600"], None, None))
"""


EARLY = """
import signal
from komadai.processes import Program
begin = Program.__init__
def begin_late(self, *args, **more):
    signal.raise_signal(signal.SIGTSTP)
    begin(self, *args, **more)
Program.__init__ = begin_late
"""


def state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]


def test_a_program_that_is_run_stops_with_us(tmp_path: Path) -> None:
    ids = tmp_path / "ids"
    # In a group with a parent in its session: others are not stopped by the terminal.
    with running([sys.executable, "-c", STOPPING, str(ids)], process_group=0) as process:
        [pid] = ids_in(ids, 1)
        process.send_signal(signal.SIGTSTP)
        wait_for(lambda: (state(pid), state(process.pid)) == ("T", "T"))
        process.send_signal(signal.SIGCONT)
        wait_for(lambda: "T" not in (state(pid), state(process.pid)))
    assert left_of([pid]) == []


def test_a_program_that_begins_as_we_are_stopped_stops_with_us(tmp_path: Path) -> None:
    with running([sys.executable, "-c", EARLY + STOPPING, str(tmp_path / "ids")], process_group=0) as process:
        wait_for(lambda: state(process.pid) == "T")
        [pid] = map(int, Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("utf-8").split())
        wait_for(lambda: state(pid) == "T")
        process.send_signal(signal.SIGCONT)
        wait_for(lambda: "T" not in (state(pid), state(process.pid)))
    assert left_of([pid]) == []


def test_nothing_else_starts_processes() -> None:
    """All are started in one place, where they are also ended. The user's browser is none of ours."""
    starts = re.compile(
        r"\b(?:Popen|create_subprocess_\w+|subprocess_(?:exec|shell)|ProcessPoolExecutor|multiprocessing\.(?:Process|Pool)"
        r"|subprocess\.(?:run|call|check_call|check_output|getoutput|getstatusoutput)"
        r"|os\.(?:fork|forkpty|system|popen|spawn\w+|posix_spawnp?|exec[lv]\w*)|pty\.\w+)\("
    )
    sources = ROOT / "src/komadai"
    found = {
        path.relative_to(sources).parts[0] for path in sources.rglob("*.py") if starts.search(path.read_text("utf-8"))
    }
    assert found == {"processes"}
