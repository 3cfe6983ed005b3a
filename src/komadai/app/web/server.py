"""The HTTP server of ``komadai play``."""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import sys
import threading
import webbrowser
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import uvicorn
from h11 import LocalProtocolError
from starlette.types import ASGIApp, Receive, Scope, Send

from ...book import Book
from ...errors import NotationError
from ...variants import entry
from ..engine_service import Backend, ChildBackend, NetworkBackend, parse_addresses
from .app import Upkeep, create_app
from .connections import HttpConnection, WebSocketConnection
from .engines.addresses import Networks, plain_host
from .engines.named import named_engines
from .engines.rate_limits import USUAL, RateLimits
from .game.pruning import USUAL_DAYS
from .listening import ListeningServer, bind, own_names, passed_socket, raise_file_limit
from .logs import LogFormat, configure
from .metrics import Metrics
from .store import StoreError
from .store.guarded import MOST_BYTES
from .store.opening import open_store

_LARGEST_FRAME = 64 * 1024  # bytes; longer frames close the connection, shorter ones above MAX_BYTES are answered
_SWITCH = 0.0005  # seconds after which a thread gives up the interpreter lock
_GARBAGE = (10_000, 5, 20)  # new objects after which the garbage collector runs; runs until it looks at older ones
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_SHOWN = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}  # nobody has all addresses in the place of one


def _open_browser(url: str) -> None:
    """Open the page if this machine has a screen and a browser; the address has been printed."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    with contextlib.suppress(webbrowser.Error):
        webbrowser.open(url)


def _without_protocol_errors(app: ASGIApp) -> ASGIApp:
    """Wrap the application: ignore errors of requests that turned out to be invalid HTTP while they were answered. The
    HTTP server has sent the error already."""

    async def serving(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await app(scope, receive, send)
        except LocalProtocolError as error:
            if "MUST_CLOSE" not in str(error):
                raise
            while (await receive())["type"] != "http.disconnect":
                pass

    return serving


def serve(
    game: str | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    open_browser: bool = True,
    data: str | Path | None = None,
    names: Sequence[str] = (),
    limits: RateLimits = USUAL,
    networks: Sequence[str] = (),
    cluster: str | None = None,
    engine_token: str = "",
    searches: int | None = None,
    most_bytes: int = MOST_BYTES,
    prune_days: float = USUAL_DAYS,
    metrics_port: int | None = None,
    log_format: LogFormat = "text",
    books: Sequence[Book] = (),
    named: Sequence[str] = (),
) -> None:
    """Run the local server until it is interrupted. Prints the address and opens it in a browser.

    It listens on the socket that systemd passes to it, if it does.

    Args:
        game: a variant, whose page for a new game is opened.
        host: address to listen on; others than the loopback ones are reachable from outside.
        port: 0: any free one; if the port is taken, the next free one is used.
        open_browser: open the page.
        data: folder or PostgreSQL database for the games; ``None``: the user's data folder.
        names: host names, besides those of the loopback address, that the server answers to. Without any, a server that
            listens on another address answers to the addresses and names of this machine.
        limits: rate limits for clients.
        networks: those of many people, each with the number of addresses that it counts as, ``NETWORK=NUMBER``.
        cluster: the addresses of engine workers that search, with commas between them; by default child processes do,
            which may fail without harm to the server.
        engine_token: the secret of the engine workers.
        searches: how many at once; by default one for each core of this machine.
        most_bytes: the size from which on the store takes no new games and records.
        prune_days: after so many, games in which nobody has moved are deleted; 0: never.
        metrics_port: a port of the loopback address for metrics; ``None``: no metrics can be read.
        log_format: of the log on standard error.
        books: opening books, at most one a game, which studies show.
        named: engines besides our own, as ``NAME=usi:COMMAND``.

    Raises:
        EngineError: an engine does not start.
        NotationError: unknown game, two books of one game, a bad description of an engine or a network, or an address,
            data folder or database that cannot be used.
    """
    if game is not None:
        entry(game)
    counted = Networks.parse(networks)
    backends: Callable[[], Backend] = ChildBackend
    if cluster is not None:
        backends = partial(NetworkBackend, parse_addresses(cluster), engine_token)
    others = named_engines(named)
    try:
        store = open_store(data)
        store.secret("cookies")  # kept from here on, where a failure can be explained
    except StoreError as error:
        raise NotationError("play", [str(error)]) from None
    raise_file_limit()
    configure(log_format)
    passed = passed_socket()
    bound = passed or bind(host, port)
    host = passed.getsockname()[0] if passed else host
    shown = _SHOWN.get(host) or (f"[{host}]" if ":" in host else host)
    url = f"http://{shown}:{bound.getsockname()[1]}/" + (f"new/{game}" if game else "")
    beyond = not names and host not in _LOOPBACK
    own = own_names() if beyond else [plain_host(name) for name in names]
    hosts = frozenset((*_LOOPBACK, *own))
    if beyond:
        print(
            f"Anybody who can reach this machine can play here, at its addresses and names ({', '.join(own)}): "
            "name others that it should answer to with --allow-host.",
            file=sys.stderr,
        )
    metrics = Metrics()
    keep = Upkeep(most_bytes, prune_days, metrics)
    app = create_app(
        lambda: store, hosts, limits, backends, keep, books, others, searches=searches, networks=counted, here=beyond
    )
    config = uvicorn.Config(
        _without_protocol_errors(app),
        log_config=None,
        access_log=False,
        server_header=False,
        log_level=logging.WARNING,
        loop="asyncio",  # uvloop, where it happens to be installed, has other transports than connections.py expects
        http=HttpConnection,
        ws=WebSocketConnection,
        ws_max_size=_LARGEST_FRAME,
        ws_per_message_deflate=False,  # a compressor for each connection would take as much memory as the game
        timeout_graceful_shutdown=1,  # clients that have gone would delay the next server
    )
    with contextlib.ExitStack() as stack:
        if metrics_port is not None:
            try:
                stack.enter_context(metrics.serving(metrics_port))
            except OSError as error:
                fault = f"cannot offer metrics on port {metrics_port}: {error.strerror}"
                raise NotationError("play", [fault]) from None
        listening = ListeningServer(config, lambda state: state["engines"].end())
        stack.enter_context(listening.capture_signals())
        print(f"Komadai is at {url}  (games in {store.place}; stop with Ctrl+C)", flush=True)
        if open_browser:
            threading.Thread(target=_open_browser, args=(url,), daemon=True).start()
        # There is little cyclic garbage, but a thousand connections are 200,000 objects, and a collection that visits
        # them all delays every game. The objects loaded so far are permanent.
        gc.freeze()
        gc.set_threshold(*_GARBAGE)
        # Threads that compute legal moves must not keep the event loop waiting for the interpreter lock.
        sys.setswitchinterval(_SWITCH)
        listening.run(sockets=[bound])
