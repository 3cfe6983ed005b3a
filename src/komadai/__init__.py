"""Komadai (駒台): Ki, Hand, Nana, Mortal and Kō Shōgi, with standard shogi beside them.

Names are loaded on first use, so that ``import komadai`` costs next to nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # spelled out, because importing typing costs more than this whole module
if TYPE_CHECKING:
    from . import book, puzzles, solve, workshop
    from ._core import Moves, Steps
    from .engine import Engine, Info
    from .errors import (
        BookError,
        EngineError,
        IllegalMoveError,
        IllegalPositionError,
        KomadaiError,
        NotationError,
        PuzzleError,
        SpecError,
        TableError,
        WeightsError,
    )
    from .game.game import Game
    from .game.match import Match
    from .game.outcome import Outcome
    from .game.position import Position
    from .record import Record
    from .spec.move import Move
    from .spec.variant import Variant
    from .variants import build as variant
    from .variants import names as variants
    from .workshop import load, register

__version__ = "0.2.0"

# Public name -> the module that defines it, and its name there if it differs.
_HOMES = {
    "BookError": "errors",
    "Engine": "engine",
    "EngineError": "errors",
    "Game": "game.game",
    "IllegalMoveError": "errors",
    "IllegalPositionError": "errors",
    "Info": "engine",
    "KomadaiError": "errors",
    "Match": "game.match",
    "Move": "spec.move",
    "Moves": "_core",
    "NotationError": "errors",
    "Outcome": "game.outcome",
    "Position": "game.position",
    "PuzzleError": "errors",
    "Record": "record",
    "SpecError": "errors",
    "Steps": "_core",
    "TableError": "errors",
    "WeightsError": "errors",
    "Variant": "spec.variant",
    "book": "book",
    "load": "workshop",
    "puzzles": "puzzles",
    "register": "workshop",
    "solve": "solve",
    "variant": "variants:build",
    "variants": "variants",
    "workshop": "workshop",
}

__all__ = [
    "BookError",
    "Engine",
    "EngineError",
    "Game",
    "IllegalMoveError",
    "IllegalPositionError",
    "Info",
    "KomadaiError",
    "Match",
    "Move",
    "Moves",
    "NotationError",
    "Outcome",
    "Position",
    "PuzzleError",
    "Record",
    "SpecError",
    "Steps",
    "TableError",
    "Variant",
    "WeightsError",
    "book",
    "load",
    "puzzles",
    "register",
    "solve",
    "variant",
    "variants",
    "workshop",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    module, _, there = _HOMES[name].partition(":")
    value: object = importlib.import_module(f"{__name__}.{module}")
    if module != name:  # packages such as `solve` and `variants` are public themselves
        value = getattr(value, there or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
