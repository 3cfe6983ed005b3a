"""The dataclasses of the vocabulary as a file sees them: their fields, the types of these, and their descriptions.

Nothing here names a class but :class:`Variant` and :class:`Condition`: a class or field that is added to
:mod:`komadai.spec` is read, written and described at once.

A *tagged* class is one of several that may stand in the same place, such as the conditions. In a file its name says
which it is: ``{ Near = { codes = ["K"], most = 2 } }``. If only its first field is not as usual, that field's value is
enough: ``{ Is = ["P"] }``; and if none is, the name is: ``"Stuck"``.
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from .. import spec
from ..i18n import _
from ..spec.variant import Variant

NONE = "none"
"""The word for Python's ``None``, where a field is not simply left out: as a ``reach`` it means without limit."""

APART: Mapping[type, tuple[str, ...]] = {Variant: ("options", "same_moves")}
"""Fields that are not written as they are: a file defines the options, and the spec has those in force; a file is one
version of its game."""


def fields_of(cls: type) -> tuple[Field[Any], ...]:
    """The fields of a class that a file has."""
    return tuple(field for field in fields(cls) if field.name not in APART.get(cls, ()))


@cache
def annotations_of(cls: type) -> dict[str, Any]:
    """The types of a class's fields by name."""
    return get_type_hints(cls)


def required(field: Field[Any]) -> bool:
    """True if the field has no default."""
    return field.default is MISSING and field.default_factory is MISSING


def default_of(field: Field[Any]) -> Any:
    """The default of a field that is not :func:`required`."""
    return field.default if field.default_factory is MISSING else field.default_factory()


@cache
def alternatives(annotation: Any) -> tuple[Any, ...]:
    """The types that may stand where the annotation does: members of a union, and of a class all that are of it."""
    if get_origin(annotation) in (Union, types.UnionType):
        return tuple(dict.fromkeys(one for part in get_args(annotation) for one in alternatives(part)))
    if inspect.isclass(annotation) and annotation.__module__.startswith(f"{spec.__name__}."):
        return _concrete(annotation)
    return (annotation,)


def _concrete(cls: type) -> tuple[type, ...]:
    """The dataclasses of the vocabulary that are of a class, as it itself may be."""
    named = (getattr(spec, name) for name in spec.__all__)
    return tuple(one for one in named if inspect.isclass(one) and issubclass(one, cls) and is_dataclass(one))


def classes_of(annotation: Any) -> tuple[type, ...]:
    """The dataclasses among the alternatives of an annotation."""
    return tuple(one for one in alternatives(annotation) if inspect.isclass(one) and is_dataclass(one))


def item_types(annotation: Any) -> tuple[Any, ...] | None:
    """Of a tuple of a fixed length the types of its entries; ``None`` if it has any length."""
    inside = get_args(annotation)
    return None if len(inside) == 2 and inside[1] is Ellipsis else inside


def _mentioned(annotation: Any) -> Iterator[Any]:
    """An annotation and those inside it."""
    yield annotation
    if get_origin(annotation) is not Literal:
        for part in get_args(annotation):
            yield from _mentioned(part)


def _choices(cls: type) -> Iterator[tuple[type, ...]]:
    """For each place in a class's fields, the dataclasses that may stand there."""
    for field in fields_of(cls):
        yield from map(classes_of, _mentioned(annotations_of(cls)[field.name]))


@cache
def vocabulary() -> tuple[type, ...]:
    """Every dataclass that a variant may be made of, in the order in which one meets them."""
    found: list[type] = [Variant]
    for cls in found:  # which grows meanwhile
        found += dict.fromkeys(one for classes in _choices(cls) for one in classes if one not in found)
    return tuple(found)


@cache
def tagged() -> frozenset[type]:
    """The classes that stand in a file with their name."""
    return frozenset(one for cls in vocabulary() for choice in _choices(cls) if len(choice) > 1 for one in choice)


def by_name(annotation: Any) -> dict[str, type]:
    """The tagged classes among the alternatives of an annotation, by their names."""
    return {cls.__name__: cls for cls in classes_of(annotation) if cls in tagged()}


def untagged(annotation: Any) -> type | None:
    """The class among the alternatives that is written without its name."""
    return next((cls for cls in classes_of(annotation) if cls not in tagged()), None)


def is_nullable(annotation: Any) -> bool:
    return type(None) in alternatives(annotation)


# --- Descriptions ---------------------------------------------------------------------------------------------------

_ROLE = re.compile(r":\w+:`[.~]*([^`]+)`")
_ENTRY = re.compile(r"^ {4}(\w+): ", re.MULTILINE)
_FURTHER = re.compile(r"(?<=[.;]) (?=`\w+`(?::| ))")  # before a sentence in an entry that is about another field
_ABOUT = re.compile(r"`(\w+)`:? ")


def _plain(text: str) -> str:
    """A docstring's text in one line, with the marks of code as Markdown has them."""
    return _ROLE.sub(r"`\1`", " ".join(text.split())).replace("``", "`")


@cache
def _documented(cls: type) -> tuple[str, dict[str, str]]:
    """The first paragraph of a class's docstring, and its remarks on fields."""
    text = inspect.getdoc(cls) or ""
    about, _, attributes = text.partition("\nAttributes:\n")
    parts = _ENTRY.split(attributes)
    names = {field.name for field in fields(cls)}
    remarks: dict[str, str] = {}
    for name, entry in zip(parts[1::2], map(_plain, parts[2::2]), strict=True):
        of = name
        for sentence in _FURTHER.split(entry):
            begins = _ABOUT.match(sentence)
            if begins and begins[1] in names:
                of = begins[1]
                sentence = sentence.removeprefix(f"`{of}`: ")
            remarks[of] = f"{remarks[of]} {sentence}" if of in remarks else sentence
    return _plain(about.split("\n\n")[0]), remarks


def description(cls: type) -> str:
    """The first paragraph of a class's docstring."""
    return _documented(cls)[0]


def field_description(cls: type, name: str) -> str:
    """The remark on a field in its class's docstring; empty where there is none, since its class says enough."""
    return _documented(cls)[1].get(name, "")


# --- Words for messages ---------------------------------------------------------------------------------------------


def expected(annotation: Any) -> str:
    """In words, what may stand where an annotation does."""
    words: list[str] = []
    for one in alternatives(annotation):
        if one is type(None) or (inspect.isclass(one) and one in tagged()):
            continue
        words.append(_expected(one))
    if names := by_name(annotation):
        # A long list says less than an example.
        shown = list(names) if len(names) < 7 else [*list(names)[:4], "…"]
        words.append(_("a table with one of the keys {keys}", keys=", ".join(shown)))
    if is_nullable(annotation):
        words.append(f'"{NONE}"')
    return _(" or ").join(words)


def _expected(one: Any) -> str:
    if one is str:
        return _("text in quotes")
    if one is bool:
        return _("true or false")
    if one is int:
        return _("a whole number")
    if get_origin(one) is Literal:
        return _("one of {words}", words=", ".join(map(repr, get_args(one))))
    if get_origin(one) is tuple:
        items = item_types(one)
        if items is None:
            return _("a list, each entry {words}", words=expected(get_args(one)[0]))
        return _("a list of {count}: {words}", count=len(items), words=", ".join(map(expected, items)))
    needed = [field.name for field in fields_of(one) if required(field)]
    if not needed:
        return _("a table with fields of {name}", name=one.__name__)
    return _("a table with {keys}", keys=", ".join(needed))
