"""``komadai print``: a game on paper, to be cut out and played."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ..errors import NotationError
from ..i18n import LANGUAGES, speaking
from ..picture import Look
from ..printing import PAPERS, document, paper_of
from ..variants import build, suggest
from .options import Game, Rules, options_of

Size = Annotated[str, typer.Option("--paper", help=f"The size of the paper: {' or '.join(PAPERS)}.", metavar="SIZE")]
Language = Annotated[
    str, typer.Option("--lang", help=f"The language of the rules: {' or '.join(LANGUAGES)}.", metavar="LANGUAGE")
]
Output = Annotated[str, typer.Option("--output", help="FILE.html; - writes to standard output.", metavar="FILE")]


def print_game(
    game: Game,
    paper: Size = "a4",
    lang: Language = LANGUAGES[0],
    option: Rules = None,
    letters: Annotated[bool, typer.Option("--letters", help="Codes on the pieces instead of kanji.")] = False,
    output: Output = "-",
) -> None:
    """Make a page for a browser to print: the board in parts, pieces, nets of cubes, and the rules on one page."""
    if lang not in LANGUAGES:
        raise NotationError(f"language {lang[:40]!r}", [suggest(lang[:40], LANGUAGES)])
    if output != "-" and Path(output).suffix.lower() not in (".html", ".htm"):
        raise NotationError(
            f"file {output!r}", ["expected a name that ends in .html; a browser prints it, also as PDF"]
        )
    variant = build(game, **options_of(option))
    with speaking(lang):
        text = document(variant, paper_of(paper), Look(letters=letters))
    if output == "-":
        sys.stdout.write(text)
        return
    try:
        Path(output).write_text(text, encoding="utf-8")
    except OSError as error:
        raise NotationError(f"file {output!r}", [str(error.strerror)]) from None
