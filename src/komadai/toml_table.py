"""Data files in TOML, read table by table; every defect is noted with its place."""

from __future__ import annotations

import tomllib
from typing import Any, TypeVar

T = TypeVar("T")

_DEEPEST = 100  # levels of tables and lists


def parsed(text: str) -> dict[str, Any]:
    """The data of a TOML text.

    Raises:
        ValueError: it is no TOML, or nested too deeply.
    """
    too_deep = f"nested too deeply; expected {_DEEPEST} levels at most"
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise ValueError(too_deep) from None
    level, depth = [*data.values()], 0
    while level:
        depth += 1
        if depth > _DEEPEST:
            raise ValueError(too_deep)
        inner = ((one.values() if isinstance(one, dict) else one) for one in level if isinstance(one, dict | list))
        level = [value for values in inner for value in values]
    return data


class TomlTable:
    """A table of a file: what is taken from it is checked, and what is left over is a defect.

    Attributes:
        data: what is left of it. ``path``: its place in the file. ``defects``: those found in the whole file.
    """

    def __init__(self, data: dict[str, Any], path: str, defects: list[str]) -> None:
        self.data, self.path, self.defects = dict(data), path, defects

    def defect(self, key: str, what: str) -> None:
        place = ".".join(filter(None, (self.path, key)))
        self.defects.append(f"{place}: {what}" if place else what)

    def take(self, key: str, kind: type[T], default: T) -> T:
        """The value of a key, which may be absent."""
        value = self.data.pop(key, default)
        if isinstance(value, kind) and not (kind is int and isinstance(value, bool)):
            return value
        self.defect(key, f"{value!r} is no {kind.__name__}")
        return default

    def text(self, key: str) -> str:
        """A text, which must be there."""
        if not self.data.get(key):
            self.defect(key, "missing")
        return self.take(key, str, "").strip()

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; a text alone is split at its spaces."""
        value = self.data.pop(key, [])
        found = value.split() if isinstance(value, str) else value
        if isinstance(found, list) and all(isinstance(one, str) for one in found):
            return tuple(found)
        self.defect(key, f"{value!r} is no list of texts")
        return ()

    def tables(self, key: str, least: int = 0) -> list[TomlTable]:
        """The tables of a list, each with the id it has, or its number, as its place."""
        value = self.data.pop(key, [])
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            self.defect(key, "expected tables")
            return []
        if len(value) < least:
            self.defect(key, f"there are {len(value)}; expected {least} or more")
        place = ".".join(filter(None, (self.path, key)))
        return [TomlTable(one, f"{place}[{one.get('id', number)}]", self.defects) for number, one in enumerate(value)]

    def close(self) -> None:
        """Report the keys that were not taken."""
        for key in self.data:
            self.defect(key, "unknown key")
