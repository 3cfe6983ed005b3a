"""The one place that starts other processes, none of which outlives this one.

Each program leads a process group, so that what it starts itself ends with it. A group is killed when its program is
ended, when the end of its program is noticed, and when this process ends. If this process is killed, nothing of it runs
any more: while there are processes, a small shell holds the reading end of a pipe whose writing end is here alone, and
hears with every change which they are, and kills them when the pipe ends.

``streams.py`` starts programs for loops of asyncio.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

if sys.platform == "win32":
    APART = subprocess.CREATE_NEW_PROCESS_GROUP
else:
    APART = 0
"""Keeps the signals of the terminal from a process in Windows, as elsewhere a group of its own does.

A session of its own would, too, but where Linux shares the processors among sessions, each counts as much as the one of
a server and all its clients, however nice its processes are, and as what the kernel does to write a file.
"""

_WATCH = (
    "trap '' HUP INT TERM; exec 3<&0 </dev/null; "
    '{ while read -r line; do all=$line; done; [ -z "$all" ] || kill -s KILL -- $all; } <&3 3<&- &'
)
"""The shell's program. It goes on in the background as no child of this process, which need not wait for its end."""

_PATIENCE = 1.0  # seconds that the shutdown of a pool may wait for what the pool leaves in the system

_lock = threading.RLock()  # of the next three; a signal may come while it is held
_running: dict[int, bool] = {}  # the ids of the processes; true: of one that leads a group
_pipe = -1  # the writing end
_ended = False


def _forked() -> None:
    """Leave the processes to the parent of this process, which is a fork."""
    global _lock, _pipe, _ended
    _lock, _ended = threading.RLock(), False
    _running.clear()
    if _pipe >= 0:
        os.close(_pipe)
        _pipe = -1


def _has_forked() -> None:
    with contextlib.suppress(RuntimeError):  # a fork had begun when this module was imported
        _lock.release()


if hasattr(os, "register_at_fork"):  # while no other thread has one end of the pipe alone
    os.register_at_fork(before=lambda: _lock.acquire(), after_in_parent=_has_forked, after_in_child=_forked)


def _start_watch() -> None:
    """Start the shell, if it is not there.

    Raises:
        OSError: it cannot be started.
    """
    global _pipe
    if _pipe >= 0:
        return
    reading, writing = os.pipe()
    try:
        subprocess.run(
            ["/bin/sh", "-c", _WATCH, "komadai: ends what is left"],
            stdin=reading,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,
            check=False,
        )
        os.set_blocking(writing, False)
    except BaseException:
        os.close(writing)
        raise
    finally:
        os.close(reading)
    _pipe = writing


def _tell() -> None:
    """Tell the watch which processes there are; it is started with the first and ends with the last."""
    global _pipe
    if sys.platform == "win32" or not (_running or _pipe >= 0):
        return
    names = [str(-pid if leads else pid) for pid, leads in _running.items()]
    for _attempt in range(2):  # somebody may have killed it
        with contextlib.suppress(OSError):
            _start_watch()
            os.write(_pipe, f"{' '.join(names)}\n".encode())
            break
        if _pipe >= 0:
            os.close(_pipe)
            _pipe = -1
    if not _running and _pipe >= 0:
        os.close(_pipe)
        _pipe = -1


def watch(pid: int, *, leads: bool) -> None:
    """Have a process killed at the end of this one, with its group if it leads one."""
    with _lock:
        _running[pid] = leads
        _tell()


def kill(pid: int) -> None:
    """Kill a process and its group, unless its end has been noticed: the number may be another's by then."""
    with _lock:
        if pid not in _running:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                os.kill(pid, signal.SIGTERM)
            elif _running[pid]:
                os.killpg(pid, signal.SIGKILL)
            else:
                os.kill(pid, signal.SIGKILL)


def noticed(pid: int) -> None:
    """Take note of the end of a process: what is left of its group ends."""
    with _lock:
        if pid in _running:
            if _running[pid]:
                kill(pid)
            del _running[pid]
            _tell()


def end_all() -> None:
    """Kill all that runs and start nothing any more: this process is about to end."""
    global _ended
    with _lock:
        _ended = True
        for pid in _running:
            kill(pid)


atexit.register(end_all)


@contextlib.contextmanager
def starting() -> Iterator[None]:
    """Start a process within the context: the watch is there before it, and goes if nothing has been started.

    Raises:
        OSError: this process is about to end.
    """
    if _ended:
        raise OSError(errno.ECANCELED, "this process is about to end")
    if sys.platform != "win32":
        with _lock, contextlib.suppress(OSError):
            _start_watch()
    try:
        yield
    except Exception:  # but no cancellation, which may come when the process is there
        with _lock:
            _tell()
        raise


