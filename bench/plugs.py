"""A match by a cluster, while its workers, its scheduler and its driver are killed: is its result that of one process?

Run with ``PYTHONPATH=tests``; needs the extra ``cluster``. ``helpers/faults/plugs.py`` describes it.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from helpers.faults.plugs import Harm, Town


def main(
    game: str = "mortal",
    games: Annotated[int, typer.Option(help="Of the match; an even number.", min=2)] = 600,
    nodes: Annotated[int, typer.Option(help="Positions a move.", min=1)] = 2000,
    workers: Annotated[int, typer.Option(min=1)] = 8,
    every: Annotated[float, typer.Option(help="Seconds between two kills of workers.", min=0.1)] = 5.0,
    folder: Annotated[Path | None, typer.Option(help="For logs and results; by default one that is deleted.")] = None,
) -> None:
    """Kill a worker every few seconds, the scheduler twice and the driver once; print what came of it."""
    players = ("komadai", f"komadai:level=9,nodes={max(nodes // 2, 1)}", "-v", game, "--nodes", str(nodes))
    harm = Harm(scheduler=(0.25, 0.75), driver=(0.5,), every=every)
    with tempfile.TemporaryDirectory() as made:
        place = folder or Path(made)
        place.mkdir(parents=True, exist_ok=True)
        found = Town(place, players, games, workers).run(harm, timeout=24 * 3600)
    kills = ", ".join(f"{what} {count} times" for what, count in found.kills.items())
    print(
        f"{games} games: {found.seconds_alone:.0f} s alone, {found.seconds:.0f} s by {workers} workers; killed: {kills}"
    )
    print("the results are byte-identical" if found.same else f"THE RESULTS DIFFER\n{found.log[-3000:]}")
    raise typer.Exit(0 if found.same else 1)


if __name__ == "__main__":
    typer.run(main)
