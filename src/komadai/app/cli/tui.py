"""``komadai tui``: the terminal program."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ...engine import BOTS, STRONGEST
from ...errors import NotationError
from ...variants import suggest
from .files import Use
from .options import Rules, Style, number, options_of


def tui(
    game: Annotated[str | None, typer.Argument(help="Open this game's set-up at once.", metavar="[GAME]")] = None,
    level: Annotated[int | None, number("Play the computer at this level at once.", 1, STRONGEST)] = None,
    bot: Annotated[str | None, typer.Option(help=f"Likewise as a bot: {', '.join(BOTS)}.", metavar="NAME")] = None,
    learn: Annotated[bool, typer.Option("--learn", help="Open the lessons of this game at once.")] = False,
    two: Annotated[bool, typer.Option("--two", help="Play at once, two people at this screen.")] = False,
    side: Annotated[str, typer.Option(help="Your side: b, w or random.")] = "b",
    position: Annotated[str | None, typer.Option(help="Where the game begins, as a position string.")] = None,
    option: Rules = None,
    letters: Annotated[bool, typer.Option("--letters", help="Show pieces by letters, not kanji (key k).")] = False,
    notation: Style = None,
    data: Annotated[Path | None, typer.Option(help="Where games are kept.", file_okay=False), Use.KEEPS] = None,
) -> None:
    """Play in the terminal; with --level, --bot or --two a game begins at once."""
    from ..tui.app import Terminal
    from ..tui.setup import game_of, players_of

    if bot is not None and bot not in BOTS:
        raise NotationError("--bot", [f"{bot[:40]!r} is no bot; {suggest(bot[:40], tuple(BOTS))}"])
    begin = None
    if opponents := (level is not None) + (bot is not None) + two:
        if game is None:
            raise NotationError("tui", ["name the game that shall begin, for example: komadai tui shogi --level 3"])
        if opponents > 1:
            raise NotationError("tui", ["give --level, --bot or --two, only one of them"])
        begin = (game_of(game, position, options_of(option)), players_of(level or bot, side))
    elif learn and game is None:
        raise NotationError("tui", ["name the game to be learnt, for example: komadai tui nana --learn"])
    elif option or position:
        raise NotationError(
            "tui", ["--option and --position need --level, --bot or --two, with which a game begins at once"]
        )
    if learn and begin is not None:
        raise NotationError("tui", ["give --learn, or --level, --bot or --two, not both"])
    opened = {"learn" if learn else "set_up": game}
    program = Terminal(data, begin=begin, letters=letters, style=notation, **opened)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise NotationError("tui", ["needs a terminal for its input and output"])
    program.run()
