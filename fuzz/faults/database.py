"""The scripted game on a server whose PostgreSQL is behind a proxy that loses, delays or cuts the n-th piece."""

from __future__ import annotations

import signal
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from multiprocessing.util import Finalize
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict

from helpers.web.cluster import Cluster
from helpers.web.proxy import TRIPS, Proxy, Trip
from komadai.app.web.store.postgres import PostgresStore

from .calls import Keeper, Run
from .traced import Traced

_AWAY = 10.0  # seconds within which a server must start, since the database is away for less
_PAUSE = 0.5  # seconds until a client tries again, so that the database is back before another server is started


@dataclass(frozen=True, order=True)
class Trouble:
    """What happens to the piece of that number."""

    number: int
    how: Trip

    def __str__(self) -> str:
        return f"{self.how} {self.number}"

    @property
    def kind(self) -> str:
        """What happens, without the number."""
        return self.how


def play(cluster: Cluster, trouble: Trouble | None) -> tuple[Run, int]:
    """Play the game with the trouble; how it went, and the number of pieces that have passed."""
    run, url = Run(), cluster.database()
    with closing(Proxy(cluster.folder)) as proxy, tempfile.TemporaryDirectory(prefix="komadai-") as name:
        if trouble is not None:
            proxy.trip(trouble.number, trouble.how)
        behind = url.replace(str(cluster.folder), str(proxy.folder))

        def start() -> Traced:
            made = Traced(Path(name), url=behind)
            until = time.monotonic() + _AWAY
            while made.port == 0 and "Traceback" not in made.log and time.monotonic() < until:
                made.end(signal.SIGKILL)
                time.sleep(_PAUSE)
                made = Traced(Path(name), url=behind)
            return made

        with Keeper(start(), start, run, signal.SIGKILL, _PAUSE) as keeper:
            keeper.play()
        run.hit += [str(trouble)] * proxy.tripped
        passed = proxy.pieces
    with closing(PostgresStore(url)) as store:
        run.ledger.compare(store)
    with psycopg.connect(cluster.url("postgres"), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {conninfo_to_dict(url)['dbname']} WITH (FORCE)")
    if trouble is not None and trouble.how == "delay" and run.ledger.doubted:
        run.ledger.faults.append(f"doubt: {run.ledger.doubted} after {trouble}")
    return run, passed


_cluster: Cluster  # each process's own


def begin(programs: Path) -> None:
    """Start the database of this process."""
    global _cluster
    _cluster = Cluster(programs)
    Finalize(None, _cluster.remove, exitpriority=10)  # atexit does not run in processes of a pool


def disturbed(trouble: Trouble) -> Run:
    """The game with the trouble, on the database of this process."""
    return play(_cluster, trouble)[0]


def troubles(cluster: Cluster) -> list[Trouble]:
    """All that may happen in a game."""
    _, pieces = play(cluster, None)
    return [Trouble(number, how) for number in range(1, pieces + 1) for how in TRIPS]
