"""The ASGI application, and the server that ``komadai play`` starts."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import logging
import os
import re
import secrets
import socket as sockets
import sys
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from ..clock import TimeControl
from ..errors import KomadaiError, NotationError
from ..folders import data_folder
from ..solve import find
from ..variants import build, entry
from . import checking, describe, study
from .analysis import Analysts
from .answers import ProblemError, json_of, problem
from .files import Files
from .frame import Page
from .games import SEATS, Hall
from .languages import Languages
from .limits import Bucket, Buckets
from .listing import Listing
from .messages import Secret
from .replay import RefusedError
from .rulebook import rulebook
from .seating import digest
from .session import ask_store
from .socket import Client
from .sqlite import SqliteStore
from .store import Store, StoreError
from .studies import Studies
from .thinkers import Thinkers

_STATIC = Path(__file__).parent / "static"
_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-cache",
}
_LARGEST_FRAME = 64 * 1024  # bytes; frames between this and MAX_BYTES are answered, longer ones end the connection
_PORTS_TO_TRY = 20
_SWITCH = 0.0005  # seconds
_GARBAGE = 50_000  # objects more than there were, after which some are looked through
_LOOPBACK = ("127.0.0.1", "localhost", "::1")

_COOKIE = "komadai"
_COOKIE_AGE = 366 * 24 * 3600  # seconds
_COOKIE_FORM = re.compile(r"[A-Za-z0-9_-]{32}")
_CREATIONS = (1.0, 30)  # games made or joined by one browser: a second in the long run, and at once
_CREATIONS_FROM = (2.0, 60)  # the same from one address
_MOST_ASKED = 24  # games of which one request may ask how they stand

Seat = Annotated[str, msgspec.Meta(pattern=f"^({'|'.join(SEATS)})$")]
Name = Annotated[str, msgspec.Meta(max_length=40)]


class Seats(msgspec.Struct, forbid_unknown_fields=True):
    b: Seat
    w: Seat


class NewGame(msgspec.Struct, forbid_unknown_fields=True):
    """The body of ``POST /api/games``. ``time`` is what :meth:`TimeControl.parse` reads; ``name`` is that of the person
    who makes the game."""

    variant: Annotated[str, msgspec.Meta(max_length=64)]
    seats: Seats
    options: Annotated[dict[str, str], msgspec.Meta(max_length=32)] = {}
    position: Annotated[str, msgspec.Meta(min_length=1, max_length=2048)] | None = None
    time: Annotated[str, msgspec.Meta(max_length=64)] = "none"
    name: Name = ""


class Joining(msgspec.Struct, forbid_unknown_fields=True):
    """The body of ``POST /api/join``."""

    invite: Secret
    name: Name = ""


class Going(msgspec.Struct, forbid_unknown_fields=True):
    """The body of ``POST /api/games/…/next``, which may be missing."""

    token: Secret | None = None


class SafeHeaders:
    """Adds the security headers to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]
                message["headers"] = [*message.get("headers", []), *headers]
            await send(message)

        await self._app(scope, receive, sending if scope["type"] == "http" else send)


class SameOrigin:
    """Refuses requests for foreign host names (DNS rebinding), and sockets and posts that other sites' pages make."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str] | None) -> None:
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        fault = self._fault(HTTPConnection(scope))
        if fault is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await _problem(403, fault)(scope, receive, send)
        else:
            await WebSocket(scope, receive, send).close()  # before accepting: the client sees HTTP 403

    def _fault(self, request: HTTPConnection) -> str | None:
        host = request.headers.get("host", "")
        origin = request.headers.get("origin", f"http://{host}")
        try:
            name, foreign = urlsplit(f"//{host}").hostname, urlsplit(origin).netloc != host
        except ValueError:  # brackets that do not match, for example
            return "The host or origin of this request is not an address."
        if self._hosts is not None and name not in self._hosts:
            return f"This server does not answer to the host name {host[:80]!r}."
        return "Pages of other sites may not use this server." if foreign else None


class Visitors:
    """Gives every browser a cookie with a random id, by which it is known again; it tells nothing else."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith("/static/") or _visitor(HTTPConnection(scope)):
            await self._app(scope, receive, send)
            return
        cookie = f"{_COOKIE}={secrets.token_urlsafe(24)}; Path=/; Max-Age={_COOKIE_AGE}; HttpOnly; SameSite=Lax"
        header = (b"set-cookie", (cookie + ("; Secure" if scope["scheme"] == "https" else "")).encode())

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), header]
            await send(message)

        await self._app(scope, receive, sending)


