"""Random play through the Python API, the tree of steps, and the cost of ``import komadai``; beside cshogi and rsshogi.

Processor time is counted, so that other work on the machine matters little. Libraries play the same loop in turns, and
the median of the rounds counts.
"""

from __future__ import annotations

import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import click

import komadai
from komadai.app.web.presenter import encode

LONGEST = 200  # plies before a game is begun anew
Play = Callable[[int, random.Random], None]


def komadai_play(variant: str) -> Play:
    def play(plies: int, chance: random.Random) -> None:
        position, made, lot = komadai.Position(variant), 0, chance.random
        for _ in range(plies):
            moves = position.legal_moves()
            if not moves or made == LONGEST:
                position, made = komadai.Position(variant), 0
                continue
            position.push(moves[int(lot() * len(moves))])
            made += 1

    return play


def cshogi_play() -> Play:
    import cshogi

    def play(plies: int, chance: random.Random) -> None:
        board, made, lot = cshogi.Board(), 0, chance.random
        for _ in range(plies):
            moves = list(board.legal_moves)
            if not moves or made == LONGEST:
                board, made = cshogi.Board(), 0
                continue
            board.push(moves[int(lot() * len(moves))])
            made += 1

    return play


def rsshogi_play() -> Play:
    from rsshogi.core import Board

    def play(plies: int, chance: random.Random) -> None:
        board, made, lot = Board(), 0, chance.random
        for _ in range(plies):
            moves = board.legal_moves()
            if not moves or made == LONGEST:
                board, made = Board(), 0
                continue
            board.apply_move(moves[int(lot() * len(moves))])
            made += 1

    return play


PEERS: dict[str, tuple[Callable[[], Play], str]] = {
    "cshogi": (cshogi_play, "at least 1"),
    "rsshogi": (rsshogi_play, "-"),
}
"""The makers of other libraries' loops, and what is wanted of the ratio to each."""


def rate(play: Play, plies: int, seed: int) -> float:
    """Plies per second of processor time."""
    started = time.process_time()
    play(plies, random.Random(seed))
    return plies / (time.process_time() - started)


def crowded(seed: int, plies: int = 60) -> komadai.Position:
    """A position of Kō Shōgi in middle play."""
    position, chance = komadai.Position("ko"), random.Random(seed)
    while position.ply <= plies and not position.is_game_over():
        position.push(chance.choice(position.legal_moves()))
    return position


def milliseconds(work: Callable[[], object], times: int = 21) -> float:
    """The median of the processor times of some work, in milliseconds."""
    found = []
    for _ in range(times):
        started = time.process_time()
        work()
        found.append(1000 * (time.process_time() - started))
    return statistics.median(found)


def import_cost(module: str) -> float:
    """CPU milliseconds that importing the module adds to a bare interpreter."""

    def cpu(code: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return 1000 * (
        statistics.median(cpu(f"import {module}") for _ in range(11)) - statistics.median(cpu("") for _ in range(11))
    )


def against(name: str, plies: int, rounds: int) -> None:
    """Print shogi beside another library, if that is installed."""
    make, wanted = PEERS[name]
    try:
        other = make()
    except ImportError:
        print(f"{name} is not installed")
        return
    own = komadai_play("shogi")
    for play in (own, other):
        rate(play, 1000, 0)  # so that all is loaded
    pairs = [(rate(own, plies, seed), rate(other, plies, seed)) for seed in range(rounds)]
    mine, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(one / two for one, two in pairs)
    rates = f"komadai {mine / 1e3:.0f}, {name} {theirs / 1e3:.0f} thousand plies a second"
    print(f"shogi: {rates}, ratio {ratio:.2f} (wanted: {wanted})")


@click.command(context_settings={"show_default": True})
@click.option("--plies", type=click.IntRange(min=1000), default=40_000, help="Plies a round.")
@click.option("--rounds", type=click.IntRange(min=1), default=7, help="How often each has its turn.")
def main(plies: int, rounds: int) -> None:
    """Print plies per second and the ratios."""
    for name in komadai.variants(shelf=False):
        rate(komadai_play(name), 1000, 0)
        speed = statistics.median(rate(komadai_play(name), plies // 4, seed) for seed in range(rounds))
        wanted = " (wanted: at least 60)" if name == "ko" else ""
        print(f"{name:12} {speed / 1e3:8.0f} thousand plies a second{wanted}")
    positions = [crowded(seed) for seed in range(5)]
    tree = statistics.median(milliseconds(position.steps) for position in positions)
    sent = statistics.median(milliseconds(lambda at=at: encode.encoded_choices(at)) for at in positions)
    print(f"ko: tree of steps {tree:.2f} ms, with its JSON {sent:.2f} ms (wanted: under 1)")
    print(f"import komadai: {import_cost('komadai'):.1f} ms CPU (wanted: under 40)")
    for name in PEERS:
        against(name, plies, rounds)


if __name__ == "__main__":
    main()
