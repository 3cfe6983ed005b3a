"""The OpenAPI 3.1 description of the HTTP interface, generated from its operations and their types.

Its schemas include the messages over WebSockets; docs/reference/http.md says when they are sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from .... import __version__
from ....variants import names
from ..schema.json_schema import MESSAGES, schemas
from ..schema.model import Error
from .operations import FILE, OPTIONS, Operation, Query, operation

_REFUSALS = {
    400: "The body is not JSON.",
    403: "The request is from a page of another site, or for a host name that this server does not answer to.",
    404: "Not found.",
    409: "Impossible in the present state.",
    413: "The body is too long.",
    415: "The body must be JSON.",
    422: "Invalid; the error names every defect.",
    429: "Too many requests; wait a moment.",
    503: "The game store or an engine fails.",
    507: "The game store is full.",
}


class Description:
    """The HTTP interface that describes itself."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self._operations = operations

    @cached_property
    def _encoded(self) -> bytes:
        return msgspec.json.encode(document(self._operations))

    @operation("GET", "/api/openapi.json", dict[str, Any])
    def description(self, _request: Request) -> Response:
        """This description."""
        return Response(self._encoded, media_type="application/json")


def document(operations: Sequence[Operation]) -> dict[str, Any]:
    """The OpenAPI description of the operations."""
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
    """The JSON schemas of all types of operations and messages."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        named = [Error, *MESSAGES.values()]
        for one in operations:
            named += [kind for kind in (one.takes, one.gives) if _is_type(kind)]
            named += [query.type for query in one.query]
        found, self.components = schemas(named, "#/components/schemas/")
        self._of = {str(kind): schema for kind, schema in zip(named, found, strict=True)}

    def of(self, kind: Any) -> dict[str, Any]:
        """The schema of a type."""
        schema: dict[str, Any] = self._of[str(kind)]
        return schema


def _is_type(kind: Any) -> bool:
    return kind is not None and kind != FILE and not isinstance(kind, tuple)


def _operation(one: Operation, schemas: _Schemas) -> dict[str, Any]:
    summary, _, more = " ".join((one.endpoint.__doc__ or "").split()).partition(". ")
    description: dict[str, Any] = {"operationId": one.endpoint.__name__, "summary": summary.removesuffix(".")}
    if more:
        description["description"] = more
    choices = {"variant": names(), **one.choices}
    parameters = [_in_path(name, choices.get(name)) for name in one.parameters]
    parameters += [_in_query(query, schemas) for query in one.query]
    if parameters:
        description["parameters"] = parameters
    if one.takes == FILE:
        description["requestBody"] = {"required": True, "content": {FILE: {}}}
    elif one.takes is not None:
        description["requestBody"] = {"required": not one.optional, "content": _json(schemas.of(one.takes))}
    given = {media: {} for media in one.gives} if isinstance(one.gives, tuple) else _json(schemas.of(one.gives))
    refused = _json(schemas.of(Error))
    description["responses"] = {str(one.status): {"description": "Success.", "content": given}} | {
        str(status): {"description": _REFUSALS[status], "content": refused} for status in one.errors
    }
    return description


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _in_path(name: str, choices: Sequence[str] | None) -> dict[str, Any]:
    schema = {"type": "string", "minLength": 1} if choices is None else {"enum": choices}
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _in_query(query: Query, schemas: _Schemas) -> dict[str, Any]:
    parameter = {"name": query.name, "in": "query", "required": query.required, "description": query.about}
    return parameter | {"style": "form", "explode": query == OPTIONS, "schema": schemas.of(query.type)}
