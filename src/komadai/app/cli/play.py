"""``komadai play``: the browser server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from ...book import open as open_book
from ...variants import entry
from .engine_worker import Token
from .files import Use
from .options import size_of


def play(
    game: Annotated[str | None, typer.Argument(help="Open this game's set-up at once.", metavar="[GAME]")] = None,
    host: Annotated[
        str, typer.Option(help="Address to listen on; others than this machine's own are reachable by strangers.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on; 0 takes a free one.", min=0, max=65535)] = 8000,
    data: Annotated[Path | None, typer.Option(help="Where games are kept.", file_okay=False), Use.KEEPS] = None,
    store: Annotated[
        str | None,
        typer.Option(
            envvar="KOMADAI_STORE",
            metavar="URL",
            help="Keep games in this PostgreSQL database, postgresql://user@host/name; servers may share it.",
        ),
    ] = None,
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
        int | None,
        typer.Option(
            help="Searches at a time; by default one for each core of this machine.", min=1, max=1024, metavar="N"
        ),
    ] = None,
    max_store: Annotated[
        str,
        typer.Option(
            metavar="SIZE",
            help="The size from which on the store takes no new games and records, such as 500M or 20G.",
        ),
    ] = "10G",
    prune_days: Annotated[
        float,
        typer.Option(
            metavar="DAYS", help="Delete games in which nobody has moved after so many days; 0: never.", min=0
        ),
    ] = 7,
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
    log_format: Annotated[
        Literal["text", "json"], typer.Option(help="The log in lines for people or in JSON objects.")
    ] = "text",
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Play in the browser: start the local server and open its page."""
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
        store_url=store,
        names=allow_host or (),
        limits=USUAL.times(limits),
        networks=network or (),
        engines=engines,
        engine_token=engine_token or "",
        searches=searches,
        most_bytes=size_of(max_store),
        prune_days=prune_days,
        metrics_port=metrics_port,
        log_format=log_format,
        books=[open_book(path) for path in book or ()],
        named=engine or (),
    )
