"""One client against the server's memory, time and patience: what it takes, and what a bystander notices.

Each attack meets a fresh server at its usual limits. Meanwhile two people at another address (127.0.0.2) play a game by
random moves, ten a second. Printed are the server's memory before the attack, at its worst and afterwards, and how long
the moves of the bystanders take.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import random
import socket
import struct
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from itertools import product
from pathlib import Path

import click
from besieged import besiege
from crowding import CROWDING
from serving import MEGABYTE, Process, Serving, percentile, server
from town import Town, hear
from websockets.asyncio.client import ClientConnection

import komadai
from komadai.variants import entry

BYSTANDER = "127.0.0.2"
PACE = 0.1  # seconds between the bystanders' moves


async def many_variants(town: Town) -> None:
    """Ask for studies of Kō Shōgi under ever other options."""
    options = entry("ko").options
    until, asked = town.until, 0
    async with town.client() as client:
        for values in product(*(option.values for option in options)):
            if time.monotonic() > until:
                break
            chosen = dict(zip((option.name for option in options), values, strict=True))
            await client.get("/api/study", params={"variant": "ko"} | chosen)
            asked += 1
    town.notes.append(f"{asked} studies asked for")


async def unread(town: Town) -> None:
    """Say hello 250 times on each of 40 connections, and read nothing."""
    async with town.client() as client:
        game, token = await town.game(client, "ko")
    pages = [await town.page(game, token, max_queue=1) for _ in range(40)]
    hello = json.dumps({"t": "hello", "game": game, "token": token, "seq": None})

    async def say(page: ClientConnection) -> None:
        page.transport.pause_reading()
        with contextlib.suppress(Exception):
            for _ in range(250):
                await asyncio.wait_for(page.send(hello), town.seconds)
                await asyncio.sleep(0.05)

    await asyncio.gather(*(say(page) for page in pages))
    await asyncio.sleep(2)
    for page in pages:
        page.transport.abort()


async def pings(town: Town) -> None:
    """Send pings of one connection as fast as they go, and read no answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", town.port)
    writer.write(
        f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{town.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    await reader.readuntil(b"\r\n\r\n")
    writer.transport.pause_reading()
    frame = struct.pack("!BB4s", 0x89, 0x80 | 125, b"\0\0\0\0") + bytes(125)
    until, sent = town.until, 0
    with contextlib.suppress(Exception):
        while time.monotonic() < until:
            writer.write(frame * 500)
            await asyncio.wait_for(writer.drain(), town.seconds)
            sent += 500
    town.notes.append(f"{sent * len(frame) / MEGABYTE:.0f} MB of pings sent")
    writer.transport.abort()


async def greedy(town: Town) -> None:
    """Ask 300 times for the list of games, and see what another address is answered."""
    async with town.client() as client, town.client(BYSTANDER) as other:
        answers = [await client.get("/api/games?ids=x") for _ in range(300)]
        refused = sum(answer.status_code == 429 for answer in answers)
        town.notes.append(
            f"{refused} of 300 refused, a bystander answered {(await other.get('/api/games')).status_code}"
        )


async def greeters(town: Town) -> None:
    """Let two people greet each other as fast as their connections take it, at 20 tables."""
    pages = []
    async with town.client() as client, town.client("127.0.0.3") as guest:
        for _ in range(20):
            asked = {"variant": "nana", "seats": {"b": "human", "w": "open"}}
            made = (await client.post("/api/games", json=asked)).raise_for_status().json()
            joined = (await guest.post("/api/join", json={"invite": made["invite"]})).raise_for_status().json()
            for token in (next(iter(made["tokens"].values())), joined["token"]):
                pages.append(await town.page(made["game"], token))
    until = town.until

    async def greet(page: ClientConnection) -> int:
        number = 0
        with contextlib.suppress(Exception):
            while time.monotonic() < until:
                await page.send(json.dumps({"t": "greet", "id": f"g{number}", "what": "hello"}))
                number += 1
        return number

    sent = sum(await asyncio.gather(*map(greet, pages)))
    town.notes.append(f"{sent} greetings sent")
    for page in pages:
        page.transport.abort()


async def keys(town: Town) -> None:
    """Guess profile keys, make profiles and offer games in the lobby, as fast as one address may."""
    answers: Counter[int] = Counter()
    asked = {"variant": "nana", "seats": {"b": "human", "w": "open"}, "lobby": True}
    until = town.until
    async with town.client() as client, town.client(BYSTANDER) as other:
        while time.monotonic() < until:
            key = base64.b32encode(random.randbytes(16)).decode().rstrip("=")
            for path, body in (("games", {"key": key, "add": []}), ("", {}), ("delete", {"key": key})):
                answers[(await client.post(f"/api/profile/{path}".rstrip("/"), json=body)).status_code] += 1
            answers[(await client.post("/api/games", json=asked)).status_code] += 1
        listed = len((await other.get("/api/lobby")).json()["challenges"])
    town.notes.append(f"answers {dict(answers)}, {listed} games in the lobby")


async def thinkers(town: Town) -> None:
    """Let the engine play 40 games at its strongest for 40 made-up cookies; a bystander asks the weakest for a move."""
    pages = []
    for number in range(40):
        async with town.client(headers={"cookie": f"komadai={number:032}"}) as client:
            game, token = await town.game(client, "shogi", b="level10")
            pages.append(await town.page(game, token))
    async with town.client(BYSTANDER) as client:
        await client.get("/")
        game, token = await town.game(client, "shogi", b="level1")
        started = time.monotonic()
        page = await town.page(game, token, BYSTANDER)
        await hear(page, "events")
        town.notes.append(f"a bystander's level-1 answer took {time.monotonic() - started:.1f} s")
    for one in (page, *pages):
        one.transport.abort()


async def slow(town: Town) -> None:
    """Begin 300 requests, half with a body, and never end them; keep 1,200 connections open that say nothing."""
    lines = []
    for number in range(1500):
        line = socket.create_connection(("127.0.0.1", town.port))
        line.settimeout(0)
        head = b"POST /api/join HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        with contextlib.suppress(OSError):
            if number % 5 == 0:
                line.send(
                    head + (b"Content-Length: 90\r\nContent-Type: application/json\r\n\r\n{" if number % 2 else b"")
                )
        lines.append(line)
    async with town.client(BYSTANDER) as client:
        answered = (await client.get("/")).status_code
    seconds = max(town.seconds, 20)
    await asyncio.sleep(seconds)

    def is_open(line: socket.socket) -> bool:
        try:
            return line.recv(1 << 16) != b"" and is_open(line)
        except BlockingIOError:
            return True
        except OSError:
            return False

    still = sum(map(is_open, lines))
    town.notes.append(f"of {len(lines)} connections {still} are open after {seconds:g} s; / answered {answered}")
    for line in lines:
        line.close()


ATTACKS: dict[str, Callable[[Town], Awaitable[None]]] = {
    work.__name__.replace("_", "-"): work
    for work in (many_variants, unread, pings, greedy, greeters, keys, thinkers, slow, *CROWDING)
}


async def bystanders(town: Town, took: list[float]) -> None:
    """Play random moves until cancelled, and note the milliseconds until each is acknowledged."""
    chance = random.Random(1)
    async with town.client(BYSTANDER) as client:
        while True:
            game, token = await town.game(client, "mortal")
            page, position = await town.page(game, token, BYSTANDER), komadai.Position("mortal")
            while position.outcome() is None:
                move = chance.choice(position.legal_moves())
                started = time.perf_counter()
                asked = {"t": "move", "id": str(position.ply), "ply": position.ply, "text": str(move)}
                await page.send(json.dumps(asked))
                await hear(page, "ack")
                took.append((time.perf_counter() - started) * 1000)
                position.push(move)
                await asyncio.sleep(PACE)
            await page.close()


async def worst_memory(process: Process, seen: list[float]) -> None:
    while True:
        seen.append(process.memory)
        await asyncio.sleep(0.1)


async def suffer(name: str, serving: Serving, seconds: float) -> None:
    """Print what one attack does."""
    town, process = Town(serving.port, seconds), serving.process
    took, seen = list[float](), list[float]()
    others = [asyncio.create_task(work) for work in (bystanders(town, took), worst_memory(process, seen))]
    await asyncio.sleep(2)
    before = process.memory
    took.clear()
    await ATTACKS[name](town)
    await asyncio.sleep(3)
    for other in others:
        if other.done() and not other.cancelled():
            town.notes.append(f"a bystander was disturbed: {other.exception()!r}")
        other.cancel()
    row = f"{name:14}{before:8.0f}{max(seen):8.0f}{process.memory:8.0f}{len(took):8}{percentile(took, 0.99):9.1f}"
    print(f"{row}  {'; '.join(town.notes)}", flush=True)


@click.command(context_settings={"show_default": True})
@click.option("--seconds", type=click.FloatRange(min=1), default=30.0, help="How long an attack goes on.")
@click.option("--only", multiple=True, type=click.Choice(list(ATTACKS)), help="This attack alone; repeatable.")
@click.option(
    "--minutes",
    type=click.FloatRange(min=0),
    default=0.0,
    help="Play games with all attacks on what people share beside, for so long.",
)
@click.option(
    "--calm", type=click.FloatRange(min=0.1), default=10.0, help="With --minutes: minutes without attacks before."
)
@click.option("--games", type=click.IntRange(min=1), default=500, help="With --minutes: the games.")
def main(seconds: float, only: tuple[str, ...], minutes: float, calm: float, games: int) -> None:
    """Print what each attack does to a server and to bystanders; with ``--minutes``, what many games notice of all."""
    if minutes:
        sys.exit(not besiege(games, calm, minutes))
    print(f"{'attack':14}{'MB':>8}{'worst':>8}{'after':>8}{'moves':>8}{'p99 ms':>9}")
    for name in only or ATTACKS:
        with tempfile.TemporaryDirectory() as folder, server(Path(folder)) as serving:
            asyncio.run(suffer(name, serving, seconds))


if __name__ == "__main__":
    main()
