"""How long players wait while a server is restarted: games of random moves, and restarts as systemd does them.

Run with ``PYTHONPATH=tests``. The listening socket stays open, the server gets SIGTERM, and the next one is started
when it has ended. Clients connect again as the page does. Prints how long a move takes with and without a restart
meanwhile, and for how long there was no server to answer.
"""

from __future__ import annotations

import asyncio
import random
import socket
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer
from tally import percentile

import komadai
from helpers.faults.ledger import Ledger
from helpers.faults.person import Person
from helpers.web.served import Server
from komadai.app.web.store.sqlite import SqliteStore

SHARES = {"half within": 0.5, "99 % within": 0.99, "all within": 1.0}
FIRST_WAIT, LONGEST_WAIT = 0.2, 4.0  # seconds before a page connects again, doubled each time


class Hall:
    """The games, and the server that comes and goes.

    Attributes:
        usual, meanwhile: seconds that moves took, without and with a restart between question and answer.
        away: seconds from the signal to the first answer of the next server.
    """

    def __init__(self, listening: socket.socket, folder: Path) -> None:
        self._listening, self._folder = listening, folder
        self.ledger, self.server = Ledger(), self._start()
        self.usual: list[float] = []
        self.meanwhile: list[float] = []
        self.away: list[float] = []
        self._restarts, self._signalled, self.ended = 0, 0.0, False

    def _start(self) -> Server:
        return Server(self._folder, 0, "--limits", "1000", listening=self._listening)

    def port(self) -> int:
        return self.server.port

    def person(self, name: str) -> Person:
        """Somebody who waits as the page does."""
        wait = [0.0, FIRST_WAIT]

        async def trouble(_why: str) -> None:
            now = time.monotonic()
            wait[1] = FIRST_WAIT if now - wait[0] > 2 * LONGEST_WAIT else min(2 * wait[1], LONGEST_WAIT)
            wait[0] = now
            await asyncio.sleep(wait[1])

        return Person(name, self.ledger, self.port, trouble)

    async def restart(self) -> None:
        """End the server and start the next one."""
        self._restarts, self._signalled = self._restarts + 1, time.monotonic()
        await asyncio.to_thread(self.server.end)
        self.server = await asyncio.to_thread(self._start)

    async def play(self, variant: str, number: int, pace: float) -> None:
        """A game after another, with a move every ``pace`` seconds by each."""
        chance, people = random.Random(number), [self.person(f"{number}{side}") for side in "bw"]
        for person in people:
            await person.ask("GET", "/")
        while not self.ended:
            terms = {"variant": variant, "seats": {"b": "human", "w": "open"}, "name": people[0].name}
            made = await people[0].ask("POST", "/api/games", terms)
            joined = await people[1].ask("POST", "/api/join", {"invite": made["invite"], "name": people[1].name})
            for person, token in zip(people, (made["tokens"]["b"], joined["token"]), strict=True):
                person.seated(str(made["game"]), token)
                await person.follow(str(made["game"]))
            position = komadai.Position(variant)
            while not self.ended and not position.is_game_over() and position.ply < 200:
                await asyncio.sleep(chance.uniform(0.5, 1.5) * pace / 2)
                mover = people[(position.ply - 1) % 2]
                move = chance.choice(list(position.legal_moves()))
                await self._move(mover, position.ply, str(move))
                position.push(move)
        for person in people:
            await person.leave()

    async def _move(self, mover: Person, ply: int, text: str) -> None:
        answering, began = len(self.away), time.monotonic()
        refused = await mover.command("move", ply=ply, text=text)
        now = time.monotonic()
        if refused is not None:
            self.ledger.faults.append(f"refused: {text} of {mover.name}: {refused}")
        (self.usual if answering == self._restarts else self.meanwhile).append(now - began)
        if len(self.away) < self._restarts:
            self.away.append(now - self._signalled)


async def _run(hall: Hall, games: int, restarts: int, every: float, variant: str, pace: float) -> None:
    playing = [asyncio.create_task(hall.play(variant, number, pace)) for number in range(games)]
    for _ in range(restarts):
        await asyncio.sleep(every)
        await hall.restart()
    await asyncio.sleep(every)
    hall.ended = True
    await asyncio.gather(*playing)


def main(
    games: Annotated[int, typer.Option(help="Games at once, two people each.", min=1)] = 100,
    restarts: Annotated[int, typer.Option(help="Of the server.", min=1)] = 10,
    every: Annotated[float, typer.Option(help="Seconds between them.", min=1)] = 10.0,
    variant: Annotated[str, typer.Option(help="What is played.")] = "shogi",
    pace: Annotated[float, typer.Option(help="Seconds between the moves of a player.", min=0.1)] = 5.0,
) -> None:
    """Restart a server under its players."""
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as listening, tempfile.TemporaryDirectory() as name:
        hall = Hall(listening, Path(name))
        asyncio.run(_run(hall, games, restarts, every, variant, pace))
        hall.server.end()
        with closing(SqliteStore(Path(name) / "games.sqlite3")) as store:
            hall.ledger.compare(store)
    for what, seconds in (
        ("moves without a restart", hall.usual),
        ("moves over a restart", hall.meanwhile),
        ("from the signal to the next answer", hall.away),
    ):
        shares = ", ".join(f"{name} {percentile(seconds, share):.2f} s" for name, share in SHARES.items())
        print(f"{what}: {len(seconds)}, {shares}" if seconds else f"{what}: none")
    print(f"{len(hall.ledger.faults)} not as they must be", *hall.ledger.faults[:20], sep="\n  ")
    raise typer.Exit(bool(hall.ledger.faults))


if __name__ == "__main__":
    typer.run(main)
