"""Fuzzing clients of the game WebSocket. Each stranger has luck of its own, counts what is answered, and
notes as a fault whatever is not as it should be."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx
from msgspec import UNSET
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from fuzz.messages.mutation import Fields, mutated, noise
from helpers.web.fitting import spoken
from komadai.app.web.schema import commands, events, model

WAIT = 120.0  # seconds for an answer, on a machine that has much else to do
LARGEST = 64 * 1024  # bytes of a frame that is answered; longer ones end the connection
FAILED = "its log has the details"  # in what is said where the server is at fault
PING = '{"t": "ping"}'


@dataclass
class Report:
    """The result: answers by kind, and faults."""

    answers: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    slowest: float = 0.0

    def fault(self, what: str, sent: object) -> None:
        self.faults.append(f"{what}: {sent!r:.600}")


@dataclass
class Toy:
    """A game that strangers may spoil: they know all its secrets."""

    id: str
    variant: str
    tokens: Sequence[str]
    over: bool = False


async def play(client: httpx.AsyncClient, variant: str, b: str = "human", w: str = "human", time: str = "none") -> Toy:
    """Make a game, and take its open seat if it has one."""
    asked = {"variant": variant, "seats": {"b": b, "w": w}, "time": time}
    made = (await client.post("/api/games", json=asked)).raise_for_status().json()
    tokens = list(made["tokens"].values())
    if "invite" in made:
        joined = await client.post("/api/join", json={"invite": made["invite"]})
        tokens.append(joined.raise_for_status().json()["token"])
    return Toy(made["game"], variant, tokens)


@dataclass
class World:
    """Known to strangers: the moves of a game of every variant, games to spoil, the ids of games that are not theirs,
    and messages as people send them."""

    client: httpx.AsyncClient
    moves: dict[str, list[str]]
    toys: list[Toy]
    ids: list[str]
    real: list[Fields]
    files: list[bytes]
    report: Report
    left: Counter[str]  # of ``messages`` and ``requests``

    def spend(self, what: str) -> bool:
        """True while messages are left to send."""
        self.left[what] -= 1
        return self.left[what] >= 0

    def line(self, address: str) -> connect:
        """A WebSocket there, to be opened by ``async with``."""
        url = str(self.client.base_url.copy_with(scheme="ws")).rstrip("/")
        return connect(f"{url}/{address}", max_size=None, compression=None, ping_interval=None, open_timeout=WAIT)

    async def toy(self, chance: Random) -> Toy:
        """A game to be spoiled; one that is over is replaced by a new one."""
        number = chance.randrange(len(self.toys))
        if self.toys[number].over:
            w, time = chance.choice((("human", "none"), ("open", "10m+5s"), ("open", "3d"), ("level1", "none")))
            self.toys[number] = await play(self.client, self.toys[number].variant, "human", w, time)
        return self.toys[number]


def real_messages(moves: dict[str, list[str]], ids: Sequence[str]) -> Iterator[Fields]:
    """Real messages of a game of every variant."""
    for number, (variant, line) in enumerate(moves.items()):
        yield {"t": "hello", "game": ids[number % len(ids)], "seq": number, "token": "x" * 32}
        for ply, text in enumerate(line[:3], 1):
            yield {"t": "move", "id": f"{variant}-{ply}", "ply": ply, "text": text, "ask": ply % 2 == 0}
        yield from ({"t": "explain", "text": text} for text in (line[0], line[-1], f"{line[-1][0]}*"))
        yield {"t": "decline", "id": f"{variant}-d", "what": "draw"}
        yield {"t": "undo", "id": f"{variant}-u", "ply": 2}
    for t in ("draw", "pause", "resume", "rematch", "resign"):
        yield {"t": t, "id": f"{t}-1"}
    yield {"t": "greet", "id": "greet-1", "what": "hello"}
    yield from ({"t": "study"}, {"t": "look", "moves": 1}, {"t": "ping"})


# --- The WebSocket of games -----------------------------------------------------------------------------------------


class Player:
    """One stranger after another at the games' WebSocket."""

    def __init__(self, world: World, seed: str) -> None:
        self._world, self._chance = world, Random(seed)
        self._names = 0

    async def run(self) -> None:
        """Come and go until all messages are sent."""
        while self._world.left["messages"] > 0:
            try:
                async with self._world.line("socket") as socket:
                    await self._visit(socket)
            except (OSError, TimeoutError, ConnectionClosed) as error:
                self._world.report.fault("a connection failed", error)

    async def _visit(self, socket: ClientConnection) -> None:
        chance, world = self._chance, self._world
        self._toy, self._ply, self._joined = await world.toy(chance), 1, False
        self._legal: str | None = None  # a legal move, if one is known
        if chance.random() < 0.95:
            await self._exchange(socket, self._hello(self._toy))
        for _ in range(chance.choice((1, 10, 60))):
            if not world.spend("messages"):
                return
            data = self._something()
            if len(data.encode() if isinstance(data, str) else data) > LARGEST:
                await self._giant(socket, data)
                return
            await self._exchange(socket, data)
            if self._toy.over and chance.random() < 0.3:
                break
        await self._leave(socket)

    def _hello(self, toy: Toy) -> str:
        token = self._chance.choice([*toy.tokens, *toy.tokens, *toy.tokens, None, "x"])
        seq = self._chance.choice((None, 0, 1, 5, 1_000_000))
        return json.dumps({"t": "hello", "game": toy.id, "seq": seq, "token": token})

    def _something(self) -> str | bytes:
        chance, world = self._chance, self._world
        luck, real = chance.random(), chance.choice(world.real)
        if luck < 0.1:
            return noise(chance)
        if luck < 0.5:
            return mutated(self._fresh(chance.choice((real, self._next_move()))), world.real, chance)
        if luck < 0.54:
            self._toy = chance.choice(world.toys)
            return self._hello(self._toy)
        if luck < 0.58:
            token = chance.choice(self._toy.tokens)
            return json.dumps({"t": "hello", "game": chance.choice(world.ids), "token": token})
        return json.dumps(self._next_move() if luck < 0.88 else self._fresh(real))

    def _fresh(self, message: Fields) -> Fields:
        """With an id of its own, mostly: a command of a known id is done already."""
        self._names += 1
        again = "id" not in message or self._chance.random() < 0.1
        return dict(message) if again else message | {"id": f"{id(self)}-{self._names}"}

    def _next_move(self) -> Fields:
        line = self._world.moves[self._toy.variant]
        text = self._legal or line[min(self._ply, len(line)) - 1]
        return self._fresh({"t": "move", "id": "", "ply": self._ply, "text": text})

    async def _exchange(self, socket: ClientConnection, data: str | bytes) -> None:
        """Send a message, and another that shows when all answers to it have come; there must be the right one."""
        world, due = self._world, Due.of(data, self._joined)
        answers: list[Any] = []
        async with asyncio.timeout(WAIT):
            await socket.send(data)
            await socket.send(PING)
            while sum(isinstance(said, events.PongMessage) for said in answers) <= due.pongs:
                text = await socket.recv()
                answers.append(spoken(text))
                if FAILED in text[-200:]:
                    world.report.fault("the server is at fault", (data, text))
        direct = [said for said in answers if due.answered_by(said)]
        if len(direct) != 1 + due.pongs and not (due.hello and direct):
            world.report.fault(f"{len(direct)} answers, where there should be one", (data, answers))
        self._look(answers, due)
        world.report.answers[type(direct[0]).__name__ if direct else "none"] += 1

    def _look(self, answers: Sequence[Any], due: Due) -> None:
        for said in answers:
            if isinstance(said, (events.StateMessage, events.EventsMessage)):
                self._ply, self._legal = said.position.ply, leaf(said.position, self._chance)
                self._toy.over |= said.position.outcome is not None or said.position.rematch is not None
                if due.hello:
                    self._joined = True
            elif isinstance(said, events.ErrorMessage) and due.hello:
                self._joined = False

    async def _giant(self, socket: ClientConnection, data: str | bytes) -> None:
        """A message that is far too long ends the connection, with the reason."""
        with suppress(ConnectionClosed):
            async with asyncio.timeout(WAIT):
                await socket.send(data)
                async for _ in socket:
                    pass
        code = socket.close_code
        self._world.report.answers[f"closed with {code}"] += 1
        if code != 1009:
            self._world.report.fault(f"a giant frame ended with {code}", len(data))

    async def _leave(self, socket: ClientConnection) -> None:
        """Politely, or not: cut off, in the middle of a frame, with messages nobody waits for, or with no WebSocket."""
        way = self._chance.randrange(5)
        with suppress(ConnectionClosed, OSError):
            if way == 1:
                for _ in range(5):
                    await socket.send(json.dumps(self._next_move()))
            elif way == 2:
                socket.transport.write(b"\x81\xfe\x10\x00half")
            elif way == 3:
                socket.transport.write(self._chance.randbytes(40))
            if way:
                socket.transport.abort()
        self._world.report.answers["left" if way == 0 else "gone"] += 1


