"""``komadai tui``: the terminal program."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ...engine import BOTS, STRONGEST
from ...errors import NotationError
from .base import Command, Word, number
from .files import File, Use
from .options import notation, opened_game, position, rules


@click.command(cls=Command)
@opened_game
@position
@rules
@click.option(
    "--level",
    type=number(1, STRONGEST),
    help=f"Play the computer at once, at level 1 to {STRONGEST}.",
)
@click.option("--bot", type=Word(tuple(BOTS)), metavar="NAME", help=f"Likewise as a bot: {', '.join(BOTS)}.")
@click.option("--learn", is_flag=True, help="Open the lessons of this game at once.")
@click.option("--two", is_flag=True, help="Play at once, two people at this screen.")
@click.option(
    "--side",
    type=Word(("b", "w", "random")),
    default="b",
    show_default=True,
    metavar="SIDE",
    help="Your side: b (Black), w (White) or random.",
)
@click.option("--letters", is_flag=True, help="Show pieces by letters, not kanji (key k).")
@notation
@click.option("--data", type=File(Use.KEEPS), metavar="FOLDER", help="Where games are kept.")
def tui(
    game: str | None,
    position: str | None,
    rules: dict[str, str],
    level: int | None,
    bot: str | None,
    learn: bool,
    two: bool,
    side: str,
    letters: bool,
    notation: str | None,
    data: Path | None,
) -> None:
    """Play in the terminal; with --level, --bot or --two a game begins at once."""
    from ..tui.app import Terminal
    from ..tui.setup import game_of, players_of

    begin = None
    if opponents := (level is not None) + (bot is not None) + two:
        if game is None:
            raise NotationError("tui", ["name the game that shall begin, for example: komadai tui shogi --level 3"])
        if opponents > 1:
            raise NotationError("tui", ["give --level, --bot or --two, only one of them"])
        begin = (game_of(game, position, rules), players_of(level or bot, side))
    elif learn and game is None:
        raise NotationError("tui", ["name the game to be learnt, for example: komadai tui nana --learn"])
    elif rules or position:
        raise NotationError(
            "tui", ["--rule and POSITION need --level, --bot or --two, with which a game begins at once"]
        )
    if learn and begin is not None:
        raise NotationError("tui", ["give --learn, or --level, --bot or --two, not both"])
    opened = {"learn" if learn else "set_up": game}
    program = Terminal(data, begin=begin, letters=letters, style=notation, **opened)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise NotationError("tui", ["needs a terminal for its input and output"])
    program.run()
