"""The HTTP server of ``komadai play``."""

from __future__ import annotations

import contextlib
import errno
import gc
import logging
import os
import socket as sockets
import sys
import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path

import uvicorn
from h11 import LocalProtocolError
from starlette.types import ASGIApp, Receive, Scope, Send

from ..errors import NotationError
from ..storage import data_folder
from ..variants import entry
from .app import create_app
from .connections import HttpConnection, WebSocketConnection
from .engines.rate_limits import USUAL, Limits
from .store import Store, StoreError
from .store.sqlite import SqliteStore

_LARGEST_FRAME = 64 * 1024  # bytes; longer frames close the connection, shorter ones above MAX_BYTES are answered
_PORTS_TO_TRY = 20
_SWITCH = 0.0005  # seconds after which a thread gives up the interpreter lock
_GARBAGE = 50_000  # new objects after which the garbage collector runs
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def _open_store(url: str | None, data: Path | None) -> Store:
    """The PostgreSQL database at that address, otherwise the file in the data folder.

    Raises:
        StoreError: it cannot be used.
    """
    if url is None:
        return SqliteStore((data or data_folder()) / "games.sqlite3")
    if not url.startswith(("postgresql://", "postgres://")):
        raise StoreError("--store takes the address of a PostgreSQL database, postgresql://user@host/name")
    try:
        from .store.postgres import PostgresStore
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
        # The protocol is named because only then does asyncio set TCP_NODELAY.
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


def _raise_file_limit() -> None:
    """Let this process have as many open files as the system permits: each connection is one."""
    if sys.platform == "win32":
        return
    import resource

    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _worth_logging(record: logging.LogRecord) -> bool:
    """Keep a record out of the log if it is about invalid UTF-8 from a client, which closes its WebSocket."""
    return not (record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError))


def serve(
    game: str | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    open_browser: bool = True,
    data: Path | None = None,
    store_url: str | None = None,
    names: Sequence[str] = (),
    limits: Limits = USUAL,
) -> None:
    """Run the local server until it is interrupted. Prints the address and opens it in a browser.

    Args:
        game: a variant, whose page for a new game is opened.
        host: address to listen on; others than the loopback ones are reachable from outside.
        port: 0: any free one; if the port is taken, the next free one is used.
        open_browser: open the page.
        data: folder for the games; ``None``: the user's data folder.
        store_url: the PostgreSQL database for the games, instead of a file in ``data``.
        names: host names, besides those of the loopback address, that the server answers to. Without any, a server that
            listens on another address answers to all.
        limits: rate limits for clients.

    Raises:
        NotationError: unknown game, or an address, data folder or database that cannot be used.
    """
    if game is not None:
        entry(game)
    try:
        store = _open_store(store_url, data)
        store.secret("cookies")  # kept from here on, where a failure can be explained
    except StoreError as error:
        raise NotationError("play", [str(error)]) from None
    _raise_file_limit()
    bound = bind(host, port)
    shown = f"[{host}]" if ":" in host else host
    url = f"http://{shown}:{bound.getsockname()[1]}/" + (f"new/{game}" if game else "")
    hosts = frozenset((*_LOOPBACK, *(name.lower() for name in names))) if names or host in _LOOPBACK else None
    if hosts is None:
        print(
            "Anybody who can reach this machine can play here, under any host name: "
            "name those it should answer to with --allow-host.",
            file=sys.stderr,
        )
    app = _without_protocol_errors(create_app(lambda: store, hosts, limits))
    config = uvicorn.Config(
        app,
        log_level=logging.WARNING,
        http=HttpConnection,
        ws=WebSocketConnection,
        ws_max_size=_LARGEST_FRAME,
        ws_per_message_deflate=False,  # a compressor for each connection would take as much memory as the game
        timeout_graceful_shutdown=2,
    )
    logging.getLogger("uvicorn.error").addFilter(_worth_logging)
    print(f"Komadai is at {url}  (games in {store.place}; stop with Ctrl+C)", flush=True)
    if open_browser:
        threading.Thread(target=_open_browser, args=(url,), daemon=True).start()
    # There is little cyclic garbage, but a thousand connections are 200,000 objects, and a collection that visits them
    # all delays every game. The objects loaded so far are permanent.
    gc.freeze()
    gc.set_threshold(_GARBAGE)
    # Threads that compute legal moves must not keep the event loop waiting for the interpreter lock.
    sys.setswitchinterval(_SWITCH)
    uvicorn.Server(config).run(sockets=[bound])
