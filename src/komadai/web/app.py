"""The ASGI application: the parts of the server put together."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import WebSocketRoute

from ..errors import NotationError
from ..i18n import _, sentence
from .engines.analysis import Analysts
from .engines.pool import EnginePool
from .engines.rate_limits import USUAL, Limits
from .engines.work_queue import WorkQueue
from .game.registry import GameRegistry
from .http import pages
from .http.games import Api
from .http.languages import Languages
from .http.listing import Listing
from .http.middleware import SafeHeaders, SameOrigin, Visitors
from .http.openapi import described
from .http.operations import routes
from .http.responses import ProblemError, problem
from .http.studies import Studies
from .schema.commands import failed
from .store import Store


async def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    words = {
        404: _("There is nothing at this address."),
        405: _("{method} is not possible at this address.", method=request.method),
    }
    return JSONResponse(
        {"error": words.get(status) or failed()}, status, error.headers if isinstance(error, HTTPException) else None
    )


async def _unknown_variant(_request: Request, error: Exception) -> Response:
    return JSONResponse({"error": sentence(error)}, 404)


def create_app(store: Callable[[], Store], hosts: frozenset[str] | None = None, limits: Limits = USUAL) -> Starlette:
    """The application.

    Args:
        store: opens the game store; called when the application starts.
        hosts: host names the server answers to; ``None``: any.
        limits: what clients may ask of it.
    """
    workshop = WorkQueue(limits)
    api, studies, analysts = Api(workshop, limits), Studies(workshop, limits), Analysts(limits)

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        opened = studies.store = store()
        analysts.thinkers = EnginePool()
        api.hall, api.listing = GameRegistry(opened, analysts.thinkers), Listing(opened)
        await api.hall.open()
        yield
        await api.hall.close()
        workshop.close()

    handlers: dict[Any, Any] = {
        NotationError: _unknown_variant,
        ProblemError: problem,
        HTTPException: _http_error,
        Exception: _http_error,
    }
    operations = described([*api.operations(), *studies.operations()])
    return Starlette(
        routes=[
            *pages.routes(),
            *routes(operations),
            WebSocketRoute("/socket", api.socket),
            WebSocketRoute("/analysis", analysts.socket),
        ],
        middleware=[
            Middleware(SafeHeaders),
            Middleware(Languages),
            Middleware(SameOrigin, hosts=hosts),
            Middleware(Visitors),
        ],
        exception_handlers=handlers,
        lifespan=lifespan,
    )
