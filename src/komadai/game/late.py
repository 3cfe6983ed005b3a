"""Modules above this floor, loaded when a method is called."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def above(name: str) -> Any:
    """Import ``komadai.<name>`` on first use.

    Notations, pictures and records are built over positions and games, which offer them as methods
    (``position.notate``, ``game.record``, boards in Jupyter). An import statement would make a circle; looking the
    module up by name when the method runs does not, because by then both modules are complete.
    """
    return import_module(f"komadai.{name}")
