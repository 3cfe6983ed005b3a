"""Compile what the server in a tab imports at its start and first game; run in Pyodide by ``pyodide.mjs``.

``/host/site`` has the packages and ``/host/lib`` the standard library. The bytecode takes the place of the source,
which a tab would have to load besides. Docstrings go, but those of Komadai, which are part of its answers.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys
from pathlib import Path
from py_compile import PycInvalidationMode
from py_compile import compile as compile_file
from types import ModuleType
from typing import Any

SITE = "/host/site"
KEPT = {"anyio"}  # reads its own source
JSON = [("content-type", "application/json")]


class NoEngine:
    """A worker that takes all and answers nothing."""

    def __init__(self, _deliver: Any) -> None: ...

    def send(self, text: str) -> None: ...

    def interrupt(self, id: int) -> None: ...

    def end(self) -> None: ...


async def _play() -> None:
    """Start the server as a tab does, and a game.

    Raises:
        RuntimeError: that does not succeed.
    """
    from komadai.app.site.tab import begin
    from komadai.variants import names

    host = (await begin((), lambda: None, NoEngine)).host
    for address in ("/", "/api/variants"):
        answer = await host.http("GET", address)
        if answer.status != 200:
            raise RuntimeError(f"{address} is answered with status {answer.status}")
    for name in names(shelf=False):
        asked = {"variant": name, "seats": {"b": "human", "w": "human"}}
        answer = await host.http("POST", "/api/games", JSON, json.dumps(asked).encode())
        if answer.status != 201:
            raise RuntimeError(f"a game of {name} is answered with status {answer.status}: {answer.body.decode()}")
    await host.stop()


def _import_all(package: str) -> None:
    """Import all modules of a package.

    Raises:
        ImportError: one of them needs what the tab does not have.
    """
    for found in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)


def _compile(name: str, module: ModuleType, library: str) -> None:
    """Put the bytecode of a module in the place of its source."""
    origin = getattr(module.__spec__, "origin", None)
    if not origin or not origin.endswith(".py") or name in KEPT:
        return
    source = Path("/host/lib", Path(origin).relative_to(library)) if origin.startswith(library) else Path(origin)
    if source.is_file():
        compile_file(
            str(source),
            str(source.with_suffix(".pyc")),
            origin.replace(SITE, "/site", 1),
            doraise=True,
            optimize=0 if name.partition(".")[0] == "komadai" else 2,
            invalidation_mode=PycInvalidationMode.UNCHECKED_HASH,
        )
        source.unlink()


async def main() -> None:
    """Import the named modules and play, and compile all that has been imported then.

    The other modules of Komadai are imported, too, to see that they can be.
    """
    for name in sys.argv[1:]:
        importlib.import_module(name)
    await _play()
    imported = dict(sys.modules)
    _import_all("komadai")
    library = next(path for path in sys.path if path.endswith(".zip"))
    for name, module in imported.items():
        _compile(name, module, library)
