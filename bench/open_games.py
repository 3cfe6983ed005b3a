"""Resident memory of the server's part that keeps open games, per game and in all.

Every game is watched, as by a page that is open, and some way into play; the games are random and repeatable.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer

import komadai
from komadai.app.web.game.registry import GameRegistry
from komadai.app.web.game.seats import HUMAN
from komadai.app.web.store import Event, Store
from komadai.app.web.store.sqlite import SqliteStore

PATTERNS = 10  # different games, which are played over and over


def resident() -> float:
    """This process's resident memory in MB."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024


def random_game(variant: str, plies: int, chance: random.Random) -> list[str]:
    """The move strings of a random game of at most that many plies."""
    position = komadai.Position(variant)
    moves: list[str] = []
    while len(moves) < plies and position.outcome() is None:
        move = chance.choice(sorted(position.legal_moves(), key=str))
        moves.append(str(move))
        position.push(move)
    return moves


async def measure(variant: str, games: int, plies: int, store: Store) -> None:
    chance, hall = random.Random(1), GameRegistry(store)
    patterns = [random_game(variant, plies, chance) for _ in range(PATTERNS)]
    ids = []
    for number in range(games):
        ids.append((await hall.create(variant, {}, {"b": HUMAN, "w": HUMAN})).game)
        for seq, usi in enumerate(patterns[number % PATTERNS], 1):
            store.append(ids[-1], Event(seq, "move", {"usi": usi}, f"{number}-{seq}"))
    longest = 0

    def listen(message: str) -> None:
        nonlocal longest
        longest = max(longest, len(message))

    session = await hall.join(ids[0], listen)
    listen(session.state())
    before, started = resident(), time.perf_counter()
    for game in ids[1:]:
        listen((await hall.join(game, listen)).state())
    after, seconds = resident(), time.perf_counter() - started
    print(
        f"{variant}: {games} open games of {plies} plies: {after:.0f} MB resident, "
        f"{(after - before) * 1024 / (games - 1):.0f} kB a game; "
        f"opening one takes {seconds * 1000 / (games - 1):.0f} ms, its state is up to {longest / 1024:.0f} kB"
    )
    await hall.close()


def main(
    variant: Annotated[str, typer.Argument(help="A game.")] = "ko",
    games: Annotated[int, typer.Option(help="Open games.", min=2)] = 1000,
    plies: Annotated[int, typer.Option(help="Moves in each.", min=0)] = 60,
) -> None:
    memory = Path("/dev/shm")  # where there is one: every event is forced to the disk, which is not what is measured
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        asyncio.run(measure(variant, games, plies, SqliteStore(Path(folder) / "games.sqlite3")))


if __name__ == "__main__":
    typer.run(main)
