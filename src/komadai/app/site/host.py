"""The application without a server around it: HTTP requests and WebSockets are calls, and so are their answers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from starlette.applications import Starlette

from ..engine_service import Backend, InPlaceBackend
from ..web.app import create_app
from ..web.engines.rate_limits import USUAL
from ..web.store import Store

log = logging.getLogger(__name__)

_LIMITS = USUAL.times(1000)  # one person, whose own machine it is
_NAME = b"localhost"
_CLIENT = ("127.0.0.1", 1)
_GOING_AWAY = 1001

Header = tuple[str, str]


def application(store: Callable[[], Store], engines: Callable[[], Backend] = InPlaceBackend) -> Starlette:
    """The application as one browser has it for itself.

    Args:
        store: opens the game store; called when the application starts.
        engines: makes a backend for searches.
    """
    return create_app(store, None, _LIMITS, engines, alone=True)


class HttpAnswer(NamedTuple):
    """An answer to an HTTP request."""

    status: int
    headers: list[Header]
    body: bytes


class Connection:
    """A WebSocket that the application serves."""

    def __init__(self, deliver: Callable[[str, str], object]) -> None:
        self._deliver = deliver
        self._inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._inbox.put_nowait({"type": "websocket.connect"})
        self.closed = False

    async def receive(self) -> dict[str, Any]:
        """The next event for the application."""
        return await self._inbox.get()

    async def sent(self, message: MutableMapping[str, Any]) -> None:
        """Take an event from the application."""
        match message["type"]:
            case "websocket.accept":
                self._deliver("open", "")
            case "websocket.send" if not self.closed:
                text = message.get("text")
                self._deliver("message", message["bytes"].decode() if text is None else text)
            case "websocket.close":
                self.end(message.get("code", 1000))

    def end(self, code: int) -> None:
        """The application has closed the connection, or has failed."""
        if not self.closed:
            self.closed = True
            self._deliver("close", str(code))

    def send(self, text: str) -> None:
        """A message of the client."""
        self._inbox.put_nowait({"type": "websocket.receive", "text": text})

    def close(self) -> None:
        """The client has gone."""
        self.closed = True
        self._inbox.put_nowait({"type": "websocket.disconnect", "code": _GOING_AWAY})


class Host:
    """Starts an application, hands requests to it, and keeps the cookie that it gives the browser."""

    def __init__(self, app: Starlette) -> None:
        self._app = app
        self._cookie = b""
        self._state: Mapping[str, Any] = {}  # what the application makes when it starts
        self._started = AsyncExitStack()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Start the application.

        Raises:
            StoreError: the games cannot be read, and so on; the message says why.
        """
        lifespan: AbstractAsyncContextManager[Any] = self._app.router.lifespan_context(self._app)
        self._state = await self._started.enter_async_context(lifespan)

    async def stop(self) -> None:
        """Stop the application."""
        await self._started.aclose()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _begin(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _scope(self, kind: str, address: str, headers: Iterable[Header]) -> dict[str, Any]:
        parts = urlsplit(address)
        sent = [(b"host", _NAME)]
        sent += [(name.lower().encode("latin-1"), value.encode("latin-1", "replace")) for name, value in headers]
        if self._cookie:
            sent.append((b"cookie", self._cookie))
        return {
            "type": kind,
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "scheme": "http" if kind == "http" else "ws",
            "path": unquote(parts.path),
            "raw_path": parts.path.encode(),
            "query_string": parts.query.encode(),
            "root_path": "",
            "headers": sent,
            "client": _CLIENT,
            "server": (_NAME.decode(), 80),
            "state": dict(self._state),
            "subprotocols": [],
        }

    async def http(self, method: str, address: str, headers: Iterable[Header] = (), body: bytes = b"") -> HttpAnswer:
        """The answer to a request.

        Args:
            address: below the root of the site: a path that begins with a slash, and a query.
            headers: those of the browser, without host and origin.
        """
        request = {"type": "http.request", "body": bytes(body), "more_body": False}
        asked, never = [request], asyncio.Event()
        status, head, data = 500, list[tuple[bytes, bytes]](), bytearray()

        async def receive() -> dict[str, Any]:
            if not asked:
                await never.wait()  # the client does not leave before the answer
            return asked.pop()

        async def send(message: MutableMapping[str, Any]) -> None:
            nonlocal status, head
            if message["type"] == "http.response.start":
                status, head = message["status"], list(message.get("headers", []))
            elif message["type"] == "http.response.body":
                data.extend(message.get("body", b""))

        try:
            await self._app(self._scope("http", address, headers) | {"method": method}, receive, send)
        except Exception:
            log.exception("a request failed")
        for name, value in head:
            if name == b"set-cookie":
                self._cookie = value.partition(b";")[0]
        shown = [(name.decode(), value.decode("latin-1")) for name, value in head if name != b"set-cookie"]
        return HttpAnswer(status, shown, bytes(data))

    def connect(self, address: str, headers: Iterable[Header], deliver: Callable[[str, str], object]) -> Connection:
        """Open a WebSocket.

        Args:
            deliver: called with ``open``, ``message`` or ``close``, and the text of the message or the closing code.
        """
        connection = Connection(deliver)
        scope = self._scope("websocket", address, headers)

        async def serve() -> None:
            try:
                await self._app(scope, connection.receive, connection.sent)
            except Exception:
                log.exception("a connection failed")
            connection.end(1011)

        self._begin(serve())
        return connection
