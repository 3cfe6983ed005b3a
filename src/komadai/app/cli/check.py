"""``komadai check``: the defects of a variant file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...game.position import Position
from ...workshop import examine, loads, read_file
from ...workshop.schema import shipped
from .files import Use
from .options import Json, print_json


def _print_schema(wanted: bool) -> None:
    if wanted:
        print(shipped(), end="")
        raise typer.Exit


def check(
    file: Annotated[Path, typer.Argument(help="A variant file, NAME.toml.", metavar="FILE"), Use.READS],
    as_json: Json = False,
    schema: Annotated[
        bool,
        typer.Option(
            "--schema",
            help="Print the JSON Schema of variant files, for editors, and exit.",
            is_eager=True,
            callback=_print_schema,
        ),
    ] = False,
) -> None:
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
        raise typer.Exit(1)
