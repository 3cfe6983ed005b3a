"""The command line, a module a command: ``play``, ``tui``, ``moves``, ``perft``, ``variants``, ``solve``, ``engine``,
``engine-worker``, ``match``, ``mate``, ``record``, ``book``, ``puzzles``, ``picture``, ``print``, ``export-site``,
``check``, ``report``, ``grade``, ``learn``, ``new-variant``, ``export-variant``, ``admin``."""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer
import typer.core

from .. import __version__
from ..errors import KomadaiError, visible
from ..processes import ended_by_signals
from . import streams
from .files import checking_files
from .options import err, taking_files

COMMANDS = (
    *("variants", "moves", "perft", "solve", "engine", "engine-worker", "play", "tui", "match", "mate", "picture"),
    *("print", "export-site", "check", "report", "grade", "learn", "new-variant", "export-variant"),
    *("book", "puzzles", "record", "admin"),
)
"""As the help lists them."""

_GROUPS = {"book", "puzzles", "record", "admin"}
_WITHOUT_FILES = {"engine-worker", "export-site", "check", "new-variant", "export-variant", "admin"}


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
            # So that `perft nana -1` says that -1 is out of range, not that it is an unknown option.
            lenient = {"ignore_unknown_options": True} if name == "perft" else None
            app.command(name, context_settings=lenient)(_loaded(name))
    return typer.main.get_command(app)


class _InALine(logging.Formatter):
    """A failure and its place in the code, without the traceback, which means nothing to a user."""

    def formatException(self, ei: Any) -> str:  # noqa: N802 the name is logging's
        *_outer, (frame, line) = traceback.walk_tb(ei[2])
        return f"({ei[1]!r}, {frame.f_code.co_filename}:{line})"


def _log_in_lines() -> None:
    """Log failures to standard error; the server has a log of its own."""
    handler = logging.StreamHandler()
    handler.setFormatter(_InALine("komadai: %(message)s"))
    logging.getLogger("komadai").handlers = [handler]


def main() -> None:
    """Run the command line; what is wrong with the input is said in one line, with exit status 2.

    A file or stream that cannot be read or written is likewise; only where nobody reads on, as with ``head``, nothing
    is said.
    """
    streams.prepare()
    _log_in_lines()
    asked = sys.argv[1:2]
    status: Any = 0
    try:
        with ended_by_signals():
            command_line(*(asked if asked and asked[0] in COMMANDS else COMMANDS))()
    except SystemExit as end:  # the usual end
        status = end.code
    except KomadaiError as error:
        status = _say(str(error))
    except KeyboardInterrupt:
        status = 130
    except OSError as error:
        status = _say_failure(error)
    if (failure := streams.finish()) is not None and not status:
        status = _say_failure(failure)
    if status:
        sys.exit(status)


def _say(words: str) -> int:
    err.print(f"komadai: {words}", style="red", markup=False, highlight=False)
    return 2


def _say_failure(error: OSError) -> int:
    """Say what could not be read or written; the exit status."""
    if isinstance(error, BrokenPipeError):
        return 1
    return _say(visible(": ".join(str(part) for part in (error.filename, error.strerror or error) if part)))
