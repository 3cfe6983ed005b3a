"""People at a server: they play each other and the computer, leave, come back, look on, analyse, study and import.

Each class is what one of them does over and over; a :class:`Crowd` is all of them.
"""

from __future__ import annotations

import asyncio
import itertools
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
import msgspec
from random_game import random_game
from wire import Page, RefusedError, hello

import komadai
from komadai import record as records
from komadai.variants import entry

USUAL = {"move": 10.0, "watch": 300.0, "ask": 60.0, "rest": 20.0}
"""Seconds as people usually take them: between the moves of a game, at one game as a spectator, between the questions
of an analysis or study, and between one thing and the next."""
VARIANTS = ("shogi", "mortal", "hand", "nana", "ki") * 4 + ("ko",)
"""The games chosen from: a move of Kō Shōgi takes the server as long as twenty others."""
PLIES, GAMES = 80, 6  # moves of a game until somebody resigns; different games of each variant
ADDRESSES = 64
_LEAVE, _RETURN, _OFFER = 0.005, 0.02, 0.02  # chances with each move: both leave, one reconnects, a takeback is offered
_ARRIVING = 30.0  # seconds over which people come at the beginning
_VISITED = ("/", "/settings", "/new/{0}", "/rules/{0}", "/edit/{0}", "/study", "/static/style.css", "/static/board.css")


@dataclass(frozen=True)
class Line:
    """A random game: its moves, and whether they end it."""

    variant: str
    moves: list[str]
    over: bool

    @classmethod
    def random(cls, variant: str, chance: random.Random) -> Line:
        """One of at most ``PLIES`` moves."""
        moves, position = random_game(variant, PLIES, chance), komadai.Position(variant)
        for text in moves:
            position.push(text)
        return cls(variant, moves, position.outcome() is not None)


@dataclass
class Seen:
    """The outcomes of what people asked, since they were last looked at.

    Attributes:
        took: milliseconds until each move was acknowledged. ``done``: acts by kind. ``refused``: refusals by kind.
        faults: what should not have happened.
    """

    took: list[float] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


