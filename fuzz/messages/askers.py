"""Fuzzing clients of the HTTP interface and of the analysis WebSocket; see :mod:`strangers`."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from fuzz.messages.mutation import EXTREME, Fields, mutated, noise, spoiled
from fuzz.messages.strangers import FAILED, LARGEST, WAIT, World
from helpers.web.fitting import OPERATIONS, fits, spoken
from helpers.web.served import new_key
from komadai.app import puzzles
from komadai.app.web.schema import commands, events
from komadai.record import FORMATS
from komadai.workshop import game_text
from komadai.workshop.starting import start_text

# --- The WebSocket of analysis --------------------------------------------------------------------------------------


class Asker:
    """One stranger after another at the analysis."""

    def __init__(self, world: World, seed: str, most: int) -> None:
        """``most``: how many messages are to be sent."""
        self._world, self._chance, self._left = world, Random(seed), most

    async def run(self) -> None:
        """Come and go until all messages are sent."""
        while self._left > 0:
            try:
                async with self._world.line("analysis") as socket:
                    await self._visit(socket)
            except (OSError, TimeoutError, ConnectionClosed) as error:
                self._world.report.fault("an analysis failed", repr(error))

    async def _visit(self, socket: ClientConnection) -> None:
        """Ask this and that; in the end every question is answered once, and so is whatever is none."""
        report, asked, wrong = self._world.report, Counter[str](), 1
        for _ in range(self._chance.choice((1, 5, 20))):
            self._left -= 1
            data = self._something()
            if len(data.encode() if isinstance(data, str) else data) > LARGEST:
                continue
            try:
                question = commands.decode_analysis(data)
            except commands.MessageError:
                wrong += 1
            else:
                asked.update(() if isinstance(question, commands.Stop) else [question.id])
            await socket.send(data)
            await asyncio.sleep(self._chance.choice((0, 0, 0, 0.1)))
        if self._chance.random() < 0.2:
            socket.transport.abort()
            return
        await socket.send('{"t": "stop"}')
        await socket.send("{")
        async with asyncio.timeout(WAIT):
            while wrong:
                text = await socket.recv()
                said = spoken(text, analysis=True)
                if FAILED in str(text):
                    report.fault("the server is at fault", text)
                if isinstance(said, events.FaultMessage) and said.id is None:
                    wrong -= 1
                elif isinstance(said, (events.FaultMessage, events.DoneMessage)):
                    asked[str(said.id)] -= 1
                report.answers[type(said).__name__] += 1
        if any(asked.values()):
            report.fault("questions without an answer, or with two", asked)

    def _something(self) -> str | bytes:
        chance = self._chance
        variant = chance.choice(list(self._world.moves))
        line = self._world.moves[variant]
        question: Fields = {"t": chance.choice(("analyse", "review", "moments")), "id": str(chance.randrange(10**6))}
        question |= {"variant": variant, "moves": line[: chance.randrange(len(line))], "seconds": 0.05, "lines": 2}
        if question["t"] != "analyse":
            del question["lines"]
        if question["t"] == "moments":
            del question["seconds"]
        luck = chance.random()
        if luck < 0.15:
            return noise(chance)
        return json.dumps(question) if luck < 0.5 else mutated(question, [question, *self._world.real], chance)


# --- HTTP -----------------------------------------------------------------------------------------------------------


PUZZLES = (*(one.id for game in ("ki", "nana") for one in puzzles.load(game)[:3]), "0123456789", "..", "\0", "é" * 300)
"""Puzzles, and what is none."""

KEYS = (new_key(), new_key().lower(), "AAAA", "\0", "é" * 26)
"""Keys of no profile, and what is no key."""

FILES = (start_text("my-game"), game_text("nana"), start_text("x").replace("[[kinds]]", "[kinds]"), 'id = "\0"', "")
"""Variant files, and what is none."""

STAGES = ("first-act", "first-move", "drill-k", "roll", "game", "which-face", "..", "\0", "é" * 300)
"""Stages of courses, and what is none."""


class Browser:
    """A stranger that sends requests: real ones with something wrong in them, and files that are spoiled."""

    def __init__(self, world: World, seed: str) -> None:
        self._world, self._chance = world, Random(seed)
        self._addresses = sorted({one.path for one in OPERATIONS})

    async def run(self) -> None:
        """Ask until all requests are sent."""
        while self._world.spend("requests"):
            if self._chance.random() < 0.03:
                await self._rude()
            else:
                await self._ask()

    async def _ask(self) -> None:
        report = self._world.report
        method, path, more = self._request()
        try:
            answer = await self._world.client.request(method, path, timeout=WAIT, **more)
        except (httpx.InvalidURL, UnicodeError):
            report.answers["not to be sent"] += 1
            return
        except httpx.TransportError as error:
            report.fault(f"{method} failed with {error!r}", (path, more))
            return
        report.answers[f"HTTP {answer.status_code}"] += 1
        try:
            fits(answer)
        except AssertionError as error:
            report.fault(str(error), (method, path, more))
        if answer.status_code >= 500:
            report.fault(f"{method} {path} answered {answer.status_code} {answer.text[:200]}", more)

    def _request(self) -> tuple[str, str, dict[str, Any]]:
        chance, world = self._chance, self._world
        variant = chance.choice(list(world.moves))
        line = world.moves[variant]
        branch: Fields = {"variant": variant, "moves": line[: chance.randrange(len(line))]}
        game = chance.choice([*world.ids, chance.choice(world.toys).id, "x", "\0", "..", "%00", "é" * 300])
        tried = {"moves": line[:2], "move": line[0]}
        kind = chance.randrange(10)
        if kind < 4:
            address, body = chance.choice(
                [
                    ("/api/positions", branch | {"known": 1, "text": line[0]}),
                    ("/api/positions/explain", branch | {"text": chance.choice(line)}),
                    ("/api/positions/guide", branch),
                    (f"/api/pictures/{chance.choice(('svg', 'png', 'gif'))}", branch | {"flipped": True}),
                    ("/api/positions/check", {"variant": variant, "position": self._position()}),
                    (f"/api/lessons/{variant}/{chance.choice(STAGES)}", tried | {"tries": 3}),
                    (
                        f"/api/puzzles/{variant}/{chance.choice(PUZZLES)}",
                        tried | {"help": chance.choice((None, "hint", "solution", "all"))},
                    ),
                    ("/api/games", {"variant": variant, "seats": {"b": "human", "w": "level1"}, "time": "5m 3x30s"}),
                    ("/api/join", {"invite": f"{game}.secret", "name": "x"}),
                    (
                        f"/api/games/records/{chance.choice(('json', 'text', 'kif', ''))}",
                        {"games": [game, chance.choice(world.ids)]},
                    ),
                    (
                        f"/api/profile/{chance.choice(('games', 'delete'))}",
                        {"key": chance.choice(KEYS), "add": [{"game": game, "token": world.toys[0].tokens[0]}]},
                    ),
                    ("/api/profile", {"key": chance.choice(KEYS)}),
                    ("/api/profile/memory", {"key": chance.choice(KEYS), "known": chance.choice((0, 1, 7))}),
                    *(
                        (f"/api/workshop/{what}", {"file": chance.choice(FILES), **more})
                        for what, more in (
                            ("check", {}),
                            ("position", {"moves": ["5d5c"], "known": 1, "text": "1b1c"}),
                            ("explain", {"text": "1e1a"}),
                            ("reply", {"moves": ["5d5c"], "level": 1}),
                        )
                    ),
                    ("/api/games", {"variant": variant, "seats": {"b": "open", "w": "human"}, "lobby": True}),
                    ("/api/join", {"invite": f"{game}.lobby", "name": "x"}),
                    (f"/api/games/{game}/next", {"token": chance.choice(world.toys).tokens[0]}),
                ]
            )
            return "POST", address, self._body(body, [branch, *world.real])
        if kind < 7:
            form = chance.choice((*FORMATS, "csa", ""))
            address = chance.choice(("/api/records/read", f"/api/records/write/{form}", "/api/records"))
            return "POST", address, {"content": spoiled(chance.choice(world.files), chance)}
        if kind == 7:
            query = {"ids": ",".join(str(chance.choice((game, *EXTREME))) for _ in range(chance.randrange(30)))}
            if chance.random() < 0.3:
                return "GET", "/api/time", {"params": {"control": str(chance.choice(("5 min", "3x30s", *EXTREME)))}}
            return "GET", "/api/games", {"params": query}
        if kind == 8:
            wrong = {chance.choice(("variant", "position", "", "name", "field")): str(chance.choice(EXTREME))}
            address = chance.choice(("/api/study", "/api/rules/{}", "/api/hardest/{}", "/print/{}")).format(variant)
            return "GET", address, {"params": {"variant": variant, **wrong}}
        name = "".join(chance.choice(("/", "..", "%2e", "%ff", "a", "é", "?", "#", "api")) for _ in range(6))
        address = chance.choice([*self._addresses, f"/api/{name}", f"/static/{name}", f"/game/{name}", f"/new/{name}"])
        stage, puzzle = chance.choice(STAGES), chance.choice(PUZZLES)
        address = address.format(variant=variant, game=game, record=game, form="json", stage=stage, puzzle=puzzle)
        method = chance.choice(("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "BREW"))
        header = chance.choice(("origin", "cookie", "range", "accept-encoding"))
        return method, address, {"headers": {header: "\x7f;=,"}}

    def _body(self, body: Fields, others: list[Fields]) -> dict[str, Any]:
        chance = self._chance
        luck = chance.random()
        data = json.dumps(body) if luck < 0.2 else noise(chance) if luck < 0.3 else mutated(body, others, chance)
        media = "application/json" if chance.random() < 0.95 else chance.choice(("", "text/html", "application/json;x"))
        content = data if isinstance(data, bytes) else data.encode(errors="surrogatepass")
        return {"content": content, "headers": {"content-type": media}}

    def _position(self) -> Any:
        chance = self._chance
        signs = "".join(chance.choice("KRBGSNLP+krbgsnlp123456789/-- bw[]'?") for _ in range(chance.randrange(60)))
        return chance.choice(
            (signs, "3/3/3 b -", {"board": {"1a": signs[:3]}, "hands": {"b": {"K": 10**6}}, "turn": "b"})
        )

    async def _rude(self) -> None:
        """Something that is no request, or half of one. A line of it at most comes back."""
        lines = (
            b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
            b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9999\r\n\r\n{",
            b"POST /api/join HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            b"GET /socket HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
            b"GET / HTTP/9.9\r\n\r\n",
            b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
            b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * 5000 + b"\r\n",
            self._chance.randbytes(200),
        )
        url = self._world.client.base_url
        with suppress(OSError):
            reader, writer = await asyncio.open_connection(url.host, url.port)
            writer.write(self._chance.choice(lines))
            with suppress(TimeoutError):
                async with asyncio.timeout(0.2):
                    said = await reader.read(200)
                    status = int(said[9:12]) if said[9:12].isdigit() else 0
                    if status >= 500:
                        self._world.report.fault("no request, and an error of the server", said)
            writer.transport.abort()
        self._world.report.answers["no request"] += 1