class Program(subprocess.Popen[bytes]):
    """A program that leads a group of its own; signals from the terminal do not reach it."""

    def __init__(self, command: Sequence[str], **more: Any) -> None:
        """Start it.

        Args:
            more: as of :class:`subprocess.Popen`: streams, folder and environment.

        Raises:
            OSError: it cannot be started. ``ValueError``: no program has such a name.
        """
        with starting():
            super().__init__(command, process_group=0, creationflags=APART, **more)
        watch(self.pid, leads=True)

    def poll(self) -> int | None:
        status = super().poll()
        if status is not None:
            noticed(self.pid)
        return status

    def wait(self, timeout: float | None = None) -> int:
        status = super().wait(timeout)
        noticed(self.pid)
        return status

    def kill_group(self) -> None:
        """Kill the program and its group; others may wait for its end."""
        kill(self.pid)

    def end(self) -> int:
        """End the program and its group at once; its exit status, which is its own if it has ended already."""
        self.kill_group()
        return self.wait()


def run(command: Sequence[str], folder: Path | None, environment: Mapping[str, str] | None) -> tuple[int, str, str]:
    """Run a program to its end: its exit status, standard output and standard error.

    Raises:
        OSError: it cannot be started.
    """
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with _stopped_with_us() as group, Program(command, cwd=folder, env=environment, **streams) as program:
        try:
            group(program.pid)
            out, said = program.communicate()
        finally:
            program.end()
    return program.returncode, out.decode("utf-8", "replace"), said.decode("utf-8", "replace")


@contextlib.contextmanager
def _stopped_with_us() -> Iterator[Callable[[int], None]]:
    """Ctrl-Z stops also the group that is named, and that goes on with this process. Before that Ctrl-Z waits."""
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield lambda group: None
        return
    groups, waiting = list[int](), False

    def stop(number: int, frame: object) -> None:
        nonlocal waiting
        waiting = not groups
        if waiting:
            return
        os.killpg(groups[0], signal.SIGSTOP)
        signal.signal(signal.SIGTSTP, before)
        signal.raise_signal(signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, stop)
        os.killpg(groups[0], signal.SIGCONT)

    def tell(group: int) -> None:
        groups.append(group)
        if waiting:
            signal.raise_signal(signal.SIGTSTP)

    before = signal.getsignal(signal.SIGTSTP)
    signal.signal(signal.SIGTSTP, stop)
    try:
        yield tell
    finally:
        signal.signal(signal.SIGTSTP, before)
        if waiting:
            signal.raise_signal(signal.SIGTSTP)


def worker_pool(workers: int, begin: Callable[[], object] = int) -> ProcessPoolExecutor:
    """An executor of so many processes of this program, each of which calls ``begin`` first. They do not import the
    main module: a script that has no guard would begin once more.

    They belong to the group of this process, so that Ctrl-Z stops them, too; Ctrl-C is for this process alone. Its
    ``shutdown`` ends also those that hang; it waits for a second at most, if at all.
    """
    from concurrent.futures import Future, ProcessPoolExecutor  # late: not every system has processes
    from multiprocessing import get_context

    class Pool(ProcessPoolExecutor):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            with starting(), _uninterrupted():
                future = super().submit(fn, *args, **kwargs)
                for process in list(self._processes.values()):
                    if process.pid is not None and process.pid not in _running:
                        watch(process.pid, leads=False)
            return future

        def _spawn_process(self) -> None:
            with _without_main():
                super()._spawn_process()  # type: ignore[misc]

        def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
            processes = list((self._processes or {}).values())
            manager: Any = self._executor_manager_thread
            super().shutdown(wait=False, cancel_futures=cancel_futures)
            for process in processes:
                process.kill()
                if process.pid is not None:
                    noticed(process.pid)
            if wait and manager is not None:  # with it go the pool's semaphores, of which Python warns otherwise
                manager.join(_PATIENCE)

    return Pool(workers, get_context("spawn"), _begin_worker, (begin,))


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Keep back interruptions from this thread, and from processes that it starts until they begin."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _without_main() -> Iterator[None]:
    """Let processes that start meanwhile find nothing to import in place of the main module."""
    with _lock:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main


def _begin_worker(begin: Callable[[], object]) -> None:
    import multiprocessing

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    parent = multiprocessing.parent_process()
    assert parent is not None
    threading.Thread(target=_follow, args=(parent,), daemon=True).start()
    begin()


def _follow(parent: Any) -> None:
    """End with the process that started this one."""
    parent.join()
    os._exit(1)


@contextlib.contextmanager
def ended_by_signals() -> Iterator[None]:
    """SIGTERM and SIGHUP end what this process has started and then the context, as an exception does; after that this
    process ends by the signal. A second one ends it at once."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    heeded = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]  # nohup ignores one
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    caught: list[int] = []

    def caught_one(number: int, frame: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        caught.append(number)
        end_all()
        raise SystemExit(128 + number)

    for number in heeded:
        signal.signal(number, caught_one)
    try:
        yield
    finally:
        for number in heeded:
            signal.signal(number, signal.SIG_DFL)
        if caught:
            atexit._run_exitfuncs()  # but without waiting for threads
            for stream in (sys.stdout, sys.stderr):
                with contextlib.suppress(Exception):
                    stream.flush()
            signal.raise_signal(caught[0])
