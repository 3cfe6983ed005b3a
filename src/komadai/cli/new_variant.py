"""``komadai new-variant``: the start of a variant file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..errors import NotationError
from ..workshop.starting import start_text


def new_variant(
    name: Annotated[str, typer.Argument(help="The id of the game, such as my-shogi.", metavar="NAME")],
    output: Annotated[
        str,
        typer.Option("--output", help="The file; by default NAME.toml, - writes to standard output.", metavar="FILE"),
    ] = "",
) -> None:
    """Write the start of a variant file: a small game with comments, which can be checked and played as it is."""
    write_new(output or f"{name}.toml", start_text(name))


def write_new(output: str, text: str) -> None:
    """Write a text to a file that is not there yet, or with ``-`` to standard output.

    Raises:
        NotationError: it is there, or cannot be written.
    """
    if output == "-":
        print(text, end="")
        return
    try:
        with Path(output).open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise NotationError(f"file {output!r}", ["is there already; choose another with --output"]) from None
    except OSError as error:
        raise NotationError(f"file {output!r}", [str(error.strerror)]) from None
    print(f"{output} is written; check it with: komadai check {output}")
