"""``komadai variants``: the games and their rule options."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from ..spec.board import Unbounded
from ..variants import build, entry, names
from .options import Json, print_json


def variants(
    shelf: Annotated[bool, typer.Option("--shelf", help="List the games of the shelf, too.")] = False,
    as_json: Json = False,
) -> None:
    """List the games and their rule options."""
    if as_json:
        print_json(
            [
                {
                    "name": name,
                    "title": build(name).name,
                    "version": build(name).version,
                    "board": [build(name).board.width, build(name).board.height],
                    "unbounded": isinstance(build(name).board, Unbounded),
                    "start": build(name).start,
                    "summary": build(name).summary,
                    "options": {
                        o.name: {"default": o.default, "values": o.values, "help": o.help, "sizes": o.sizes}
                        for o in entry(name).all_options
                    },
                }
                for name in names(shelf=shelf)
            ]
        )
        return
    table = Table("name", "game", "board", "rule options (default first)")
    for name in names(shelf=shelf):
        variant = build(name)
        options = "\n".join(f"{option.name}: {option.choices}" for option in entry(name).all_options)
        board = variant.board
        size = "unbounded" if isinstance(board, Unbounded) else f"{board.width}×{board.height}"
        table.add_row(name, f"{variant.name}\n{variant.summary}", size, options)
    Console().print(table)
