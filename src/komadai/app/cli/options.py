"""Arguments, options and consoles that several commands share."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console

from ...errors import NotationError
from ...game.position import Position
from ...i18n import safely
from ...notation import STYLES
from ...spec.move import Move
from ...variants import build, suggest
from ...workshop import register
from .files import GAMES, Use, add_option

T = TypeVar("T")
Word = TypeVar("Word", bound=str)

out = Console(soft_wrap=True)


err = Console(stderr=True, soft_wrap=True)


def number(about: str, least: int | None = None, most: int | None = None, metavar: str = "N") -> Any:
    """An option that is a number."""
    return typer.Option(help=about, min=least, max=most, metavar=metavar)


Game = Annotated[
    str,
    typer.Argument(help="A game's name, which `komadai variants` lists, or a variant file, NAME.toml.", metavar="GAME"),
]


VariantFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--variant-file", help="A variant file, whose game is known by its id then; repeatable.", metavar="FILE"
    ),
    Use.READS,
]


_FILES: dict[str, str] = {}
"""The variant files of this run, by the ids of their games."""


def command_of(name: str, game: str, rules: list[str] | None) -> str:
    """The words of a command with a game and rule options as they were given, for a hint."""
    options = [word for rule in rules or () for word in ("-o", rule)]
    return shlex.join(["komadai", name, _FILES.get(game, game), *options])


def taking_files(command: Callable[..., object]) -> Callable[..., object]:
    """The command with the option ``--variant-file``, and with variant files in place of the names of games."""

    @wraps(command)
    def with_files(*args: object, variant_file: list[Path] | None = None, **named: object) -> object:
        for path in variant_file or []:
            _FILES[register(path).id] = str(path)
        for name in GAMES & named.keys():
            game = named[name]
            if isinstance(game, str) and game.endswith(".toml"):
                named[name] = id = register(game).id
                _FILES[id] = game
        return command(*args, **named)

    add_option(with_files, command, "variant_file", None, VariantFiles)
    return with_files


Words = Annotated[
    list[str] | None, typer.Argument(help="A position string; the start if left out.", metavar="[POSITION]")
]


Rules = Annotated[
    list[str] | None, typer.Option("--option", "-o", help="A rule option, as NAME=VALUE.", metavar="NAME=VALUE")
]


Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def chosen(what: str, name: str, known: tuple[Word, ...]) -> Word:
    """The one that is called so.

    Raises:
        NotationError: there is none.
    """
    for one in known:
        if one == name:
            return one
    raise NotationError(f"{what} {name[:40]!r}", [suggest(name[:40], known)])


Style = Annotated[
    str | None,
    typer.Option(
        "--notation",
        help=f"Of moves: {', '.join(STYLES)}.",
        metavar="STYLE",
        callback=lambda name: name and chosen("notation", name, STYLES),
        show_default=False,
    ),
]


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


def options_of(rules: list[str] | None) -> dict[str, str]:
    """The rule options that a command was given as NAME=VALUE."""
    options = {}
    for rule in rules or []:
        name, equals, value = rule.partition("=")
        if not equals:
            raise NotationError(f"option {rule!r}", ["has no value; expected NAME=VALUE, for example drop_faces=front"])
        options[name] = value
    return options


def position_of(game: str, words: list[str] | None, rules: list[str] | None) -> Position:
    """The position that a command was given; one side may have no king."""
    return Position.problem(build(game, **options_of(rules)), " ".join(words) if words else None)


def warn(text: str) -> None:
    """Say on standard error what was passed over."""
    err.print(f"komadai: {text}", style="yellow", markup=False, highlight=False)


def shown(found: Sequence[T], label: str) -> AbstractContextManager[Iterable[T]]:
    """What is gone through, with a bar on a terminal."""
    return typer.progressbar(found, label=label, file=sys.stderr, hidden=not sys.stderr.isatty())


def print_json(data: Any) -> None:
    print(json.dumps(data, ensure_ascii=False, indent=2))
