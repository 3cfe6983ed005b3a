"""The rule sheet: a game on one page, as HTML in the current language."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby
from math import ceil

from ...game.position import Position
from ...i18n import _
from ...picture import Look, svg
from ...picture.move_diagram import move_diagram
from ...picture.pieces import INK, TURNED
from ...picture.svg import element, has_outlines, writing
from ...rulebook import sections
from ...spec.kinds import Kind
from ...spec.names import kind_name
from ...spec.variant import Variant
from ...view.rule_descriptions import ends, special_rules

_LEFT_OUT = ("setup", "advice")  # sections without room on the sheet: its picture and experience stand for them
_SIZES = (10.5, 9.8, 9.1, 8.5, 7.9, 7.3, 6.8, 6.3, 5.8, 5.3, 4.8)
"""The sizes of letters in points, with a class each in the style sheet."""
_WIDTH, _HEIGHT = 538, 735
"""The area of a page in points, of the narrower and of the shorter paper."""
_LETTER = 0.99  # the room of a letter with the white around it, in square ems
_WIDE = 2.1  # that of a letter of Japanese, in others, by a font that has it
_COLUMN, _ROW = 7.0, 8.7  # the room of a diagram with its name, across and down, in ems
_HEADING = 48  # the height of heading and legend, in points
_PICTURE = 62  # the height that the picture of the start adds to three columns, in points


def rule_sheet(v: Variant, look: Look) -> str:
    """The sheet; where nobody has written the rules for players, they are those of the spec."""
    texts = list(_written(v)) or list(_generated(v))
    blocks = [f"<section><h3>{escape(title)}</h3>{prose(text)}</section>" for title, text in texts]
    start = Position(v)
    stands = any(piece is not None for piece in start.board)
    picture = f'<div class="start">{svg(start, Look(letters=look.letters, size=320))}</div>' if stands else ""
    size = _size(v, texts, stands)
    kinds = "".join(
        f"<figure>{move_diagram(kind)}<figcaption>{_sign(kind)} {_name(kind)} <small>{escape(kind.code)}</small>"
        "</figcaption></figure>"
        for kind in v.kinds
    )
    legend = _(
        "Dots: steps and jumps. Lines: any distance, or as far as the number says. "
        "Rings: later steps of the same turn. Dashes: shots."
    )
    return (
        f'<div class="rule-sheet size-{round(size * 10)}"><h2>{escape(_(v.name))}</h2>'
        f'<p class="summary">{escape(_(v.summary))}</p>'
        f'<div class="columns">{picture}{"".join(blocks)}</div>'
        f'<div class="kinds">{kinds}</div><p class="legend">{escape(legend)}</p></div>'
    )


def _sign(kind: Kind) -> str:
    """The kanji of a kind, as outlines where there are such, for readers without a font for them."""
    if not has_outlines(kind.kanji):
        return escape(kind.kanji)
    ink = TURNED if kind.code.startswith("+") else INK
    edge = f"0 0 {len(kind.kanji) * 10} 10"
    drawn = writing(kind.kanji, 10, 0, 8.8, ink, anchor=0)
    return element("svg", drawn, xmlns="http://www.w3.org/2000/svg", viewBox=edge, class_="sign")


def _name(kind: Kind) -> str:
    """The name of a kind beside its kanji: none where they are its name."""
    name = kind_name(kind)
    return "" if name == kind.kanji else escape(name)


def _size(v: Variant, texts: list[tuple[str, str]], picture: bool) -> float:
    """The largest size of letters in which all of it has room on a page."""
    letters = sum(1 if ord(letter) < 0x2E80 else _WIDE for block in texts for text in block for letter in text)
    for size in _SIZES:
        rows = ceil(len(v.kinds) / (_WIDTH // (_COLUMN * size)))
        height = _HEADING + _PICTURE * picture + rows * _ROW * size + letters * _LETTER * size * size / _WIDTH
        if height <= _HEIGHT:
            return size
    return _SIZES[-1]


def _written(v: Variant) -> Iterator[tuple[str, str]]:
    """The sections written for players, which describe the game under its default options."""
    for section in sections(v.id):
        if section.id not in _LEFT_OUT:
            yield section.heading, section.text


def _generated(v: Variant) -> Iterator[tuple[str, str]]:
    """The special rules and the ends, as the spec has them."""
    rules = [rule.words for rule in special_rules(v)]
    if rules:
        yield _("Special rules"), "\n".join(f"- {words}" for words in rules)
    yield _("How a game ends"), "\n".join(f"- {words}" for words in ends(v))


def prose(text: str) -> str:
    """Paragraphs and lists."""
    parts = []
    for listed, lines in groupby(text.split("\n"), lambda line: line.startswith("- ")):
        if listed:
            parts.append(f"<ul>{''.join(f'<li>{escape(line[2:])}</li>' for line in lines)}</ul>")
        else:
            parts += [f"<p>{escape(line)}</p>" for line in lines]
    return "".join(parts)
