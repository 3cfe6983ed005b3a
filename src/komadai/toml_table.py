"""Data files in TOML, read table by table; every defect is noted with its place."""

from __future__ import annotations

import tomllib
from typing import Any, NamedTuple, TypeVar

from .i18n import _

T = TypeVar("T")

_DEEPEST = 100  # levels of tables and lists
_LONGEST = 60  # characters of a value in a message


class Defect(NamedTuple):
    """A defect of a data file: the place of a value, such as ``chapters[0].title`` (empty: the file), and what would be
    right there."""

    place: str
    what: str

    def __str__(self) -> str:
        return f"{self.place}: {self.what}" if self.place else self.what


def brief(value: object) -> str:
    """A value for a message, cut where it is long."""
    try:
        text = repr(value)
    except ValueError:  # a whole number with more digits than Python writes
        return type(value).__name__
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def parsed(text: str) -> dict[str, Any]:
    """The data of a TOML text.

    Raises:
        ValueError: it is no TOML, or nested too deeply.
    """
    too_deep = _("nested too deeply; expected {most} levels at most", most=_DEEPEST)
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

    def __init__(self, data: dict[str, Any], path: str, defects: list[Defect]) -> None:
        self.data, self.path, self.defects = dict(data), path, defects

    def defect(self, key: str, what: str) -> None:
        self.defects.append(Defect(self._place(key), what))

    def _place(self, key: str) -> str:
        return ".".join(filter(None, (self.path, key)))

    def take(self, key: str, kind: type[T], default: T) -> T:
        """The value of a key, which may be absent."""
        value = self.data.pop(key, default)
        if isinstance(value, kind) and not (kind is int and isinstance(value, bool)):
            return value
        self.defect(key, _("{value} is no {kind}", value=brief(value), kind=kind.__name__))
        return default

    def text(self, key: str) -> str:
        """A text, which must be there."""
        if not self.data.get(key):
            self.defect(key, _("missing"))
        return self.take(key, str, "").strip()

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; a text alone is split at its spaces."""
        value = self.data.pop(key, [])
        found = value.split() if isinstance(value, str) else value
        if isinstance(found, list) and all(isinstance(one, str) for one in found):
            return tuple(found)
        self.defect(key, _("{value} is no list of texts", value=brief(value)))
        return ()

    def tables(self, key: str, least: int = 0) -> list[TomlTable]:
        """The tables of a list, each with the id it has, or its number, as its place."""
        value = self.data.pop(key, [])
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            self.defect(key, _("expected tables"))
            return []
        if len(value) < least:
            self.defect(key, _("there are {count}; expected {least} or more", count=len(value), least=least))
        return [
            TomlTable(one, f"{self._place(key)}[{_name(one, number)}]", self.defects)
            for number, one in enumerate(value)
        ]

    def close(self) -> None:
        """Report the keys that were not taken."""
        for key in self.data:
            self.defect(key, _("unknown key"))


def _name(table: dict[str, Any], number: int) -> object:
    """The id of a table of a list, or its number."""
    id = table.get("id")
    return id if isinstance(id, str) and 0 < len(id) <= _LONGEST else number
