"""The command line, a module a command."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click
from click.shell_completion import shell_complete

from ... import __version__
from . import base
from .base import COMPLETE

GROUPS = {
    "Play": {
        "play": "play in the browser",
        "tui": "play in the terminal",
        "print": "make a game of paper",
    },
    "Study": {
        "analyse": "the best moves of a position",
        "moves": "the legal moves of a position",
        "mate": "check mate problems",
        "puzzles": "make, prove and list puzzles",
        "solve": "solve a small game completely",
        "book": "build and show opening books",
        "record": "show and convert records of games",
        "picture": "draw a position",
    },
    "Games": {
        "variants": "list all games and their rule options",
        "rules": "read the rules of a game",
        "check": "check a variant file",
        "new-variant": "begin a variant file",
        "export-variant": "write a game as a variant file",
        "report": "what fast games say of a game's rules",
    },
    "Engines": {
        "engine": "run the engine for another program",
        "match": "let players play matches",
        "perft": "count legal move sequences",
        "learn": "train a net for a game",
        "grade": "grade a learner",
    },
    "Hosts": {
        "admin": "maintain the store of a server",
        "engine-worker": "run engine searches for other servers",
        "export-site": "write a site that plays without a server",
    },
    "Help": {
        "doctor": "what to send with a bug report",
        "completion": "completion for your shell",
    },
}
"""The commands by what they are for, each with the line that ``komadai -h`` says of it."""

COMMANDS = tuple(name for commands in GROUPS.values() for name in commands)


class _Root(base.Group):
    """All commands; each is loaded when it is asked for, since to load all takes several times as long as most run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        name = "print_game" if cmd_name == "print" else cmd_name.replace("-", "_")
        module = import_module(f".{name}", __name__)
        command = getattr(module, "group", None) or getattr(module, name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(list(commands.items()), col_max=20)


root = _Root(
    "komadai",
    help="Five rare shogi variants (Ki, Hand, Nana, Mortal and Kō Shōgi), standard shogi and classic variants.",
    epilog="komadai COMMAND -h tells more of each.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
root.params.append(
    click.Option(
        ["--version"],
        is_flag=True,
        expose_value=False,
        is_eager=True,
        help="Print the version and exit.",
        callback=lambda ctx, parameter, wanted: (print(f"komadai {__version__}"), ctx.exit()) if wanted else None,
    )
)


def main() -> None:
    """Run the command that the words of the command line ask for.

    Raises:
        KomadaiError: the words, or what they name, are wrong.
    """
    if asked := os.environ.get(COMPLETE):
        sys.exit(shell_complete(root, {}, "komadai", COMPLETE, asked))
    try:
        with root.make_context("komadai", sys.argv[1:]) as context:
            root.invoke(context)
    except click.UsageError as error:
        raise base.told(error) from None
    except click.exceptions.Exit as end:
        sys.exit(end.exit_code)
    except click.Abort:  # of a question
        raise KeyboardInterrupt from None
