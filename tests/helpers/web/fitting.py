"""Whether what a server says is what the description of its interface says. All clients of the tests look at that."""

from __future__ import annotations

from typing import Any

import httpx
import msgspec
from starlette.routing import compile_path

from komadai.web.engines.work_queue import WorkQueue
from komadai.web.http.games import Api
from komadai.web.http.openapi import described
from komadai.web.http.operations import Operation
from komadai.web.http.studies import Studies
from komadai.web.schema import events, model

_WORKSHOP = WorkQueue()
OPERATIONS = described([*Api(_WORKSHOP).operations(), *Studies(_WORKSHOP).operations()])
_PATHS = [(one, compile_path(one.path)[0]) for one in OPERATIONS]
_GAME: msgspec.json.Decoder[Any] = msgspec.json.Decoder(events.Message)
_ANALYSIS: msgspec.json.Decoder[Any] = msgspec.json.Decoder(events.Analysis)


def operation(method: str, path: str) -> Operation | None:
    """What is asked at that address, if it is described. Of paths that fit the first counts, as it does for the server:
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
        msgspec.json.decode(answer.content, type=model.Error)
    elif isinstance(asked.gives, tuple):
        assert media in asked.gives, place
    else:
        assert media == "application/json", place
        try:
            msgspec.json.decode(answer.content, type=asked.gives)
        except msgspec.ValidationError as error:
            raise AssertionError(f"{place} otherwise than komadai.web.schema.model tells: {error}") from None


def spoken(message: str | bytes, *, analysis: bool = False) -> Any:
    """A message of a server, held against the description."""
    try:
        return (_ANALYSIS if analysis else _GAME).decode(message)
    except msgspec.ValidationError as error:
        raise AssertionError(
            f"a message is otherwise than komadai.web.schema.events tells: {error}: {message!r:.300}"
        ) from None
