"""Many games at once, first alone and then with all attacks of ``crowding.py`` beside: what do their players notice?

Players and attackers are processes of low priority (nice 10), so that the server has the machine as if they were
elsewhere.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import resource
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from crowding import CROWDING, LOOKS
from load import MIX
from random_game import random_game
from serving import Process, percentile, server
from soak import FLAT, Flatness
from town import Town
from wire import Page, hello

PATTERNS, PLIES = 12, 60  # random games of each variant, and their longest, which takes ten minutes
PACE = 10.0  # seconds between the moves of a game
NICE = 10
TIMES = 3.0  # the p99 with attacks may be so many times the one without
_LOOK = 5.0  # seconds between the looks of somebody new
_PARTS = 6  # of a phase, between which the memory is shown
_AT_ONCE = 20  # games that begin at the same time


@dataclass
class Phase:
    """The milliseconds of moves, and by which players were late themselves; the seconds that others waited; MB of the
    server each few seconds."""

    moves: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    waits: dict[str, list[float]] = field(default_factory=dict)
    memory: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


class Players:
    """The people at the tables. They note what they see in the present phase."""

    def __init__(self, town: Town, process: Process) -> None:
        chance = random.Random(1)
        self._games = {name: [random_game(name, PLIES, chance) for _ in range(PATTERNS)] for name in MIX}
        self._town, self._process, self.phase = town, process, Phase()
        self._beginning = asyncio.Semaphore(_AT_ONCE)

    async def table(self, number: int) -> None:
        """Play one game after the other, by a page that has both seats.

        The first one is left somewhere on its way: as many games are new at any time, and as many long.
        """
        chance, address = random.Random(number), f"127.0.1.{number % 250 + 1}"
        await asyncio.sleep(chance.uniform(0, PACE))
        share = chance.random()
        while True:
            variant = MIX[number % len(MIX)]
            moves = chance.choice(self._games[variant])
            try:
                await self._play(variant, moves[: 1 + int(share * len(moves))], address, chance)
                share = 1.0
            except (OSError, TimeoutError, ValueError, httpx.HTTPError) as error:
                self.phase.faults.append(f"{variant}: {error!r}")
                await asyncio.sleep(PACE)

    async def _play(self, variant: str, moves: list[str], address: str, chance: random.Random) -> None:
        async with self._beginning:
            async with self._town.client(address) as client:
                game, token = await self._town.game(client, variant)
            page = await Page.open(self._town.port, address=address)
            hello(page, game, token)
            await page.hear('"t":"state"')
        try:
            for ply, text in enumerate(moves, 1):
                due = time.perf_counter() + chance.uniform(0.5, 1.5) * PACE
                await asyncio.sleep(due - time.perf_counter())
                started = time.perf_counter()
                self.phase.late.append((started - due) * 1000)
                page.say("move", id=f"m{ply}", ply=ply, text=text)
                acknowledged, _ = await page.hear(f'"t":"ack","id":"m{ply}"')
                self.phase.moves.append((acknowledged - started) * 1000)
        finally:
            page.close()

    async def watch(self) -> None:
        """Look at the memory, and as somebody new at a page, a file and a move of the computer."""
        while True:
            self.phase.memory.append(self._process.memory)
            for look in LOOKS:
                try:
                    waited = await look(self._town)
                    self.phase.waits.setdefault(look.__name__, []).append(waited)
                except (OSError, httpx.HTTPError) as error:
                    self.phase.faults.append(f"{look.__name__}: {error!r}")
            await asyncio.sleep(_LOOK)


def _attack(port: int, seconds: float) -> None:
    """Attack with all at once, as nice as the players: a process inherits that."""

    async def all_at_once() -> None:
        towns = [Town(port, seconds) for _ in CROWDING]
        await asyncio.gather(*(work(town) for work, town in zip(CROWDING, towns, strict=True)), return_exceptions=True)
        for work, town in zip(CROWDING, towns, strict=True):
            print(f"{work.__name__}: {'; '.join(town.notes)}", flush=True)

    asyncio.run(all_at_once())


def _show(name: str, phase: Phase) -> None:
    waits = ", ".join(f"{what} {max(waited):.2f} s of {len(waited)}" for what, waited in phase.waits.items())
    moves, late = (
        " ".join(f"p{share * 100:g} {percentile(values, share):.1f}" for share in (0.5, 0.95, 0.99, 1.0))
        for values in (phase.moves, phase.late)
    )
    print(f"{name}: {len(phase.moves)} moves, {moves} ms; the players themselves were late by {late} ms")
    print(f"  others waited at most: {waits}")
    memory = [phase.memory[int(part * (len(phase.memory) - 1) / _PARTS)] for part in range(_PARTS + 1)]
    print(f"  memory {', '.join(f'{one:.0f}' for one in memory)} MB; {len(phase.faults)} faults", *phase.faults[:5])


async def _run(port: int, process: Process, games: int, calm: float, besieged: float) -> bool:
    players = Players(Town(port, 0), process)
    working = [asyncio.create_task(players.table(number)) for number in range(games)]
    working.append(asyncio.create_task(players.watch()))
    print(f"{games} games begin", flush=True)
    await asyncio.sleep(2 * PACE + games / _AT_ONCE)
    phases = {"alone": Phase(), "besieged": Phase()}
    players.phase = phases["alone"]
    await asyncio.sleep(calm)
    _show("alone", phases["alone"])
    attackers = multiprocessing.get_context("spawn").Process(target=_attack, args=(port, besieged))
    attackers.start()
    try:
        players.phase = phases["besieged"]
        await asyncio.sleep(besieged)
        _show("besieged", phases["besieged"])
        for task in working:
            task.cancel()
        await asyncio.gather(*working, return_exceptions=True)
        await asyncio.to_thread(attackers.join, 180)
    finally:
        attackers.kill()
    before, after = (percentile(phase.moves, 0.99) for phase in phases.values())
    memory = phases["besieged"].memory
    kept = memory[len(memory) // 5 :]
    rise = Flatness.of(range(len(kept)), kept).rise if len(kept) > 2 else 0.0
    print(
        f"p99 of moves {after / before:.1f} times as long (at most {TIMES:g}); memory rises by {rise:.0%} ({FLAT:.0%})"
    )
    return after <= TIMES * before and rise <= FLAT


def besiege(games: int, calm: float, besieged: float) -> bool:
    """Play that many games for ``calm`` minutes alone, then for ``besieged`` with all attacks; true if all is well."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as folder, server(Path(folder)) as serving:
        os.nice(NICE)
        return asyncio.run(_run(serving.port, serving.process, games, calm * 60, besieged * 60))
