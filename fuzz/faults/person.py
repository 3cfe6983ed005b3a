"""A client as the page is one: it connects again, and sends a command until that is answered."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from itertools import count
from random import Random
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from .ledger import Ledger

PATIENCE = 60.0
"""Seconds after which a silent connection counts as lost."""
_AGAIN = 0.05  # seconds until a command in doubt is sent again

_LOST = (OSError, WebSocketException, httpx.TransportError, TimeoutError)


class UnansweredError(Exception):
    """The server cannot do it at present; the message says why."""


class Person:
    """A person with a browser, who follows one game at a time.

    Attributes:
        seq, position, moves: what the person has been shown.
        hasty: the share of commands after which the connection is cut at once; as many are sent twice.
    """

    def __init__(
        self,
        name: str,
        ledger: Ledger,
        port: Callable[[], int],
        trouble: Callable[[str], Awaitable[None]],
        accepting: float = PATIENCE,
    ) -> None:
        """``port``: of the server to ask now. ``trouble``: waited for whenever that does not do as it should.
        ``accepting``: seconds after which a connection or request that is not answered is given up."""
        self.name, self.ledger = name, ledger
        self.hasty, self._chance = 0.0, Random(name)
        self._port, self._trouble = port, trouble
        self._ids = count(1)
        self._accepting = accepting
        self._http = httpx.AsyncClient(
            verify=False, timeout=accepting, limits=httpx.Limits(max_keepalive_connections=0)
        )
        self._socket: ClientConnection | None = None
        self.game, self.token = "", ""
        self.seq: int | None = None
        self.position: dict[str, Any] = {}
        self.moves: list[str] = []

    # --- HTTP ---

    async def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """The answer to a request, which is made until it succeeds."""
        while True:
            try:
                answer = await self._http.request(method, f"http://127.0.0.1:{self._port()}{path}", json=body)
            except _LOST as error:
                self.ledger.lines += 1
                await self._trouble(f"{path}: {error!r}")
                continue
            if answer.status_code < 300:
                return dict(answer.json()) if "json" in answer.headers["content-type"] else {}
            if answer.status_code not in (500, 503):
                self.ledger.faults.append(f"refused: {path} answered {answer.status_code} {answer.text}")
            await self._trouble(f"{path}: {answer.status_code} {answer.text}")

    def seated(self, game: str, token: str) -> None:
        """The person has got a seat."""
        self.ledger.shown.setdefault(game, {})
        self.ledger.seats[game, self.name] = token
        self.token = token

    async def next_game(self, game: str) -> str:
        """The game after this one in its match."""
        following = str((await self.ask("POST", f"/api/games/{game}/next", {"token": self.token}))["game"])
        self.ledger.follow(game, following)
        return following

    # --- WebSocket ---

    async def follow(self, game: str) -> None:
        """Go to a game."""
        await self.drop()
        self.game, self.seq = game, None
        self.ledger.shown.setdefault(game, {})
        await self._until(lambda: self.seq is not None)

    async def drop(self) -> None:
        """Cut the connection."""
        socket, self._socket = self._socket, None
        if socket is not None:
            socket.transport.abort()
            with contextlib.suppress(*_LOST):
                await socket.wait_closed()

    async def leave(self) -> None:
        """Cut everything."""
        await self.drop()
        await self._http.aclose()

    async def command(self, t: str, **fields: Any) -> str | None:
        """Send a command until it is answered; the reason if it is refused."""
        id = f"{self.name}-{next(self._ids)}"
        self.ledger.sent += 1
        while True:
            try:
                await self._connect()
                assert self._socket is not None
                for _time in range(1 + (self._chance.random() < self.hasty)):
                    await self._socket.send(json.dumps({"t": t, "id": id, **fields}))
                if self._chance.random() < self.hasty:
                    raise ConnectionAbortedError("cut by the client itself")
                answer = await self._receive(id)
            except (*_LOST, UnansweredError) as error:
                await self._lost(f"{t} {id}: {error!r}")
                continue
            if answer["t"] == "ack":
                self.ledger.acknowledged[id] = (self.game, answer["seq"])
                return None
            if answer["t"] == "refused":
                self.ledger.refused[id] = answer["reason"]
                return str(answer["reason"])
            self.ledger.doubted.add(id)
            await self._trouble(f"{t} {id}: {answer['reason']}")
            await asyncio.sleep(_AGAIN)

    async def see(self, seq: int) -> None:
        """Wait until that event has been shown."""
        await self._until(lambda: (self.seq or 0) >= seq)

    async def _until(self, reached: Callable[[], bool]) -> None:
        while not reached():
            try:
                await self._connect()
                if not reached():
                    await self._receive()
            except TimeoutError:
                self.ledger.faults.append(f"silent: {self.name} waits in vain after event {self.seq} of {self.game}")
                await self.drop()
            except (*_LOST, UnansweredError) as error:
                await self._lost(f"following {self.game}: {error!r}")

    async def _lost(self, why: str) -> None:
        self.ledger.lines += 1
        await self.drop()
        await self._trouble(why)

    async def _connect(self) -> None:
        if self._socket is None:
            async with asyncio.timeout(PATIENCE):
                self._socket = await self._accepted()
                hello = {"t": "hello", "game": self.game, "seq": self.seq, "token": self.token}
                await self._socket.send(json.dumps(hello))
                while (await self._hear())["t"] not in ("state", "events"):
                    pass

    async def _accepted(self) -> ClientConnection:
        """A new connection.

        Raises:
            OSError: the server does not accept it in time, or refuses it.
        """
        url = f"ws://127.0.0.1:{self._port()}/socket"
        try:
            return await connect(url, max_size=None, compression=None, ping_interval=None, open_timeout=self._accepting)
        except TimeoutError as error:
            raise ConnectionError(f"{url} accepts no connection") from error

    async def _receive(self, id: str = "") -> dict[str, Any]:
        """The next message, or the answer to a command."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await self._hear()
                if message.get("id", "") == id:
                    return message

    async def _hear(self) -> dict[str, Any]:
        """The next message.

        Raises:
            UnansweredError: it says that the server cannot do it.
        """
        assert self._socket is not None
        message: dict[str, Any] = json.loads(await self._socket.recv())
        if message["t"] == "error":
            raise UnansweredError(message["reason"])
        if message["t"] in ("state", "events"):
            self.moves = [move["usi"] for move in message["moves"]] if message["t"] == "state" else self.moves
            for event in message.get("events", []):
                self.ledger.show(self.game, event)
                if event["seq"] > (self.seq or 0):
                    self._follow_moves(event)
            if message["seq"] < (self.seq or 0):
                self.ledger.faults.append(f"lost: event {self.seq} of {self.game} was shown, now {message['seq']}")
            self.seq, self.position = message["seq"], message["position"]
        return message

    def _follow_moves(self, event: dict[str, Any]) -> None:
        if event["kind"] == "move" and "usi" in event:
            self.moves.append(event["usi"])
        elif event["kind"] == "undo":
            del self.moves[event["moves"] :]
