"""Make a variant of the data of a file; every defect is noted with its place.

The values are judged here by their types and by the limits of :mod:`.limits`, which keep whatever is made of a
stranger's file small. Whether they make a game is what :func:`komadai.spec.validate.check_spec` says.
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import is_dataclass
from typing import Any, Literal, get_args, get_origin

from ..i18n import _, joined, marked
from ..spec.conditions import AnyOf
from ..spec.rules import Forbid, Rule
from ..spec.variant import Variant
from ..variants import suggest
from .limits import LARGEST_NUMBER, LONGEST_TEXT, MOST_DEFECTS, MOST_ENTRIES, MOST_KINDS
from .model import (
    NONE,
    alternatives,
    annotations_of,
    by_name,
    default_of,
    expected,
    fields_of,
    is_nullable,
    item_types,
    required,
    untagged,
)
from .places import Path

Refuse = Callable[[Path, str], None]

BAD = object()
"""Stands for a value that could not be read."""

_MOST: Mapping[Path, int] = {("kinds",): MOST_KINDS}

# Instead of what is wrong or missing, so that the rest can be judged.
_STAND_INS: Mapping[str, Any] = {"id": "x", "name": "?", "version": "?", "summary": "?", "sources": ()}
_CLASSES: Mapping[str, str] = {
    "Agreement": marked("an agreement"),
    "Borrowing": marked("a borrowing"),
    "Declaration": marked("a declaration"),
    "Handicap": marked("a handicap"),
    "Kind": marked("a kind"),
    "Leg": marked("a leg"),
    "Rule": marked("a rule"),
    "Shot": marked("a shot"),
    "Support": marked("a support"),
    "Variant": marked("a variant"),
    "Walk": marked("a walk"),
}
"""The classes that are never named in a file."""
_NEVER = Rule("lands", AnyOf(()), Forbid("?"), "?")  # the numbers of the other rules stay


class Reader:
    """Reads values of the vocabulary from data.

    Args:
        refuse: called with the place of each defect and what is wrong there.
        partial: parts of the file are missing, since their syntax is wrong; so what lacks is no defect.
    """

    def __init__(self, refuse: Refuse, *, partial: bool = False) -> None:
        self._refuse, self._partial, self._count = refuse, partial, 0

    def variant(self, data: Mapping[str, Any]) -> Variant | None:
        """The variant of a file's data, without its options; with stand-ins for what is wrong, as far as there are any.

        ``None`` if it cannot be made.
        """
        found = self._table(Variant, dict(data), ())
        return found if isinstance(found, Variant) else None

    def value(self, annotation: Any, data: Any, path: Path) -> Any:
        """A value where the annotation stands, or :data:`BAD`."""
        if data == NONE and is_nullable(annotation):
            return None
        names = by_name(annotation)
        if isinstance(data, dict) and names:
            return self._tagged(names, data, path)
        if isinstance(data, dict) and (cls := untagged(annotation)) is not None:
            return self._table(cls, data, path)
        if isinstance(data, str) and (names and str not in alternatives(annotation)):
            return self._named(names, data, path)
        for one in alternatives(annotation):
            if self._fits(one, data):
                return self._plain(one, data, path)
        return self._bad(
            path, _("{value} does not fit; expected {right}", value=_shown(data), right=expected(annotation))
        )

    # --- Classes ---

    def _named(self, names: Mapping[str, type], data: str, path: Path) -> Any:
        """An object of a class of which the name is given alone."""
        cls = names.get(data)
        if cls is None:
            return self._unknown(names, data, path)
        lacking = [field.name for field in fields_of(cls) if required(field)]
        if lacking:
            first = fields_of(cls)[0].name
            what = {"name": data, "fields": ", ".join(lacking), "right": expected(annotations_of(cls)[first])}
            return self._bad(path, _("{name} needs {fields}; expected {{ {name} = … }} with {right}", **what))
        return cls()

    def _tagged(self, names: Mapping[str, type], data: dict[str, Any], path: Path) -> Any:
        """An object of the class that the one key of a table names."""
        if len(data) != 1:
            found = _("the table has the keys {keys}", keys=_listed(data)) if data else _("the table is empty")
            right = _("expected one key, the name of what it is: {names}", names=_listed(names))
            return self._bad(path, joined([found, right]))
        ((name, inside),) = data.items()
        cls = names.get(name)
        if cls is None:
            return self._unknown(names, name, path)
        fields = {field.name for field in fields_of(cls)}
        if isinstance(inside, dict) and (not inside or fields & inside.keys() or not _capital(inside)):
            return self._table(cls, inside, (*path, name))
        if not fields:
            return self._bad(
                (*path, name), _('{name} has no fields; expected "{name}" or {{ {name} = {{}} }}', name=name)
            )
        return self._table(cls, {fields_of(cls)[0].name: inside}, (*path, name), short=True)

    def _unknown(self, names: Iterable[str], name: str, path: Path) -> Any:
        return self._bad(
            path, _("there is no {name}; {suggestion}", name=_shown(name), suggestion=suggest(name[:40], tuple(names)))
        )

    def _table(self, cls: type, data: dict[str, Any], path: Path, *, short: bool = False) -> Any:
        """An object of a class from its fields; in the ``short`` form the only one has no key of its own."""
        known = {field.name: field for field in fields_of(cls)}
        for key in data:
            if self._count > MOST_DEFECTS:
                return BAD
            if key not in known:
                right = suggest(key[:40], tuple(known)) if known else _("{name} has no fields", name=cls.__name__)
                self._bad((*path, key), _("there is no field {key}; {right}", key=_shown(key), right=right))
        values: dict[str, Any] = {}
        sound = True
        for name, field in known.items():
            annotation = annotations_of(cls)[name]
            if name in data:
                value = self.value(annotation, data[name], path if short else (*path, name))
                if value == "" and (required(field) or default_of(field) != ""):
                    value = self._bad((*path, name), _("{name} is empty; expected text", name=name))
            elif required(field):
                value = self._missing(path, cls, name, annotation)
            else:
                continue
            if value is BAD and cls is Variant:
                value = _STAND_INS.get(name, BAD)
            if value is not BAD:
                values[name] = value
            elif required(field):
                sound = False
        return cls(**values) if sound else BAD

    def _missing(self, path: Path, cls: type, name: str, annotation: Any) -> Any:
        if self._partial:
            return BAD
        return self._bad(
            path,
            _("{what} needs {name}; expected {name} = {right}", what=_a(cls), name=name, right=expected(annotation)),
        )

    # --- Plain values ---

    def _fits(self, one: Any, data: Any) -> bool:
        if get_origin(one) is tuple:
            return isinstance(data, list)
        if get_origin(one) is Literal:
            return any(data == word and type(data) is type(word) for word in get_args(one))
        if not inspect.isclass(one) or one is types.NoneType or is_dataclass(one):
            return False
        return type(data) is one

    def _plain(self, one: Any, data: Any, path: Path) -> Any:
        if isinstance(data, list):
            return self._list(one, data, path)
        if isinstance(data, str):
            return self._text(data, path)
        if type(data) is int and abs(data) > LARGEST_NUMBER:
            return self._bad(path, _("the number is too large; expected {most} at most", most=f"{LARGEST_NUMBER:,}"))
        return data

    def _list(self, annotation: Any, data: list[Any], path: Path) -> Any:
        most = _MOST.get(path, MOST_ENTRIES)
        if len(data) > most:
            return self._bad(
                path, _("there are {count} entries; expected {most} at most", count=f"{len(data):,}", most=most)
            )
        items = item_types(annotation)
        if items is not None and len(items) != len(data):
            return self._bad(
                path, _("there are {count} entries; expected {right}", count=len(data), right=expected(annotation))
            )
        of = items or (get_args(annotation)[0],) * len(data)
        values = [
            self.value(one, entry, (*path, number)) for number, (one, entry) in enumerate(zip(of, data, strict=True))
        ]
        if path == ("rules",):
            values = [_NEVER if value is BAD else value for value in values]
        return BAD if any(value is BAD for value in values) else tuple(values)

    def _text(self, text: str, path: Path) -> Any:
        if len(text) > LONGEST_TEXT:
            counts = {"count": f"{len(text):,}", "most": f"{LONGEST_TEXT:,}"}
            return self._bad(path, _("the text has {count} characters; expected {most} at most", **counts))
        hidden = next((sign for sign in text if not (sign.isprintable() or sign == "\u3000")), None)
        if hidden is not None:
            return self._bad(
                path, _("the text contains {hidden}; expected one line of visible characters", hidden=repr(hidden))
            )
        if "{" in (spare := re.sub(r"\{(?:other|side)\}", "", text)) or "}" in spare:
            return self._bad(
                path, _("the text has braces; expected none but {other} and {side}, which stand for sides")
            )
        return text

    def _bad(self, path: Path, what: str) -> Any:
        self._count += 1
        if self._count <= MOST_DEFECTS:
            self._refuse(path, what)
        return BAD


def _capital(table: Mapping[str, Any]) -> bool:
    """True if the table's one key is the name of a class, so that it stands for a value and not for fields."""
    return len(table) == 1 and next(iter(table))[:1].isupper()


def _a(cls: type) -> str:
    """A class in words."""
    words = _CLASSES.get(cls.__name__)
    return cls.__name__ if words is None else _(words)


def _listed(names: Iterable[str]) -> str:
    """Some of the names."""
    shown = [name[:40] for name in names]
    return ", ".join(shown if len(shown) < 25 else [*shown[:8], "…"])


def _shown(data: Any) -> str:
    """The beginning of a value, as messages quote it."""
    if isinstance(data, (dict, list)):
        return _("a table") if isinstance(data, dict) else _("a list")
    if isinstance(data, bool):
        return "true" if data else "false"
    text = repr(data) if isinstance(data, (str, int, float)) and abs(len(str(data)[:99])) < 99 else repr(str(data)[:40])
    return text if len(text) <= 44 else f"{text[:40]}…{text[-1]}"
