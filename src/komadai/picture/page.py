"""A page by itself: HTML with facts and plots in SVG, which needs nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from .bars import bars

_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
figure { margin: 1rem 0; display: inline-block; max-width: 100% }
svg { max-width: 100%; height: auto }
dt { font-weight: 600 } dd { margin: 0 0 .5rem }
"""

Plot = tuple[str, Sequence[tuple[object, float]]]
"""A title, and bars, each with what it stands for and its height."""


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
