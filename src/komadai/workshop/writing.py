"""Write a variant as the text of a variant file: the same spec gives the same text, byte for byte."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from typing import Any

from ..spec.variant import Variant
from ..typed import typed
from .model import NONE, default_of, fields_of, required, tagged

_WIDTH = 110
_LISTS = ("kinds", "rules", "handicaps", "options")  # their entries stand as tables of their own


def data_of(value: Any) -> Any:
    """A value of the vocabulary as plain data: tables, lists, texts, whole numbers and truth values."""
    if value is None:
        return NONE
    if isinstance(value, tuple):
        return [data_of(one) for one in value]
    if not is_dataclass(value):
        return value
    cls = type(value)
    changed = {
        field.name: data_of(getattr(value, field.name))
        for field in fields_of(cls)
        if required(field) or getattr(value, field.name) != default_of(field)
    }
    if cls not in tagged():
        return changed
    first = next(iter(fields_of(cls)), None)
    if not changed:
        return cls.__name__
    alone = first is not None and list(changed) == [first.name]
    return {cls.__name__: changed[first.name] if alone and first is not None else changed}


@typed
def variant_text(variant: Variant, options: Sequence[Mapping[str, Any]] = ()) -> str:
    """The text of a variant's file; ``options`` are its rule options, as data."""
    return text_of(data_of(variant) | ({"options": list(options)} if options else {}))


def text_of(data: Mapping[str, Any]) -> str:
    """The text of a variant file with this data."""
    lists = [key for key, value in data.items() if key in _LISTS and value]
    long = [key for key, value in data.items() if _is_long(key, value)]
    parts = [_lines({key: value for key, value in data.items() if key not in (*lists, *long)})]
    parts += [f"[{key}]\n{_lines(data[key])}" for key in long]
    for key in lists:
        for entry in data[key]:
            inside = {name: value for name, value in entry.items() if name != "changes"}
            parts.append(f"[[{key}]]\n{_lines(inside)}")
            changes = entry.get("changes", {}).items()
            parts += [f"[{key}.changes.{_key(value)}]\n{_lines(change)}" for value, change in changes]
    return "\n".join(parts)


def _is_long(key: str, value: Any) -> bool:
    """True if the value is a table of fields, which has a heading of its own because it does not fit into a line."""
    fields = isinstance(value, Mapping) and all(name.islower() for name in value)
    return fields and len(key) + 3 + len(_plain(value)) > _WIDTH


def _lines(table: Mapping[str, Any]) -> str:
    return "".join(_line(key, value) for key, value in table.items())


def _line(key: str, value: Any) -> str:
    return f"{_key(key)} = {_written(value, len(key) + 3, 1)}\n"


def _key(key: str) -> str:
    bare = key and key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if bare else _quoted(key)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _written(value: Any, column: int, level: int) -> str:
    """A value; a list that does not fit into the line has an entry, or as many short ones as fit, on each."""
    plain = _plain(value)
    if column + len(plain) <= _WIDTH:
        return plain
    if isinstance(value, Mapping):
        inside = [f"{_key(key)} = {_written(one, column + len(key) + 5, level)}" for key, one in value.items()]
        return f"{{ {', '.join(inside)} }}"
    if isinstance(value, list):
        indent = "  " * level
        lines: list[str] = []
        for one in value:
            text = _written(one, len(indent), level + 1)
            short = lines and not isinstance(one, Mapping) and len(lines[-1]) + len(text) + 2 <= _WIDTH
            if short:
                lines[-1] += f" {text},"
            else:
                lines.append(f"{indent}{text},")
        return "\n".join(["[", *lines, f"{'  ' * (level - 1)}]"])
    return plain


def _plain(value: Any) -> str:
    """A value in one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_key(key)} = {_plain(one)}' for key, one in value.items())} }}" if value else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_plain, value))}]"
    return str(value)
