"""The command line, a module a command: ``play``, ``tui``, ``moves``, ``perft``, ``variants``, ``solve``, ``engine``,
``engine-worker``, ``match``, ``mate``, ``record``, ``book``, ``puzzles``, ``picture``, ``print``, ``export-site``,
``check``, ``report``, ``grade``, ``learn``, ``new-variant``, ``export-variant``, ``admin``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer
import typer.core

from ... import __version__
from ...errors import visible
from .files import checking_files
from .options import taking_files

COMMANDS = (
    *("variants", "moves", "perft", "solve", "engine", "engine-worker", "play", "tui", "match", "mate", "picture"),
    *("print", "export-site", "check", "report", "grade", "learn", "new-variant", "export-variant"),
    *("book", "puzzles", "record", "admin"),
)
"""As the help lists them."""

_GROUPS = {"book", "puzzles", "record", "admin"}
_SETTINGS = {
    # So that `perft nana -1` says that -1 is out of range, not that it is an unknown option.
    "perft": {"ignore_unknown_options": True},
    # Its words are read by komadai.protocol.command, which needs no typer.
    "engine": {"ignore_unknown_options": True, "allow_extra_args": True},
}
_WITHOUT_FILES = {"engine", "engine-worker", "export-site", "check", "new-variant", "export-variant", "admin"}


def root(version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False) -> None:
    if version:
        print(f"komadai {__version__}")
        raise typer.Exit


@cache
def _loaded(name: str) -> Any:
    """A command as a function, or a group of commands."""
    module = import_module(f".{'print_game' if name == 'print' else name.replace('-', '_')}", __name__)
    if name not in _GROUPS:
        return _prepared(getattr(module, module.__name__.rpartition(".")[2]), name)
    for group in (module.app, *(inner.typer_instance for inner in module.app.registered_groups)):
        for command in group.registered_commands:
            command.callback = _prepared(command.callback, name)
    return module.app


def _prepared(command: Any, name: str) -> Any:
    """A command with what all have: its files are checked, and most take variant files."""
    return checking_files(command if name in _WITHOUT_FILES else taking_files(command))


class _Brief(typer.core.TyperGroup):
    """A command line whose own errors, too, quote what was given only in part."""

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        with _brief():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        with _brief():
            return super().invoke(ctx)


@contextmanager
def _brief() -> Iterator[None]:
    try:
        yield
    except Exception as error:  # the class of these errors has no public name in every version of typer
        if hasattr(error, "format_message") and isinstance(message := getattr(error, "message", None), str):
            error.message = visible(message)  # type: ignore[attr-defined]
        raise


@cache
def command_line(*names: str) -> Any:
    """The command line with these commands alone: to load all takes several times as long as most of them run."""
    app = typer.Typer(
        cls=_Brief,
        help="Ki, Hand, Nana, Mortal and Kō Shōgi, with standard shogi beside them.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        add_completion=False,
    )
    app.callback(invoke_without_command=True)(root)
    for name in names:
        if name in _GROUPS:
            app.add_typer(_loaded(name), name=name)
        else:
            app.command(name, context_settings=_SETTINGS.get(name), add_help_option=name != "engine")(_loaded(name))
    return typer.main.get_command(app)


def main() -> None:
    """Run the command that the words of the command line ask for."""
    asked = sys.argv[1:2]
    command_line(*(asked if asked and asked[0] in COMMANDS else COMMANDS))()
