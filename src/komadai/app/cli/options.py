"""Arguments and options that several commands share, and what they print."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, TypeVar

import click

from ...errors import NotationError
from ...game.position import Position
from ...i18n import LANGUAGES, safely
from ...notation import STYLES
from ...spec.move import Move
from ...spec.variant import Variant
from ...variants import build
from .base import FORCE, GameName, Word, number
from .files import STANDARD, File, Use, files_of_games

T = TypeVar("T")
_MOST_LETTERS = 100_000  # of standard input where it holds a position
F = TypeVar("F", bound=Callable[..., object])

game = click.argument(
    "game",
    type=GameName(),
    metavar="GAME",
    help="A game's name, which `komadai variants` lists, or a variant file, NAME.toml.",
)


opened_game = click.argument(
    "game",
    type=GameName(),
    required=False,
    metavar="[GAME]",
    help="Open this game's set-up at once: a name, or a variant file.",
)


def game_option(about: str) -> Callable[[F], F]:
    """The game of a command whose arguments are something else."""
    return click.option("--game", type=GameName(), metavar="GAME", help=about)


def given_position(text: str) -> str:
    """A position as it was given: ``-`` is the line in standard input, and the words of USI before it go.

    Raises:
        NotationError: standard input has several lines.
    """
    if text == STANDARD:
        lines = [line for line in sys.stdin.read(_MOST_LETTERS).lstrip("\ufeff").splitlines() if line.strip()]
        if len(lines) > 1:
            raise NotationError("standard input", [f"has {len(lines)} lines; expected one position"])
        text = "".join(lines)
    return text.strip().removeprefix("position ").removeprefix("sfen ")


def _read_position(ctx: click.Context, parameter: click.Parameter, text: str | None) -> str | None:
    return None if text is None else given_position(text)


position = click.argument(
    "position",
    required=False,
    callback=_read_position,
    metavar="[POSITION]",
    help="A position string in quotes, also with moves behind it as in USI; - reads it from standard input; the start "
    "if left out.",
)


def _read_rules(ctx: click.Context, parameter: click.Parameter, given: Sequence[str]) -> dict[str, str]:
    """The rule options given as NAME=VALUE.

    Raises:
        NotationError: one has no value.
    """
    found = {}
    for rule in given:
        name, equals, value = rule.partition("=")
        if not equals:
            words = "has no value; expected NAME=VALUE, for example drop_faces=front"
            raise NotationError(f"--rule {rule!r}", [words])
        found[name] = value
    return found


rules = click.option(
    "--rule",
    "rules",
    multiple=True,
    callback=_read_rules,
    metavar="NAME=VALUE",
    help="A rule option; repeatable.",
)

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")

notation = click.option("--notation", type=Word(STYLES), metavar="STYLE", help=f"Of moves: {', '.join(STYLES)}.")

language = click.option(
    "--lang",
    type=Word(LANGUAGES),
    default=LANGUAGES[0],
    show_default=True,
    metavar="LANGUAGE",
    help=f"The language: {' or '.join(LANGUAGES)}.",
)

letters = click.option("--letters", is_flag=True, help="Codes on the pieces instead of kanji.")

flipped = click.option("--flipped", is_flag=True, help="White sits below.")

dark = click.option("--dark", is_flag=True, help="For a dark page.")

force = click.option("--force", is_flag=True, help=FORCE)


def output(about: str, use: Use = Use.PRINTS, *, metavar: str = "FILE", **settings: Any) -> Callable[[F], F]:
    """What the command writes."""
    return click.option("-o", "--output", type=File(use), metavar=metavar, help=about, **settings)


def seed(about: str = "The seed of all random choices.", default: int = 1) -> Callable[[F], F]:
    return click.option("--seed", type=number(0, 2**64), default=default, help=about, show_default=True)


store = click.option(
    "--data",
    type=File(Use.KEEPS, text=True),
    envvar="KOMADAI_DATA",
    metavar="FOLDER|URL",
    help="Where games are kept: a folder, or a PostgreSQL database, postgresql://user@host/name.",
)
"""The store of a server."""


def command_of(name: str, game: str, rules: Mapping[str, str]) -> str:
    """The words of a command with a game and rule options as they were given, for a hint."""
    options = [word for rule, value in rules.items() for word in ("--rule", f"{rule}={value}")]
    return shlex.join(["komadai", name, str(files_of_games.get(game, game)), *options])


def written(position: Position, move: Move, style: str | None) -> str:
    """A legal move in a notation, or its move string where the notation fails.

    Raises:
        NotationError: the game is not written in this notation.
    """

    def write() -> str | NotationError:
        try:
            return position.notate(move, style)
        except NotationError as refusal:
            return refusal

    found = safely(move.text, write)
    if isinstance(found, NotationError):
        raise found
    return found


def written_line(position: Position, moves: Iterable[Move], style: str | None) -> list[str]:
    """Moves made one after the other from a position, each in a notation.

    Raises:
        NotationError: the game is not written in this notation.
    """
    at, found = position.copy(), []
    for move in moves:
        found.append(written(at, move, style))
        at.push(move)
    return found


def position_of(game: str, position: str | None, rules: Mapping[str, str]) -> Position:
    """The position that a command was given; one side may have no king."""
    return placed(build(game, **rules), position)


def placed(variant: Variant, position: str | None) -> Position:
    """A position of that string, ``startpos``, or either with ``moves`` behind it, as in USI; the start without one."""
    start, _, moves = ("startpos" if position is None else position).partition(" moves ")
    at = Position.problem(variant, None if start.strip() == "startpos" else start)
    for move in moves.split():
        at.push(at.parse_move(move))
    return at


def say(line: str) -> None:
    """Say a line on standard error."""
    print(line, file=sys.stderr)


def warn(text: str) -> None:
    """Say on standard error what was passed over."""
    click.secho(f"komadai: {text}", err=True, fg="yellow")


def shown(found: Sequence[T], label: str) -> AbstractContextManager[Iterable[T]]:
    """What is gone through, with a bar on a terminal."""
    return click.progressbar(found, label=label, file=sys.stderr, hidden=not sys.stderr.isatty())


def print_json(data: Any) -> None:
    print(json.dumps(data, ensure_ascii=False, indent=2))
