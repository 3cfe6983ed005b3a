"""The versions and hashes of what a static site takes from elsewhere: ``pins.toml``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

REQUIREMENTS = Path(__file__).parent / "requirements.txt"
"""The packages of the tab for pip, with their hashes."""


class Pyodide(msgspec.Struct, frozen=True):
    """The npm package; ``integrity`` as npm writes it, ``bytes``: of the archive."""

    version: str
    integrity: str
    bytes: int


class DebianPackage(msgspec.Struct, frozen=True):
    """A package of Debian, and the SHA-256 of its archive."""

    version: str
    sha256: str


class Pins(msgspec.Struct, frozen=True):
    """All pins; ``compiler``: versions of Python packages by name."""

    pyodide: Pyodide
    compiler: dict[str, str]
    debian: dict[str, DebianPackage]


@cache
def pins() -> Pins:
    """The pins of this version of Komadai."""
    return msgspec.toml.decode((Path(__file__).parent / "pins.toml").read_bytes(), type=Pins)
