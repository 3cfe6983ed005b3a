"""``komadai export-variant``: a game as a variant file."""

from __future__ import annotations

from pathlib import Path

import click

from ...workshop import game_text
from .base import Command
from .new_variant import write_new
from .options import game, output, rules


@click.command("export-variant", cls=Command)
@game
@rules
@output("FILE.toml; - for standard output, the default.", default="-")
def export_variant(game: str, rules: dict[str, str], output: Path) -> None:
    """Write a game as a variant file, with its rule options; with --rule the game under these, without options."""
    write_new(output, game_text(game, **rules))
