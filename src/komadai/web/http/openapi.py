"""The description of the HTTP interface for others' programs (OpenAPI 3.1), made of the operations and their types.

The messages of the WebSockets stand among its schemas; docs/reference/http.md tells when they are sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from ... import __version__
from ...variants import names
from ..engines import analysis
from ..schema import commands, events, model
from .operations import FILE, OPTIONS, Operation, Query

_REFUSALS = {
    400: "The body is no JSON.",
    403: "The request comes from a page of another site, or is for a host name that is not this server's.",
    404: "There is nothing of that name.",
    409: "It cannot be done as things stand.",
    413: "The body is too long.",
    415: "The body must be JSON.",
    422: "What is asked for cannot be; every defect is told.",
    429: "Too much at once; wait a moment.",
    503: "The game store fails.",
}
_MESSAGES: tuple[Any, ...] = (commands.Message, events.Message, analysis.Message, events.Analysis)


def described(operations: Sequence[Operation]) -> list[Operation]:
    """The operations, and one more: to be told of all of them."""

    @cache
    def written() -> bytes:
        return msgspec.json.encode(document(every))

    def description(_request: Request) -> Response:
        """This description."""
        return Response(written(), media_type="application/json")

    every = [*operations, Operation("GET", "/api/openapi.json", description, dict[str, Any])]
    return every


def document(operations: Sequence[Operation]) -> dict[str, Any]:
    """The description of the operations."""
    schemas = _Schemas(operations)
    paths: dict[str, dict[str, Any]] = {}
    for one in operations:
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Komadai",
            "version": __version__,
            "summary": "Play, study and meet: shogi variants over HTTP.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": paths,
        "components": {"schemas": schemas.components},
    }


class _Schemas:
    """The JSON schemas of all types that operations and messages are made of."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        named = [model.Error, *_MESSAGES]
        for one in operations:
            named += [kind for kind in (one.takes, one.gives) if _is_type(kind)]
            named += [query.type for query in one.query]
        found, components = msgspec.json.schema_components(named, ref_template="#/components/schemas/{name}")
        self._of = {str(kind): _portable(schema) for kind, schema in zip(named, found, strict=True)}
        self.components: dict[str, Any] = _portable(components)

    def of(self, kind: Any) -> dict[str, Any]:
        """The schema of a type."""
        schema: dict[str, Any] = self._of[str(kind)]
        return schema


def _is_type(kind: Any) -> bool:
    return kind is not None and kind != FILE and not isinstance(kind, tuple)


def _portable(schema: Any) -> Any:
    """The schema with patterns that are not Python's alone."""
    if isinstance(schema, dict):
        return {name: _portable(value) for name, value in schema.items()}
    if isinstance(schema, list):
        return [_portable(value) for value in schema]
    return schema.replace(r"\A", "^").replace(r"\Z", "$") if isinstance(schema, str) else schema


def _operation(one: Operation, schemas: _Schemas) -> dict[str, Any]:
    summary, _, more = " ".join((one.endpoint.__doc__ or "").split()).partition(". ")
    told: dict[str, Any] = {"operationId": one.endpoint.__name__, "summary": summary.removesuffix(".")}
    if more:
        told["description"] = more
    choices = {"variant": names(), **one.choices}
    parameters = [_in_path(name, choices.get(name)) for name in one.parameters]
    parameters += [_in_query(query, schemas) for query in one.query]
    if parameters:
        told["parameters"] = parameters
    if one.takes == FILE:
        told["requestBody"] = {"required": True, "content": {FILE: {}}}
    elif one.takes is not None:
        told["requestBody"] = {"required": not one.optional, "content": _json(schemas.of(one.takes))}
    given = {media: {} for media in one.gives} if isinstance(one.gives, tuple) else _json(schemas.of(one.gives))
    refused = _json(schemas.of(model.Error))
    told["responses"] = {str(one.status): {"description": "It is done.", "content": given}} | {
        str(status): {"description": _REFUSALS[status], "content": refused} for status in one.errors
    }
    return told


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _in_path(name: str, choices: Sequence[str] | None) -> dict[str, Any]:
    schema = {"type": "string", "minLength": 1} if choices is None else {"enum": choices}
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _in_query(query: Query, schemas: _Schemas) -> dict[str, Any]:
    told = {"name": query.name, "in": "query", "required": query.required, "description": query.about}
    return told | {"style": "form", "explode": query == OPTIONS, "schema": schemas.of(query.type)}
