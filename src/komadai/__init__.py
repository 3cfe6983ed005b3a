"""Komadai (駒台): Ki, Hand, Nana, Mortal and Kō Shōgi, with standard shogi beside them.

Names are loaded on first use, so that ``import komadai`` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .variants import build as variant
from .variants import names as variants

if TYPE_CHECKING:
    from .engine import Engine, Info
    from .errors import IllegalMoveError, IllegalPositionError, KomadaiError, NotationError, SpecError
    from .game import Game
    from .move import Move
    from .position import Outcome, Position
    from .spec import Variant

__version__ = "0.1.0"

_HOMES = {
    "Engine": "engine",
    "Game": "game",
    "IllegalMoveError": "errors",
    "IllegalPositionError": "errors",
    "Info": "engine",
    "KomadaiError": "errors",
    "Move": "move",
    "NotationError": "errors",
    "Outcome": "position",
    "Position": "position",
    "SpecError": "errors",
    "Variant": "spec",
}

__all__ = [
    "Engine",
    "Game",
    "IllegalMoveError",
    "IllegalPositionError",
    "Info",
    "KomadaiError",
    "Move",
    "NotationError",
    "Outcome",
    "Position",
    "SpecError",
    "Variant",
    "variant",
    "variants",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
