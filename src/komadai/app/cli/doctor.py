"""``komadai doctor``: what a bug report needs to say of a machine, and nothing of its user."""

from __future__ import annotations

import getpass
import importlib.metadata
import os
import platform
import re
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
from click.exceptions import Exit

from ... import __version__
from ...engine import Engine
from ...errors import EXTRAS
from ...game.position import Position
from ...storage import cache_folder, check_folder, data_folder
from ...variants import names, standard
from .base import Command
from .options import as_json, print_json
from .play import VARIABLES

_DEPTH, _COUNT = 3, 25_470  # of standard shogi: docs/reference/performance.md
_PREFIX = "KOMADAI_"
_OPEN = ("KOMADAI_DATA", *VARIABLES)
"""The variables that hold no secret."""
_ROOM = 10**7  # bytes that a folder should have left
_PATH = re.compile(r"(?:/|\b[A-Za-z]:\\)[^\s'\":;,]+")


@click.command(cls=Command, variant_files=False)
@click.option(
    "--full", is_flag=True, help="Also paths, the names of user and host, and the values of variables but secrets."
)
@as_json
def doctor(full: bool, as_json: bool) -> None:
    """Check the installation, and print what a bug report needs. Exits with 1 if a check fails.

    Home folder, user, host, secrets, games and paths are left out; look through it before you send it."""
    found = _facts(full)
    checks = {name: _result(check, full) for name, check in _CHECKS.items()}
    if as_json:
        print_json(found | {"checks": {name: why or "well" for name, why in checks.items()}})
    else:
        for name, value in found.items():
            words = ", ".join(f"{key} {one}" for key, one in value.items()) if isinstance(value, dict) else value
            print(f"{name + ':':<11}{words or 'none'}")
        for name, why in checks.items():
            print(f"{name + ':':<11}{why or 'well'}")
    if any(checks.values()):
        raise Exit(1)


def _facts(full: bool) -> dict[str, Any]:
    found: dict[str, Any] = {
        "komadai": __version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "cores": os.cpu_count(),
        "terminal": f"{sys.stdout.encoding or 'no encoding'}, {'a terminal' if sys.stdout.isatty() else 'no terminal'}",
        "packages": dict(_packages()),
        "variables": {name: _value(name, full) for name in sorted(os.environ) if name.startswith(_PREFIX)},
    }
    if full:
        found |= {
            "user": getpass.getuser(),
            "home": str(Path.home()),
            "host": socket.gethostname(),
            "program": str(Path(__file__).parents[2]),
            "data": str(data_folder()),
            "cache": str(cache_folder()),
        }
    return found


def _packages() -> Iterator[tuple[str, str]]:
    """The packages that Komadai may use and that are there, with their versions."""
    for line in importlib.metadata.requires("komadai") or ():
        name = re.split(r"[^\w.-]", line, maxsplit=1)[0]
        if name != "komadai":
            try:
                yield name, importlib.metadata.version(name)
            except importlib.metadata.PackageNotFoundError:
                continue


def _value(name: str, full: bool) -> str:
    """The value of an environment variable if it is wanted and can hold no secret, as the address of a database can."""
    value = os.environ[name]
    return value if full and name in _OPEN and not re.search("://|=", value) else "(set)"


def _result(check: Callable[[], object], full: bool) -> str | None:
    """What is wrong; ``None`` if nothing is. Without paths unless they are wanted."""
    try:
        check()
    except Exception as error:  # whatever it is: it belongs in the report
        words = (error.strerror if isinstance(error, OSError) and not full else None) or str(error)
        return f"{type(error).__name__}: {words if full else _PATH.sub('…', words)}"
    return None


def _core() -> None:
    counted = Position(standard()).perft(_DEPTH)
    if counted != _COUNT:
        raise ValueError(f"{counted:,} positions at depth {_DEPTH}, where there are {_COUNT:,}")


def _games() -> None:
    for name in names():
        if not Position(name).legal_moves():
            raise ValueError(f"{name} has no move at the start")


def _engine() -> None:
    if Engine(standard()).search(Position(standard()), depth=_DEPTH).move is None:
        raise ValueError(f"no move at depth {_DEPTH}")


def _packages_there() -> None:
    missing = [name for name in EXTRAS["app"] if find_spec(name) is None]
    if missing:
        raise ValueError(f"{', '.join(sorted(missing))} missing; install again with: pip install 'komadai[app]'")


def _kanji() -> None:
    encoding = sys.stdout.encoding or "utf-8"
    try:
        "駒".encode(encoding)
    except UnicodeEncodeError:
        raise ValueError(f"{encoding} has no kanji; set PYTHONIOENCODING=utf-8") from None


def _writable(folder: Path) -> None:
    check_folder(folder)
    there = next(one for one in (folder, *folder.parents) if one.exists())
    if (left := shutil.disk_usage(there).free) < _ROOM:
        raise ValueError(f"the disk has {left:,} bytes left; expected at least {_ROOM:,}")


_CHECKS: dict[str, Callable[[], object]] = {
    "core": _core,
    "games": _games,
    "engine": _engine,
    "kanji": _kanji,
    "app": _packages_there,
    "data": lambda: _writable(data_folder()),
    "cache": lambda: _writable(cache_folder()),
}
"""What is checked, by what it is called in the output."""
