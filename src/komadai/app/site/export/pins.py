"""The versions and hashes of what a static site takes from elsewhere: ``pins.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

REQUIREMENTS = Path(__file__).parent / "requirements.txt"
"""The packages of the tab for pip, with their hashes."""


@dataclass(frozen=True, slots=True)
class Pyodide:
    """The npm package; ``integrity`` as npm writes it, ``bytes``: of the archive."""

    version: str
    integrity: str
    bytes: int


@dataclass(frozen=True, slots=True)
class DebianPackage:
    """A package of Debian, and the SHA-256 of its archive."""

    version: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Pins:
    """All pins; ``compiler``: versions of Python packages by name."""

    pyodide: Pyodide
    compiler: dict[str, str]
    debian: dict[str, DebianPackage]


@cache
def pins() -> Pins:
    """The pins of this version of Komadai."""
    data: dict[str, Any] = tomllib.loads((Path(__file__).parent / "pins.toml").read_text(encoding="utf-8"))
    return Pins(
        Pyodide(**data["pyodide"]),
        data["compiler"],
        {name: DebianPackage(**pin) for name, pin in data["debian"].items()},
    )
