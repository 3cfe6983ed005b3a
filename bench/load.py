"""Many games at once: how long a move takes to be acknowledged, and to reach the opponent's page.

The games are made in the store beforehand, for a server lets nobody make so many; each begins in a middle game of its
own. Then servers are started as users start them, two pages a game connect over WebSockets, and every game goes on at
its own pace, by random moves. Pages are one process, each server is another, and all share the machine: what is
measured is worse than what the servers alone would give.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer
from open_games import random_game
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

import komadai
from komadai.web.game.registry import GameRegistry
from komadai.web.game.seats import HUMAN
from komadai.web.store import Store
from komadai.web.store.sqlite import SqliteStore

MIX = ("shogi", "mortal", "hand", "nana", "ki", "ko")
PATTERNS = 12  # different games of each variant
TRIES = 500  # random games until one lasts
AT_ONCE = 50  # pages that connect at the same time
PATIENCE = 20.0  # seconds after which a move counts as lost


@dataclass
class Table:
    """A game with its player's secret, its first ply, and its moves."""

    game: str
    variant: str
    token: str
    ply: int
    moves: list[str]


@dataclass
class Seen:
    """Milliseconds from sending a move, one number a move.

    Attributes:
        acknowledged: until its page hears that it is stored. ``delivered``: until the opponent's page receives it.
    """

    acknowledged: list[float] = field(default_factory=list)
    delivered: list[float] = field(default_factory=list)


@dataclass
class Tally:
    """The measurements of the pages by variant, the faults, and how late the pages themselves woke up."""

    seen: defaultdict[str, Seen] = field(default_factory=lambda: defaultdict(Seen))
    faults: list[str] = field(default_factory=list)
    late: list[float] = field(default_factory=list)


def lasting_game(variant: str, plies: int, chance: random.Random) -> list[str]:
    """The moves of a random game that is not over after so many plies, if one is found; else of the longest found."""
    found: list[str] = []
    for _ in range(TRIES):
        if len(found) < plies:
            found = max(found, random_game(variant, plies, chance), key=len)
    return found


def opened(url: str | None, folder: Path) -> Store:
    """The store at that address, or a file in the folder."""
    if url is None:
        return SqliteStore(folder / "games.sqlite3")
    from komadai.web.store.postgres import PostgresStore

    return PostgresStore(url)


