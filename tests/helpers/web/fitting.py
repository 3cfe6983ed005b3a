"""Checks of everything that a server sends against the schemas of its description. All clients of the tests do them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import httpx
import jsonschema_rs
import msgspec
from starlette.routing import compile_path

from komadai.app.web.app import operations
from komadai.app.web.http.openapi import document as openapi
from komadai.app.web.http.operations import Operation
from komadai.app.web.schema import events
from komadai.app.web.schema.json_schema import document

OPERATIONS: Sequence[Operation] = operations()
_PATHS = [(one, compile_path(one.path)[0]) for one in OPERATIONS]
_GAME: msgspec.json.Decoder[Any] = msgspec.json.Decoder(events.ServerMessage)
_ANALYSIS: msgspec.json.Decoder[Any] = msgspec.json.Decoder(events.AnalysisMessage)


@cache
def _description() -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(openapi(OPERATIONS)))
    return found


@cache
def _response(method: str, path: str, status: int) -> jsonschema_rs.Draft202012Validator:
    """The schema of a response in JSON."""
    found = _description()["paths"][path][method.lower()]["responses"][str(status)]["content"]["application/json"]
    return jsonschema_rs.Draft202012Validator({**found["schema"], "components": _description()["components"]})


@cache
def _message(name: str) -> jsonschema_rs.Draft202012Validator:
    """The schema of the messages of a WebSocket."""
    return jsonschema_rs.Draft202012Validator({**document(), "$ref": f"#/$defs/{name}"})


def operation(method: str, path: str) -> Operation | None:
    """The operation at that address, if described. Of paths that fit the first counts, as it does for the server:
    one may be the exception to another (``/api/records/read``, of which there is no GET)."""
    there = next((one.path for one, form in _PATHS if form.fullmatch(path)), None)
    return next((one for one in OPERATIONS if (one.method, one.path) == (method, there)), None)


def fits(answer: httpx.Response) -> None:
    """Hold an answer against the description."""
    asked = operation(answer.request.method, answer.request.url.path)
    if asked is None or answer.is_redirect:
        return
    place = f"{asked.method} {asked.path} answered {answer.status_code}"
    media = answer.headers["content-type"].partition(";")[0]
    if answer.status_code != asked.status:
        assert answer.status_code in asked.errors, f"{place}, which is not described: {answer.text[:200]}"
    elif isinstance(asked.gives, tuple):
        assert media in asked.gives, place
        return
    assert media == "application/json", place
    try:
        _response(asked.method, asked.path, answer.status_code).validate(msgspec.json.decode(answer.content))
    except jsonschema_rs.ValidationError as error:
        raise AssertionError(f"{place} against its schema: {error}") from None


def followed(message: str | bytes) -> None:
    """Check a message to a follower of a live study against its schema."""
    try:
        _message("FollowerMessage").validate(msgspec.json.decode(message))
    except jsonschema_rs.ValidationError as error:
        raise AssertionError(f"a message against its schema: {error}: {message!r:.300}") from None


def spoken(message: str | bytes, *, analysis: bool = False) -> Any:
    """A message of a server, checked against its schema."""
    try:
        _message("AnalysisMessage" if analysis else "ServerMessage").validate(msgspec.json.decode(message))
    except jsonschema_rs.ValidationError as error:
        raise AssertionError(f"a message against its schema: {error}: {message!r:.300}") from None
    return (_ANALYSIS if analysis else _GAME).decode(message)