def _visitor(request: HTTPConnection) -> str | None:
    """What the store knows a browser by, if it has shown its cookie: the cookie itself is kept nowhere."""
    cookie = request.cookies.get(_COOKIE, "")
    return digest(cookie) if _COOKIE_FORM.fullmatch(cookie) else None


def _problem(status: int, sentence: str) -> JSONResponse:
    return JSONResponse({"error": sentence}, status)


async def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    words = {
        404: "There is nothing at this address.",
        405: f"{request.method} is not possible at this address.",
    }
    response = _problem(status, words.get(status) or "Something went wrong in the server; its log says what.")
    if isinstance(error, HTTPException) and error.headers:
        response.headers.update(error.headers)
    return response


def _page(name: str) -> Callable[[Request], Response]:
    """A page; where its address names a variant, there must be such a one."""
    page = Page(name)

    def answer(request: Request) -> Response:
        if "variant" in request.path_params:
            entry(request.path_params["variant"])
        return page.answer(request)

    return answer


class _Api:
    """The HTTP interface over a :class:`Hall`."""

    def __init__(self) -> None:
        self.hall: Hall
        self.listing: Listing
        self._checks = Bucket(rate=20, burst=100)
        self._by_browser, self._by_address = Buckets(*_CREATIONS), Buckets(*_CREATIONS_FROM)

    def _count(self, request: Request) -> None:
        """Count a game that is to be made or joined.

        Raises:
            ProblemError: there have been too many.
        """
        visitor = _visitor(request)
        buckets = [self._by_address.of(request.client.host if request.client else "")]
        buckets += [] if visitor is None else [self._by_browser.of(visitor)]
        if not all(bucket.take() for bucket in buckets):
            raise ProblemError(429, "Too many games at once; wait a moment.")

    def variants(self, _request: Request) -> Response:
        return Response(msgspec.json.encode(describe.variants()), media_type="application/json")

    def puzzles(self, request: Request) -> Response:
        """The hardest wins of a solved game; rule options are query parameters."""
        name = request.path_params["variant"]
        entry(name)
        try:
            made = build(name, **dict(request.query_params))
        except NotationError as error:
            return _problem(422, f"The puzzles could not be found: {error}.")
        table = find(made)
        if table is None:
            return _problem(422, study.table_words(made))
        told = {"variant": describe.variant(made), "puzzles": study.puzzles(table)}
        return Response(msgspec.json.encode(told), media_type="application/json")

    def rules(self, request: Request) -> Response:
        """Every rule of a game in words; rule options are query parameters."""
        name = request.path_params["variant"]
        entry(name)
        try:
            told = rulebook(build(name, **dict(request.query_params)))
        except NotationError as error:
            return _problem(422, f"The rules could not be shown: {error}.")
        return Response(msgspec.json.encode(told), media_type="application/json")

    async def check(self, request: Request) -> Response:
        """What is wrong with a position, and how it is written."""
        if not self._checks.take():
            return _problem(429, "Too many positions at once; wait a moment.")
        fault = "The position could not be looked at"
        asked = await json_of(request, checking.Check, fault, checking.MOST_BYTES)
        try:
            variant = build(asked.variant, **asked.options)
        except NotationError as error:
            return _problem(422, f"{fault}: {error}.")
        told = await asyncio.to_thread(checking.check, variant, asked.position)
        return Response(msgspec.json.encode(told), media_type="application/json")

    async def standings(self, request: Request) -> Response:
        """How the games named in the query parameter ``ids``, separated by commas, stand, as far as they are here."""
        if not self._checks.take():
            return _problem(429, "Too many questions at once; wait a moment.")
        asked = request.query_params.get("ids", "").split(",")[:_MOST_ASKED]
        try:
            looked = [await ask_store(self.listing.look, id) for id in dict.fromkeys(asked) if id]
        except RefusedError as error:
            raise ProblemError(503, str(error)) from None
        told = {"games": [game for game in looked if game is not None]}
        return Response(msgspec.json.encode(told), media_type="application/json")

    async def create(self, request: Request) -> Response:
        """Make a game; who makes it is told the secrets of the seats."""
        asked = await json_of(request, NewGame, "The game could not be set up")
        self._count(request)
        try:
            made = await self.hall.create(
                asked.variant,
                asked.options,
                {"b": asked.seats.b, "w": asked.seats.w},
                asked.position,
                time=TimeControl.parse(asked.time),
                name=asked.name,
                owner=_visitor(request),
            )
        except (KomadaiError, RefusedError) as error:
            raise ProblemError(422, f"The game could not be set up: {error}") from None
        told = {"game": made.game, "tokens": made.tokens} | ({"invite": made.invite} if made.invite else {})
        return JSONResponse(told, 201)

    async def join(self, request: Request) -> Response:
        """Take the open seat of a game by invitation."""
        asked = await json_of(request, Joining, "The game could not be joined")
        self._count(request)
        try:
            game, token = await self.hall.accept(asked.invite, asked.name, _visitor(request))
        except RefusedError as error:
            raise ProblemError(409, str(error)) from None
        return JSONResponse({"game": game, "token": token})

    async def next_game(self, request: Request) -> Response:
        """The next game of a match; asked again, the answer is the same."""
        going = (
            await json_of(request, Going, "The next game could not be begun")
            if "content-type" in request.headers
            else Going()
        )
        self._count(request)
        try:
            return JSONResponse({"game": await self.hall.next_game(request.path_params["game"], going.token)})
        except RefusedError as error:
            raise ProblemError(409, str(error)) from None

    async def socket(self, socket: WebSocket) -> None:
        await Client(socket, self.hall).run()