def leaf(position: model.Position, chance: Random) -> str | None:
    """A legal move, found as a client finds it: step by step."""
    steps = position.tree
    while steps:
        step = chance.choice(steps)
        if isinstance(step.usi, str):
            return step.usi
        steps = step.next if isinstance(step.next, list) else position.shared[step.ref] if step.ref is not UNSET else []
    return None


@dataclass(frozen=True)
class Due:
    """The expected answers to a message: messages of one of these ``kinds``, with that ``id`` if it has one."""

    kinds: tuple[type, ...]
    id: str | None = None
    hello: bool = False
    pongs: int = 0

    @classmethod
    def of(cls, data: str | bytes, joined: bool) -> Due:
        try:
            message = commands.decode(data)
        except commands.MessageError:
            return cls((events.ErrorMessage,))
        if isinstance(message, commands.Hello):
            return cls((events.StateMessage, events.EventsMessage, events.ErrorMessage), hello=True)
        if isinstance(message, commands.Ping):
            return cls((events.PongMessage,), pongs=1)
        if not joined:
            return cls((events.ErrorMessage,))
        if isinstance(message, commands.Explain):
            return cls((events.ExplanationMessage,))
        if isinstance(message, commands.Study):
            return cls((events.StudyMessage, events.ErrorMessage))
        if isinstance(message, commands.Look):
            return cls((events.SeenMessage, events.ErrorMessage))
        return cls((events.AckMessage, events.RefusedMessage), message.id)

    def answered_by(self, said: Any) -> bool:
        """True if this is an answer to the message."""
        return isinstance(said, self.kinds) and self.id in (None, getattr(said, "id", None))
