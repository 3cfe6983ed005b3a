"""Servers under ``strace``, which lets calls of the system fail or writes down what is sent to the disk.

They are forks of a process that has loaded everything, so that one starts in milliseconds. All calls for the store are
made in one thread, because strace counts the calls of each thread.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
import traceback
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from unittest import mock

from helpers.forks import FORKS

_WAIT = 600.0  # seconds after which a process hangs, on a machine that has much else to do
_BUSY = 200  # milliseconds for which the store waits for locks that others hold: nobody does
_DATABASE = 1.0  # seconds for which the store waits for a connection to the database
_INJECTED = re.compile(r"(\w+)\((.*)\(INJECTED\)")


def store_paths(folder: Path) -> list[str]:
    """The options that confine strace to the files of the store."""
    file = folder / "games.sqlite3"
    names = (str(folder), *(f"{file}{end}" for end in ("", "-wal", "-shm", "-journal")))
    return [option for name in names for option in ("-P", name)]


class Traced:
    """A server on a store in a folder. What it prints is in ``log`` there; what strace writes, in ``trace``."""

    def __init__(self, folder: Path, strace: Sequence[str] = (), checkpoint: int = 1000, url: str = "") -> None:
        """``strace``: its options; without any it does not run. ``checkpoint``: the pages in the write-ahead log after
        which they are copied to the store. ``url``: of a database, instead of the file."""
        self.folder, self.port = folder, 0
        self._log, self._trace = folder / "log", folder / "trace"
        self._log.write_bytes(b"")
        self._trace.write_bytes(b"")
        ready, go = FORKS.Pipe()
        self._process = FORKS.Process(target=_serve, args=(go, folder, checkpoint, url))
        self._process.start()
        self._strace: subprocess.Popen[str] | None = None
        try:
            if strace:
                command = ["strace", "-f", "-y", "-o", str(self._trace), *strace, "-p", str(self._process.pid)]
                self._strace = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
                assert self._strace.stderr is not None
                attached = self._strace.stderr.readline()
                assert "attached" in attached, attached
            ready.send(True)
            ready.close()
            self._wait_for_port()
        except BaseException:
            self.end(signal.SIGKILL)
            raise

    def _wait_for_port(self) -> None:
        until = time.monotonic() + _WAIT
        while self._process.is_alive() and time.monotonic() < until:
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", self.log)
            if found:
                self.port = int(found[1])
                return
            time.sleep(0.002)
        self._process.join(0)

    @property
    def log(self) -> str:
        """What it has printed."""
        return self._log.read_text("utf-8")

    @property
    def trace(self) -> str:
        """What strace has written."""
        return self._trace.read_text("utf-8", errors="replace")

    @property
    def injected(self) -> list[str]:
        """The calls that were made to fail."""
        return [f"{name}({rest.strip()}" for name, rest in _INJECTED.findall(self.trace)]

    @property
    def running(self) -> bool:
        return self._process.is_alive()

    def end(self, how: signal.Signals = signal.SIGTERM) -> int | None:
        """Send the signal and wait for the end, unless it has come already.

        Returns the exit status, ``None`` if the process hangs and was killed.
        """
        if self._process.pid is not None and self._process.is_alive():
            with suppress(ProcessLookupError):  # it has ended just now
                os.kill(self._process.pid, how)
        self._process.join(_WAIT)
        hung = self._process.is_alive()
        if hung:
            self._process.kill()
            self._process.join()
        if self._strace is not None:
            self._strace.communicate(timeout=_WAIT)
            self._strace = None
        return None if hung else self._process.exitcode


def _serve(go: Connection, folder: Path, checkpoint: int, url: str) -> None:
    with (folder / "log").open("ab") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    go.recv()
    go.close()
    from komadai.app.web import server
    from komadai.app.web.engines.rate_limits import USUAL
    from komadai.app.web.game import store_calls
    from komadai.app.web.store import Store
    from komadai.app.web.store.sqlite import SqliteStore
    from komadai.errors import NotationError

    one = ThreadPoolExecutor(1, "store")

    class OneThread(SqliteStore):
        """All of its calls are made in one thread."""

        def secret(self, name: str) -> str:
            return one.submit(super().secret, name).result()

        def close(self) -> None:
            one.submit(super().close).result()

    def opened(data: Path) -> Store:
        def work() -> Store:
            store = OneThread(data / "games.sqlite3")
            store._db.execute(f"PRAGMA wal_autocheckpoint={checkpoint}")
            store._db.execute(f"PRAGMA busy_timeout={_BUSY}")
            return store

        return one.submit(work).result()

    options: dict[str, Any] = {"port": 0, "open_browser": False, "limits": USUAL.times(1000)}
    try:
        if url:
            from komadai.app.web.store import postgres

            with mock.patch.object(postgres, "_PATIENCE", _DATABASE):
                server.serve(data=url, **options)
        else:
            pools = mock.patch.multiple(store_calls, _STORE=one, _MOVES=one)
            with pools, mock.patch.object(server, "open_store", opened):
                server.serve(data=folder, **options)
    except NotationError as error:
        print(error, flush=True)
        status = 2
    except BaseException:
        traceback.print_exc()
        status = 1
    else:
        status = 0
    one.shutdown()
    os._exit(status)
