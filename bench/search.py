"""Speed of the search on standard shogi: nodes per second beside Fairy-Stockfish.

Both search the same positions in turn, for the same time, each with one thread and the same size of table; what each
reports itself is counted. ``bench/threads.py`` measures what more threads bring.
"""

from __future__ import annotations

import shutil
import statistics
from typing import Annotated

import typer

import komadai
from komadai.engine import Engine
from komadai.external_engine.client import EngineClient
from komadai.external_engine.requests import Limits
from komadai.game.game import Game
from komadai.protocol.console_commands import bench_positions

HASH_MB = 64


def main(
    seconds: Annotated[float, typer.Option(help="For each position and engine.")] = 2.0,
) -> None:
    """Print the figures and their ratio."""
    shogi = komadai.variant("shogi")
    positions = [position for position in bench_positions(shogi) if not position.is_check()]
    ours = [Engine(shogi, hash_mb=HASH_MB).search(position, time=seconds).nps for position in positions]
    print(f"komadai: {statistics.median(ours):,.0f} nodes/s, median of {len(ours)} positions")
    path = shutil.which("fairy-stockfish") or shutil.which("fairy-stockfish", path="/usr/games")
    if path is None:
        print("fairy-stockfish is not installed: no comparison")
    else:
        with EngineClient([path]) as client:
            client.set_option("Hash", str(HASH_MB))
            client.play(shogi)
            theirs = []
            for position in positions:
                client.new_game()
                theirs.append(client.go(Game(shogi, position.sfen()), Limits(time=seconds)).thought.nps)
        print(f"fairy-stockfish: {statistics.median(theirs):,.0f} nodes/s")
        print(f"ratio: {statistics.median(one / two for one, two in zip(ours, theirs, strict=True)):.2f}")


if __name__ == "__main__":
    typer.run(main)
