"""``komadai print``: a game on paper, to be cut out and played."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...i18n import LANGUAGES, speaking
from ...picture import Look
from ...storage import is_stream
from ...variants import build
from ..printing import PAPERS, document, paper_of
from .files import STANDARD, Use, refused, write
from .options import Game, Rules, chosen, options_of

Size = Annotated[str, typer.Option("--paper", help=f"The size of the paper: {' or '.join(PAPERS)}.", metavar="SIZE")]
Language = Annotated[
    str, typer.Option("--lang", help=f"The language of the rules: {' or '.join(LANGUAGES)}.", metavar="LANGUAGE")
]
Output = Annotated[
    Path, typer.Option("--output", help="FILE.html; - writes to standard output.", metavar="FILE"), Use.PRINTS
]


def print_game(
    game: Game,
    paper: Size = "a4",
    lang: Language = LANGUAGES[0],
    option: Rules = None,
    letters: Annotated[bool, typer.Option("--letters", help="Codes on the pieces instead of kanji.")] = False,
    output: Output = Path("-"),
) -> None:
    """Make a page for a browser to print: the board in parts, pieces, nets of cubes, and the rules on one page."""
    chosen("language", lang, LANGUAGES)
    if output.suffix.lower() not in (".html", ".htm") and str(output) != STANDARD and not is_stream(output):
        raise refused("file", output, "expected a name that ends in .html; a browser prints it, also as PDF")
    variant = build(game, **options_of(option))
    with speaking(lang):
        text = document(variant, paper_of(paper), Look(letters=letters))
    write(output, text)
