"""``komadai picture``: a position as a file to show."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...game.position import Position
from ...picture import Look, png, svg
from ...picture.pieces import LEAST_SIZE, MOST_SIZE
from ...spec.move import Move
from ...storage import is_stream
from ...variants import build
from .files import STANDARD, Use, refused, write
from .options import Game, Rules, number, options_of

At = Annotated[str | None, typer.Option(help="A position string; the start if left out.", metavar="POSITION")]
Moves = Annotated[str | None, typer.Option(help="Moves made from there; the last is marked.", metavar="'MOVE ...'")]
Output = Annotated[
    Path,
    typer.Option("--output", help="FILE.svg or FILE.png; - writes SVG to standard output.", metavar="FILE"),
    Use.PRINTS,
]
Size = Annotated[int, number("Width in pixels.", LEAST_SIZE, MOST_SIZE)]


def picture(
    game: Game,
    position: At = None,
    moves: Moves = None,
    option: Rules = None,
    output: Output = Path("-"),
    letters: Annotated[bool, typer.Option("--letters", help="Codes on the pieces instead of kanji.")] = False,
    flipped: Annotated[bool, typer.Option("--flipped", help="White sits below.")] = False,
    dark: Annotated[bool, typer.Option("--dark", help="For a dark page.")] = False,
    coordinates: Annotated[bool, typer.Option(help="Name files and ranks at the rim.")] = True,
    size: Size = 640,
) -> None:
    """Draw a position, with both hands, as SVG or PNG."""
    suffix = output.suffix.lower()
    if suffix not in (".svg", ".png") and str(output) != STANDARD and not is_stream(output):
        raise refused("file", output, "expected a name that ends in .svg or .png")
    at = Position.problem(build(game, **options_of(option)), position)
    last: Move | None = None
    for word in (moves or "").split():
        last = at.parse_move(word)
        at.push(last)
    look = Look(letters=letters, flipped=flipped, dark=dark, coordinates=coordinates, size=size)
    write(output, png(at, look, last=last) if suffix == ".png" else f"{svg(at, look, last=last)}\n")
