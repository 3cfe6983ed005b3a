"""Making SVG: elements as text, and writing as outlines, which looks alike everywhere."""

from __future__ import annotations

import json
from functools import cache
from html import escape
from importlib.resources import files
from typing import NamedTuple


class Glyph(NamedTuple):
    """A character's outline: its width, and a path with the baseline at 0, in ``em`` units."""

    width: int
    path: str


@cache
def _font() -> tuple[int, dict[str, Glyph]]:
    """The units of an em, and the outlines by character (tools/outline_glyphs.py)."""
    data = json.loads(files(__package__).joinpath("glyphs.json").read_text(encoding="utf-8"))
    return data["em"], {char: Glyph(*glyph) for char, glyph in data["glyphs"].items()}


def number(value: float) -> str:
    """A number as short as hundredths allow."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))


def element(name: str, *content: str, **attributes: str | float | None) -> str:
    """An element around others; ``_`` in attributes' names stands for ``-``; those that are ``None`` are left out."""
    words = [name]
    for key, value in attributes.items():
        if value is not None:
            text = escape(value if isinstance(value, str) else number(value))
            words.append(f'{key.rstrip("_").replace("_", "-")}="{text}"')
    return f"<{' '.join(words)}>{''.join(content)}</{name}>" if content else f"<{' '.join(words)}/>"


def words(name: str, text: str) -> str:
    """An element that holds plain text."""
    return element(name, escape(text, quote=False))


def has_outlines(text: str) -> bool:
    """True if every character has an outline."""
    return _font()[1].keys() >= set(text)


def width(text: str) -> float:
    """The width of text, in ems."""
    em, font = _font()
    return sum(font.get(char, font["?"]).width for char in text) / em


def writing(text: str, size: float, x: float, y: float, fill: str, *, anchor: float = 0.5) -> str:
    """Text with its baseline at ``y``; ``anchor`` is which part of its width lies left of ``x``.

    Characters without an outline are shown as question marks.
    """
    em, font = _font()
    glyphs = [font.get(char, font["?"]) for char in text]
    at = -anchor * sum(glyph.width for glyph in glyphs)
    paths = []
    for glyph in glyphs:
        paths.append(element("path", d=f"M{number(at)} 0{glyph.path}"))
        at += glyph.width
    place = f"translate({number(x)} {number(y)}) scale({size / em:.4f})"
    return element("g", *paths, fill=fill, transform=place)
