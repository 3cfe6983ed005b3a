"""Write a game of the registry as a variant file, its rule options included."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass, replace
from difflib import SequenceMatcher
from typing import Any

from ..errors import NotationError
from ..variants import build, entry
from .model import NONE, fields_of, tagged
from .writing import data_of, variant_text


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
