"""Checks of plain data, which JSON files hold."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from ..errors import NotationError
from ..i18n import _
from ..json_text import levels, where_it_ceases
from ..variants import suggest
from .reader import MOST_DEFECTS, refuse
from .tree import clean

# How often signs may stand in a file, so that what Python makes of a hostile one stays within some 100 MB.
_MOST = (("{[", 500_000), (":", 800_000), (",", 2_500_000))
_DEEPEST = 1_000 if sys.platform == "emscripten" else None
"""Most levels of a JSON text where Python runs on the stack of JavaScript, whose end it does not see and survive."""


def load(text: str) -> Any:
    """The data of a JSON text.

    Raises:
        NotationError: it is no JSON, is nested too deeply, or has more parts than any record.
    """
    for signs, most in _MOST:
        count = sum(map(text.count, signs))
        if count > most:
            said = {"count": f"{count:,}", "signs": " ".join(signs), "most": f"{most:,}"}
            words = _("has too many parts: {count} times {signs}; expected {most} at most", **said)
            raise NotationError(_("record"), [words])
    try:
        if _DEEPEST is not None and levels(text) > _DEEPEST:
            raise RecursionError
        return json.loads(text, object_pairs_hook=_once)
    except NotationError:
        raise
    except RecursionError:
        raise NotationError(_("record"), [_("is nested too deeply to be one")]) from None
    except json.JSONDecodeError as error:
        raise NotationError(_("record"), [_("is not JSON: {why}", why=where_it_ceases(error))]) from None
    except ValueError:  # a number of too many digits
        raise NotationError(_("record"), [_("contains too long a number")]) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The fields of an object, of which Python would keep the last where a name occurs twice."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        seen = set[str]()
        for name, _value in pairs:
            if name in seen:
                words = _("field {name} occurs twice in an object", name=repr(name[:40]))
                raise NotationError(_("record"), [words])
            seen.add(name)
    return fields


def kind_words(value: object) -> str:
    """The kind of a value in words."""
    names = {dict: _("an object"), list: _("a list"), str: _("text"), bool: _("true or false"), type(None): _("null")}
    return names.get(type(value), _("a number"))


def value_words(value: object, most: int = 40) -> str:
    """The beginning of a value as JSON, for a message."""
    try:
        return clean(json.dumps(value, ensure_ascii=False))[:most]
    except (RecursionError, ValueError):  # of more levels or digits than Python writes
        return kind_words(value)


def no_text(name: str, value: object) -> str:
    """The message about a value that is not text."""
    return _("{name} is {kind}; expected text", name=name, kind=kind_words(value))


def unknown_fields(data: dict[str, Any], fields: Sequence[str]) -> list[str]:
    """The defects of an object that has other fields than these; of very many the first."""
    unknown: Iterable[str] = (name for name in data if name not in fields)
    return [
        _("there is no field {name}; {suggestion}", name=repr(name[:40]), suggestion=suggest(name[:40], tuple(fields)))
        for name in islice(unknown, MOST_DEFECTS)
    ]


def fields_of(value: object, fields: Sequence[str], place: str, defects: list[str]) -> dict[str, Any]:
    """The fields of an object; another value is a defect, and so is a field that is not among these."""
    if not isinstance(value, dict):
        refuse(defects, place, _("is {kind}; expected an object", kind=kind_words(value)))
        return {}
    for defect in unknown_fields(value, fields):
        refuse(defects, place, defect)
    return {name: value[name] for name in fields if name in value}
