"""``komadai new-variant``: the start of a variant file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...workshop.starting import start_text
from .files import STANDARD, Force, Use, check, write


def new_variant(
    name: Annotated[str, typer.Argument(help="The id of the game, such as my-shogi.", metavar="NAME")],
    output: Annotated[
        Path | None,
        typer.Option("--output", help="The file; by default NAME.toml, - writes to standard output.", metavar="FILE"),
        Use.PRINTS,
    ] = None,
    force: Force = False,
) -> None:
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
