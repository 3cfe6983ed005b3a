"""The application: the server and its pages, the terminal, the command line, lessons, puzzles, printing.

Its modules are loaded on first use. It needs the packages of the extra ``app``.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import lessons as lessons
    from . import puzzles as puzzles

_MODULES = {"lessons", "puzzles"}
"""The modules that are public; the documentation names no others."""


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return importlib.import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
