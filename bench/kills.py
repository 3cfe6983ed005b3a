"""Servers killed and their database restarted while people play: what became of what people were answered.

Run with ``PYTHONPATH=tests``; needs PostgreSQL's programs on the machine. ``fuzz/faults/kills.py`` describes it.
"""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from fuzz.faults.kills import Harm, run
from helpers.web.cluster import Cluster, binaries


def main(
    kills: Annotated[int, typer.Option(help="Of servers.", min=0)] = 100,
    restarts: Annotated[int, typer.Option(help="Of the database.", min=0)] = 50,
    tables: Annotated[int, typer.Option(help="Games at once; the computer plays at every fourth.", min=1)] = 24,
    share: Annotated[float, typer.Option(help="The share of what passes to and from the database that fails.")] = 0.005,
) -> None:
    """Print what was sent, answered, and wrong."""
    programs = binaries()
    if programs is None:
        raise typer.BadParameter("there is no PostgreSQL server on this machine")
    cluster = Cluster(programs)
    try:
        found = asyncio.run(run(cluster, Harm(kills, restarts, share), tables))
    finally:
        cluster.remove()
    print(found)
    raise typer.Exit(bool(found.faults))


if __name__ == "__main__":
    typer.run(main)
