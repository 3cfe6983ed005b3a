"""The command line, a module a command: ``play``, ``tui``, ``moves``, ``perft``, ``variants``, ``solve``, ``engine``,
``engine-worker``, ``match``, ``mate``, ``record``, ``book``, ``puzzles``, ``picture``, ``print``, ``export-site``,
``check``, ``report``, ``grade``, ``learn``, ``new-variant``, ``export-variant``, ``admin``."""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer

from .. import __version__
from ..errors import KomadaiError
from . import (
    admin,
    book,
    check,
    engine,
    engine_worker,
    export_site,
    export_variant,
    grade,
    learn,
    match,
    mate,
    moves,
    new_variant,
    perft,
    picture,
    play,
    print_game,
    puzzles,
    record,
    report,
    solve,
    tui,
    variants,
)
from .options import err, taking_files

app = typer.Typer(
    help="Ki, Hand, Nana, Mortal and Kō Shōgi, with standard shogi beside them.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


@app.callback(invoke_without_command=True)
def root(version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False) -> None:
    if version:
        print(f"komadai {__version__}")
        raise typer.Exit


app.command()(taking_files(variants.variants))
app.command()(taking_files(moves.moves))
# An unknown option is none, so that -1 is a number out of range.
app.command(context_settings={"ignore_unknown_options": True})(taking_files(perft.perft))
app.command()(taking_files(solve.solve))
app.command()(taking_files(engine.engine))
app.command("engine-worker")(engine_worker.engine_worker)
app.command()(taking_files(play.play))
app.command()(taking_files(tui.tui))
app.command()(taking_files(match.match))
app.command()(taking_files(mate.mate))
app.command()(taking_files(picture.picture))
app.command("print")(taking_files(print_game.print_game))
app.command()(export_site.export_site)
app.command()(check.check)
app.command()(taking_files(report.report))
app.command()(taking_files(grade.grade))
app.command()(taking_files(learn.learn))
app.command("new-variant")(new_variant.new_variant)
app.command("export-variant")(export_variant.export_variant)
for group in (book.app, puzzles.app, record.app):
    for command in group.registered_commands:
        command.callback = command.callback and taking_files(command.callback)
app.add_typer(book.app, name="book")
app.add_typer(puzzles.app, name="puzzles")
app.add_typer(record.app, name="record")
app.add_typer(admin.app, name="admin")


def _write_every_character() -> None:
    """Let the standard streams take kanji: in UTF-8 on Windows, as escapes where the user's encoding lacks them."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            if sys.platform == "win32":
                stream.reconfigure(encoding="utf-8")
            stream.reconfigure(errors="backslashreplace")


def main() -> None:
    """Run the command line; what is wrong with the input is said in one line, with exit status 2."""
    _write_every_character()
    try:
        app()
    except KomadaiError as error:
        err.print(f"komadai: {error}", style="red", markup=False, highlight=False)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
