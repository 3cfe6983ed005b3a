"""The option of commands whose work others do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from ...errors import NotationError
from ...lab.jobs import LocalPool, Pool
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


@contextmanager
def spreading(workers: str | None) -> Iterator[Pool | None]:
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

        pool = ClusterPool(workers)
    else:
        count = whole_number(workers, 1, _MOST_WORKERS)
        if count is None:
            words = (
                f"expected a number of processes, 1 to {_MOST_WORKERS}, or the address of a scheduler, tcp://host:8786"
            )
            raise NotationError(f"--workers {workers!r}", [words])
        pool = LocalPool(count)
    pool.log = log
    if not err.is_terminal:
        pool.show = log
    try:
        yield pool
    finally:
        pool.close()


def log(line: str) -> None:
    """Say a line on standard error."""
    err.print(line, markup=False, highlight=False)
