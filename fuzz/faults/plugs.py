"""A match by a cluster whose workers, scheduler and driver are killed: its games must be that of one process.

All of them are processes of this machine. What is killed is started again, as a service manager would do it; the driver
goes on with its state file. Except for :attr:`Harm.every`, plugs are pulled at shares of the match, not at times.
"""

from __future__ import annotations

import contextlib
import json
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

_POLL = 0.1  # seconds
KOMADAI = (sys.executable, "-m", "komadai")


@dataclass(frozen=True)
class Harm:
    """The plugs that are pulled: ``worker``, ``scheduler`` and ``driver`` each at these shares of the games, 0 to 1;
    and a worker after so many seconds, again and again."""

    worker: Sequence[float] = ()
    scheduler: Sequence[float] = ()
    driver: Sequence[float] = ()
    every: float | None = None


@dataclass
class Outcome:
    """The outcome: kills by what was killed, seconds with and without harm, and whether the games agree."""

    kills: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("worker", "scheduler", "driver"), 0))
    seconds: float = 0.0
    seconds_alone: float = 0.0
    same: bool = False
    log: str = ""


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Cluster:
    """A scheduler and workers of Dask, each a process of its own."""

    def __init__(self, folder: Path, workers: int) -> None:
        self._folder, self.port = folder, _free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.scheduler = self._start_scheduler()
        self.workers = [self._start_worker() for _ in range(workers)]

    def _start(self, program: str, *words: str) -> subprocess.Popen[bytes]:
        command = (sys.executable, "-m", f"distributed.cli.dask_{program}", *words, "--no-dashboard")
        with (self._folder / f"{program}.log").open("ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, cwd=self._folder)

    def _start_scheduler(self) -> subprocess.Popen[bytes]:
        return self._start("scheduler", "--host", "127.0.0.1", "--port", str(self.port))

    def _start_worker(self) -> subprocess.Popen[bytes]:
        own = ("--nthreads", "1", "--no-nanny", "--host", "127.0.0.1", "--local-directory", str(self._folder))
        return self._start("worker", self.address, *own)

    def mend(self) -> None:
        """Start again whatever has ended."""
        if self.scheduler.poll() is not None:
            self.scheduler = self._start_scheduler()
        for index, worker in enumerate(self.workers):
            if worker.poll() is not None:
                self.workers[index] = self._start_worker()

    def close(self) -> None:
        """End all processes."""
        for process in (*self.workers, self.scheduler):
            end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process."""
    process.send_signal(signal.SIGKILL)
    process.wait()


def _known(state: Path) -> int:
    """The number of games in a state file."""
    with contextlib.suppress(FileNotFoundError):
        return max(state.read_bytes().count(b"\n") - 1, 0)
    return 0


def _games(state: Path) -> list[dict[str, object]]:
    """The games in a state file in the order of their numbers, without dates, speeds and seconds."""
    games = map(json.loads, state.read_bytes().splitlines()[1:])
    return sorted(
        (game | {"date": "", "steps": [step[:5] for step in game["steps"]]} for game in games),
        key=lambda game: int(game["game"]),
    )


class Town:
    """The cluster and the driver of a match, whose plugs are pulled."""

    def __init__(self, folder: Path, match: Sequence[str], games: int, workers: int, seed: int = 1) -> None:
        """``match``: the words of the command behind ``komadai match``, without files, workers and games."""
        self._folder, self._games, self._lots = folder, games, random.Random(seed)
        self._match = (*KOMADAI, "match", *match, "--games", str(games))
        self._count = workers
        self.found = Outcome()

    def run(self, harm: Harm, timeout: float) -> Outcome:
        """Play the match alone, and by the cluster, and compare."""
        began = time.monotonic()
        alone, state = self._folder / "alone.jsonl", self._folder / "state.jsonl"
        subprocess.run([*self._match, "--state", str(alone)], check=True, capture_output=True, timeout=timeout)
        self.found.seconds_alone = time.monotonic() - began
        began = time.monotonic()
        cluster = Cluster(self._folder, self._count)
        try:
            self._pull(cluster, harm, began + timeout)
        finally:
            cluster.close()
        self.found.seconds = time.monotonic() - began
        self.found.log = (self._folder / "driver.log").read_text(encoding="utf-8")
        self.found.same = _games(state) == _games(alone)
        return self.found

    def _drive(self, cluster: Cluster) -> subprocess.Popen[bytes]:
        with (self._folder / "driver.log").open("ab") as log:
            command = (*self._match, "--cluster", cluster.address, "--state", str(self._folder / "state.jsonl"))
            return subprocess.Popen(command, stdout=log, stderr=log)

    def _pull(self, cluster: Cluster, harm: Harm, until: float) -> None:
        driver = self._drive(cluster)
        plans = [(share, what) for what in self.found.kills for share in getattr(harm, what)]
        due = time.monotonic() + (harm.every or 0)
        try:
            while (status := driver.poll()) is None or status == -signal.SIGKILL or plans:
                if status is not None and status != -signal.SIGKILL:
                    return  # over before all plugs were pulled, or failed: the result says which
                assert time.monotonic() < until, "the match does not end"
                share = _known(self._folder / "state.jsonl") / self._games
                for plan in [one for one in plans if one[0] <= share]:
                    plans.remove(plan)
                    driver = self._kill(plan[1], cluster, driver)
                if harm.every is not None and time.monotonic() > due:
                    due += harm.every
                    driver = self._kill("worker", cluster, driver)
                cluster.mend()
                time.sleep(_POLL)
        finally:
            if driver.poll() is None:
                end(driver)

    def _kill(self, what: str, cluster: Cluster, driver: subprocess.Popen[bytes]) -> subprocess.Popen[bytes]:
        """Pull one plug; the driver at work then."""
        self.found.kills[what] += 1
        if what == "driver":
            end(driver)
            return self._drive(cluster)
        end(cluster.scheduler if what == "scheduler" else self._lots.choice(cluster.workers))
        return driver
