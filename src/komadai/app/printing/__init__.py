"""A game to be printed, cut out and played: its board in parts, pieces, nets of cubes and a rule sheet.

Everything is made from the spec, so for any variant. The document is one page of HTML with drawings as SVG in
millimetres, which the browser prints (docs/explanation/decisions, "No PDF library").

Example:
    >>> import komadai
    >>> from komadai.app import printing
    >>> [page.title for page in printing.pages(komadai.variant("nana"), printing.PAPERS["a4"])]
    ['Rules', 'Board', 'Cubes']
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from importlib.resources import files

from ...i18n import _, current_language
from ...picture.pieces import Look
from ...spec.variant import Variant
from .drawings import board_parts, flat_pages, net_pages
from .inventory import Inventory
from .paper import PAPERS, Paper, paper_of
from .sheet import rule_sheet

__all__ = ["PAPERS", "STYLES", "Page", "Paper", "document", "pages", "paper_of"]

_KANJI = Look()
STYLES = files(__package__) / "print.css"
"""The style sheet of the document."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its title, what is to be done with it, and its content. ``sheet``: the rule sheet, not a drawing."""

    title: str
    advice: str
    content: str
    sheet: bool = False


def pages(variant: Variant, paper: Paper, look: Look = _KANJI) -> list[Page]:
    """All pages of a game, in the current language; of a look the writing on the pieces counts."""
    stock, area = Inventory(variant), paper.area
    boards = board_parts(variant, area)
    count = len(boards)
    glue = _("Cut along the outlines; the strip beside a thin grey dashed line goes under the next part.")
    cut = _("Fold along the dashed line, glue the two halves together, then cut the pieces out.")
    spare = _("For what pieces become. {advice}", advice=cut)
    fold = _("Cut along the outline, fold every line backward, and glue the grey tabs inside.")
    return [
        Page(_("Rules"), "", rule_sheet(variant, look), sheet=True),
        *(Page(_("Board"), "", part) for part in boards if count == 1),
        *(
            Page(_("Board, part {number} of {count}", number=number, count=count), glue, part)
            for number, part in enumerate(boards, 1)
            if count > 1
        ),
        *(Page(_("Pieces"), cut, page) for page in flat_pages(variant, stock.flats, area, look, "piece")),
        *(Page(_("Spare pieces"), spare, page) for page in flat_pages(variant, stock.spares, area, look, "spare")),
        *(Page(_("Cubes"), fold, page) for page in net_pages(stock.cubes, area, look)),
    ]


def document(
    variant: Variant, paper: Paper, look: Look = _KANJI, *, styles: str | None = None, head: str = "", tools: str = ""
) -> str:
    """The document that a browser prints, in the current language.

    Args:
        styles: the address of the style sheet, which is otherwise part of the document.
        head: more elements for the head. ``tools``: elements above the pages, which are not printed.
    """
    name = _("{game}: to print", game=_(variant.name))
    style = (
        f"<style>{STYLES.read_text(encoding='utf-8')}</style>"
        if styles is None
        else f'<link rel="stylesheet" href="{escape(styles)}">'
    )
    advice = _("Print on {paper} at 100 percent, without “fit to page”; strong paper is best.", paper=paper.title)
    shown = "".join(
        f'<section class="page {paper.name}">' + ("" if page.sheet else _caption(page)) + f"{page.content}</section>"
        for page in pages(variant, paper, look)
    )
    return (
        f'<!doctype html>\n<html lang="{current_language()}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(name)}</title>{style}{head}</head>"
        f'<body><header class="tools"><h1>{escape(name)}</h1><p>{escape(advice)}</p>{tools}</header>'
        f'<main tabindex="0">{shown}</main></body></html>\n'
    )


def _caption(page: Page) -> str:
    return f'<p class="caption"><b>{escape(page.title)}</b> {escape(page.advice)}</p>'
