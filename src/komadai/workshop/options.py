"""Rule options of a variant file: values, each with what it changes in the file.

A change is a path and the value that stands there instead. Entries of ``kinds`` go by their codes, those of other lists
by their numbers from 0; a number one past the last appends, and ``"none"`` for an entry takes it out.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..i18n import _, joined
from ..spec.names import nearest_code
from ..spec.variant import Option
from ..variants import ILLEGAL_MOVE
from .limits import MOST_OPTIONS, MOST_VALUES
from .model import NONE
from .places import Path
from .reading import Refuse

_NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")
_VALUE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,31}")
_FIELDS = ("name", "help", "values", "changes")


@dataclass(frozen=True, slots=True)
class FileOption:
    """A rule option of a file.

    Attributes:
        option: its name, help and values, the default first.
        changes: by value, what it changes: paths and data.
        path: where it stands in the file.
    """

    option: Option
    changes: Mapping[str, Mapping[str, Any]]
    path: Path


def read_options(data: Any, refuse: Refuse) -> tuple[FileOption, ...]:
    """The options of a file; those with defects are left out."""
    if not isinstance(data, list) or not all(isinstance(one, dict) for one in data):
        refuse(("options",), _("expected tables [[options]] with name, help and values"))
        return ()
    if len(data) > MOST_OPTIONS:
        refuse(
            ("options",), _("there are {count} options; expected {most} at most", count=len(data), most=MOST_OPTIONS)
        )
        return ()
    found: dict[str, FileOption] = {}
    for number, one in enumerate(data):
        read = _option(one, ("options", number), refuse)
        if read is None:
            continue
        if read.option.name in found:
            refuse(
                (*read.path, "name"), _("there are two options {name}; expected another name", name=read.option.name)
            )
        found[read.option.name] = read
    if sum(len(one.option.values) for one in found.values()) > MOST_VALUES:
        refuse(("options",), _("the options have more than {most} values together", most=MOST_VALUES))
        return ()
    return tuple(found.values())


def _option(data: dict[str, Any], path: Path, refuse: Refuse) -> FileOption | None:
    sound = True

    def bad(key: str, what: str) -> None:
        nonlocal sound
        sound = False
        refuse((*path, key), what)

    for key in data:
        if key not in _FIELDS:
            choice = ", ".join(_FIELDS)
            bad(key, _("there is no field {key} of an option; choose from {choice}", key=repr(key[:40]), choice=choice))
    name, words, values, changes = (data.get(key) for key in _FIELDS)
    if not (isinstance(name, str) and _NAME.fullmatch(name)):
        bad("name", _("expected a name of small letters, digits and _, such as drop_faces"))
    elif name == ILLEGAL_MOVE.name:
        bad("name", _("every variant has the option {name}; expected another name", name=name))
    if not (isinstance(words, str) and words.isprintable() and 0 < len(words) <= 200):
        bad("help", _("expected a line of text that says what the option decides"))
    texts = values if isinstance(values, list) else []
    if not (len(texts) >= 2 and all(isinstance(one, str) and _VALUE.fullmatch(one) for one in texts)):
        bad("values", _("expected two or more words of letters, digits, _ . and -, the default first"))
    elif len(set(texts)) < len(texts):
        bad("values", _("a value stands twice; expected each once"))
    changes = {} if changes is None else changes
    if not (isinstance(changes, dict) and all(isinstance(one, dict) for one in changes.values())):
        bad("changes", _('expected a table for each value, such as [options.changes.front] with "path" = value'))
        changes = {}
    for value in changes:
        if value not in texts:
            what = {"value": repr(value[:40]), "choice": ", ".join(map(str, texts))[:200]}
            bad("changes", _("{value} is none of the values; choose from {choice}", **what))
    if sound and texts and not any(changes.get(one) for one in texts):
        bad("changes", _("no value changes anything; expected [options.changes.VALUE] with what is different"))
    return FileOption(Option(str(name), tuple(texts), str(words)), changes, path) if sound else None


class Changed:
    """A file's data under some values of its options.

    Attributes:
        data: the data. ``origins``: by the place of each change, where it stands in the file.
    """

    def __init__(self, data: Mapping[str, Any], refuse: Refuse) -> None:
        self.data: dict[str, Any] = copy.deepcopy(dict(data))
        self.origins: dict[Path, Path] = {}
        self._refuse, self._out = refuse, set[Path]()
        self._codes = [one.get("code") if isinstance(one, dict) else None for one in _entries(self.data.get("kinds"))]

    def change(self, option: FileOption, value: str) -> None:
        """Make the changes of a value. Entries are not taken out before :meth:`finish`, so that numbers stay."""
        for text, what in option.changes.get(value, {}).items():
            origin = (*option.path, "changes", value, text)
            if (path := self._set(text, what, origin)) is not None:
                self.origins[path] = origin

    def finish(self) -> dict[str, Any]:
        """The data without the entries that were taken out."""
        for around in sorted({path[:-1] for path in self._out}, key=len, reverse=True):  # the inner lists first
            entries = self._at(around)
            entries[:] = [one for number, one in enumerate(entries) if (*around, number) not in self._out]
        return self.data

    def _at(self, path: Path) -> Any:
        at: Any = self.data
        for part in path:
            at = at[part]
        return at

    def _set(self, text: str, what: Any, origin: Path) -> Path | None:
        path: Path = ()
        at: Any = self.data
        parts = text.split(".")
        for number, part in enumerate(parts):
            key = self._index(at, part, path) if isinstance(at, list) else part
            if key is None or not isinstance(at, (dict, list)):
                said = {"text": repr(text[:80]), "suggestion": self._right(at, part, path)}
                self._refuse(origin, _("there is no {text} in this file; {suggestion}", **said))
                return None
            path = (*path, key)
            if isinstance(at, list) and key == len(at):
                at.append({})
            if number == len(parts) - 1:
                at[key] = copy.deepcopy(what)
                if isinstance(at, list) and what == NONE:
                    self._out.add(path)
            elif isinstance(at, dict):
                at = at.setdefault(part, {})
            else:
                at = at[key]
        return path

    def _index(self, at: list[Any], part: str, path: Path) -> int | None:
        """The number of the entry that a part of a path names; ``None`` if there is none."""
        if path == ("kinds",):
            return self._codes.index(part) if part in self._codes else None
        return int(part) if part.isascii() and part.isdigit() and len(part) < 4 and int(part) <= len(at) else None

    def _right(self, at: Any, part: str, path: Path) -> str:
        if path == ("kinds",):
            meant = nearest_code(part[:40], [code for code in self._codes if isinstance(code, str)])
            said = _("{part} is no code of a kind", part=repr(part[:40]))
            return joined([said, _("did you mean {word}?", word=repr(meant))]) if meant else said
        if isinstance(at, list):
            return _(
                "{part} is no number of an entry, from 0 to {count}, which appends", part=repr(part[:40]), count=len(at)
            )
        return _("{part} is inside a value that has no parts", part=repr(part[:40]))


def _entries(data: Any) -> list[Any]:
    return data if isinstance(data, list) else []
