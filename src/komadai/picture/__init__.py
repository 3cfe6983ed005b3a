"""Pictures of positions: the board with both hands, as SVG that needs no font and no style sheet, and as PNG. Whole
games are moving pictures.

Example:
    >>> import komadai
    >>> from komadai import picture
    >>> picture.svg(komadai.Position("nana"))[:4]
    '<svg'
"""

from __future__ import annotations

from .animation import animation
from .pieces import Look
from .whole import png, svg

__all__ = ["Look", "animation", "png", "svg"]
