"""Plots of bars as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

from .svg import element

_WIDTH, _HEIGHT = 480, 140
_FOOT = 18  # for the words below the bars
_COLOUR, _WRITING = "#8a5a2b", "currentColor"


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
    return element("text", escape(text), x=x, y=y, text_anchor="middle", fill=_WRITING)
