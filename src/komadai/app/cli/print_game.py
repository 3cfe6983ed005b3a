"""``komadai print``: a game on paper, to be cut out and played."""

from __future__ import annotations

from pathlib import Path

import click

from ...i18n import speaking
from ...picture import Look
from ...storage import is_stream
from ...variants import build
from ..printing import PAPERS, document, paper_of
from .base import Command, Word
from .files import STANDARD, refused, write
from .options import game, language, letters, output, rules


@click.command("print", cls=Command)
@game
@rules
@click.option(
    "--paper",
    type=Word(tuple(PAPERS)),
    default="a4",
    show_default=True,
    metavar="SIZE",
    help=f"The size of the paper: {' or '.join(PAPERS)}.",
)
@language
@letters
@output("FILE.html; - for standard output, the default.", default="-")
def print_game(game: str, rules: dict[str, str], paper: str, lang: str, letters: bool, output: Path) -> None:
    """Make a page for a browser to print: the board in parts, pieces, nets of cubes, and the rules on one page."""
    if output.suffix.lower() not in (".html", ".htm") and str(output) != STANDARD and not is_stream(output):
        raise refused("file", output, "expected a name that ends in .html; a browser prints it, also as PDF")
    variant = build(game, **rules)
    with speaking(lang):
        text = document(variant, paper_of(paper), Look(letters=letters))
    write(output, text)
