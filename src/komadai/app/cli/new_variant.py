"""``komadai new-variant``: the start of a variant file."""

from __future__ import annotations

from pathlib import Path

import click

from ...workshop.starting import start_text
from .base import Command
from .files import STANDARD, check, write
from .options import force, output


@click.command("new-variant", cls=Command, variant_files=False)
@click.argument("name", metavar="NAME", help="The id of the game, such as my-shogi.")
@output("The file; by default NAME.toml; - for standard output.")
@force
def new_variant(name: str, output: Path | None, force: bool) -> None:
    """Write the start of a variant file: a small game with comments, which can be checked and played as it is."""
    text = start_text(name)
    if output is None:
        output = Path(f"{name}.toml")
        check([("file", output)], force=force)
    write_new(output, text)


def write_new(output: Path, text: str) -> None:
    """Write the text of a variant file, and say how to go on.

    Raises:
        NotationError: it cannot be written.
    """
    write(output, text)
    if str(output) != STANDARD:
        print(f"{output} is written; check it with: komadai check {output}")
