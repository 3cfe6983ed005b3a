"""Places in a TOML file: the line and column of every key and entry.

Python's :mod:`tomllib` reads the values and judges the syntax, but says of no value where it stands. The scanner here
finds that out, for files that tomllib reads. Of others it stops somewhere, in linear time, having measured how deep
they are nested, which tomllib does not bear in every case.
"""

from __future__ import annotations

import re
import tomllib
from contextlib import suppress

from .limits import DEEPEST

Path = tuple[str | int, ...]
"""The way to a value from the top of a file: keys of tables and numbers of entries, from 0."""

_BLANKS = re.compile(r"[ \t]*")
_BLANK_LINES = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_PLAIN = re.compile(r"[^\s,\]}#]+")
_ONE_LINE = {'"': re.compile(r'"(?:[^"\\\n]|\\.)*+"'), "'": re.compile(r"'[^'\n]*'")}
_INSIDE = {'"""': re.compile(r'(?:[^"\\]|\\[\s\S]|"(?!""))*+"{3,5}'), "'''": re.compile(r"(?:[^']|'(?!''))*+'{3,5}")}


class TooDeepError(ValueError):
    """A file is nested too deeply; ``offset`` is where."""

    def __init__(self, offset: int) -> None:
        super().__init__("nested too deeply")
        self.offset = offset


class _LostError(Exception):
    """The text is no TOML here."""


class Places:
    """The places of the keys and entries of a text.

    Raises:
        TooDeepError: it is nested too deeply.
    """

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self._offsets: dict[Path, int] = {(): 0}
        self._texts: dict[Path, tuple[int, int]] = {}  # where a text in quotes begins and ends
        self._counts: dict[Path, int] = {}  # entries of the arrays of tables so far
        with suppress(_LostError):
            self._document()

    def offset(self, path: Path) -> int:
        """The offset of a value, or of the nearest table around it that is there."""
        while path not in self._offsets:
            path = path[:-1]
        return self._offsets[path]

    def at(self, path: Path, within: int | None = None) -> tuple[int, int]:
        """The line and column of a value, both from 1, or those of the nearest table around it that is there.

        With ``within`` those of that character of a text, if it stands in the file as it is read.
        """
        if within is not None and path in self._texts:
            begin, end = self._texts[path]
            if within <= end - begin and "\\" not in self._text[begin:end]:
                return position(self._text, begin + within)
        return position(self._text, self.offset(path))

    # --- Scanning ---

    def _document(self) -> None:
        table: Path = ()
        while True:
            self._skip(_BLANK_LINES)
            if self._at >= len(self._text):
                return
            start = self._at
            if self._next("[["):
                table = self._entry(self._resolved(self._keys()), start)
                self._expect("]]")
            elif self._next("["):
                table = self._resolved(self._keys())
                self._offsets.setdefault(table, start)
                self._expect("]")
            else:
                self._pair(table, 0)
            self._skip(_BLANKS)

    def _entry(self, array: Path, start: int) -> Path:
        number = self._counts.get(array, 0)
        self._counts[array] = number + 1
        self._offsets.setdefault(array, start)
        self._offsets[(*array, number)] = start
        return (*array, number)

    def _resolved(self, keys: Path) -> Path:
        """The path that the keys of a header mean: in an array of tables its last entry."""
        path: Path = ()
        for number, key in enumerate(keys):
            path = (*path, key)
            if path in self._counts and number < len(keys) - 1:
                path = (*path, self._counts[path] - 1)
        return path

    def _pair(self, table: Path, depth: int) -> None:
        start = self._at
        keys = self._keys()
        path = table
        for key in keys:
            path = (*path, key)
            self._offsets.setdefault(path, start)
        self._expect("=")
        self._skip(_BLANKS)
        self._value(path, depth + 1)

    def _keys(self) -> Path:
        keys: list[str] = []
        while True:
            self._skip(_BLANKS)
            keys.append(self._key())
            if len(keys) > DEEPEST:
                raise TooDeepError(self._at)
            self._skip(_BLANKS)
            if not self._next("."):
                return tuple(keys)

    def _key(self) -> str:
        quote = self._text[self._at : self._at + 1]
        token = self._take(_ONE_LINE.get(quote, _BARE_KEY))
        if quote == '"' and "\\" in token:
            try:
                return str(tomllib.loads(f"key = {token}")["key"])
            except tomllib.TOMLDecodeError:
                raise _LostError from None
        return token[1:-1] if quote in _ONE_LINE else token

    def _value(self, path: Path, depth: int) -> None:
        if depth > DEEPEST:
            raise TooDeepError(self._at)
        if self._next("["):
            self._list(path, depth)
        elif self._next("{"):
            self._inline(path, depth)
        elif (quotes := self._text[self._at : self._at + 3]) in _INSIDE:
            self._at += 3
            self._take(_INSIDE[quotes])
        elif (quote := self._text[self._at : self._at + 1]) in _ONE_LINE:
            token = self._take(_ONE_LINE[quote])
            self._texts[path] = self._at - len(token) + 1, self._at - 1
        else:
            self._take(_PLAIN)

    def _list(self, path: Path, depth: int) -> None:
        number = 0
        while True:
            self._skip(_BLANK_LINES)
            if self._next("]"):
                return
            self._offsets[(*path, number)] = self._at
            self._value((*path, number), depth + 1)
            number += 1
            self._skip(_BLANK_LINES)
            if not self._next(","):
                self._expect("]")
                return

    def _inline(self, path: Path, depth: int) -> None:
        while True:
            self._skip(_BLANK_LINES)
            if self._next("}"):
                return
            self._pair(path, depth)
            self._skip(_BLANK_LINES)
            if not self._next(","):
                self._expect("}")
                return

    def _skip(self, pattern: re.Pattern[str]) -> None:
        self._at = pattern.match(self._text, self._at).end()  # type: ignore[union-attr] # it matches nothing, too

    def _take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self._text, self._at)
        if found is None:
            raise _LostError
        self._at = found.end()
        return found[0]

    def _next(self, sign: str) -> bool:
        there = self._text.startswith(sign, self._at)
        if there:
            self._at += len(sign)
        return there

    def _expect(self, sign: str) -> None:
        self._skip(_BLANKS)
        if not self._next(sign):
            raise _LostError


def position(text: str, offset: int) -> tuple[int, int]:
    """The line and column of an offset, both from 1."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def written(path: Path) -> str:
    """A path as messages write it: ``kinds[3].becomes.zone``."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")
