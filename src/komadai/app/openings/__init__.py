"""Openings: books of the engine's games with itself, with lines to learn and what punishes the wrong moves beside them.

``komadai book openings GAME`` makes one; the games of the package have theirs. ``docs/reference/books.md`` says how.
"""

from __future__ import annotations

from .names import name_of
from .shelf import count, games, packaged
from .trainer import Judged, Lines, Training, lines_of, loss_words, training

__all__ = ["Judged", "Lines", "Training", "count", "games", "lines_of", "loss_words", "name_of", "packaged", "training"]
