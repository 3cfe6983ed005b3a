"""Servers killed and their database restarted while people play, behind a proxy that loses answers.

Two servers share a PostgreSQL. People play by random moves, takebacks, resignations and rematches, and connect to
either server, ever again; some cut their lines after a command, some send commands twice. At the end everything they
were answered is compared with the database.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
import tempfile
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import komadai
from helpers.web.cluster import Cluster
from helpers.web.proxy import Proxy
from helpers.web.served import Server
from komadai.app.web.store.postgres import PostgresStore
from komadai.spec.board import SIDES, Side, other

from .ledger import Ledger
from .person import Person

SERVERS = 2
VARIANTS = ("hand", "mortal", "nana", "hand")
LONGEST = 60  # plies of a game
HASTY = 0.02  # of commands are sent twice, and of lines cut after one


class Town:
    """The servers, which are killed and started again, and what they have answered."""

    def __init__(self, url: str, folder: Path, chance: random.Random, running: ExitStack) -> None:
        """``running``: ends the servers."""
        self.ledger, self.chance = Ledger(), chance
        self.kills = self.restarts = 0
        self.over = asyncio.Event()
        self._options = ("--data", url, "--limits", "1000")
        self._folder, self._running = folder, running
        self.servers = [self._start(number) for number in range(SERVERS)]

    def _start(self, number: int, port: int = 0) -> Server:
        log = self._folder / f"log-{number}-{self.kills}"
        return self._running.enter_context(Server(self._folder, port, *self._options, log=log))

    def port(self) -> int:
        """Any server's port."""
        return self.chance.choice(self.servers).port

    async def trouble(self, _why: str) -> None:
        """A client waits before it tries again."""
        await asyncio.sleep(self.chance.uniform(0.05, 0.5))

    async def kill(self, number: int) -> None:
        """Kill a server and start it again."""
        server = self.servers[number]
        await asyncio.to_thread(server.end, signal.SIGKILL)
        self.kills += 1
        while True:
            with contextlib.suppress(AssertionError):  # while the database is away
                self.servers[number] = await asyncio.to_thread(self._start, number, server.port)
                return
            await asyncio.sleep(0.5)

    def tracebacks(self) -> list[str]:
        """The ends of the logs that have any."""
        logs = [path.read_text("utf-8") for path in sorted(self._folder.glob("log-*"))]
        return [log[-2000:] for log in logs if "Traceback" in log]


class Table:
    """Two people, or one and the computer, who play one game after the other."""

    def __init__(self, town: Town, number: int, alone: bool) -> None:
        self._town, self._chance = town, random.Random(number)
        self._variant = VARIANTS[number % len(VARIANTS)]
        names = [f"t{number}one"] if alone else [f"t{number}one", f"t{number}two"]
        self._people = [Person(name, town.ledger, town.port, town.trouble) for name in names]
        for person in self._people:
            person.hasty = HASTY
        self._sides: dict[Side, Person] = dict(zip(SIDES, self._people, strict=False))
        self.games: list[str] = []

    async def play(self) -> None:
        """Play until it is over, then look at the last game once more."""
        for person in self._people:
            await person.ask("GET", "/")
        game = await self._begin()
        while not self._town.over.is_set():
            self.games.append(game)
            for person in self._people:
                person.seated(game, person.token)
                await person.follow(game)
            await self._one_game()
            if not self._town.over.is_set():
                game = await self._next(game)

    async def end(self) -> None:
        """Everybody looks at the last game."""
        for person in self._people:
            await person.follow(self.games[-1])
        shown = [person.position for person in self._people]
        if any(position != shown[0] for position in shown):
            self._town.ledger.faults.append(f"false: {self.games[-1]} is not the same for both")
        for person in self._people:
            await person.leave()

    async def _begin(self) -> str:
        one, *others = self._people
        terms = {"variant": self._variant, "seats": {"b": "human", "w": "open" if others else "level1"}}
        made = await one.ask("POST", "/api/games", {**terms, "time": "60m+60s"} if others else terms)
        one.token = made["tokens"]["b"]
        for guest in others:
            guest.token = (await guest.ask("POST", "/api/join", {"invite": made["invite"]}))["token"]
        return str(made["game"])

    async def _one_game(self) -> None:
        """Play until the game is over."""
        while not self._town.over.is_set():
            one = self._people[0]
            if one.position["outcome"] is not None:
                return
            await asyncio.sleep(self._chance.uniform(0, 0.2))
            turn = one.position["turn"]
            if turn not in self._sides:
                await one.see((one.seq or 0) + 1)  # the computer moves
                continue
            await self._turn(self._sides[turn], next(iter({*self._people} - {self._sides[turn]}), None))

    async def _turn(self, person: Person, opponent: Person | None) -> None:
        what = self._chance.random()
        if len(person.moves) >= LONGEST or what < 0.02:
            await self._do(person, "resign")
        elif what < 0.08 and person.moves:
            await self._do(person, "undo", ply=person.position["ply"])
            if opponent is not None and any(offer["what"] == "undo" for offer in person.position["offers"]):
                if self._chance.random() < 0.5:
                    await self._do(opponent, "undo", ply=person.position["ply"])
                else:
                    await self._do(opponent, "decline", what="undo")
        else:
            position = komadai.Position(self._variant)
            for move in person.moves:
                position.push(move)
            move = self._chance.choice(sorted(map(str, position.legal_moves())))
            await self._do(person, "move", ply=person.position["ply"], text=move)

    async def _do(self, person: Person, t: str, **fields: object) -> None:
        """Do it, and let all see it."""
        await person.command(t, **fields)
        if any(one.seq != person.seq for one in self._people):
            seq = max(one.seq or 0 for one in self._people)
            for one in self._people:
                await one.see(seq)

    async def _next(self, game: str) -> str:
        """The next game of the match, or a rematch."""
        one = self._people[0]
        match = one.position["match"]
        self._sides = {other(side): person for side, person in self._sides.items()}
        if match is not None and match["winner"] is None:
            return await one.next_game(game)
        while one.position["rematch"] is None and not self._town.over.is_set():
            for person in self._people:
                await self._do(person, "rematch")
        return str(one.position["rematch"] or game)


