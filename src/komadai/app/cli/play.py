"""``komadai play``: the browser server."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from ...book import open as open_book
from ...errors import NotationError
from ...spec.numbers import whole_number
from ...variants import entry
from .engine_worker import Token
from .files import Games, Use
from .options import number

_MOST_BYTES = 10**15
_MOST_DAYS = 10**12


def size_of(text: str) -> int | None:
    """The bytes of a size such as ``500M`` or ``20G``; ``None`` if it is no size."""
    digits, factor = text[:-1], {"K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}.get(text[-1:].upper())
    if factor is None:
        digits, factor = text, 1
    number = whole_number(digits, 1, _MOST_BYTES // factor)
    return None if number is None else number * factor


def _days_of(text: str) -> float | None:
    try:
        days = float(text)
    except ValueError:
        return None
    return days if 0 <= days <= _MOST_DAYS else None


VARIABLES: dict[str, tuple[str, Callable[[str], Any], str]] = {
    "KOMADAI_MAX_STORE": (
        "most_bytes",
        size_of,
        "a whole number of bytes above 0, or one with K, M, G or T, such as 500M or 20G",
    ),
    "KOMADAI_PRUNE_DAYS": ("prune_days", _days_of, f"a number of days, 0 to {_MOST_DAYS:,}"),
    "KOMADAI_LOG_FORMAT": ("log_format", {"text": "text", "json": "json"}.get, "text or json"),
}
"""The environment variables of a server: an argument of ``serve``, its reader, and what is expected."""


def settings() -> dict[str, Any]:
    """The arguments of the server that environment variables give.

    Raises:
        NotationError: a variable has no such value.
    """
    found = {}
    for name, (argument, read, expected) in VARIABLES.items():
        if text := os.environ.get(name):
            if (value := read(text)) is None:
                raise NotationError(f"{name} {text[:200]!r}", [f"expected {expected}"])
            found[argument] = value
    return found


def play(
    game: Annotated[str | None, typer.Argument(help="Open this game's set-up at once.", metavar="[GAME]")] = None,
    host: Annotated[
        str, typer.Option(help="Address to listen on; others than this machine's own are reachable by strangers.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on; 0 takes a free one.", min=0, max=65535)] = 8000,
    data: Games = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A host name to answer to besides localhost, as behind a proxy; repeatable."),
    ] = None,
    limits: Annotated[
        int,
        typer.Option(help="How many times as much as usual clients may ask of this server.", min=1, max=1_000_000),
    ] = 1,
    network: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NETWORK=NUMBER",
            help="A network of many people, which counts as so many addresses, such as a school's 203.0.113.5=20 or "
            "198.51.100.0/24=50; repeatable.",
        ),
    ] = None,
    engines: Annotated[
        str,
        typer.Option(
            metavar="WHERE",
            help="Let the engine think in `processes` of its own, in `threads` of the server, or on other machines "
            "that run `komadai engine-worker`: tcp://HOST:PORT, with commas between several.",
        ),
    ] = "processes",
    engine_token: Token = None,
    searches: Annotated[
        int | None, number("Searches at a time; by default one for each core of this machine.", 1, 1024)
    ] = None,
    book: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="An opening book, which studies of its game show; repeatable."),
        Use.READS,
    ] = None,
    engine: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=PROTOCOL:COMMAND",
            help="Another engine to play against and to analyse with, such as 'Fairy=usi:fairy-stockfish'; repeatable.",
        ),
    ] = None,
    metrics_port: Annotated[
        int | None,
        typer.Option(help="A port of the loopback address for metrics in Prometheus' format.", min=1, max=65535),
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Play in the browser: start the local server and open its page.

    The environment variables KOMADAI_MAX_STORE, KOMADAI_PRUNE_DAYS and KOMADAI_LOG_FORMAT set how large the store may
    grow, when games without a move are deleted, and how the log is written.
    """
    if game is not None:
        entry(game)
    from ..web.engines.rate_limits import USUAL
    from ..web.server import serve

    serve(
        game,
        host=host,
        port=port,
        open_browser=browser,
        data=data,
        names=allow_host or (),
        limits=USUAL.times(limits),
        networks=network or (),
        engines=engines,
        engine_token=engine_token or "",
        searches=searches,
        metrics_port=metrics_port,
        books=[open_book(path) for path in book or ()],
        named=engine or (),
        **settings(),
    )
