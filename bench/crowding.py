"""Attacks on what all share: one address, household or site asks for all that costs, and takes all seats.

Each says how long somebody at an address of their own waits meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from itertools import count

from town import Town, hear

import komadai
from komadai.workshop.starting import start_text

QUESTIONS, REPORTS, THINKERS = 150, 24, 40
_PLIES = 300
_LOOK = 2.0  # seconds from one look of the bystander to the next
_fresh = (f"203.0.113.{number % 250 + 1}" for number in count())


def long_question() -> dict[str, object]:
    """A position of Kō Shōgi after 300 moves."""
    chance, position, moves = random.Random(7), komadai.Position("ko"), list[str]()
    while len(moves) < _PLIES and position.outcome() is None:
        moves.append(str(chance.choice(position.legal_moves())))
        position.push(moves[-1])
    return {"variant": "ko", "options": {}, "moves": moves, "known": 0}


async def study(town: Town) -> float:
    """The seconds that somebody waits for a study."""
    async with town.client(next(_fresh)) as client:
        started = time.monotonic()
        (await client.get("/api/study", params={"variant": "shogi"})).raise_for_status()
        return time.monotonic() - started


async def check(town: Town) -> float:
    """The seconds that somebody waits for the check of a variant file."""
    async with town.client(next(_fresh)) as client:
        started = time.monotonic()
        (await client.post("/api/workshop/check", json={"file": start_text("my-game")})).raise_for_status()
        return time.monotonic() - started


async def answer(town: Town) -> float:
    """The seconds that somebody waits for a move of the computer at level 1."""
    address = next(_fresh)
    async with town.client(address) as client:
        game, token = await town.game(client, "shogi", b="level1")
    started = time.monotonic()
    page = await town.page(game, token, address)
    try:
        await hear(page, "events")
        return time.monotonic() - started
    finally:
        page.transport.abort()


async def place(town: Town) -> float:
    """The seconds that somebody waits for a place in the lobby, where the game is then listed."""
    asked = {"variant": "nana", "seats": {"b": "human", "w": "open"}, "lobby": True}
    async with town.client(next(_fresh)) as client:
        started = time.monotonic()
        made = (await client.post("/api/games", json=asked)).raise_for_status().json()
        listed = (await client.get("/api/lobby")).json()["challenges"]
        if all(one["game"] != made["game"] for one in listed):
            await asyncio.sleep(1.0)  # for which a list is shown again
            listed = (await client.get("/api/lobby")).json()["challenges"]
        assert any(one["game"] == made["game"] for one in listed)
        return time.monotonic() - started


@contextlib.asynccontextmanager
async def looking(town: Town, what: Callable[[Town], Awaitable[float]]) -> AsyncIterator[None]:
    """Note how long somebody waits at most, while something goes on."""
    waits = list[float]()

    async def look() -> None:
        await asyncio.sleep(0.5)
        while True:
            waits.append(await what(town))
            await asyncio.sleep(_LOOK)

    task = asyncio.create_task(look())
    try:
        yield
        if not waits:
            await asyncio.wait([task], timeout=120)
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    worst = f"{max(waits):.2f} s" if waits else "never answered"
    town.notes.append(f"{what.__name__} of others: {worst} at most, of {len(waits)}")


async def flood(town: Town, path: str, body: object, number: int, address: str) -> None:
    """Ask the same so many times at once, again and again."""
    until, answers = town.until, 0
    async with town.client(address) as client:
        while time.monotonic() < until:
            asked = [client.post(path, json=body) for _ in range(number)]
            done = await asyncio.gather(*asked, return_exceptions=True)
            answers += sum(not isinstance(one, BaseException) and one.status_code == 200 for one in done)
            await asyncio.sleep(1)
    town.notes.append(f"{answers} answers to {address}")


async def questions(town: Town) -> None:
    """Ask for 150 positions of Kō Shōgi after 300 moves at a time."""
    async with looking(town, study):
        await flood(town, "/api/positions", long_question(), QUESTIONS, "198.51.100.1")


async def reports(town: Town) -> None:
    """Ask for 24 report cards at a time."""
    async with looking(town, check):
        await flood(town, "/api/workshop/report", {"file": start_text("my-game")}, REPORTS, "198.51.100.2")


async def _think(town: Town, addresses: Sequence[str]) -> None:
    until, answers = town.until, 0

    async def ask(address: str) -> bool:
        async with town.client(address) as client:
            game, token = await town.game(client, "ko", b="level10")
        page = await town.page(game, token, address)
        try:
            async with asyncio.timeout_at(asyncio.get_running_loop().time() + max(1, until - time.monotonic())):
                await hear(page, "events")
            return True
        finally:
            page.transport.abort()

    async with looking(town, answer):
        while time.monotonic() < until:
            done = await asyncio.gather(*map(ask, addresses), return_exceptions=True)
            answers += done.count(True)
            await asyncio.sleep(1)
    town.notes.append(f"{answers} answers to {len(addresses)} addresses")


async def household(town: Town) -> None:
    """Let the computer think at its strongest in games of 40 networks of one household."""
    await _think(town, [f"2001:db8:0:1{number:02x}::1" for number in range(THINKERS)])


async def site(town: Town) -> None:
    """The same in games of 40 households of one site."""
    await _think(town, [f"2001:db8:1:{number:02x}00::1" for number in range(THINKERS)])


async def challenges(town: Town) -> None:
    """Fill the lobby with games over days, of 60 households of one site and 20 addresses; take all other seats."""
    asked = {"variant": "nana", "seats": {"b": "human", "w": "open"}, "lobby": True, "time": "3d"}
    until, made, taken = town.until, 0, 0
    homes = [f"2001:db8:2:{number:02x}00::1" for number in range(60)] + [f"192.0.2.{number}" for number in range(20)]
    async with looking(town, place), town.client("198.51.100.3") as thief:
        while time.monotonic() < until:
            for address in homes:
                async with town.client(address) as client:
                    made += (await client.post("/api/games", json=asked)).status_code == 201
            for one in (await thief.get("/api/lobby")).json().get("challenges", []):
                taken += (await thief.post("/api/join", json={"invite": one["invite"]})).status_code == 200
            await asyncio.sleep(1)
    town.notes.append(f"{made} games offered, {taken} seats taken by one address")


CROWDING = (questions, reports, household, site, challenges)
LOOKS = (study, check, answer)