class Crowd:
    """All people at one server, at ``times`` their usual rate."""

    def __init__(self, port: int, times: float, seed: int = 1) -> None:
        self.port, self.times = port, times
        self.chance = random.Random(seed)
        self.seen = Seen()
        self.games: list[str] = []  # that are being played
        self._lines = {name: [Line.random(name, self.chance) for _ in range(GAMES)] for name in sorted(set(VARIANTS))}
        self._clients: dict[str, httpx.AsyncClient] = {}
        self._ids = itertools.count()

    def address(self) -> str:
        """One of the addresses, all of which are of this machine."""
        return f"127.0.1.{self.chance.randrange(1, ADDRESSES + 1)}"

    def line(self) -> Line:
        """A game to play or to study."""
        return self.chance.choice(self._lines[self.chance.choice(VARIANTS)])

    async def pause(self, act: str) -> None:
        """Wait as long as people do before they do that again."""
        await asyncio.sleep(USUAL[act] / self.times * self.chance.uniform(0.5, 1.5))

    async def ask(self, method: str, path: str, address: str | None = None, **request: Any) -> httpx.Response:
        """Send an HTTP request from that address.

        Raises:
            RefusedError: it is answered by 4xx. ``ConnectionError``: by 5xx, or not at all.
        """
        address = address or self.address()
        if address not in self._clients:
            transport = httpx.AsyncHTTPTransport(verify=False, local_address=address)
            self._clients[address] = httpx.AsyncClient(
                transport=transport, base_url=f"http://127.0.0.1:{self.port}", timeout=60
            )
        try:
            answer = await self._clients[address].request(method, path, **request)
        except httpx.HTTPError as error:
            raise ConnectionError(f"{method} {path}: {error!r}") from error
        if answer.status_code >= 500:
            raise ConnectionError(f"{method} {path}: {answer.status_code}")
        if answer.status_code >= 400:
            raise RefusedError(f"{answer.status_code} {method} {path.split('?')[0]}")
        return answer

    async def show(self, game: str, token: str | None, address: str, seq: int | None = None, **options: bool) -> Page:
        """A page that shows the game."""
        page = await Page.open(self.port, address=address, **options)
        hello(page, game, token, seq)
        if not page.deaf:
            await page.hear('"t":"state"', '"t":"events"')
        return page

    async def command(self, page: Page, kind: str, **fields: Any) -> int:
        """Do something in a game; the number of its event."""
        name = f"{kind}-{next(self._ids)}"
        started = asyncio.get_running_loop().time()
        page.say(kind, id=name, **fields)
        _, answer = await page.hear(f'"t":"ack","id":"{name}"')
        if kind == "move":
            self.seen.took.append((asyncio.get_running_loop().time() - started) * 1000)
        self.seen.done[kind] += 1
        return int(msgspec.json.decode(answer)["seq"])

    async def habit(self, once: Callable[[], Awaitable[None]]) -> None:
        """Do something over and over, a little apart; note what is refused and what fails."""
        await asyncio.sleep(self.chance.uniform(0, _ARRIVING))
        while True:
            try:
                await once()
                self.seen.done[once.__name__] += 1
            except RefusedError as error:
                self.seen.refused[str(error)[:60]] += 1
            except (ConnectionError, TimeoutError) as error:
                self.seen.faults.append(f"{once.__name__}: {error!r}")
            await self.pause("rest")

    # --- What they do ---

    async def play(self) -> None:
        """Two people play a game; some leave it, some want another."""
        line, addresses = self.line(), (self.address(), self.address())
        asked = {"variant": line.variant, "seats": {"b": "human", "w": "open"}, "name": "Host"}
        asked["time"] = self.chance.choice(("none", "15m+10s", "10m"))
        made = (await self.ask("POST", "/api/games", addresses[0], json=asked)).json()
        joined = await self.ask("POST", "/api/join", addresses[1], json={"invite": made["invite"], "name": "Guest"})
        tokens, game = (made["tokens"]["b"], joined.json()["token"]), made["game"]
        for again in itertools.count():
            rematch = await self._sit(game, tokens, addresses, line)
            if rematch is None or again == 3:
                return
            game, tokens, addresses = rematch, tokens[::-1], addresses[::-1]

    async def _sit(self, game: str, tokens: tuple[str, str], addresses: tuple[str, str], line: Line) -> str | None:
        """Play one game, Black's token first; the id of the next, if the two agree on one."""
        pages: list[Page] = []
        self.games.append(game)
        try:
            for token, address in zip(tokens, addresses, strict=True):
                pages.append(await self.show(game, token, address))
            for ply, text in enumerate(line.moves):
                await self.pause("move")
                one, fate = ply % 2, self.chance.random()
                if fate < _LEAVE:
                    self.seen.done["leave"] += 1
                    return None
                if ply and fate < _LEAVE + _RETURN:
                    pages[one].close()
                    pages[one] = await self.show(game, tokens[one], addresses[one], self.chance.choice((None, 1)))
                    self.seen.done["return"] += 1
                elif ply and fate < _LEAVE + _RETURN + _OFFER:
                    await self.command(pages[1 - one], "undo", ply=ply + 1)
                    await self.command(pages[one], "decline", what="undo")
                seq = await self.command(pages[one], "move", ply=ply + 1, text=text)
                await pages[1 - one].hear(f'"t":"events","seq":{seq},')
            if self.chance.random() < 0.3:
                return None  # as many do who see that it is lost
            if not line.over:
                await self.command(pages[0], "resign")
            await self.ask("GET", f"/api/games/{game}/record")
            if self.chance.random() < 0.5:
                return None
            await self.command(pages[0], "rematch")
            seq = await self.command(pages[1], "rematch")
            _, event = await pages[0].hear(f'"t":"events","seq":{seq},')
            return event.partition(b'"game":"')[2].partition(b'"')[0].decode()
        finally:
            self.games.remove(game)
            for page in pages:
                page.close()

    async def challenge(self) -> None:
        """One person plays the computer, and leaves at some time."""
        variant, address = self.chance.choice(("shogi", "mortal", "nana")), self.address()
        asked = {"variant": variant, "seats": {"b": "human", "w": "level1"}}
        made = (await self.ask("POST", "/api/games", address, json=asked)).json()
        game, position = made["game"], komadai.Position(variant)
        page = await self.show(game, made["tokens"]["b"], address, whole=True)
        self.games.append(game)
        try:
            for _ in range(self.chance.randrange(5, 40)):
                await self.pause("move")
                move = self.chance.choice(position.legal_moves())
                seq = await self.command(page, "move", ply=position.ply, text=str(move))
                position.push(move)
                if position.outcome() is not None:
                    return
                _, message = await page.hear(f'"t":"events","seq":{seq + 1},')
                position.push(msgspec.json.decode(message)["events"][-1]["usi"])
                self.seen.done["answer"] += 1
                if position.outcome() is not None:
                    return
        finally:
            self.games.remove(game)
            page.close()

    async def watch(self) -> None:
        """Look on at one game, then at another, from one page."""
        page: Page | None = None
        try:
            for _ in range(self.chance.randrange(1, 4)):
                while not self.games:
                    await self.pause("rest")
                game = self.chance.choice(self.games)
                if page is None:
                    page = await self.show(game, None, self.address(), deaf=True)
                else:
                    hello(page, game, None)
                await self.pause("watch")
                if page.closed or not page.received:
                    raise ConnectionError(page.closed or "a spectator has heard nothing")
        finally:
            if page is not None:
                page.close()

    async def analyse(self) -> None:
        """Ask for some analyses over one connection, and stop some."""
        page = await Page.open(self.port, "/analysis", self.address())
        try:
            for number in range(10):
                line = self.line()
                some = line.moves[: self.chance.randrange(30)]
                name, kind = f"q{number}", self.chance.choice(("analyse", "review"))
                more = (
                    {"lines": 3, "seconds": 0.2}
                    if kind == "analyse"
                    else {"begin": max(0, len(some) - 2), "seconds": 0.05}
                )
                page.say(kind, id=name, variant=line.variant, moves=some, **more)
                if self.chance.random() < 0.2:
                    page.say("stop")
                await page.hear(f'"t":"done","id":"{name}"')
                self.seen.done[kind] += 1
                await self.pause("ask")
        finally:
            page.close()

    async def study(self) -> None:
        """Study a game: read a file of it, look at a position, share it, write it, draw it."""
        line, address = self.line(), self.address()
        variant, moves = line.variant, line.moves
        options = {one.name: self.chance.choice(one.values) for one in entry(variant).options}
        await self.ask("GET", "/api/study", address, params={"variant": variant} | options)
        where = {"variant": variant, "moves": moves}
        await self.ask("POST", "/api/positions", address, json=where)
        await self.ask("POST", "/api/pictures/svg", address, json=where)
        game = komadai.Game(variant)
        for text in moves:
            game.push(text)
        own = records.Record.of(game)
        forms = [form for form in records.forms_of(own.variant) if form != "usi" or variant == "shogi"]
        written = records.write([own], self.chance.choice(forms))  # USI does not name the variant
        await self.ask("POST", "/api/records/read", address, content=written.encode())
        data, headers = records.write([own], "json").encode(), {"content-type": "application/json"}
        await self.ask("POST", "/api/records/write/text", address, content=data, headers=headers)
        await self.pause("ask")
        if self.chance.random() < 0.2:
            shared = await self.ask("POST", "/api/records", address, content=data, headers=headers)
            await self.ask("GET", f"/api/records/{shared.json()['id']}")

    async def visit(self) -> None:
        """Open a page, and ask for the games one knows."""
        address, variant = self.address(), self.chance.choice(VARIANTS)
        await self.ask("GET", self.chance.choice(_VISITED).format(variant), address)
        some = self.chance.sample(self.games, min(5, len(self.games)))
        await self.ask("GET", "/api/games", address, params={"ids": ",".join(some)})
