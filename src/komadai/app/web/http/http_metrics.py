"""Middleware that measures requests and counts open WebSockets and refusals."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from time import perf_counter
from typing import Any

from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..metrics import Metrics

_REASONS = {
    400: "unreadable",
    403: "origin",
    409: "impossible",
    413: "unreadable",
    415: "unreadable",
    422: "unreadable",
    429: "rate",
    500: "defect",
    503: "store",
    507: "full",
}
"""Words for the statuses of responses; none for what is not there, or not changed."""


class Measured:
    """Pass everything on, and measure it by the path of its route, so that the number of labels is bounded."""

    def __init__(self, app: ASGIApp, metrics: Metrics, routes: Iterable[BaseRoute]) -> None:
        self._app, self._metrics = app, metrics
        self._paths: Mapping[Hashable, str] = {
            route.app if isinstance(route, Mount) else route.endpoint: route.path
            for route in routes
            if isinstance(route, (Mount, Route, WebSocketRoute))
        }

    def _route(self, scope: Scope) -> str:
        return self._paths.get(scope.get("endpoint"), "other")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._request(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = perf_counter()

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._metrics.answered(self._route(scope), perf_counter() - started)
                reason = _REASONS.get(message["status"])
                if reason is not None:
                    self._metrics.refused(reason)
            await send(message)

        await self._app(scope, receive, sending)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        gauge: Any = None

        async def sending(message: Message) -> None:
            nonlocal gauge
            if message["type"] == "websocket.accept":
                gauge = self._metrics.sockets.labels(self._route(scope))
                gauge.inc()
            elif message["type"] == "websocket.close" and gauge is None:
                self._metrics.refused(scope.get(REFUSED_FOR, "origin"))
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            if gauge is not None:
                gauge.dec()


REFUSED_FOR = "komadai.refused"
"""The entry of a scope with the reason why a WebSocket is not accepted."""
