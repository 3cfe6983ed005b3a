"""``komadai picture``: a position as a file to show."""

from __future__ import annotations

from pathlib import Path

import click

from ...picture import Look, png, svg
from ...picture.pieces import LEAST_SIZE, MOST_SIZE
from ...spec.move import Move
from ...storage import is_stream
from .base import Command, number
from .files import STANDARD, refused, write
from .options import dark, flipped, game, letters, output, position, position_of, rules


@click.command(cls=Command)
@game
@position
@rules
@click.option("--moves", metavar="'MOVE ...'", help="Moves made from there; the last is marked.")
@output("FILE.svg or FILE.png; - for standard output, as SVG, the default.", default="-")
@letters
@flipped
@dark
@click.option(
    "--coordinates/--no-coordinates", default=True, show_default=True, help="Name files and ranks at the rim."
)
@click.option(
    "--size",
    type=number(LEAST_SIZE, MOST_SIZE),
    default=640,
    show_default=True,
    help=f"Width in pixels, {LEAST_SIZE} to {MOST_SIZE}.",
)
def picture(
    game: str,
    position: str | None,
    rules: dict[str, str],
    moves: str | None,
    output: Path,
    letters: bool,
    flipped: bool,
    dark: bool,
    coordinates: bool,
    size: int,
) -> None:
    """Draw a position, with both hands, as SVG or PNG."""
    suffix = output.suffix.lower()
    if suffix not in (".svg", ".png") and str(output) != STANDARD and not is_stream(output):
        raise refused("file", output, "expected a name that ends in .svg or .png")
    at = position_of(game, position, rules)
    last: Move | None = None
    for word in (moves or "").split():
        last = at.parse_move(word)
        at.push(last)
    look = Look(letters=letters, flipped=flipped, dark=dark, coordinates=coordinates, size=size)
    write(output, png(at, look, last=last) if suffix == ".png" else f"{svg(at, look, last=last)}\n")
