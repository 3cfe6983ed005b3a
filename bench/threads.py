"""The gain from threads: how much sooner several threads finish a depth of the search than one does.

Each position of standard shogi, out of ``bench/openings/shogi.txt``, is searched to the first depth that takes one
thread longer than ``--least``, by one thread and by several in turns, each time with a new and empty engine. One thread
searches the same tree every time; several do not, so each is run more than once. Wall time counts: nothing else should
run. Processor time says what it would be if each thread had a core to itself, as the other figure says on a quiet
machine.
"""

from __future__ import annotations

import os
import statistics
from pathlib import Path

import click

import komadai
from komadai.engine import Engine, Info
from komadai.game.position import Position

HASH_MB = 64
OPENINGS = Path(__file__).parent / "openings" / "shogi.txt"


def opening_positions(count: int, first: int = 0) -> list[Position]:
    """Positions after the openings of the file, from number ``first`` on."""
    shogi = komadai.variant("shogi")
    lines = [line for line in OPENINGS.read_text().splitlines() if not line.startswith("#")]
    positions = []
    for line in lines[first : first + count]:
        position = Position(shogi)
        for move in line.split():
            position.push(move)
        positions.append(position)
    return positions


def depth_that_takes(position: Position, seconds: float) -> int:
    """The first depth that one thread finishes only after that time."""
    engine = Engine(position.variant, hash_mb=HASH_MB)

    def stop_after(reached: Info) -> None:
        if reached.seconds > seconds:
            engine.stop()

    return engine.search(position, depth=40, report=stop_after).depth


def time_to(depth: int, position: Position, threads: int) -> tuple[float, float, int]:
    """Seconds by the clock and of the processor, and nodes, until the depth is finished."""
    engine = Engine(position.variant, hash_mb=HASH_MB, threads=threads)
    before = os.times()
    found = engine.search(position, depth=depth)
    after = os.times()
    return found.seconds, after.user - before.user, found.nodes


@click.command(context_settings={"show_default": True})
@click.option("--positions", default=20, help="How many positions.")
@click.option("--first", default=0, help="The number of the first, from 0.")
@click.option("--runs", default=5, help="Runs of each position.")
@click.option("--threads", default=2, help="Beside one.")
@click.option("--least", default=1.0, help="Seconds that one thread takes at least.")
def main(positions: int, first: int, runs: int, threads: int, least: float) -> None:
    """Print each position's times and the geometric mean of the gains."""
    gains, by_processor, growth = [], [], []
    for number, position in enumerate(opening_positions(positions, first), first):
        depth = depth_that_takes(position, least)
        pairs = [(time_to(depth, position, 1), time_to(depth, position, threads)) for _ in range(runs)]
        gains += [one[0] / several[0] for one, several in pairs]
        by_processor += [threads * one[1] / several[1] for one, several in pairs]
        growth += [several[2] / one[2] for one, several in pairs]
        here = statistics.geometric_mean(gains[-runs:])
        print(
            f"{number:3}: depth {depth}, one thread {pairs[0][0][0]:.2f} s, {threads} {here:.2f} times as fast",
            flush=True,
        )
    print(f"{threads} threads finish a depth {statistics.geometric_mean(gains):.2f} times as fast as one")
    print(f"by processor time, were all at work throughout: {statistics.geometric_mean(by_processor):.2f} times")
    print(f"nodes: {statistics.geometric_mean(growth):.2f} times as many")


if __name__ == "__main__":
    main()
