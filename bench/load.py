"""Many games at once: how long a move takes to be acknowledged and to reach the opponent's page, and what bends first.

The games are made by a server that lets anybody make so many; each begins in a middle game of its own. Then a server is
started as users start it, two pages a game connect over WebSockets, and every game goes on at its own pace, by random
moves. Meanwhile a page that plays nothing asks the event loop for an answer, and the store for a game. Pages are one
process, each server is another, and all share the machine.

With ``--python`` twice, two versions serve the same games in turns, as often as ``--rounds`` says.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import resource
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click
import httpx
from random_game import random_game
from serving import Serving, server
from tally import Tally, report
from wire import Page, hello

import komadai

MIX = ("shogi", "mortal", "hand", "nana", "ki", "ko")
PATTERNS = 12  # different games of each variant
TRIES = 500  # random games until one lasts
AT_ONCE = 50  # pages that connect at the same time, and games that are made
PROBE = 0.2  # seconds between questions to the loop and the store


@dataclass(frozen=True)
class Pattern:
    """A game to be played: its position after some moves, the ply of it, and the moves from there."""

    variant: str
    position: str
    ply: int
    moves: list[str]


@dataclass(frozen=True)
class Table:
    """A game with its player's secret."""

    game: str
    token: str
    pattern: Pattern


def lasting_game(variant: str, plies: int, chance: random.Random) -> list[str]:
    """The moves of a random game that is not over after so many plies, if one is found; else of the longest found."""
    found: list[str] = []
    for _ in range(TRIES):
        if len(found) < plies:
            found = max(found, random_game(variant, plies, chance), key=len)
    return found


def patterns_of(variants: Sequence[str], played: int, plies: int) -> list[Pattern]:
    """The games to be played, the variants in turn, each beginning after ``played`` plies or less."""
    chance, found = random.Random(1), []
    for variant in variants:
        for number in range(PATTERNS):
            moves = lasting_game(variant, played + plies, chance)
            position, begun = komadai.Position(variant), max(0, min(played, len(moves) - plies))
            for move in moves[:begun]:
                position.push(move)
            found.append((number, Pattern(variant, position.sfen(ply=True), position.ply, moves[begun:])))
    return [pattern for _, pattern in sorted(found, key=lambda pair: pair[0])]


async def make(port: int, patterns: Sequence[Pattern], games: int) -> list[Table]:
    """Make the games."""
    room = asyncio.Semaphore(AT_ONCE)

    async def one(number: int) -> Table:
        pattern = patterns[number % len(patterns)]
        asked = {"variant": pattern.variant, "position": pattern.position, "seats": {"b": "human", "w": "human"}}
        async with room:
            made = (await client.post("/api/games", json=asked)).raise_for_status().json()
        return Table(made["game"], made["tokens"]["b"], pattern)

    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        return await asyncio.gather(*map(one, range(games)))


async def show(port: int, table: Table, room: asyncio.Semaphore) -> Page:
    """A page that has been shown the game."""
    async with room:
        page = await Page.open(port)
        hello(page, table.game, table.token)
        await page.hear('"t":"state"')
    return page


async def play(table: Table, pages: Sequence[Page], pace: float, until: float, tally: Tally) -> None:
    """Let the game go on, a move in about ``pace`` seconds, by its two pages in turn."""
    chance, pattern = random.Random(table.game), table.pattern
    due = time.perf_counter() + chance.uniform(0, pace)
    for seq, text in enumerate(pattern.moves, 1):
        if due > until:
            return
        await asyncio.sleep(due - time.perf_counter())
        mover, other = pages[(seq + 1) % 2], pages[seq % 2]
        name = f"{table.game}-{seq}"
        started = time.perf_counter()
        tally.late.append((started - due) * 1000)
        try:
            mover.say("move", id=name, ply=pattern.ply + seq - 1, text=text)
            acknowledged, _ = await mover.hear(f'"t":"ack","id":"{name}"')
            delivered, _ = await other.hear(f'"t":"events","seq":{seq},')
        except (TimeoutError, ValueError, ConnectionError) as error:
            tally.faults.append(f"{pattern.variant}, move {seq}: {error or 'not heard of in time'}")
            return
        tally.acknowledged[pattern.variant].append((acknowledged - started) * 1000)
        tally.delivered[pattern.variant].append((delivered - started) * 1000)
        due = max(time.perf_counter(), started + chance.uniform(0.5, 1.5) * pace)


