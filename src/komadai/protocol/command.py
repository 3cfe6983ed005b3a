"""``komadai engine``: the engine for other programs. It needs no package beside Komadai."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from ..errors import NotationError, visible
from ..workshop import register
from .server import PROTOCOLS, Server

DESCRIPTION = "Run the engine for another program, over USI, UCI or XBoard's protocol on standard input and output."


class _Parser(argparse.ArgumentParser):
    """A command line whose errors quote only the beginning of what was given, in one line."""

    def error(self, message: str) -> NoReturn:
        raise NotationError("engine", [f"{visible(message)}; {self.prog} -h lists the options"])


def parser() -> argparse.ArgumentParser:
    """The reader of the words behind ``komadai engine``."""
    made = _Parser("komadai engine", description=DESCRIPTION, allow_abbrev=False)
    made.add_argument(
        "game",
        nargs="?",
        metavar="GAME",
        help="The game to start with: a name, which `komadai variants` lists, or a variant file, NAME.toml.",
    )
    made.add_argument(
        "--protocol",
        metavar="NAME",
        help=f"{', '.join(PROTOCOLS)}; by default the first of these words that the program says decides.",
    )
    made.add_argument(
        "--variant-file",
        action="append",
        default=[],
        metavar="FILE",
        help="Register the game of a variant file under its id; repeatable.",
    )
    return made


def main(words: Sequence[str]) -> None:
    """Run the engine as these words of the command line ask for it.

    Raises:
        NotationError: the words are wrong, or there is no such game or protocol.
        OSError: standard input cannot be read, or standard output written.
    """
    given, rest = parser().parse_known_args(words)
    if rest:
        wrong = f"there is no option {rest[0]}" if rest[0].startswith("-") else f"{rest[0]!r} is too much"
        raise NotationError("engine", [f"{wrong}; expected komadai engine [GAME], or an option of komadai engine -h"])
    for path in given.variant_file:
        register(Path(path))
    game: str | None = given.game
    if game is not None and game.endswith(".toml"):
        game = register(Path(game)).id
    Server(game, given.protocol).run()
