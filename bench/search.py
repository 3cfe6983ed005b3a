"""Speed of the search on standard shogi: nodes per second beside Fairy-Stockfish.

Both search the same positions in turn, for the same time, each with one thread and the same size of table; what each
reports itself is counted. ``bench/threads.py`` measures what more threads bring.
"""

from __future__ import annotations

import shutil
import statistics

import click

import komadai
from komadai.engine import Engine
from komadai.game.game import Game
from komadai.lab.external_engine.client import EngineClient
from komadai.lab.external_engine.requests import SearchLimits
from komadai.protocol.console_commands import bench_positions

HASH_MB = 64


@click.command(context_settings={"show_default": True})
@click.option("--seconds", default=1.0, help="For each position, engine and round.")
@click.option("--rounds", type=click.IntRange(min=1), default=3, help="How often each position is searched.")
def main(seconds: float, rounds: int) -> None:
    """Print the figures and their ratio."""
    shogi = komadai.variant("shogi")
    positions = [position for position in bench_positions(shogi) if not position.is_check()] * rounds

    def ours(position: komadai.Position) -> float:
        return Engine(shogi, hash_mb=HASH_MB).search(position, time=seconds).nps

    path = shutil.which("fairy-stockfish") or shutil.which("fairy-stockfish", path="/usr/games")
    if path is None:
        print(f"komadai: {statistics.median(map(ours, positions)):,.0f} nodes/s, median of {len(positions)} searches")
        print("fairy-stockfish is not installed: no comparison")
        return
    with EngineClient([path]) as client:
        client.set_option("Hash", str(HASH_MB))
        client.play(shogi)

        def theirs(position: komadai.Position) -> float:
            client.new_game()
            return client.go(Game(shogi, position.sfen()), SearchLimits(time=seconds)).thought.nps

        pairs = [(ours(position), theirs(position)) for position in positions]
    print(f"komadai: {statistics.median(one for one, _ in pairs):,.0f} nodes/s, median of {len(pairs)} searches")
    print(f"fairy-stockfish: {statistics.median(two for _, two in pairs):,.0f} nodes/s")
    print(f"ratio: {statistics.median(one / two for one, two in pairs):.2f}, the median of the pairs")


if __name__ == "__main__":
    main()
