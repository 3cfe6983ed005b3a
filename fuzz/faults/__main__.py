"""Faults at every call: a scripted game on a server whose n-th call of the system fails, for every n to the last.

Run with ``PYTHONPATH=tests``. The game has an invitation, takebacks, offers, clocks, a match and a rematch.
Each run prints a line if anything is not as it must be; all that was acknowledged must be in the store after the next
start, nothing refused be done, and both people see what the server has. Needs Debian's ``strace``.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

import click

from fuzz.faults import calls, database, power
from fuzz.faults.calls import Fault, Run
from fuzz.faults.database import Trouble
from helpers.web.cluster import Cluster, binaries

every_option = click.option("--every", type=click.IntRange(min=1), default=1, help="Every so manieth only.")
begin_option = click.option("--from", "begin", type=click.IntRange(min=0), default=0, help="The first, from 0.")
jobs_option = click.option("--jobs", type=click.IntRange(min=1), default=1, metavar="N", help="Games at once.")


@click.group(help=__doc__, context_settings={"show_default": True})
def main() -> None:
    pass


def _report(runs: Iterable[tuple[Fault | Trouble, Run]]) -> bool:
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
    print(", ".join(f"{count} {what}" for what, count in total.items()), f"; {wrong} not as they must be", sep="")
    print("by kind:", ", ".join(f"{name} {count}" for name, count in hits.items()))
    return not wrong


def _sweep(found: Sequence[Fault | Trouble], play: Callable[[Any], Run], *pool: Any) -> None:
    """Play a game with each fault; ``pool``: what makes the pool of processes."""
    print(f"{len(found)} faults", flush=True)
    with ProcessPoolExecutor(*pool) as processes:
        right = _report(zip(found, processes.map(play, found), strict=True))
    sys.exit(not right)


@main.command("calls")
@click.option("--network", is_flag=True, help="The calls on connections, not those on the store's files.")
@every_option
@begin_option
@jobs_option
def sweep(network: bool, every: int, begin: int, jobs: int) -> None:
    """Let calls of the system fail."""
    faults = list(calls.faults(network))[begin::every]
    _sweep(faults, partial(calls.play, network=network), jobs, multiprocessing.get_context("spawn"))


@main.command("power")
@click.option("--each", type=click.IntRange(min=1), default=4, help="States of the disk after each call.")
@every_option
@click.option("--seed", default=1, help="Of what is lost.")
def power_loss(each: int, every: int, seed: int) -> None:
    """Cut the power after every call that changes the store."""
    found = power.lose(power.trace(), each, every, seed)
    print(f"{found.cuts} cuts, {found.states} states of the disk, {found.events} events replayed", end="; ")
    print(f"{len(found.faults)} not as they must be", *found.faults[:20], sep="\n  ")
    sys.exit(bool(found.faults))


@main.command("database")
@every_option
@begin_option
@jobs_option
def database_trouble(every: int, begin: int, jobs: int) -> None:
    """Lose, delay and cut what passes between the server and PostgreSQL, and let that be away."""
    programs = binaries()
    if programs is None:
        raise click.UsageError("there is no PostgreSQL server on this machine")
    cluster = Cluster(programs)
    try:
        found = database.troubles(cluster)[begin::every]
    finally:
        cluster.remove()
    _sweep(found, database.disturbed, jobs, multiprocessing.get_context("spawn"), database.begin, (programs,))


if __name__ == "__main__":
    main()
