"""``komadai variants``: the games and their rule options."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from ...spec.board import Unbounded
from ...variants import build, entry, names
from .base import Command
from .options import as_json, print_json

if TYPE_CHECKING:
    from rich.table import Table


@click.command(cls=Command)
@as_json
def variants(as_json: bool) -> None:
    """List all games and their rule options."""
    own = names(shelf=False)
    if as_json:
        print_json(
            [
                {
                    "name": name,
                    "title": build(name).name,
                    "shelf": name not in own,
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
                for name in names()
            ]
        )
        return
    from rich.console import Console

    console = Console()
    with console.capture() as shown:  # so that no reader that has gone is rich's affair
        console.print(_table("Games of Komadai", own))
        console.print(_table("The shelf: classic variants", [name for name in names() if name not in own]))
    print(shown.get(), end="")


def _table(title: str, listed: Iterable[str]) -> Table:
    """The games as rows of a table."""
    from rich.table import Table

    table = Table("name", "game", "board", "rule options (default first)", title=title, title_justify="left")
    for name in listed:
        variant = build(name)
        options = "\n".join(f"{option.name}: {option.choices}" for option in entry(name).all_options)
        board = variant.board
        size = "unbounded" if isinstance(board, Unbounded) else f"{board.width}×{board.height}"
        table.add_row(name, f"{variant.name}\n{variant.summary}", size, options)
    return table
