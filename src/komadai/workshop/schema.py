"""The JSON Schema of variant files, made from the dataclasses; editors complete and check by it."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, Literal, get_args, get_origin

from ..spec.variant import Variant
from .limits import LARGEST_NUMBER, LONGEST_TEXT, MOST_ENTRIES, MOST_KINDS, MOST_OPTIONS
from .model import (
    NONE,
    alternatives,
    annotations_of,
    default_of,
    description,
    field_description,
    fields_of,
    is_nullable,
    item_types,
    required,
    tagged,
    vocabulary,
)
from .writing import data_of

FILE = "variant.schema.json"
"""The name of the schema in this package."""

_OPTION = {
    "type": "object",
    "description": "A rule option: its values, the default first, and what each changes in the file.",
    "properties": {
        "name": {"type": "string", "pattern": "^[a-z][a-z0-9_]{0,31}$"},
        "help": {"type": "string", "description": "what the option decides, in a line"},
        "values": {
            "type": "array",
            "items": {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$"},
            "minItems": 2,
            "uniqueItems": True,
        },
        "changes": {
            "type": "object",
            "description": 'by value, paths such as "kinds.P.becomes.zone" and what stands there instead',
            "additionalProperties": {"type": "object"},
        },
    },
    "required": ["name", "help", "values", "changes"],
    "additionalProperties": False,
}


def schema() -> dict[str, Any]:
    """The JSON Schema of a variant file's data."""
    main = _fields(Variant)
    options = {"type": "array", "items": _OPTION, "maxItems": MOST_OPTIONS, "description": "the rule options"}
    main["properties"]["options"] = options
    main["properties"]["kinds"]["maxItems"] = MOST_KINDS
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Komadai variant file",
        **main,
        "$defs": {cls.__name__: _definition(cls) for cls in vocabulary() if cls is not Variant},
    }


def schema_text() -> str:
    """The schema as the file that is shipped."""
    return json.dumps(schema(), ensure_ascii=False, indent=1) + "\n"


def shipped() -> str:
    """The schema that comes with this package."""
    return files(__package__).joinpath(FILE).read_text(encoding="utf-8")


def _fields(cls: type) -> dict[str, Any]:
    """A table with the fields of a class."""
    properties: dict[str, Any] = {}
    for field in fields_of(cls):
        one = _value(annotations_of(cls)[field.name])
        if words := field_description(cls, field.name):
            one = {**one, "description": words}
        if not required(field) and (default := data_of(default_of(field))) != NONE:
            one = {**one, "default": default}
        properties[field.name] = one
    return {
        "type": "object",
        "description": description(cls),
        "properties": properties,
        "required": [field.name for field in fields_of(cls) if required(field)],
        "additionalProperties": False,
    }


def _definition(cls: type) -> dict[str, Any]:
    """The forms of an object of a class: of a tagged one, a table with its name as the key, or the name alone."""
    if cls not in tagged():
        return _fields(cls)
    name, inside = cls.__name__, [_fields(cls)]
    fields = fields_of(cls)
    if fields and not any(map(required, fields[1:])):
        inside.append(_value(annotations_of(cls)[fields[0].name]))
    table = {
        "type": "object",
        "properties": {name: inside[0] if len(inside) == 1 else {"anyOf": inside}},
        "required": [name],
        "additionalProperties": False,
    }
    if any(map(required, fields)):
        return {"description": description(cls), **table}
    return {"description": description(cls), "anyOf": [{"const": name}, table]}


def _value(annotation: Any) -> dict[str, Any]:
    found = [_one(one) for one in alternatives(annotation) if one is not type(None)]
    if is_nullable(annotation):
        found.append({"const": NONE})
    return found[0] if len(found) == 1 else {"anyOf": found}


def _one(one: Any) -> dict[str, Any]:
    if one is str:
        return {"type": "string", "maxLength": LONGEST_TEXT}
    if one is bool:
        return {"type": "boolean"}
    if one is int:
        return {"type": "integer", "minimum": -LARGEST_NUMBER, "maximum": LARGEST_NUMBER}
    if get_origin(one) is Literal:
        return {"enum": list(get_args(one))}
    if get_origin(one) is tuple:
        items = item_types(one)
        if items is None:
            return {"type": "array", "items": _value(get_args(one)[0]), "maxItems": MOST_ENTRIES}
        return {
            "type": "array",
            "prefixItems": [_value(item) for item in items],
            "minItems": len(items),
            "maxItems": len(items),
        }
    return {"$ref": f"#/$defs/{one.__name__}"}
