"""JSON Schema of the wire format, generated from its Structs."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from types import ModuleType
from typing import Any

import msgspec

from . import (
    answers,
    commands,
    events,
    lessons,
    live,
    model,
    openings,
    position_ref,
    profiles,
    puzzles,
    report,
    requests,
    rulebook,
    solved,
    studies,
    workshop,
)

MODULES: tuple[ModuleType, ...] = (
    model,
    answers,
    profiles,
    solved,
    rulebook,
    lessons,
    openings,
    puzzles,
    studies,
    events,
    position_ref,
    commands,
    requests,
    live,
    report,
    workshop,
)
"""The modules that define the wire format."""

MESSAGES: dict[str, Any] = {
    "ServerMessage": events.ServerMessage,
    "AnalysisMessage": events.AnalysisMessage,
    "ClientMessage": commands.Message,
    "AnalysisCommand": commands.AnalysisCommand,
    "FollowerMessage": live.FollowerMessage,
    "FollowerCommand": live.FollowerCommand,
}
"""The messages over WebSockets: of the server and of clients, for games, for analysis and for live studies."""


def structs() -> list[type[msgspec.Struct]]:
    """All Structs of the wire format, in the order of their definition."""
    return [
        kind
        for module in MODULES
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind.__module__ == module.__name__
        if kind.__struct_fields__ or kind.__struct_config__.tag is not None  # no base classes
        if not kind.__name__.startswith("_")
    ]


def schemas(types: Iterable[Any], place: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The schemas of some types, and by name those of all Structs; ``place``: the prefix of references."""
    template = place + "{name}"
    named = [*types]
    found, components = msgspec.json.schema_components([*named, *structs()], ref_template=template)
    return [_portable(schema, place) for schema in found[: len(named)]], _portable(components, place)


def document() -> dict[str, Any]:
    """One schema with all messages and all other types of the wire format."""
    found, components = schemas(MESSAGES.values(), "#/$defs/")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Komadai's messages over WebSockets, and its data over HTTP",
        "$defs": {**components, **dict(zip(MESSAGES, found, strict=True))},
    }


def _portable(schema: Any, place: str) -> Any:
    """Adapt a schema: no patterns in Python's own syntax, descriptions without indents, references with their place."""
    if isinstance(schema, list):
        return [_portable(value, place) for value in schema]
    if not isinstance(schema, dict):
        return schema.replace(r"\A", "^").replace(r"\Z", "$") if isinstance(schema, str) else schema
    adapted = {name: _portable(value, place) for name, value in schema.items()}
    if isinstance(words := adapted.get("description"), str):
        adapted["description"] = inspect.cleandoc(words)
    if isinstance(name := adapted.get("$ref"), str) and "/" not in name:
        adapted["$ref"] = place + name
    return adapted
