"""Write a variant, or a game of the registry with its rule options, as a variant file.

The same spec gives the same text, byte for byte.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import is_dataclass, replace
from difflib import SequenceMatcher
from typing import Any

from ..errors import NotationError
from ..spec.variant import Variant
from ..typed import typed
from ..variants import build, entry
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
        for one in data[key]:
            inside = {name: value for name, value in one.items() if name != "changes"}
            parts.append(f"[[{key}]]\n{_lines(inside)}")
            changes = one.get("changes", {}).items()
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


# --- Games of the registry ---


def game_text(name: str, /, **options: str) -> str:
    """The variant file of a game of the registry.

    Without ``options`` it has the game's rule options; with them it is the game under these, without further options.

    Raises:
        NotationError: no such game, option or value, or an option changes what a file cannot say.
    """
    if options:
        chosen = build(name, **options)
        about = replace(chosen.about, sample="")  # the sample is for the defaults
        return variant_text(replace(chosen, options=(), about=about))
    base = build(name)
    own = []
    for option in entry(name).options:
        changes = {
            value: dict(_changes(base, build(name, **{option.name: value}), ()))
            for value in option.values
            if value != option.default
        }
        own.append({"name": option.name, "help": option.help, "values": list(option.values), "changes": changes})
    return variant_text(replace(base, options=()), own)


def _changes(before: Any, after: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """The changes that lead from one value to another: paths and data."""
    if before == after:
        return
    same = type(before) is type(after)
    if same and is_dataclass(before) and type(before) not in tagged():
        for field in fields_of(type(before)):
            yield from _changes(getattr(before, field.name), getattr(after, field.name), (*path, field.name))
    elif same and path == ("kinds",) and [kind.code for kind in before] == [kind.code for kind in after]:
        for old, new in zip(before, after, strict=True):
            yield from _changes(old, new, (*path, old.code))
    elif same and path == ("rules",):
        yield from _of_rules(before, after, path)
    else:
        yield ".".join(path), data_of(after)


def _of_rules(before: Any, after: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """The changes of a list of rules, of which some are taken out, others changed or appended."""
    appended = 0
    for tag, start, end, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        pairs = min(end - start, last - first)
        for number in range(pairs):
            yield from _changes(before[start + number], after[first + number], (*path, str(start + number)))
        for number in range(start + pairs, end):
            yield ".".join((*path, str(number))), NONE
        if first + pairs < last and end != len(before):
            raise NotationError("rules", ["an option puts a rule between others, which a file cannot say"])
        for rule in after[first + pairs : last]:
            yield ".".join((*path, str(len(before) + appended))), data_of(rule)
            appended += 1