async def probe(port: int, until: float, tally: Tally) -> None:
    """Ask the event loop, and the store, how long they take to answer."""
    page = await Page.open(port)
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        while (started := time.perf_counter()) < until:
            page.say("ping")
            answered, _ = await page.hear('"t":"pong"')
            tally.probes["loop"].append((answered - started) * 1000)
            started = time.perf_counter()
            (await client.get("/api/games", params={"ids": "none"})).raise_for_status()
            tally.probes["store"].append((time.perf_counter() - started) * 1000)
            await asyncio.sleep(PROBE)
    page.close()


async def measure(servers: Sequence[Serving], tables: Sequence[Table], pace: float, seconds: float) -> Tally:
    """Connect two pages a game, each to the next server, and play."""
    room, started = asyncio.Semaphore(AT_ONCE), time.perf_counter()
    before, used = sum(one.process.memory for one in servers), sum(one.process.seconds for one in servers)
    opening = [show(servers[side % len(servers)].port, table, room) for table in tables for side in range(2)]
    pages = await asyncio.gather(*opening)
    spent = sum(one.process.seconds for one in servers) - used
    print(f"{len(pages)} pages connected in {time.perf_counter() - started:.1f} s, {spent:.1f} s of processor time")
    tally, until = Tally(seconds=seconds), time.perf_counter() + seconds
    counters = [(one.process.seconds, one.process.loop_seconds) for one in servers]
    playing = [play(table, pages[2 * i : 2 * i + 2], pace, until, tally) for i, table in enumerate(tables)]
    await asyncio.gather(probe(servers[0].port, until, tally), *playing)
    for one, (all_seconds, loop_seconds) in zip(servers, counters, strict=True):
        loop = one.process.loop_seconds - loop_seconds
        tally.loop += loop
        tally.rest += one.process.seconds - all_seconds - loop
    tally.memory = before, sum(one.process.memory for one in servers)
    for page in pages:
        page.close()
    return tally


@click.command(context_settings={"show_default": True})
@click.option("--games", type=click.IntRange(min=1), default=500, help="Games at once, with two pages each.")
@click.option("--pace", type=click.FloatRange(min=0.1), default=10.0, help="Seconds from move to move in a game.")
@click.option("--seconds", type=click.FloatRange(min=1), default=60.0, help="How long to play.")
@click.option("--played", type=click.IntRange(min=0), default=30, help="Plies played before.")
@click.option("--game", "mix", multiple=True, metavar="GAME", help="One to play; repeatable. By default all in turn.")
@click.option("--data", metavar="URL", help="An empty PostgreSQL database, in place of a file.")
@click.option("--servers", type=click.IntRange(1, 2), default=1, help="Servers, which share the database.")
@click.option(
    "--python",
    "interpreters",
    multiple=True,
    metavar="PATH",
    help="An interpreter whose Komadai serves; with several they take turns.",
)
@click.option("--rounds", type=click.IntRange(min=1), default=1, help="Runs of each interpreter.")
def main(
    games: int,
    pace: float,
    seconds: float,
    played: int,
    mix: tuple[str, ...],
    data: str | None,
    servers: int,
    interpreters: tuple[str, ...],
    rounds: int,
) -> None:
    """Print how long moves take."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, hard), hard))
    variants = mix or MIX
    patterns = patterns_of(variants, played, int(seconds / pace * 2) + 4)
    pooled: dict[str | None, Tally] = {}
    print(f"{games} games: {', '.join(variants)}; a move every {pace:g} s in each; {servers} server(s)")
    for number in range(rounds):
        order = interpreters or (None,)
        for interpreter in order if number % 2 == 0 else reversed(order):
            with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as running:
                start = partial(server, Path(folder), data, python=interpreter)
                with start(options=("--limits", "1000000")) as one:
                    tables = asyncio.run(make(one.port, patterns, games))
                started = [running.enter_context(start()) for _ in range(servers)]
                tally = asyncio.run(measure(started, tables, pace, seconds))
            print(f"\n{interpreter or 'this interpreter'}, round {number + 1}")
            report(tally, games)
            pooled.setdefault(interpreter, Tally()).add(tally)
    if rounds * len(pooled) > 1:
        for name, tally in pooled.items():
            print(f"\n{name or 'this interpreter'}, all {rounds} rounds")
            report(tally, games)


if __name__ == "__main__":
    main()
