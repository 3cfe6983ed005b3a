"""Faults at every call: a scripted game on a server whose n-th call of the system fails, for every n to the last.

Run with ``PYTHONPATH=tests``. The game has an invitation, takebacks, offers, clocks, a match and a rematch.
Each run prints a line if anything is not as it must be; all that was acknowledged must be in the store after the next
start, nothing refused be done, and both people see what the server has. Needs Debian's ``strace``.
"""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Annotated

import typer

from fuzz.faults import calls, database, power
from fuzz.faults.calls import Fault, Run
from fuzz.faults.database import Trouble
from helpers.web.cluster import Cluster, binaries

app = typer.Typer(add_completion=False, help=__doc__)


def _known(done: Path | None) -> set[str]:
    """The faults whose runs were right, one a line."""
    return set(done.read_text("utf-8").splitlines()) if done is not None and done.exists() else set()


def _played(fault: Fault, network: bool) -> tuple[Fault, Run]:
    return fault, calls.play(fault, network)


_cluster: Cluster  # each process's own


def _with_database(programs: Path) -> None:
    global _cluster
    _cluster = Cluster(programs)
    Finalize(None, _cluster.remove, exitpriority=10)  # atexit does not run in these processes


def _disturbed(trouble: Trouble) -> tuple[Trouble, Run]:
    return trouble, database.play(_cluster, trouble)[0]


def _report(runs: Iterable[tuple[Fault | Trouble, Run]], done: Path | None) -> bool:
    """Print what is wrong, and what was seen; whether all was right."""
    total, hits, wrong = Counter[str](), Counter[str](), 0
    for fault, run in runs:
        total["runs"] += 1
        total["that hit"] += bool(run.hit)
        total["further starts"] += run.starts - 1
        total["commands"] += run.ledger.sent
        total["acknowledged"] += len(run.ledger.acknowledged)
        total["refused"] += len(run.ledger.refused)
        total["in doubt for a while"] += len(run.ledger.doubted)
        hits[fault.kind] += bool(run.hit)
        if run.ledger.faults:
            wrong += 1
            print(fault, run.hit[:1], *run.ledger.faults, sep="\n  ", flush=True)
        elif done is not None:
            with done.open("a", encoding="utf-8") as file:
                file.write(f"{fault}\n")
    print(", ".join(f"{count} {what}" for what, count in total.items()), f"; {wrong} not as they must be", sep="")
    print("by kind:", ", ".join(f"{name} {count}" for name, count in hits.items()))
    return not wrong


@app.command("calls")
def sweep(
    network: Annotated[bool, typer.Option(help="The calls on connections, not those on the store's files.")] = False,
    every: Annotated[int, typer.Option(help="Every so manieth fault only.", min=1)] = 1,
    begin: Annotated[int, typer.Option("--from", help="The first fault, from 0.", min=0)] = 0,
    jobs: Annotated[int, typer.Option(help="Games at once.", min=1)] = 1,
    done: Annotated[
        Path | None, typer.Option(help="A list of runs to be left out; those that were right join it.")
    ] = None,
) -> None:
    """Let calls of the system fail."""
    known = _known(done)
    all_of_them = list(calls.faults(network))
    faults = [fault for fault in all_of_them[begin::every] if str(fault) not in known]
    print(f"{len(all_of_them)} faults, {len(faults)} to be made", flush=True)
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        right = _report(pool.map(_played, faults, [network] * len(faults)), done)
    raise typer.Exit(0 if right else 1)


@app.command("power")
def power_loss(
    each: Annotated[int, typer.Option(help="States of the disk after each call.", min=1)] = 4,
    every: Annotated[int, typer.Option(help="Every so manieth call only.", min=1)] = 1,
    seed: Annotated[int, typer.Option(help="Of what is lost.")] = 1,
) -> None:
    """Cut the power after every call that changes the store."""
    found = power.lose(power.trace(), each, every, seed)
    print(f"{found.cuts} cuts, {found.states} states of the disk, {found.events} events replayed", end="; ")
    print(f"{len(found.faults)} not as they must be", *found.faults[:20], sep="\n  ")
    raise typer.Exit(bool(found.faults))


@app.command("database")
def database_trouble(
    every: Annotated[int, typer.Option(help="Every so manieth trouble only.", min=1)] = 1,
    begin: Annotated[int, typer.Option("--from", help="The first trouble, from 0.", min=0)] = 0,
    jobs: Annotated[int, typer.Option(help="Games at once.", min=1)] = 1,
    done: Annotated[
        Path | None, typer.Option(help="A list of runs to be left out; those that were right join it.")
    ] = None,
) -> None:
    """Lose, delay and cut what passes between the server and PostgreSQL, and let that be away."""
    programs = binaries()
    if programs is None:
        raise typer.BadParameter("there is no PostgreSQL server on this machine")
    cluster = Cluster(programs)
    try:
        found = database.troubles(cluster)
    finally:
        cluster.remove()
    known = _known(done)
    chosen = [trouble for trouble in found[begin::every] if str(trouble) not in known]
    print(f"{len(found)} troubles, {len(chosen)} to be made", flush=True)
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _with_database, (programs,)) as pool:
        right = _report(pool.map(_disturbed, chosen), done)
    raise typer.Exit(0 if right else 1)


if __name__ == "__main__":
    app()
