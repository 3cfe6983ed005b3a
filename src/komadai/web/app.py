"""The ASGI application."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import WebSocketRoute

from ..engine_service import Backend, InPlaceBackend
from ..errors import NotationError
from ..i18n import _, sentence
from .engines.analysis import Analysts
from .engines.pool import EnginePool
from .engines.rate_limits import USUAL, Limits
from .engines.work_queue import WorkQueue
from .game.registry import GameRegistry
from .http import pages
from .http.games import Games
from .http.languages import Languages
from .http.listing import Listing
from .http.middleware import SafeHeaders, SameOrigin, Signer, SocketLimit, Visitors
from .http.openapi import described
from .http.operations import routes
from .http.responses import ProblemError, error_response, problem
from .http.studies import Studies
from .schema.commands import internal_error
from .store import Store


async def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    words = {
        404: _("There is nothing at this address."),
        405: _("{method} is not possible at this address.", method=request.method),
    }
    headers = error.headers if isinstance(error, HTTPException) else None
    return error_response(status, words.get(status) or internal_error(), headers)


async def _gone(_request: Request, _error: Exception) -> Response:
    """The client has left in the middle of its request, so nobody reads this."""
    return Response(status_code=400)


async def _unknown_variant(_request: Request, error: Exception) -> Response:
    return error_response(404, sentence(error))


def create_app(
    store: Callable[[], Store],
    hosts: frozenset[str] | None = None,
    limits: Limits = USUAL,
    engines: Callable[[], Backend] = InPlaceBackend,
) -> Starlette:
    """Create the application.

    Args:
        store: opens the game store; called when the application starts.
        hosts: host names the server answers to; ``None``: any.
        limits: rate limits for clients.
        engines: makes a backend for searches.
    """
    queue = WorkQueue(limits)
    games, studies, analysts, signer = Games(queue, limits), Studies(queue, limits), Analysts(limits), Signer()

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        opened = studies.store = store()
        signer.key = opened.secret("cookies").encode()
        analysts.engines = EnginePool(limits=limits, make=engines)
        games.registry, games.listing = GameRegistry(opened, analysts.engines), Listing(opened)
        await games.registry.open()
        yield
        await games.registry.close()
        await analysts.engines.close()
        queue.close()

    handlers: dict[Any, Any] = {
        NotationError: _unknown_variant,
        ProblemError: problem,
        HTTPException: _http_error,
        ClientDisconnect: _gone,
        Exception: _http_error,
    }
    operations = described([*games.operations(), *studies.operations()])
    return Starlette(
        routes=[
            *pages.routes(),
            *routes(operations),
            WebSocketRoute("/socket", games.socket),
            WebSocketRoute("/analysis", analysts.socket),
        ],
        middleware=[
            Middleware(SafeHeaders),
            Middleware(Languages),
            Middleware(SameOrigin, hosts=hosts),
            Middleware(SocketLimit, most=limits.sockets),
            Middleware(Visitors, signer=signer),
        ],
        exception_handlers=handlers,
        lifespan=lifespan,
    )
