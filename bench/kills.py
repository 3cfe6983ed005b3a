"""Servers killed and their database restarted while people play: what became of what people were answered.

Run with ``PYTHONPATH=tests:.``; needs PostgreSQL's programs on the machine. ``fuzz/faults/kills.py`` describes it.
"""

from __future__ import annotations

import asyncio
import sys

import click

from fuzz.faults.kills import Harm, run
from helpers.web.cluster import Cluster, binaries


@click.command(context_settings={"show_default": True})
@click.option("--kills", type=click.IntRange(min=0), default=100, help="Of servers.")
@click.option("--restarts", type=click.IntRange(min=0), default=50, help="Of the database.")
@click.option(
    "--tables", type=click.IntRange(min=1), default=24, help="Games at once; the computer plays at every fourth."
)
@click.option(
    "--share",
    type=click.FloatRange(0, 1),
    default=0.005,
    help="The share of what passes to and from the database that fails.",
)
def main(kills: int, restarts: int, tables: int, share: float) -> None:
    """Print what was sent, answered, and wrong."""
    programs = binaries()
    if programs is None:
        raise click.UsageError("there is no PostgreSQL server on this machine")
    cluster = Cluster(programs)
    try:
        found = asyncio.run(run(cluster, Harm(kills, restarts, share), tables))
    finally:
        cluster.remove()
    print(found)
    sys.exit(bool(found.faults))


if __name__ == "__main__":
    main()
