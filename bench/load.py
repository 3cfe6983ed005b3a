"""Many games at once on one server: how long a move takes to be acknowledged, and to reach the opponent's page.

The games are made in the store beforehand, for a server lets nobody make so many. Then the server is started as users
start it, two pages a game connect over WebSockets, and every game goes on at its own pace, by random moves. Server and
pages share the machine, so what is measured is worse than what a server alone would give.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer
from open_games import random_game
from websockets.asyncio.client import ClientConnection, connect

from komadai.web.games import Hall
from komadai.web.seating import HUMAN
from komadai.web.sqlite import SqliteStore

MIX = ("shogi", "mortal", "hand", "nana", "ki", "ko")
PATTERNS = 4  # different games of each variant
AT_ONCE = 50  # pages that connect at the same time


@dataclass
class Table:
    """A game with the secret of who plays it, and the moves it will see."""

    game: str
    token: str
    moves: list[str]


@dataclass
class Seen:
    """Milliseconds from sending a move, one number a move; ``lost``: moves that were refused or not told."""

    acknowledged: list[float] = field(default_factory=list)
    told: list[float] = field(default_factory=list)
    lost: int = 0


async def make(folder: Path, variants: list[str], games: int, plies: int) -> list[Table]:
    """Make the games, the variants in turn."""
    chance, hall = random.Random(1), Hall(SqliteStore(folder / "games.sqlite3"))
    patterns = {variant: [random_game(variant, plies, chance) for _ in range(PATTERNS)] for variant in variants}
    tables = []
    for number in range(games):
        variant = variants[number % len(variants)]
        made = await hall.create(variant, {}, {"b": HUMAN, "w": HUMAN})
        tables.append(Table(made.game, made.tokens["b"], patterns[variant][number % PATTERNS]))
    await hall.close()
    return tables


async def page(port: int, table: Table, room: asyncio.Semaphore) -> ClientConnection:
    """A page that has been shown the game."""
    async with room:
        socket = await connect(f"ws://127.0.0.1:{port}/socket", max_size=None, compression=None, open_timeout=60)
        await socket.send(json.dumps({"t": "hello", "game": table.game, "token": table.token, "seq": None}))
        while '"t":"state"' not in str(await socket.recv())[:40]:
            pass
    return socket


async def hear(socket: ClientConnection, sign: str) -> float:
    """When the message that begins with the sign has come."""
    while True:
        if sign in str(await socket.recv())[:200]:
            return time.perf_counter()


async def play(table: Table, pages: list[ClientConnection], pace: float, until: float, seen: Seen) -> None:
    """Let the game go on, a move in about ``pace`` seconds, by its two pages in turn."""
    chance = random.Random(table.game)
    await asyncio.sleep(chance.uniform(0, pace))
    for ply, text in enumerate(table.moves, 1):
        if time.perf_counter() > until:
            return
        mover, other = pages[(ply + 1) % 2], pages[ply % 2]
        name = f"{table.game}-{ply}"
        started = time.perf_counter()
        await mover.send(json.dumps({"t": "move", "id": name, "ply": ply, "text": text}))
        try:
            async with asyncio.timeout(20):
                acknowledged, told = await asyncio.gather(hear(mover, f'"id":"{name}"'), hear(other, '"t":"events"'))
        except TimeoutError:
            seen.lost += 1
            return
        seen.acknowledged.append((acknowledged - started) * 1000)
        seen.told.append((told - started) * 1000)
        await asyncio.sleep(max(0.0, chance.uniform(0.5, 1.5) * pace - (time.perf_counter() - started)))


def spread(values: list[float]) -> str:
    """Median, 99th percentile and the worst."""
    ordered = sorted(values)
    median, late = ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100]
    return f"median {median:.1f}, p99 {late:.1f}, worst {ordered[-1]:.1f} ms"


async def measure(port: int, tables: list[Table], pace: float, seconds: float) -> None:
    room, started = asyncio.Semaphore(AT_ONCE), time.perf_counter()
    pages = [await asyncio.gather(*(page(port, table, room) for _ in range(2))) for table in tables]
    print(f"{2 * len(tables)} pages connected in {time.perf_counter() - started:.1f} s")
    seen, until = Seen(), time.perf_counter() + seconds
    await asyncio.gather(*(play(table, two, pace, until, seen) for table, two in zip(tables, pages, strict=True)))
    print(f"{len(seen.told)} moves, {len(seen.told) / seconds:.0f} a second, {seen.lost} lost")
    print(f"acknowledged: {spread(seen.acknowledged)}")
    print(f"told to the opponent: {spread(seen.told)}")


def main(
    games: Annotated[int, typer.Option(help="Games at once, with two pages each.", min=1)] = 500,
    pace: Annotated[float, typer.Option(help="Seconds from move to move in a game.", min=0.1)] = 10.0,
    seconds: Annotated[float, typer.Option(help="How long to play.", min=1)] = 60.0,
    variant: Annotated[list[str] | None, typer.Option(help="A game; may be repeated. All in turn unless told.")] = None,
) -> None:
    """Print how long moves take."""
    variants = variant or list(MIX)
    with tempfile.TemporaryDirectory() as folder:
        tables = asyncio.run(make(Path(folder), variants, games, plies=int(seconds / pace * 2) + 4))
        command = [sys.executable, "-m", "komadai", "play", "--no-browser", "--port", "0", "--data", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                found = re.search(r":(\d+)/", server.stdout.readline())
                assert found is not None
                print(f"{games} games: {', '.join(variants)}; a move every {pace:g} s in each")
                asyncio.run(measure(int(found[1]), tables, pace, seconds))
            finally:
                server.send_signal(signal.SIGINT)


if __name__ == "__main__":
    typer.run(main)
