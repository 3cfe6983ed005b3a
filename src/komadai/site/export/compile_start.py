"""Compile what the server in a tab imports at its start; run in Pyodide by ``pyodide.mjs``.

``/host/site`` has the packages and ``/host/lib`` the standard library. The bytecode takes the place of the source,
which a tab would have to load besides. Docstrings go, but those of Komadai, which are part of its answers.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
import time
from pathlib import Path
from py_compile import PycInvalidationMode
from py_compile import compile as compile_file

PLACES = {"/host/site": "/site", "/lib/python314.zip": "/host/lib"}
KEPT = {"anyio"}  # reads its own source


def compile_start(modules: list[str], library: str) -> None:
    """Import modules, and compile all that has been imported then; the others are imported to see that they can be."""
    for name in modules:
        importlib.import_module(name)
    imported = dict(sys.modules)
    _import_all("komadai")
    origins = [(name, getattr(module.__spec__, "origin", None)) for name, module in imported.items()]
    for name, origin in origins:
        if not origin or not origin.endswith(".py") or name in KEPT:
            continue
        here, there = Path(origin), origin.replace("/host/site", "/site", 1)
        if origin.startswith(library):
            here = Path("/host/lib") / here.relative_to(library)
        if here.is_file():
            level = 0 if name.partition(".")[0] == "komadai" else 2
            compile_file(
                str(here),
                str(here.with_suffix(".pyc")),
                there,
                doraise=True,
                optimize=level,
                invalidation_mode=PycInvalidationMode.UNCHECKED_HASH,
            )
            here.unlink()


def _import_all(package: str) -> None:
    """Import all modules of a package.

    Raises:
        ImportError: one of them needs what the tab does not have.
    """
    for found in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)


if __name__ == "__main__":
    time.thread_time = getattr(time, "thread_time", time.process_time)
    compile_start(sys.argv[1:], next(path for path in sys.path if path.endswith(".zip")))
