"""Leaves per second of perft, and the ratio to other programs on standard shogi in the same run.

Fairy-Stockfish (Debian package ``fairy-stockfish``) runs its own ``go perft``, which counts the last ply in bulk.
cshogi (PyPI) has no perft, so a Python loop over its boards counts with ``len(legal_moves)`` at the last ply.
One thread each; the programs take turns; the median of the rounds counts.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import time
from collections.abc import Callable

import click

import komadai

# Depths that take a good part of a second.
DEPTHS = {"shogi": 5, "mortal": 5, "hand": 3, "ko": 3, "ki": 5, "ki-unicorn": 4, "nana": 6, "nana-1998": 6}
OTHER_DEPTH = 4


def timed(count: Callable[[], int]) -> tuple[int, float]:
    """Leaves counted, and leaves per second."""
    started = time.perf_counter()
    nodes = count()
    return nodes, nodes / (time.perf_counter() - started)


def fairy_stockfish(depth: int) -> int:
    """Standard shogi perft by Fairy-Stockfish; raises FileNotFoundError where it is missing."""
    path = shutil.which("fairy-stockfish") or shutil.which("fairy-stockfish", path="/usr/games")
    if path is None:
        raise FileNotFoundError("fairy-stockfish")
    script = f"usi\nsetoption name USI_Variant value shogi\nposition startpos\ngo perft {depth}\nquit\n"
    done = subprocess.run([path], input=script, capture_output=True, text=True, check=True)
    return next(int(line.split()[-1]) for line in done.stdout.splitlines() if line.startswith("Nodes searched"))


def cshogi_perft(depth: int) -> int:
    """Standard shogi perft by a Python loop over cshogi's board; raises ImportError where it is missing."""
    import cshogi

    board = cshogi.Board()

    def count(left: int) -> int:
        if left == 1:
            return len(board.legal_moves)
        nodes = 0
        for move in board.legal_moves:
            board.push(move)
            nodes += count(left - 1)
            board.pop()
        return nodes

    return count(depth)


@click.command(context_settings={"show_default": True})
@click.option("--rounds", type=click.IntRange(min=1), default=5, help="How often each program has its turn.")
@click.option("--deeper", default=0, help="Plies added to the depths that are usual here.")
def main(rounds: int, deeper: int) -> None:
    """Print leaves per second and the ratios."""
    print(f"{'variant':12} {'depth':>5} {'leaves':>12} {'bulk M/s':>9} {'made M/s':>9} {'time a leaf, shogi = 1':>23}")
    shogi = komadai.Position("shogi")
    for name in komadai.variants(shelf=False):
        position = komadai.Position(name)
        depth = DEPTHS.get(name, OTHER_DEPTH) + deeper
        rows = []
        for _ in range(rounds):
            # Shogi has its turn right beside, so that both meet the same machine.
            _, beside = timed(lambda: shogi.perft(DEPTHS["shogi"]))
            nodes, bulk = timed(lambda position=position, depth=depth: position.perft(depth))
            _, made = timed(lambda position=position, depth=depth: position.perft(depth - 1, bulk=False))
            rows.append((bulk, made, beside / bulk))
        bulk, made, ratio = (statistics.median(column) for column in zip(*rows, strict=True))
        print(f"{name:12} {depth:5} {nodes:12} {bulk / 1e6:9.1f} {made / 1e6:9.1f} {ratio:23.2f}")

    print("\nstandard shogi against other programs, taking turns, one thread each")
    for peer, count, depth, wanted in (
        ("fairy-stockfish", fairy_stockfish, 5, "at least 20"),
        ("cshogi (Python loop)", cshogi_perft, 4, "-"),
    ):
        pairs: list[tuple[float, float]] = []
        try:
            for _ in range(rounds):
                mine, own_rate = timed(lambda depth=depth: shogi.perft(depth))
                theirs, peer_rate = timed(lambda count=count, depth=depth: count(depth))
                if mine != theirs:
                    raise SystemExit(f"perft {depth}: komadai {mine}, {peer} {theirs}")
                pairs.append((own_rate, peer_rate))
        except (FileNotFoundError, ImportError):
            print(f"{peer:22} not installed")
            continue
        own, other = (statistics.median(column) for column in zip(*pairs, strict=True))
        ratio = statistics.median(one / two for one, two in pairs)
        print(
            f"{peer:22} {other / 1e6:7.1f} M/s, komadai {own / 1e6:7.1f} M/s, "
            f"ratio {ratio:.2f}, the median of the pairs (wanted: {wanted})"
        )


if __name__ == "__main__":
    main()
