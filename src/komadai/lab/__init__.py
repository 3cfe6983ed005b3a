"""The laboratory: matches, other engines, environments for agents, training, work for other machines.

Its modules are loaded on first use. Most need the packages of the extra ``lab``.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import external_engine as external_engine
    from . import rl as rl

_MODULES = {"external_engine", "rl"}
"""The modules that are public; the documentation names no others."""


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return importlib.import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
