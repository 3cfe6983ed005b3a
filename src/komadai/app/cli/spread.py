"""The options of commands whose work others do."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import click

from ...errors import NotationError
from ...lab.jobs import LocalPool, Pool
from .base import number
from .options import say

F = TypeVar("F", bound=Callable[..., object])

_MOST_JOBS = 256

_JOBS = click.option("--jobs", type=number(1, _MOST_JOBS), help="Spread the work over N processes of this machine.")
_CLUSTER = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Spread it over a Dask cluster: the address of its scheduler, such as tcp://host:8786.",
)


def spread(command: F) -> F:
    """The options of :func:`spreading`."""
    return _JOBS(_CLUSTER(command))


@contextmanager
def spreading(jobs: int | None, cluster: str | None) -> Iterator[Pool | None]:
    """The workers of the options, while the context lasts; ``None`` if there are none.

    Raises:
        NotationError: there are both, or no such cluster.
    """
    if jobs is None and cluster is None:
        yield None
        return
    pool: Pool
    if cluster is not None:
        if jobs is not None:
            raise NotationError("--jobs", ["is for this machine, and --cluster for others; give one of them"])
        if "://" not in cluster:
            raise NotationError(f"--cluster {cluster!r}", ["expected the address of a scheduler, tcp://host:8786"])
        from ...lab.jobs.cluster import ClusterPool

        pool = ClusterPool(cluster)
    else:
        assert jobs is not None
        pool = LocalPool(jobs)
    pool.log = say
    if not sys.stderr.isatty():
        pool.show = say
    try:
        yield pool
    finally:
        pool.close()
