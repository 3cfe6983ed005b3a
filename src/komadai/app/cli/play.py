"""``komadai play``: the browser server."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from ...book import open as open_book
from ...errors import NotationError
from ...spec.numbers import whole_number
from ...variants import entry
from .base import Command, number
from .engine_worker import port, token
from .files import File, Use
from .options import opened_game, store

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


@click.command(cls=Command)
@opened_game
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Address to listen on; anything but a loopback address is reachable from the network.",
)
@port("Port to listen on", 8000)
@store
@click.option(
    "--allow-host",
    multiple=True,
    metavar="NAME",
    help="A host name to answer to besides localhost, as behind a proxy; repeatable.",
)
@click.option(
    "--limits",
    type=number(1, 1_000_000),
    default=1,
    show_default=True,
    help="Multiply the usual rate limits of clients by N.",
)
@click.option(
    "--network",
    multiple=True,
    metavar="NETWORK=NUMBER",
    help="Count a network of many people as NUMBER addresses, such as a school's 203.0.113.5=20 or "
    "198.51.100.0/24=50; repeatable.",
)
@click.option("--jobs", type=number(1, 1024), help="Engine searches at a time; by default one for each core.")
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Search on other machines that run `komadai engine-worker`: tcp://HOST:PORT, with commas between several.",
)
@token
@click.option(
    "--book",
    type=File(Use.READS),
    multiple=True,
    metavar="FILE",
    help="An opening book that studies show; repeatable.",
)
@click.option(
    "--engine",
    multiple=True,
    metavar="NAME=PROTOCOL:COMMAND",
    help="Another engine to play against and to analyse with, such as 'Fairy=usi:fairy-stockfish'; repeatable.",
)
@click.option(
    "--metrics-port",
    type=number(1, 65535),
    help="A port of the loopback address for metrics in Prometheus' format.",
)
@click.option("--browser/--no-browser", default=True, show_default=True, help="Open the page in a browser.")
def play(
    game: str | None,
    host: str,
    port: int,
    data: str | None,
    allow_host: tuple[str, ...],
    limits: int,
    network: tuple[str, ...],
    jobs: int | None,
    cluster: str | None,
    engine_token: str | None,
    book: tuple[Path, ...],
    engine: tuple[str, ...],
    metrics_port: int | None,
    browser: bool,
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
        names=allow_host,
        limits=USUAL.times(limits),
        networks=network,
        cluster=cluster,
        engine_token=engine_token or "",
        searches=jobs,
        metrics_port=metrics_port,
        books=[open_book(path) for path in book],
        named=engine,
        **settings(),
    )
