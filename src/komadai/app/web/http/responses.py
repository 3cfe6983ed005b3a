"""Reading requests and building responses, for all of the HTTP interface."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from ....errors import KomadaiError
from ....i18n import _, located, sentence
from ..engines.addresses import address
from ..engines.crew import WorkLostError
from ..engines.quota import Quota
from ..engines.rate_limits import Shares
from ..engines.running_games import UnderWayError
from ..engines.turns import Payer
from ..engines.work_queue import OverusedError, WorkQueue
from ..game.replay import FullError, RefusedError, TooManyGamesError, UnavailableError
from ..game.solved import BeingSolvedError
from ..schema.commands import MAX_BYTES, plain
from ..schema.model import Error
from ..store import ConflictError, StoreError
from .templates import error_page, path_of

P = ParamSpec("P")
T = TypeVar("T")

NO_LINKS: Mapping[str, str] = {}
VISITOR = "komadai.visitor"
"""The entry of a scope with the id of the browser."""


class ProblemError(Exception):
    """A request that cannot be served: an HTTP status, and one sentence for a person.

    ``links``: other addresses, below the folder of the home page, with what a page says of them.
    """

    def __init__(self, status: int, sentence: str, links: Mapping[str, str] = NO_LINKS) -> None:
        super().__init__(status, sentence, links)  # which pickling gives it again
        self.status, self.links = status, links

    def __str__(self) -> str:
        return str(self.args[1])


class SolvingError(ProblemError):
    """The problem that a game is being solved."""

    def __init__(self, sentence: str, percent: int) -> None:
        super().__init__(503, sentence)
        self.percent = percent


def admit(shares: Shares, request: HTTPConnection) -> None:
    """Count a question of the address.

    Raises:
        ProblemError: it has asked too often.
    """
    if not shares.of(address(request)).take():
        raise ProblemError(429, _("Too many questions at once; wait a moment."))


def nothing_here() -> str:
    """What is said of an address that leads nowhere."""
    return _("There is nothing at this address.")


def no_move_found() -> ProblemError:
    """The error for a search that no engine survived."""
    return ProblemError(503, _("The computer found no move; try again."))


def require_share(quota: Quota, request: HTTPConnection) -> None:
    """Check that the address may store something new.

    Raises:
        ProblemError: it may not.
    """
    if not quota.may_begin(address(request)):
        raise ProblemError(429, _("Your address has stored as much as it may today; go on later."))


def json_response(body: Any, status: int = 200) -> Response:
    """A response in JSON."""
    return Response(msgspec.json.encode(body), status, media_type="application/json")


def error_response(status: int, sentence: str) -> Response:
    """The response to a request that cannot be served."""
    return json_response(Error(sentence), status)


def error_answer(
    request: Request,
    status: int,
    sentence: str,
    headers: Mapping[str, str] | None = None,
    links: Mapping[str, str] = NO_LINKS,
) -> Response:
    """The same, as a page for a browser that asks for one outside the interface for programs."""
    asks = "text/html" in request.headers.get("accept", "") and not path_of(request.scope).startswith("/api/")
    response = error_page(request, status, sentence, links) if asks else error_response(status, sentence)
    response.headers.update({"vary": "accept", **(headers or {})})
    return response


async def problem(request: Request, error: Exception) -> Response:
    """The exception handler for :class:`ProblemError`."""
    if isinstance(error, SolvingError):
        answer = json_response(Error(str(error), error.percent), error.status)
        answer.headers["retry-after"] = "1"
        return answer
    assert isinstance(error, ProblemError)
    return error_answer(request, error.status, str(error), links=error.links)


@contextmanager
def refusing(status: int, fault: str = "") -> Iterator[None]:
    """Turn refusals into responses with that status, 503 if the store fails, or 507 if it is full; ``fault`` begins
    the sentence.

    Raises:
        ProblemError: the response.
    """
    try:
        yield
    except FullError as error:
        raise ProblemError(507, sentence(error)) from None
    except (UnavailableError, StoreError, ConflictError) as error:
        raise ProblemError(503, sentence(error)) from None
    except OverusedError:
        raise ProblemError(429, _("Too many calculations at once; wait a moment.")) from None
    except WorkLostError:
        raise ProblemError(503, _("The answer was lost; ask again.")) from None
    except TooManyGamesError as error:
        raise ProblemError(429, sentence(error)) from None
    except BeingSolvedError as error:
        raise SolvingError(sentence(error), error.percent) from None
    except UnderWayError as error:
        raise ProblemError(403, str(error)) from None
    except (KomadaiError, RefusedError) as error:
        raise ProblemError(status, sentence(located(fault, error) if fault else error)) from None


def visitor(request: HTTPConnection) -> str | None:
    """The id of a browser, from its signed cookie: a digest, because the cookie itself is not stored."""
    found: str | None = request.scope.get(VISITOR)
    return found


def payer(request: HTTPConnection) -> Payer:
    """Whose turn it takes to answer."""
    return Payer(address(request), visitor(request) or "")


async def answered(
    queue: WorkQueue, request: Request, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """Call a function for a request in the queue, as :meth:`.WorkQueue.run` does.

    Raises:
        ProblemError: it fails, or the client has used up its share.
    """
    with refusing(422):
        return await queue.run(payer(request), function, *args, **kwargs)


async def body_of(request: Request, most: int) -> bytes:
    """The body of a request.

    Raises:
        ProblemError: it is longer than ``most`` bytes.
    """
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise ProblemError(413, _("The request is too long; at most {most} bytes are read.", most=most))
    return bytes(body)


async def json_of(request: Request, kind: type[T], fault: str, most: int = MAX_BYTES) -> T:
    """The JSON body of a request; ``fault`` begins the sentence if it is of another type.

    Raises:
        ProblemError: it is too long, no JSON, or not of that type.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise ProblemError(415, _("The request must be JSON (content-type: application/json)."))
    try:
        return msgspec.json.decode(await body_of(request, most), type=kind)
    except msgspec.ValidationError as error:
        raise ProblemError(422, sentence(located(fault, plain(error)))) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise ProblemError(400, _("The request is not JSON.")) from None