async def _unknown_variant(_request: Request, error: Exception) -> Response:
    return _problem(404, f"{error}.")


def create_app(store: Callable[[], Store], hosts: frozenset[str] | None = None) -> Starlette:
    """The application.

    Args:
        store: opens the game store; called when the application starts.
        hosts: host names the server answers to; ``None``: any.
    """
    api = _Api()
    studies, analysts = Studies(), Analysts()

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        opened = studies.store = store()
        analysts.thinkers = Thinkers()
        api.hall, api.listing = Hall(opened, analysts.thinkers), Listing(opened)
        await api.hall.open()
        yield
        await api.hall.close()

    handlers: dict[Any, Any] = {
        NotationError: _unknown_variant,
        ProblemError: problem,
        HTTPException: _http_error,
        Exception: _http_error,
    }
    return Starlette(
        routes=[
            Route("/", _page("index")),
            Route("/settings", _page("settings")),
            Route("/new/{variant}", _page("new")),
            Route("/rules/{variant}", _page("rules")),
            Route("/edit/{variant}", _page("edit")),
            Route("/puzzles/{variant}", _page("puzzles")),
            Route("/game/{game}", _page("game")),
            Route("/join", _page("join")),
            Route("/study", _page("study")),
            Route("/study/{record}", _page("study")),
            Route("/api/variants", api.variants),
            Route("/api/rules/{variant}", api.rules),
            Route("/api/puzzles/{variant}", api.puzzles),
            Route("/api/positions/check", api.check, methods=["POST"]),
            Route("/api/games", api.standings),
            Route("/api/games", api.create, methods=["POST"]),
            Route("/api/join", api.join, methods=["POST"]),
            Route("/api/games/{game}/next", api.next_game, methods=["POST"]),
            *studies.routes(),
            WebSocketRoute("/socket", api.socket),
            WebSocketRoute("/analysis", analysts.socket),
            # Answers that hold secrets are not packed.
            Mount("/static", Files(directory=_STATIC)),
        ],
        middleware=[
            Middleware(SafeHeaders),
            Middleware(SameOrigin, hosts=hosts),
            Middleware(Visitors),
            Middleware(Languages),
        ],
        exception_handlers=handlers,
        lifespan=lifespan,
    )


# --- The local server -----------------------------------------------------------------------------------------------


