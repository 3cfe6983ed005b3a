"""Sphinx directives for boards and pieces, and the pages in Japanese that are made from the rulebook."""

from __future__ import annotations

import hashlib
import re
from html import escape
from pathlib import Path, PurePosixPath
from typing import Any, ClassVar

import figures
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator

from komadai.i18n import LANGUAGES, speaking
from komadai.spec.names import kind_name
from komadai.view.piece_descriptions import ways, words

_MADE = "ja"
"""The language of the pages that are made from the rulebook, and the folder of all pages in it."""
_RULES = f"{_MADE}/rules/"
_PAIRS = {"ja/index": "index", "ja/install": "how-to/install"}
_LEGEND = "komadai-legend"
_NAMES = {"en": "English", "ja": "日本語"}
_SUMS = {"en": "; ", "ja": "。"}
"""What stands between sentences about a piece."""


def language_of(docname: str) -> str:
    """The language of a page: its folder's."""
    folder = docname.partition("/")[0]
    return folder if folder in LANGUAGES else LANGUAGES[0]


class picture(nodes.Inline, nodes.Element):  # noqa: N801 - docutils names nodes so
    """A drawing, with its text, size, and what is read out instead."""


def visit_picture(self: HTML5Translator, node: picture) -> None:
    data = node["svg"].encode()
    name = f"{hashlib.sha256(data).hexdigest()[:16]}.svg"
    file = Path(self.builder.outdir, self.builder.imagedir, name)
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(data)
    source = PurePosixPath(self.builder.imgpath, name)
    image = (
        f'<img src="{source}" alt="{escape(node["alt"])}" width="{node["width"]}" height="{node["height"]}"'
        ' loading="lazy">'
    )
    self.body.append(f'<a href="{source}">{image}</a>' if node["linked"] else image)
    raise nodes.SkipNode


class Figure(SphinxDirective):
    """What both have in common: the caption is the content."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        for module in (figures.__file__, __file__):
            self.env.note_dependency(module)
        try:
            with speaking(language_of(self.env.docname)):
                return [self.drawn()]
        except figures.FigureError as wrong:
            raise self.error(str(wrong)) from None

    def drawn(self) -> nodes.figure:
        raise NotImplementedError

    def caption(self, *more: str) -> nodes.caption:
        [text] = [one for one in self.parse_content_to_nodes() if isinstance(one, nodes.paragraph)]
        return nodes.caption("", "", *text.children, *(nodes.Text(f" {one}") for one in more))


class Board(Figure):
    """A position, with moves that the rules allow and moves that they refuse."""

    def drawn(self) -> nodes.figure:
        shown = figures.board(self.arguments[0])
        board = _picture(shown.svg(), shown.alternative, linked=True)
        return nodes.figure("", board, self.caption(), classes=["board"], width=f"{shown.width}px")


class Pieces(Figure):
    """How the pieces of a game move, with a legend; with ``words`` also in words, and the caption is the legend."""

    option_spec: ClassVar = {"words": directives.flag}

    def drawn(self) -> nodes.figure:
        variant, kinds = figures.pieces(self.arguments[0])
        sum_ = _SUMS[language_of(self.env.docname)]
        shown = []
        for kind in kinds:
            alternative = f"{kind_name(kind)}: {sum_.join(ways(variant, kind))}"
            lines = [
                _picture(figures.kind_svg(variant, kind), alternative),
                nodes.paragraph("", "", nodes.Text(f"{kind_name(kind)} "), nodes.literal(text=kind.code)),
            ]
            if "words" in self.options:
                lines.append(nodes.paragraph(text=sum_.join(words(variant, kind)) + sum_.strip()))
            shown.append(nodes.container("", *lines, classes=["kind"]))
        told = "words" in self.options or self.env.temp_data.get(_LEGEND, False)  # one a page is enough
        caption = self.caption(*([] if told else [figures.legend()]))
        self.env.temp_data[_LEGEND] = True
        return nodes.figure("", nodes.container("", *shown, classes=["kinds"]), caption, classes=["pieces"])


def _picture(svg: str, alternative: str, *, linked: bool = False) -> picture:
    sizes = {name: re.search(rf'^<svg [^>]*\b{name}="(\d+)"', svg) for name in ("width", "height")}
    return picture(svg=svg, alt=alternative, linked=linked, **{name: int(it[1]) for name, it in sizes.items() if it})


def write_pages(app: Sphinx) -> None:
    """Write the rules in Japanese, before Sphinx looks which pages there are."""
    figures.write_pages(Path(app.srcdir, _RULES), _MADE)


def other_language(app: Sphinx, docname: str) -> str | None:
    """The page that tells the same in the other language."""
    made = (found for found in app.env.found_docs if found.startswith(_RULES))
    pairs = _PAIRS | {found: found.removeprefix(f"{_MADE}/") for found in made}
    other = pairs.get(docname) or {english: own for own, english in pairs.items()}.get(docname)
    return other if other in app.env.found_docs else None


def tell_language(app: Sphinx, docname: str, template: str, context: dict[str, Any], doctree: nodes.document) -> None:
    """Name a page's language, and link the page that tells the same in the other one below its title."""
    context["language"] = language_of(docname)
    if docname.startswith(_RULES):
        context["page_source_suffix"] = ""  # there is no file to look at or to edit
    if (other := other_language(app, docname)) is not None:
        there = language_of(other)
        link = f'<a href="{context["pathto"](other)}" lang="{there}" hreflang="{there}">{_NAMES[there]}</a>'
        context["body"] = context["body"].replace("</h1>", f'</h1><p class="other-language">{link}</p>', 1)


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_css_file("figures.css")
    app.add_node(picture, html=(visit_picture, None))
    app.add_directive("board", Board)
    app.add_directive("pieces", Pieces)
    app.connect("builder-inited", write_pages)
    app.connect("html-page-context", tell_language)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
