"""Komadai (駒台): Ki, Hand, Nana, Mortal and Kō Shōgi, with standard shogi beside them.

Names and modules are loaded on first use, so that ``import komadai`` costs next to nothing.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False  # spelled out, because importing typing costs more than this whole module
if TYPE_CHECKING:
    from . import app as app
    from . import book as book
    from . import engine as engine
    from . import errors as errors
    from . import game as game
    from . import i18n as i18n
    from . import lab as lab
    from . import notation as notation
    from . import picture as picture
    from . import record as record
    from . import reference as reference
    from . import rulebook as rulebook
    from . import solve as solve
    from . import spec as spec
    from . import workshop as workshop
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

# Module -> the public names that it defines.
_NAMES = {
    "_core": ("Moves", "Steps"),
    "engine": ("Engine", "Info"),
    "errors": (
        *("BookError", "EngineError", "IllegalMoveError", "IllegalPositionError", "KomadaiError", "NotationError"),
        *("PuzzleError", "SpecError", "TableError", "WeightsError"),
    ),
    "game.game": ("Game",),
    "game.match": ("Match",),
    "game.outcome": ("Outcome",),
    "game.position": ("Position",),
    "record": ("Record",),
    "spec.move": ("Move",),
    "spec.variant": ("Variant",),
    "workshop": ("load", "register"),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}
_HOMES |= {"variant": "variants:build", "variants": "variants"}  # with a name there that differs; a module

# Modules that are public themselves; the documentation names no others.
_MODULES = {
    *("app", "book", "engine", "errors", "game", "i18n", "lab", "notation", "picture", "record", "reference"),
    *("rulebook", "solve", "spec", "workshop"),
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
    "register",
    "solve",
    "variant",
    "variants",
    "workshop",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES and name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    module, _, there = _HOMES.get(name, name).partition(":")
    value: object = importlib.import_module(f"{__name__}.{module}")
    if module != name:  # modules such as `solve` and `variants` are public themselves
        value = getattr(value, there or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MODULES})


def _end_imports() -> None:
    """Let other threads end their imports before a fork, whose child has nothing of what they would have imported.

    Waits 5 s at most, because an import may itself wait for what this thread holds: the lock of ``logging``, if that
    was imported after Komadai.
    """
    import time
    from importlib import _bootstrap
    from threading import get_ident

    until, nobody = time.monotonic() + 5, (None, get_ident())
    while time.monotonic() < until:
        locks = [lock() for lock in tuple(vars(_bootstrap)["_module_locks"].values())]
        if all(getattr(lock, "owner", None) in nobody for lock in locks):
            return
        time.sleep(0.001)


def _forget_imports() -> None:
    """In the child of a fork, forget imports that another thread was still in the middle of: they would never end.

    It also drops the half-imported module, so that the next import begins again.
    """
    import sys
    from importlib import _bootstrap
    from threading import get_ident

    locks, nobody = vars(_bootstrap)["_module_locks"], (None, get_ident())
    for name, lock in tuple(locks.items()):
        if getattr(lock(), "owner", None) not in nobody:
            del locks[name]
            sys.modules.pop(name, None)


def _is_main_interpreter() -> bool:
    """False in another one of this process, whose end the core would not survive."""
    for name in ("_interpreters", "_xxsubinterpreters"):  # from Python 3.13 on, and before
        try:
            module = __import__(name)
        except ImportError:
            continue
        return bool(module.get_current() == module.get_main())
    return True


if not _is_main_interpreter():
    raise ImportError("Komadai works in the main interpreter of a process alone; use threads or processes")

if hasattr(os, "register_at_fork"):  # first of all of ours, so that it is the last that is done before a fork
    os.register_at_fork(before=_end_imports, after_in_child=_forget_imports)
