"""The server that ``komadai play`` starts."""

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
from .engines.rate_limits import USUAL, Limits
from .store import Store, StoreError
from .store.sqlite import SqliteStore

_LARGEST_FRAME = 64 * 1024  # bytes; frames between this and MAX_BYTES are answered, longer ones end the connection
_PORTS_TO_TRY = 20
_SWITCH = 0.0005  # seconds
_GARBAGE = 50_000  # objects more than there were, after which some are looked through
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


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


def _heard(app: ASGIApp) -> ASGIApp:
    """The application, without errors where a request turned out to be no HTTP while it was being answered: the HTTP
    server has said so already, and nobody hears more."""

    async def serving(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await app(scope, receive, send)
        except LocalProtocolError as error:
            if "MUST_CLOSE" not in str(error):
                raise
            while (await receive())["type"] != "http.disconnect":
                pass

    return serving


def _worth_telling(record: logging.LogRecord) -> bool:
    """Whether a line belongs in the log. Text that is none ends its connection with 1007."""
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
        game: open the set-up of this game at once.
        host: address to listen on; others than the loopback ones are reachable from outside.
        port: 0 takes any free one; if the named one is taken, the next free one is used.
        open_browser: whether to open the page.
        data: folder for the games; ``None``: the user's data folder.
        store_url: the PostgreSQL database for the games, instead of a file in ``data``.
        names: host names, besides those of the loopback address, that the server answers to. Without any, a server that
            listens on another address answers to all.
        limits: what clients may ask of it.

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
    app = _heard(create_app(lambda: store, hosts, limits))
    config = uvicorn.Config(
        app,
        log_level=logging.WARNING,
        http="h11",
        ws="websockets-sansio",
        ws_max_size=_LARGEST_FRAME,
        ws_per_message_deflate=False,  # a compressor for each line would take as much memory as the game
        timeout_graceful_shutdown=2,
    )
    logging.getLogger("uvicorn.error").addFilter(_worth_telling)  # where it logs what sockets send, too
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
