"""The scripted game on a server of whose calls of the system one fails, or all from one on."""

from __future__ import annotations

import asyncio
import re
import signal
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from helpers.support import in_a_loop
from komadai.app.web.store.sqlite import SqliteStore

from . import scripted
from .ledger import Ledger
from .person import PATIENCE
from .traced import Traced, store_paths

OF_STORE = {
    "openat": ("EMFILE", "EIO"), "pread64": ("EIO",), "pwrite64": ("EIO", "ENOSPC"), "fdatasync": ("EIO",),
    "fsync": ("EIO",), "ftruncate": ("EIO", "ENOSPC"), "fallocate": ("EIO", "ENOSPC"), "unlink": ("EIO",),
    "fcntl": ("EIO",), "newfstatat": ("EIO",), "mmap": ("ENOMEM",), "close": ("EIO",), "fchown": ("EIO",),
    "mkdir": ("ENOSPC",),
}  # fmt: skip
"""Calls on the files of the store, and how they may fail."""

OF_NETWORK = {"accept4": ("EMFILE", "ECONNABORTED"), "recvfrom": ("ECONNRESET",), "sendto": ("EPIPE",)}
"""Calls on connections."""

_CHECKPOINT = 16  # pages: some copies of the write-ahead log in one game
_OF_ASYNCIO = "Exception in callback BaseSelectorEventLoop._read_from_self"
"""What asyncio says with a traceback where its own pair of sockets fails, which nobody can reset."""
_ACCEPTING = 5.0  # seconds: where no call accepts connections, each try takes as long
_TRIES = 4  # failures after which the server is started again
_WRITING = {"pwrite64", "fdatasync", "fsync", "ftruncate", "fallocate", "mmap"}  # where a failure leaves doubt
_CALL = re.compile(r"^\d+ +(\w+)\(", re.MULTILINE)


@dataclass(frozen=True, order=True)
class Fault:
    """The call of that name and number fails; if it is ``lasting``, so do all of that name after it."""

    call: str
    error: str
    number: int
    lasting: bool

    def __str__(self) -> str:
        return f"{self.call} {self.number}{'+' if self.lasting else ''} {self.error}"

    @property
    def kind(self) -> str:
        """What happens, without the number."""
        return f"{self.call} {self.error}"

    @property
    def options(self) -> list[str]:
        """The options of strace."""
        when = f"{self.number}{'+' if self.lasting else ''}"
        return ["-e", f"trace={self.call}", "-e", f"inject={self.call}:error={self.error}:when={when}"]


@dataclass
class Run:
    """A game with a fault.

    Attributes:
        hit: the calls that failed. ``starts``: of the server.
    """

    hit: list[str] = field(default_factory=list)
    starts: int = 1
    ledger: Ledger = field(default_factory=Ledger)


class Keeper:
    """Keeps a server running: after some failures the next one is started, without faults."""

    def __init__(
        self, server: Traced, again: Callable[[], Traced], run: Run, how: signal.Signals, pause: float = 0.02
    ) -> None:
        """``again``: starts the next one. ``how``: the one before is ended. ``pause``: seconds to wait otherwise."""
        self.server, self._again, self._run, self._how, self._pause = server, again, run, how, pause
        self._troubles = 0

    def __enter__(self) -> Keeper:
        return self

    def __exit__(self, *error: object) -> None:
        self.server.end(signal.SIGKILL)

    def port(self) -> int:
        return self.server.port

    async def trouble(self, _why: str) -> None:
        self._troubles += 1
        if self._troubles % _TRIES == 0 or not self.server.running:
            self.end(self._how)
            self.server = self._again()
            self._run.starts += 1
            if self.server.port == 0:
                raise RuntimeError(f"the next start fails: {self.server.log}")
            if self._troubles > 5 * _TRIES:
                raise RuntimeError("the game does not go on")
        else:
            await asyncio.sleep(self._pause)

    def play(self, patience: float = PATIENCE) -> None:
        """Play the game and end the server."""
        try:
            in_a_loop(scripted.play(self._run.ledger, self.port, self.trouble, patience))
        except RuntimeError as error:
            self._run.ledger.faults.append(f"stuck: {error}")
        self.end(signal.SIGTERM)

    def end(self, how: signal.Signals) -> None:
        self._run.hit += self.server.injected
        if self.server.end(how) is None:
            self._run.ledger.faults.append(f"hung: {self.server.log}")
        if self.server.log.count("Traceback") > self.server.log.count(_OF_ASYNCIO):
            self._run.ledger.faults.append(f"traceback: {self.server.log}")


def play(fault: Fault, network: bool = False) -> Run:
    """Play the game with the fault."""
    run = Run()
    with tempfile.TemporaryDirectory(prefix="komadai-", dir=memory()) as name:
        folder = Path(name)
        paths = [] if network else store_paths(folder)
        server = Traced(folder, [*fault.options, *paths], _CHECKPOINT)
        again = partial(Traced, folder, checkpoint=_CHECKPOINT)
        how, patience = signal.SIGKILL if fault.number % 2 else signal.SIGTERM, _ACCEPTING if network else PATIENCE
        with Keeper(server, again, run, how) as keeper:
            keeper.play(patience)
        with closing(SqliteStore(folder / "games.sqlite3")) as store:
            run.ledger.compare(store)
        with closing(sqlite3.connect(folder / "games.sqlite3")) as database:
            sound = database.execute("PRAGMA integrity_check").fetchall()
            if sound != [("ok",)]:
                run.ledger.faults.append(f"lost: integrity {sound}")
    if run.ledger.doubted and fault.call not in _WRITING:
        run.ledger.faults.append(f"doubt: {run.ledger.doubted} after {run.hit}")
    return run


def calls(network: bool = False) -> Counter[str]:
    """The number of calls of each name in a game without faults, by the thread that makes most."""
    with tempfile.TemporaryDirectory(prefix="komadai-", dir=memory()) as name:
        folder = Path(name)
        known = OF_NETWORK if network else OF_STORE
        server = Traced(
            folder, ["-e", f"trace={','.join(known)}", *([] if network else store_paths(folder))], _CHECKPOINT
        )
        run = Run()
        with Keeper(server, partial(Traced, folder), run, signal.SIGTERM) as keeper:
            keeper.play()
        assert not run.ledger.faults, run.ledger.faults
        by_thread: Counter[tuple[str, str]] = Counter(
            (line.split()[0], found[1]) for line in server.trace.splitlines() if (found := _CALL.match(line))
        )
        return Counter(
            {name: max(count for (_, call), count in by_thread.items() if call == name) for _, name in by_thread}
        )


def faults(network: bool = False, lasting: tuple[bool, ...] = (False, True)) -> Iterator[Fault]:
    """All faults of a game, in an order in which any part of them is a fair sample."""
    known = OF_NETWORK if network else OF_STORE
    counts = calls(network)
    for number in range(1, max(counts.values()) + 1):
        for call, errors in known.items():
            if number <= counts[call]:
                for error in errors:
                    yield from (Fault(call, error, number, last) for last in lasting)


def memory() -> str | None:
    """A folder in memory, where syncs cost nothing."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None
