"""JSON that comes from files and other programs."""

from __future__ import annotations

import json
import re
from math import isfinite
from typing import Any

from .i18n import _

_DEEPEST = 100
"""Most nested lists and objects, so that code which walks through the data by recursion cannot overflow the stack."""
_NO_LEVEL = re.compile(r'"(?:[^"\\]|\\.)*"|[^][{}"]+')


def levels(text: str) -> int:
    """How deep the lists and objects of a JSON text are nested."""
    depth = most = 0
    for sign in _NO_LEVEL.sub("", text):
        depth += 1 if sign in "[{" else -1
        most = max(most, depth)
    return most


def parsed(text: str | bytes) -> Any:
    """The data of a JSON text; bytes are UTF-8.

    Raises:
        ValueError: it is no JSON, or nested too deeply.
    """
    words = text if isinstance(text, str) else text.decode()
    if (found := levels(words)) > _DEEPEST:
        raise ValueError(f"nested {found:,} levels deep; expected {_DEEPEST} at most")
    try:
        return json.loads(words, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise ValueError(_("not JSON: {why}", why=where_it_ceases(error))) from None


def where_it_ceases(error: json.JSONDecodeError) -> str:
    """What is wrong with a text that is no JSON, in words."""
    if error.msg.startswith("Unterminated") or not error.doc[error.pos :].strip():
        return _("the text ends in the middle")
    at = {"line": error.lineno, "column": error.colno, "sign": repr(error.doc[error.pos])}
    return _("{sign} is not expected in line {line}, column {column}", **at)


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number in JSON")


def fits(data: Any, shape: Any) -> bool:
    """Whether plain data has a shape.

    A shape is a type, where a ``float`` is finite or a whole number and no ``bool`` is an ``int``; ``None``; a tuple:
    one of several shapes; a list of one shape: a list of such; or an object: of the shapes of its names, which need not
    be all and must be there, but where ``...`` is among several shapes; or with ``...`` for a name: of one for all.
    """
    match shape:
        case tuple():
            return any(fits(data, one) for one in shape)
        case list():
            return isinstance(data, list) and all(fits(one, shape[0]) for one in data)
        case dict() if ... in shape:
            return isinstance(data, dict) and all(fits(one, shape[...]) for one in data.values())
        case dict():
            return isinstance(data, dict) and all(
                fits(data[name], one) if name in data else isinstance(one, tuple) and ... in one
                for name, one in shape.items()
            )
        case None:
            return data is None
    if shape is float:
        return type(data) is int or (type(data) is float and isfinite(data))
    return type(data) is shape