def _open_store(url: str | None, data: Path | None) -> Store:
    """The PostgreSQL database at that address, or else the file in the data folder.

    Raises:
        StoreError: it cannot be used.
    """
    if url is None:
        return SqliteStore((data or data_folder()) / "games.sqlite3")
    if not url.startswith(("postgresql://", "postgres://")):
        raise StoreError("--store takes the address of a PostgreSQL database, postgresql://user@host/name")
    try:
        from .postgres import PostgresStore
    except ModuleNotFoundError as missing:
        raise StoreError(f"--store needs {missing.name}; install it with: pip install 'komadai[postgres]'") from None
    return PostgresStore(url)


def bind(host: str, port: int) -> sockets.socket:
    """A socket bound to ``port`` or, if that is taken, to the next free one.

    Raises:
        NotationError: the address cannot be used, or no port near is free.
    """
    wanted = [port] if port == 0 else range(port, min(port + _PORTS_TO_TRY, 65536))
    family = sockets.AF_INET6 if ":" in host else sockets.AF_INET
    for candidate in wanted:
        # Only of a socket that says it is TCP does asyncio know that small messages must not wait for each other.
        bound = sockets.socket(family, sockets.SOCK_STREAM, sockets.IPPROTO_TCP)
        bound.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
        try:
            bound.bind((host, candidate))
            bound.listen(128)
        except OSError as error:
            bound.close()
            if error.errno == errno.EADDRINUSE:
                continue
            raise NotationError(
                "play", [f"cannot listen on {host} port {candidate}: {error.strerror or error}"]
            ) from None
        if candidate != port:
            print(f"Port {port} is taken; using {candidate} instead.", file=sys.stderr)
        return bound
    raise NotationError("play", [f"ports {wanted[0]} to {wanted[-1]} are all taken; name a free one with --port"])


def _open_browser(url: str) -> None:
    """Open the page if this machine has a screen and a browser; a machine without keeps the printed address."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    with contextlib.suppress(webbrowser.Error):
        webbrowser.open(url)


def serve(
    game: str | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    open_browser: bool = True,
    data: Path | None = None,
    store_url: str | None = None,
    names: Sequence[str] = (),
) -> None:
    """Run the local server until it is interrupted. Prints the address and opens it in a browser.

    Args:
        game: open the set-up of this game at once.
        host: address to listen on; others than the loopback ones are reachable from outside.
        port: 0 takes any free one; if the named one is taken, the next free one is used.
        open_browser: whether to open the page.
        data: folder for the games; ``None``: the user's data folder.
        store_url: the PostgreSQL database for the games, instead of a file in ``data``.
        names: host names, besides those of the loopback address, that the server answers to. Without any, a server that
            listens on another address answers to all.

    Raises:
        NotationError: unknown game, or an address, data folder or database that cannot be used.
    """
    if game is not None:
        entry(game)
    try:
        store = _open_store(store_url, data)
    except StoreError as error:
        raise NotationError("play", [str(error)]) from None
    bound = bind(host, port)
    shown = f"[{host}]" if ":" in host else host
    url = f"http://{shown}:{bound.getsockname()[1]}/" + (f"new/{game}" if game else "")
    hosts = frozenset((*_LOOPBACK, *(name.lower() for name in names))) if names or host in _LOOPBACK else None
    app = create_app(lambda: store, hosts)
    config = uvicorn.Config(
        app,
        log_level=logging.WARNING,
        ws="websockets-sansio",
        ws_max_size=_LARGEST_FRAME,
        ws_per_message_deflate=False,  # a compressor for each line would take as much memory as the game
        timeout_graceful_shutdown=2,
    )
    print(f"Komadai is at {url}  (games in {store.place}; stop with Ctrl+C)", flush=True)
    if open_browser:
        threading.Thread(target=_open_browser, args=(url,), daemon=True).start()
    # Nearly all goes without the collector of garbage; a thousand connections are 200,000 objects, and everybody waits
    # while it goes through them. What is loaded by now stays anyway.
    gc.freeze()
    gc.set_threshold(_GARBAGE)
    # Threads that work out choices shall not keep the others waiting for the interpreter's lock.
    sys.setswitchinterval(_SWITCH)
    uvicorn.Server(config).run(sockets=[bound])
