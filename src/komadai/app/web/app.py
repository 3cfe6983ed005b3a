"""The ASGI application."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from ...book import Book
from ...errors import NotationError
from ...i18n import _, sentence
from ...notation import compass, fen, hodges, japanese, xboard  # noqa: F401 loaded now: no game may fail for want of a file later
from ...solve import background
from ..engine_service import Backend, InPlaceBackend
from .engines.addresses import USUAL_NETWORKS, Networks
from .engines.analysis import Analysts
from .engines.named import NamedEngine
from .engines.pace import Pace
from .engines.pool import EnginePool
from .engines.quota import Quota
from .engines.rate_limits import USUAL, RateLimits
from .engines.running_games import RunningGames
from .engines.work_queue import WorkQueue
from .game.live import Lives
from .game.profiles import Profiles
from .game.pruning import prune_regularly
from .game.registry import GameRegistry
from .http import installing, pages
from .http.backup import Backups
from .http.books import Bookshelf
from .http.games import Games
from .http.health import Health
from .http.http_metrics import Measured
from .http.lessons import Lessons
from .http.listing import Listing
from .http.live import LiveStudies, preparing
from .http.middleware import Alone, Entrance, SafeHeaders, SameOrigin, Signer, SocketLimit, Visitors
from .http.openapi import Description
from .http.openings import Openings
from .http.operations import Operation, operations_of, routes, serving
from .http.printing import Printing
from .http.profiles import ProfilePages
from .http.puzzles import Puzzles
from .http.responses import ProblemError, error_answer, nothing_here, problem
from .http.studies import Studies
from .http.workshop import Workshop
from .http.workshop.sandbox import OwnBench, Sandbox
from .metrics import Metrics
from .schema.commands import internal_error
from .store import Store
from .store.guarded import MOST_BYTES, guarded, size_or_nan

log = logging.getLogger(__name__)


async def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    words = {
        404: nothing_here(),
        405: _("{method} is not possible at this address.", method=request.method),
    }
    headers = error.headers if isinstance(error, HTTPException) else None
    return error_answer(request, status, words.get(status) or internal_error(), headers)


async def _gone(_request: Request, _error: Exception) -> Response:
    """The client has left in the middle of its request, so nobody reads this."""
    return Response(status_code=400)


async def _unknown_variant(request: Request, error: Exception) -> Response:
    return error_answer(request, 404, sentence(error))


@dataclass(frozen=True, slots=True)
class Upkeep:
    """How the store is kept, and where that is measured.

    Attributes:
        bytes: the size from which on the store takes nothing new.
        days: after so many, games in which nobody has moved are deleted; 0: never.
        metrics: of the application, if others read them.
    """

    bytes: int = MOST_BYTES
    days: float = 0.0
    metrics: Metrics | None = None


def _interfaces(alone: bool) -> list[type]:
    always = [
        Games,
        ProfilePages,
        Studies,
        LiveStudies,
        Lessons,
        Puzzles,
        Openings,
        Workshop,
        Printing,
        Health,
        Description,
    ]
    return [*always, *([Backups] if alone else [])]


def operations(alone: bool = False) -> list[Operation]:
    """The operations of the HTTP interface, as :func:`create_app` makes it."""
    return [one for interface in _interfaces(alone) for one in operations_of(interface)]


def _socket(kind: type[Games | Analysts | LiveStudies]) -> Callable[[WebSocket], Awaitable[None]]:
    """The handler of the WebSockets that one of these serves."""

    async def serve(socket: WebSocket) -> None:
        await serving(socket, kind).socket(socket)

    return serve


def create_app(
    store: Callable[[], Store],
    hosts: frozenset[str] | None = None,
    limits: RateLimits = USUAL,
    engines: Callable[[], Backend] = InPlaceBackend,
    keep: Upkeep = Upkeep(),
    books: Sequence[Book] = (),
    named: Sequence[NamedEngine] = (),
    alone: bool = False,
    searches: int | None = None,
    networks: Networks = USUAL_NETWORKS,
    here: bool = False,
) -> Starlette:
    """Create the application.

    Args:
        store: opens the game store; called when the application starts.
        hosts: host names the server answers to; ``None``: any.
        limits: rate limits for clients.
        engines: makes a backend for searches.
        keep: how the store is kept.
        books: opening books, at most one a game, which studies show.
        named: engines besides our own.
        alone: one browser has the application for itself, inside it: pages do not offer what needs other people, such
            requests are refused, and one engine searches at a time.
        searches: how many engines search at a time; by default one for each core of this machine.
        networks: those that clients count for.
        here: besides the hosts, it answers to whatever address of this machine a client is connected to.

    Returns:
        The application. What it makes when it starts is in the state of its lifespan: ``interfaces`` by their classes,
        ``signer``, ``engines`` and ``alone``.

    Raises:
        NotationError: two books are of the same game.
    """
    metrics, pace, shelf = keep.metrics or Metrics(), Pace(), Bookshelf(books)
    interfaces = _interfaces(alone)

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[dict[str, Any]]:
        opened = guarded(store(), metrics, keep.bytes)
        signer = Signer(opened.secret("cookies"))
        queue, quota = WorkQueue(limits, alone=alone), Quota(limits.stored)
        pool = EnginePool(1 if alone else searches, limits, engines, named)
        running = RunningGames()
        registry = GameRegistry(opened, pool, metrics, quota, limits, pace, running)
        lives = Lives(opened, registry.lobby, limits, running, preparing(queue, shelf))
        bench = OwnBench(queue) if alone else Sandbox(limits, metrics)
        analysts = Analysts(pool, limits, running)
        made = (
            Games(registry, Listing(opened, queue), queue, limits, named, alone),
            ProfilePages(Profiles(opened, registry.renew), quota, metrics, limits),
            Studies(opened, queue, quota, shelf, limits, running),
            LiveStudies(lives, queue, quota, shelf, limits, pace, metrics),
            Lessons(queue, pool, limits),
            Puzzles(queue, pool, limits),
            Openings(queue, limits, running),
            Workshop(pool, bench, limits, running),
            Printing(queue),
            Health(opened),
            Backups(opened),
            Description(operations(alone)),
            analysts,
        )
        metrics.gauge("komadai_engine_searching", "Engines at work.", lambda: pool.searching)
        metrics.gauge("komadai_engine_waiting", "Searches that wait for an engine.", lambda: pool.waiting)
        metrics.counter("komadai_engine_seconds", "Seconds of engines at work.", lambda: pool.thought)
        metrics.gauge("komadai_live_studies", "Live studies that somebody has followed here.", lambda: lives.count)
        metrics.gauge("komadai_store_bytes", "Bytes that the store takes.", lambda: size_or_nan(opened))
        await registry.open(lives)
        regularly = (
            prune_regularly(opened, keep.days, registry.attended),
            registry.lobby.keep(),
            registry.heartbeat.keep(),
        )
        tasks = [asyncio.create_task(work) for work in regularly]
        log.info("started", extra={"event": "start"})
        yield {
            "interfaces": {type(one): one for one in made},
            "signer": signer,
            "engines": pool,
            "alone": alone,
        }
        for task in tasks:
            task.cancel()
        # Games wait for their searches, which end with the engines.
        lives.close()
        await asyncio.gather(registry.close(), pool.close(), bench.close())
        background.end()
        queue.close()
        analysts.threads.close()
        log.info("stopped", extra={"event": "stop"})

    handlers: dict[Any, Any] = {
        NotationError: _unknown_variant,
        ProblemError: problem,
        HTTPException: _http_error,
        ClientDisconnect: _gone,
        Exception: _http_error,
    }
    every = [
        *pages.routes(),
        *([] if alone else installing.routes()),
        *routes(interfaces),
        WebSocketRoute("/socket", _socket(Games)),
        WebSocketRoute("/analysis", _socket(Analysts)),
        WebSocketRoute("/follow", _socket(LiveStudies)),
    ]
    return Starlette(
        routes=every,
        middleware=[
            Middleware(Measured, metrics=metrics, routes=every),
            Middleware(Entrance, networks=networks, pace=pace),
            Middleware(SafeHeaders, framed=alone),
            Middleware(SameOrigin, hosts=hosts, here=here),
            Middleware(SocketLimit, most=limits.sockets),
            Middleware(Visitors),
            *([Middleware(Alone)] if alone else []),
        ],
        exception_handlers=handlers,
        lifespan=lifespan,
    )
