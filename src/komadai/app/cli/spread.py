"""Options of commands whose work others do, and how far it has come: on a terminal as a bar, in a log as lines."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from ...errors import NotationError
from ...lab.jobs import LocalPool, Pool, Runner
from ...spec.numbers import whole_number
from .options import err

Workers = Annotated[
    str | None,
    typer.Option(
        help="Have the work done by N processes, or by the cluster of Dask with this scheduler, as tcp://host:8786.",
        metavar="N|URL",
    ),
]

_MOST_WORKERS = 256
_EVERY = 15.0  # seconds between two lines of a log


@dataclass(frozen=True, slots=True)
class Spread:
    """The workers that a command was given."""

    pool: Pool

    def watch(self, units: str) -> Callable[[Runner[Any]], AbstractContextManager[Callable[[], object]]]:
        """Watch a run: where there is no terminal a line says now and then how many ``units`` are done."""

        @contextmanager
        def watching(runner: Runner[Any]) -> Iterator[Callable[[], object]]:
            said = time.monotonic()

            def shown() -> None:
                nonlocal said
                over = runner.rates.done == runner.rates.total
                if not err.is_terminal and (over or time.monotonic() > said + _EVERY):
                    said = time.monotonic()
                    log(f"{runner.rates.line(units)}, {runner.workers} workers")

            yield shown

        return watching


@contextmanager
def spreading(workers: str | None) -> Iterator[Spread | None]:
    """The workers of the option, while the context lasts; ``None`` if there are none.

    Raises:
        NotationError: it names none, or there is no such cluster.
    """
    if workers is None:
        yield None
        return
    pool: Pool
    if "://" in workers:
        from ...lab.jobs.cluster import ClusterPool

        pool = ClusterPool(workers, log)
    else:
        count = whole_number(workers, 1, _MOST_WORKERS)
        if count is None:
            words = (
                f"expected a number of processes, 1 to {_MOST_WORKERS}, or the address of a scheduler, tcp://host:8786"
            )
            raise NotationError(f"--workers {workers!r}", [words])
        pool = LocalPool(count)
    try:
        yield Spread(pool)
    finally:
        pool.close()


def log(line: str) -> None:
    """Say a line on standard error."""
    err.print(line, markup=False, highlight=False)