async def make(
    store: str | None, folder: Path, variants: list[str], games: int, played: int, plies: int
) -> list[Table]:
    """Make the games, the variants in turn, each beginning after ``played`` plies or less."""
    chance, hall = random.Random(1), GameRegistry(opened(store, folder))
    patterns: dict[str, list[tuple[komadai.Position, list[str]]]] = {}
    for variant in variants:
        patterns[variant] = []
        for _ in range(PATTERNS):
            moves = lasting_game(variant, played + plies, chance)
            position, begun = komadai.Position(variant), max(0, min(played, len(moves) - plies))
            for move in moves[:begun]:
                position.push(move)
            patterns[variant].append((position, moves[begun:]))
    tables = []
    for number in range(games):
        variant = variants[number % len(variants)]
        position, moves = patterns[variant][number // len(variants) % PATTERNS]
        made = await hall.create(variant, {}, {"b": HUMAN, "w": HUMAN}, position.sfen(ply=True))
        tables.append(Table(made.game, variant, made.tokens["b"], position.ply, moves))
    await hall.close()
    return tables


@contextlib.contextmanager
def server(store: str | None, folder: Path) -> Iterator[tuple[int, int]]:
    """A server's port and process."""
    command = [sys.executable, "-m", "komadai", "play", "--no-browser", "--port", "0", "--data", str(folder)]
    command += [] if store is None else ["--store", store]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout is not None
            found = re.search(r":(\d+)/", running.stdout.readline())
            assert found is not None, "the server has not started"
            yield int(found[1]), running.pid
        finally:
            running.send_signal(signal.SIGINT)


def used(process: int) -> float:
    """The seconds of processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def page(port: int, table: Table, room: asyncio.Semaphore) -> ClientConnection:
    """A page that has been shown the game."""
    async with room:
        socket = await connect(f"ws://127.0.0.1:{port}/socket", max_size=None, compression=None, open_timeout=60)
        await socket.send(json.dumps({"t": "hello", "game": table.game, "token": table.token, "seq": None}))
        await hear(socket, '"t":"state"')
    return socket


async def hear(socket: ClientConnection, sign: str) -> float:
    """When the message that begins with the sign has come.

    Raises:
        ValueError: the server refuses something.
    """
    while True:
        start = str(await socket.recv())[:200]
        if sign in start:
            return time.perf_counter()
        if '"t":"refused"' in start or '"t":"error"' in start:
            raise ValueError(start)


async def play(table: Table, pages: list[ClientConnection], pace: float, until: float, tally: Tally) -> None:
    """Let the game go on, a move in about ``pace`` seconds, by its two pages in turn."""
    chance, seen = random.Random(table.game), tally.seen[table.variant]
    due = time.perf_counter() + chance.uniform(0, pace)
    for seq, text in enumerate(table.moves, 1):
        if due > until:
            return
        await asyncio.sleep(due - time.perf_counter())
        mover, other = pages[(seq + 1) % 2], pages[seq % 2]
        name = f"{table.game}-{seq}"
        started = time.perf_counter()
        tally.late.append((started - due) * 1000)
        try:
            await mover.send(json.dumps({"t": "move", "id": name, "ply": table.ply + seq - 1, "text": text}))
            async with asyncio.timeout(PATIENCE):
                both = hear(mover, f'"t":"ack","id":"{name}"'), hear(other, f'"t":"events","seq":{seq},')
                acknowledged, delivered = await asyncio.gather(*both)
        except (TimeoutError, ValueError, ConnectionClosed) as error:
            tally.faults.append(f"{table.variant}, move {seq}: {error or 'not heard of in time'}")
            return
        seen.acknowledged.append((acknowledged - started) * 1000)
        seen.delivered.append((delivered - started) * 1000)
        due = max(time.perf_counter(), started + chance.uniform(0.5, 1.5) * pace)


def spread(values: list[float]) -> str:
    """Median, 95th and 99th percentile and the worst."""
    ordered = sorted(values)
    shares = (ordered[min(len(ordered) - 1, len(ordered) * share // 100)] for share in (50, 95, 99, 100))
    return "".join(f"{value:8.1f}" for value in shares)


def report(tally: Tally, seconds: float) -> None:
    """Print what has been seen."""
    every = Seen()
    print(f"{'milliseconds':12}{'moves':>7}{'acknowledged: p50':>20}{'p95':>8}{'p99':>8}{'worst':>8}", end="")
    print(f"{'delivered: p50':>16}{'p95':>8}{'p99':>8}{'worst':>8}")
    rows = sorted(tally.seen.items())
    for _, seen in rows:
        every.acknowledged += seen.acknowledged
        every.delivered += seen.delivered
    for name, seen in (*rows, ("all", every)):
        if seen.delivered:
            print(f"{name:12}{len(seen.delivered):7}{spread(seen.acknowledged):>44}{spread(seen.delivered):>40}")
    print(
        f"{len(every.delivered) / seconds:.0f} moves a second; {len(tally.faults)} failed",
        *tally.faults[:5],
        sep="\n  ",
    )
    print(f"pages woke up late by (p50, p95, p99, worst) {spread(tally.late)} ms, which is no server's doing")


async def measure(servers: list[tuple[int, int]], tables: list[Table], pace: float, seconds: float) -> None:
    """Connect two pages a game, each to the next server, and play."""
    room, started = asyncio.Semaphore(AT_ONCE), time.perf_counter()
    ports = [port for port, _ in servers]
    opening = [page(ports[side % len(ports)], table, room) for table in tables for side in range(2)]
    pages = await asyncio.gather(*opening)
    print(f"{len(pages)} pages connected in {time.perf_counter() - started:.1f} s")
    tally, until, before = Tally(), time.perf_counter() + seconds, [used(process) for _, process in servers]
    playing = [play(table, pages[2 * i : 2 * i + 2], pace, until, tally) for i, table in enumerate(tables)]
    await asyncio.gather(*playing)
    shares = [(used(process) - was) / seconds for (_, process), was in zip(servers, before, strict=True)]
    report(tally, seconds)
    print("processor time of the servers:", ", ".join(f"{share:.0%} of a core" for share in shares))


def main(
    games: Annotated[int, typer.Option(help="Games at once, with two pages each.", min=1)] = 500,
    pace: Annotated[float, typer.Option(help="Seconds from move to move in a game.", min=0.1)] = 10.0,
    seconds: Annotated[float, typer.Option(help="How long to play.", min=1)] = 60.0,
    played: Annotated[int, typer.Option(help="Plies played before.", min=0)] = 30,
    variant: Annotated[list[str] | None, typer.Option(help="A game; may be repeated. By default all in turn.")] = None,
    store: Annotated[
        str | None, typer.Option(metavar="URL", help="An empty PostgreSQL database, in place of a file.")
    ] = None,
    servers: Annotated[int, typer.Option(help="Servers, which share the database.", min=1, max=2)] = 1,
) -> None:
    """Print how long moves take."""
    variants = variant or list(MIX)
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as running:
        plies = int(seconds / pace * 2) + 4
        tables = asyncio.run(make(store, Path(folder), variants, games, played, plies))
        started = [running.enter_context(server(store, Path(folder))) for _ in range(servers)]
        print(f"{games} games: {', '.join(variants)}; a move every {pace:g} s in each; {servers} server(s)")
        asyncio.run(measure(started, tables, pace, seconds))


if __name__ == "__main__":
    typer.run(main)
