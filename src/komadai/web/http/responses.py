"""Requests read and answers given, as all of the HTTP interface does it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ...errors import KomadaiError
from ...i18n import _, located, sentence
from ..game.replay import RefusedError, UnavailableError
from ..schema.commands import MAX_BYTES, plain
from ..store import ConflictError, StoreError

T = TypeVar("T")


class ProblemError(Exception):
    """A request that cannot be served: a status of HTTP, and one sentence for a person."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def too_many_questions() -> ProblemError:
    """The answer to who asks too often."""
    return ProblemError(429, _("Too many questions at once; wait a moment."))


async def problem(_request: Request, error: Exception) -> Response:
    """The answer to a request that cannot be served."""
    assert isinstance(error, ProblemError)
    return JSONResponse({"error": str(error)}, error.status)


@contextmanager
def refusing(status: int, fault: str = "") -> Iterator[None]:
    """Answer what is refused with that status; ``fault`` begins the sentence. Where the store fails it is 503.

    Raises:
        ProblemError: the answer.
    """
    try:
        yield
    except (UnavailableError, StoreError, ConflictError) as error:
        raise ProblemError(503, sentence(error)) from None
    except (KomadaiError, RefusedError) as error:
        raise ProblemError(status, sentence(located(fault, error) if fault else error)) from None


async def body_of(request: Request, most: int) -> bytes:
    """What a request carries.

    Raises:
        ProblemError: it is more than ``most`` bytes.
    """
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise ProblemError(413, _("The request is too long; at most {most} bytes are read.", most=most))
    return bytes(body)


async def json_of(request: Request, kind: type[T], fault: str, most: int = MAX_BYTES) -> T:
    """The JSON of a request; ``fault`` begins the sentence where it is of another kind.

    Raises:
        ProblemError: it is too long, no JSON, or not of that kind.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise ProblemError(415, _("The request must be JSON (content-type: application/json)."))
    try:
        return msgspec.json.decode(await body_of(request, most), type=kind)
    except msgspec.ValidationError as error:
        raise ProblemError(422, sentence(located(fault, plain(error)))) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise ProblemError(400, _("The request is not JSON.")) from None


def answer(told: Any) -> Response:
    """An answer in JSON."""
    return Response(msgspec.json.encode(told), media_type="application/json")
