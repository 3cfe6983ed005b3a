"""Plots of bars as SVG, and a page by itself: HTML with facts and plots, which needs nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from .svg import element

_WIDTH, _HEIGHT = 480, 140
_FOOT = 18  # for the words below the bars
_COLOUR, _WRITING = "#8a5a2b", "currentColor"
_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
figure { margin: 1rem 0; display: inline-block; max-width: 100% }
svg { max-width: 100%; height: auto }
dt { font-weight: 600 } dd { margin: 0 0 .5rem }
"""

Plot = tuple[str, Sequence[tuple[object, float]]]
"""A title, and bars, each with what it stands for and its height."""


def bars(title: str, heights: Sequence[tuple[object, float]]) -> str:
    """A plot of bars, each with what it stands for below and its height above; the title is read out, not shown."""
    most = max((height for _, height in heights), default=0) or 1
    step = _WIDTH / max(len(heights), 1)
    parts = []
    for number, (label, height) in enumerate(heights):
        tall = (_HEIGHT - 2 * _FOOT) * height / most
        top, middle = _HEIGHT - _FOOT - tall, (number + 0.5) * step
        parts.append(element("rect", x=number * step + 1, y=top, width=max(step - 2, 1), height=tall, fill=_COLOUR))
        parts.append(_text(middle, _HEIGHT - 4, str(label)))
        parts.append(_text(middle, top - 3, f"{height:g}"))
    said = f"{title}: " + ", ".join(f"{label}: {height:g}" for label, height in heights)
    return element(
        "svg",
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        width=_WIDTH,
        role="img",
        aria_label=said,
        font_family="sans-serif",
        font_size=11,
    )


def _text(x: float, y: float, text: str) -> str:
    return element("text", escape(text, quote=False), x=x, y=y, text_anchor="middle", fill=_WRITING)


def page(title: str, facts: Iterable[tuple[str, str]], plots: Iterable[Plot]) -> str:
    """The page with its title, facts (names and values), and plots of bars."""
    listed = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts)
    drawn = "".join(
        f"<figure><figcaption>{escape(about)}</figcaption>{bars(about, heights)}</figure>" for about, heights in plots
    )
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style>'
        f"<h1>{escape(title)}</h1><dl>{listed}</dl>{drawn}</html>\n"
    )