@dataclass(frozen=True)
class Harm:
    """What is done to servers and database, and to what share of what passes between them."""

    kills: int
    restarts: int
    share: float

    async def do(self, town: Town, cluster: Cluster) -> None:
        """Kill servers and restart the database, both at any time."""
        await asyncio.gather(self._kill(town), self._restart(town, cluster))

    async def _kill(self, town: Town) -> None:
        for count in range(self.kills):
            await asyncio.sleep(town.chance.uniform(0.2, 2))
            await town.kill(count % SERVERS)

    async def _restart(self, town: Town, cluster: Cluster) -> None:
        for _ in range(self.restarts):
            await asyncio.sleep(town.chance.uniform(0.5, 5))
            await asyncio.to_thread(cluster.stop)
            await asyncio.sleep(town.chance.uniform(0, 1))
            await asyncio.to_thread(cluster.start)
            town.restarts += 1


@dataclass(frozen=True)
class Found:
    """What was seen, in words, and what was wrong."""

    words: str
    faults: list[str]

    def __str__(self) -> str:
        return "\n  ".join([self.words, *self.faults[:20]])


async def run(cluster: Cluster, harm: Harm, tables: int) -> Found:
    """Let people play at so many tables while harm is done, and compare."""
    began, chance, url = time.monotonic(), random.Random(1), cluster.database()
    with tempfile.TemporaryDirectory() as folder, closing(Proxy(cluster.folder)) as proxy, ExitStack() as running:
        town = Town(url.replace(str(cluster.folder), str(proxy.folder)), Path(folder), chance, running)
        seated = [Table(town, number, alone=number % 4 == 3) for number in range(tables)]
        proxy.be_unreliable(chance, harm.share)
        playing = [asyncio.create_task(table.play()) for table in seated]
        await harm.do(town, cluster)
        proxy.mend()
        town.over.set()
        await asyncio.gather(*playing)
        await asyncio.gather(*(table.end() for table in seated))
        for server in town.servers:
            server.end()
        faults = [f"traceback: {log}" for log in town.tracebacks()]
    with closing(PostgresStore(url)) as store:
        town.ledger.compare(store)
    words = (
        f"{town.kills} kills and {town.restarts} restarts of the database in {time.monotonic() - began:.0f} s; "
        f"{proxy.tripped} of {proxy.pieces} pieces lost, cut off or late; {len(town.ledger.shown)} games\n"
        f"{town.ledger.counts()}"
    )
    return Found(words, [*town.ledger.faults, *faults])
