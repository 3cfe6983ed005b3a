"""``komadai export-variant``: a game as a variant file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...workshop import game_text
from .files import Use
from .new_variant import write_new
from .options import Game, Rules, options_of


def export_variant(
    game: Game,
    option: Rules = None,
    output: Annotated[
        Path, typer.Option("--output", help="FILE.toml; - writes to standard output.", metavar="FILE"), Use.PRINTS
    ] = Path("-"),
) -> None:
    """Write a game as a variant file, with its rule options; with --option the game under these, without options."""
    write_new(output, game_text(game, **options_of(option)))
