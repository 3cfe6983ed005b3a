"""Simulated servers: the whole application on simulated time, spoken to by ASGI."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from komadai.app.engine_service import Backend, SearchRequest, SearchResult
from komadai.app.engine_service.messages import Report
from komadai.app.web.app import create_app
from komadai.app.web.engines.rate_limits import USUAL
from komadai.game.game import Game

from .simulation import INSTANT, RUNNING, Host, Process, SimulatedLoop
from .store import Database, Line

_THINKING = 1.0  # seconds
_LIMITS = USUAL.times(1e9)
_SCOPE = {"asgi": {"version": "3.0"}, "http_version": "1.1", "query_string": b"", "root_path": "", "subprotocols": []}


class Computer(Backend):
    """In place of an engine: takes a second of simulated time for each move, and makes the first legal one."""

    def __init__(self) -> None:
        self._stopped = asyncio.Event()

    async def search(self, request: SearchRequest, *_reporter: object) -> SearchResult:
        self.subject = request.subject
        self._stopped.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopped.wait(), _THINKING)
        game = Game(request.variant, request.start, **request.options)
        for move in request.moves:
            game.push(move)
        found = min(map(str, game.position.legal_moves()), default=None)
        return SearchResult(request.id, found, Report(request.id, 1, 1, 1, _THINKING, []))

    def stop(self) -> None:
        self._stopped.set()

    async def close(self) -> None:
        pass


@dataclass
class Answer:
    """The answer to an HTTP request, as it comes."""

    status: int = 0
    cookie: str | None = None
    body: bytes = b""

    @property
    def content(self) -> Any:
        return json.loads(self.body)


class _GoneError(OSError):
    """The client is gone. Servers of ASGI take it back without a word."""


class Socket:
    """The server's end of a WebSocket."""

    def __init__(self, heard: Callable[[str], None], closed: Callable[[int], None]) -> None:
        self._heard, self._closed = heard, closed
        self._incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._incoming.put_nowait({"type": "websocket.connect"})
        self.open, self._accepted = True, False

    def say(self, text: str | bytes) -> None:
        """A frame from the client."""
        self._incoming.put_nowait({"type": "websocket.receive", "text" if isinstance(text, str) else "bytes": text})

    def cut(self, lose: bool = False) -> None:
        """End the connection; with ``lose`` the server does not get what it has not read."""
        while lose and self._accepted and not self._incoming.empty():
            self._incoming.get_nowait()
        self.open = False
        self._incoming.put_nowait({"type": "websocket.disconnect", "code": 1006})

    async def receive(self) -> dict[str, Any]:
        return await self._incoming.get()

    async def send(self, message: dict[str, Any]) -> None:
        if not self.open:
            raise _GoneError
        self._accepted = True
        if message["type"] == "websocket.send":
            self._heard(message["text"])
        elif message["type"] == "websocket.close":
            self.cut()
            self._closed(message["code"])


@dataclass
class Server:
    """A server of the application. It is started again with everything of its own forgotten.

    Attributes:
        line: its connection to the database.
        up: it runs.
    """

    name: str
    host: Host
    loop: SimulatedLoop
    database: Database
    up: bool = False
    sockets: list[Socket] = field(default_factory=list)

    def start(self) -> None:
        """Start it."""
        self.process, self.line = Process(self.host), Line(self.database, self.name)
        self._context = copy_context()
        self._context.run(RUNNING.set, self.process)
        self._app, self._lifespan = (
            create_app(lambda: self.line, limits=_LIMITS, engines=Computer),
            asyncio.Queue[dict[str, Any]](),
        )
        self._lifespan.put_nowait({"type": "lifespan.startup"})
        self._said: list[str] = []
        self._state: dict[str, Any] = {}
        scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": self._state}
        self._run(self._app(scope, self._lifespan.get, self._hear))
        self.up = True
        self.loop.run_for(INSTANT)
        assert self._said == ["lifespan.startup.complete"], self._said

    async def _hear(self, message: Any) -> None:
        self._said.append(message.get("message") or message["type"])

    def _run(self, work: Any) -> asyncio.Task[Any]:
        return self._context.run(self.loop.create_task, work)

    def kill(self, finish: bool) -> None:
        """End it at once. With ``finish`` the database still gets what was under way to it."""
        for work in tuple(self.process.work.values()) if finish else ():
            self._context.run(work)
        self.process.alive = False
        self.process.work.clear()
        self.line.close()
        self._context.run(self.loop.create_task, self.line.bus().close())
        self._leave()
        for timer in tuple(self.process.timers):
            timer.cancel()
        for task in tuple(self.process.tasks):
            task.cancel()
        self.loop.run_for(INSTANT)
        assert not self.process.tasks, self.process.tasks

    def stop(self) -> None:
        """Let it end in order."""
        self._leave()
        self.loop.run_for(INSTANT)
        self._lifespan.put_nowait({"type": "lifespan.shutdown"})
        self.loop.run_for(60)  # for what is in the middle of something
        assert self._said[-1] == "lifespan.shutdown.complete", self._said
        assert not self.process.tasks, self.process.tasks

    def _leave(self) -> None:
        self.up = False
        for socket in self.sockets:
            if socket.open:
                socket.cut()
                socket._closed(1012)
        self.sockets.clear()

    def connect(self, heard: Callable[[str], None], closed: Callable[[int], None]) -> Socket:
        """Open a WebSocket. ``closed`` is called with the code when it ends, unless the client cuts it."""
        socket = Socket(heard, closed)
        self.sockets.append(socket)

        async def serve() -> None:
            with suppress(_GoneError):
                await self._app(self._scope("websocket", "ws", "/socket"), socket.receive, socket.send)

        self._run(serve())
        return socket

    def ask(
        self, method: str, path: str, done: Callable[[Answer], None], body: Any = None, cookie: str | None = None
    ) -> None:
        """Make a request; ``done`` is called with the answer."""
        answer, path, query = Answer(), *path.partition("?")[::2]
        scope = self._scope("http", "http", path, cookie) | {"method": method, "query_string": query.encode()}
        sent = [{"type": "http.request", "body": b"" if body is None else json.dumps(body).encode()}]

        async def receive() -> Any:
            return sent.pop() if sent else await self.loop.create_future()

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                answer.status = message["status"]
                found = [value for name, value in message["headers"] if name == b"set-cookie"]
                answer.cookie = found[0].decode().partition("=")[2].partition(";")[0] if found else None
            else:
                answer.body += message.get("body", b"")

        def finished(task: asyncio.Task[Any]) -> None:
            if not task.cancelled() and task.exception() is None:
                done(answer)

        self._run(self._app(scope, receive, send)).add_done_callback(partial(self.loop.call_soon, finished))

    def _scope(self, kind: str, scheme: str, path: str, cookie: str | None = None) -> dict[str, Any]:
        headers = [(b"host", b"test"), (b"content-type", b"application/json")]
        headers += [(b"cookie", f"komadai={cookie}".encode())] if cookie else []
        place = {"path": path, "raw_path": path.encode(), "client": ("127.0.0.1", 1), "server": ("test", 80)}
        return {"type": kind, "scheme": scheme, "headers": headers, "state": self._state.copy()} | _SCOPE | place
