"""A server under measurement: started as users start it, and what its processes take of the machine."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Process:
    """A running process, as Linux shows it."""

    id: int

    def _read(self, name: str) -> str:
        return Path(f"/proc/{self.id}/{name}").read_text("ascii", "replace")

    def _seconds(self, name: str) -> float:
        fields = self._read(name).rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def seconds(self) -> float:
        """The processor time used so far."""
        return self._seconds("stat")

    @property
    def loop_seconds(self) -> float:
        """The processor time of its first thread, which in a server is the event loop."""
        return self._seconds(f"task/{self.id}/stat")

    @property
    def memory(self) -> float:
        """The resident memory in MB."""
        return int(self._read("statm").split()[1]) * os.sysconf("SC_PAGE_SIZE") / MEGABYTE

    @property
    def files(self) -> int:
        """The number of open files, sockets included."""
        return len(os.listdir(f"/proc/{self.id}/fd"))

    @property
    def sockets(self) -> int:
        """The number of open sockets."""
        found = 0
        for name in os.listdir(f"/proc/{self.id}/fd"):
            with contextlib.suppress(OSError):  # closed in the meantime
                found += os.readlink(f"/proc/{self.id}/fd/{name}").startswith("socket:")
        return found

    @property
    def descendants(self) -> list[Process]:
        """The processes that it has started, and theirs."""
        found: list[Process] = []
        with contextlib.suppress(OSError):  # ended in the meantime
            for task in os.listdir(f"/proc/{self.id}/task"):
                for child in map(int, self._read(f"task/{task}/children").split()):
                    found += [Process(child), *Process(child).descendants]
        return found

    def ended(self) -> bool:
        """True if it does not run any more."""
        try:
            return self._read("stat").rpartition(")")[2].split()[0] == "Z"
        except OSError:
            return True


@dataclass(frozen=True)
class Serving:
    """A server that runs: its port and its process."""

    port: int
    process: Process

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextlib.contextmanager
def server(
    folder: Path,
    store: str | None = None,
    *,
    python: str | None = None,
    options: Sequence[str] = (),
    log: Path | None = None,
) -> Iterator[Serving]:
    """A server with its games in a file in the folder, or in a PostgreSQL database.

    Args:
        python: an interpreter whose own Komadai serves; ``None``: this one's.
        options: more options of ``komadai play``. ``log``: a file for its messages.
    """
    command = [python or sys.executable, "-m", "komadai", "play", "--no-browser", "--port", "0"]
    command += ["--data", store or str(folder), *options]
    others = {name: value for name, value in os.environ.items() if python is None or name != "PYTHONPATH"}
    with contextlib.ExitStack() as opened:
        errors = None if log is None else opened.enter_context(log.open("w"))
        running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env=others)
        opened.enter_context(running)
        try:
            assert running.stdout is not None
            found = re.search(r":(\d+)/", running.stdout.readline())
            assert found is not None, "the server has not started"
            yield Serving(int(found[1]), Process(running.pid))
        finally:
            running.send_signal(signal.SIGINT)


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which that share of the values lies, from 0 to 1; not a number if there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else float("nan")
