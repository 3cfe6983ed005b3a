"""Options of commands whose work others do, and how far it has come: on a terminal as a bar, in a log as lines."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from ...errors import NotationError
from ...lab.jobs import LocalPool, Pool, Runner
from .options import err

Workers = Annotated[
    int | None, typer.Option(help="Have the work done by so many processes.", min=1, max=256, metavar="N")
]
Cluster = Annotated[
    str | None,
    typer.Option(
        help="Have the work done by the cluster of Dask with this scheduler, as tcp://host:8786.", metavar="URL"
    ),
]
MetricsPort = Annotated[
    int | None,
    typer.Option(
        help="With workers: a port of the loopback address for metrics in Prometheus' format.", min=1, max=65535
    ),
]

_EVERY = 15.0  # seconds between two lines of a log


@dataclass(frozen=True, slots=True)
class Spread:
    """The workers that a command was given."""

    pool: Pool
    metrics_port: int | None = None

    def watch(self, units: str) -> Callable[[Runner[Any]], AbstractContextManager[Callable[[], object]]]:
        """Watch a run: its metrics can be read, and where there is no terminal a line says now and then how many
        ``units`` are done."""

        @contextmanager
        def watching(runner: Runner[Any]) -> Iterator[Callable[[], object]]:
            said = time.monotonic()

            def shown() -> None:
                nonlocal said
                over = runner.rates.done == runner.rates.total
                if not err.is_terminal and (over or time.monotonic() > said + _EVERY):
                    said = time.monotonic()
                    log(f"{runner.rates.line(units)}, {runner.workers} workers")

            with ExitStack() as stack:
                if self.metrics_port is not None:
                    from ...lab.jobs.metrics import registry_of
                    from ...lab.metrics_port import serving

                    try:
                        stack.enter_context(serving(registry_of(runner), self.metrics_port))
                    except OSError as error:
                        raise NotationError(f"--metrics-port {self.metrics_port}", [str(error.strerror)]) from None
                yield shown

        return watching


@contextmanager
def spreading(workers: int | None, cluster: str | None, metrics_port: int | None) -> Iterator[Spread | None]:
    """The workers of the options, while the context lasts; ``None`` if there are none.

    Raises:
        NotationError: the options exclude each other, or there is no such cluster.
    """
    if workers is not None and cluster is not None:
        raise NotationError("--workers", ["are processes of this machine; leave them out with --cluster"])
    if workers is None and cluster is None:
        if metrics_port is not None:
            raise NotationError("--metrics-port", ["shows the work of others; needs --workers or --cluster"])
        yield None
        return
    pool: Pool
    if cluster is not None:
        from ...lab.jobs.cluster import ClusterPool

        pool = ClusterPool(cluster, log)
    else:
        pool = LocalPool(workers or 1)
    try:
        yield Spread(pool, metrics_port)
    finally:
        pool.close()


def log(line: str) -> None:
    """Say a line on standard error."""
    err.print(line, markup=False, highlight=False)
