"""``komadai check``: the defects of a variant file."""

from __future__ import annotations

from pathlib import Path

import click
from click.exceptions import Exit

from ...game.position import Position
from ...workshop import examine, loads, read_file
from ...workshop.schema import shipped
from .base import Command
from .files import File, Use
from .options import as_json, print_json


def _print_schema(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        print(shipped(), end="")
        raise Exit


@click.command(cls=Command, variant_files=False)
@click.argument("file", type=File(Use.READS), metavar="FILE", help="A variant file, NAME.toml.")
@as_json
@click.option(
    "--schema",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_schema,
    help="Print the JSON Schema of variant files, for editors, and exit.",
)
def check(file: Path, as_json: bool) -> None:
    """Check a variant file: every defect with its line and what would be right. Exits with 1 if there are any.

    Warnings are of what can be played and is hardly meant.
    """
    text = read_file(file)
    defects, warnings = examine(text)
    if as_json:
        found = {
            name: [{"line": one.line, "column": one.column, "place": one.place, "message": one.what} for one in some]
            for name, some in (("defects", defects), ("warnings", warnings))
        }
        variant = None if defects else loads(text)
        game = variant and {"id": variant.id, "name": variant.name, "rules": variant.rules_hash}
        print_json({"file": str(file), **found, "game": game})
    else:
        for grade, some in (("", defects), ("warning: ", warnings)):
            for one in some:
                print(f"{file}:{one.line}:{one.column}: {grade}{one.place}{': ' if one.place else ''}{one.what}")
        if not defects:
            variant = loads(text)
            board = variant.board
            moves = len(Position(variant).legal_moves())
            print(f"{file}: {variant.name}, {board.width}×{board.height}, {moves} legal moves at the start")
            print(f"rules {variant.rules_hash}")
    if defects:
        raise Exit(1)
