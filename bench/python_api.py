"""Random play through the Python API, and what ``import komadai`` costs; against cshogi in the same run."""

from __future__ import annotations

import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Annotated

import typer

import komadai

LONGEST = 200  # plies before a game is begun anew


def komadai_play(variant: str, plies: int, rng: random.Random) -> None:
    position, made = komadai.Position(variant), 0
    for _ in range(plies):
        moves = position.legal_moves()
        if not moves or made == LONGEST:
            position, made = komadai.Position(variant), 0
            continue
        position.push(rng.choice(moves))
        made += 1


def cshogi_play(plies: int, rng: random.Random) -> None:
    import cshogi

    board, made = cshogi.Board(), 0
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves or made == LONGEST:
            board, made = cshogi.Board(), 0
            continue
        board.push(rng.choice(moves))
        made += 1


def rate(play: Callable[[], None], plies: int) -> float:
    """Plies per second."""
    started = time.perf_counter()
    play()
    return plies / (time.perf_counter() - started)


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


def main(
    plies: Annotated[int, typer.Option(help="Plies a round.", min=1000)] = 60_000,
    rounds: Annotated[int, typer.Option(help="How often each has its turn.", min=1)] = 7,
) -> None:
    """Print plies per second and the ratio."""
    for name in komadai.variants():
        speed = statistics.median(
            rate(lambda name=name, seed=seed: komadai_play(name, plies, random.Random(seed)), plies)
            for seed in range(rounds)
        )
        print(f"{name:12} {speed / 1e3:8.0f} thousand plies a second")
    print(f"import komadai: {import_cost('komadai'):.1f} ms CPU (wanted: under 40)")
    try:
        import cshogi  # noqa: F401
    except ImportError:
        print("cshogi is not installed")
        return
    pairs = [
        (
            rate(lambda seed=seed: komadai_play("shogi", plies, random.Random(seed)), plies),
            rate(lambda seed=seed: cshogi_play(plies, random.Random(seed)), plies),
        )
        for seed in range(rounds)
    ]
    own, other = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(mine / theirs for mine, theirs in pairs)
    rates = f"komadai {own / 1e3:.0f}, cshogi {other / 1e3:.0f} thousand plies a second"
    print(f"shogi: {rates}, ratio {ratio:.2f} (wanted: 0.6)")


if __name__ == "__main__":
    typer.run(main)
