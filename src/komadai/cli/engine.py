"""``komadai engine``: the engine for other programs."""

from __future__ import annotations

from typing import Annotated

import typer


def engine(
    variant: Annotated[str | None, typer.Argument(help="The game to start with.", metavar="[GAME]")] = None,
    protocol: Annotated[
        str | None,
        typer.Option(help="usi, uci or xboard; by default the first of these words that the program says decides."),
    ] = None,
) -> None:
    """Run the engine for another program, over USI, UCI or XBoard's protocol on standard input and output."""
    from ..protocol.server import Server

    Server(variant, protocol).run()
