"""The language of the answer to a request."""

from __future__ import annotations

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from ....i18n import language_for, set_language

_COOKIE = "language"


def language_of(request: HTTPConnection) -> str:
    """The language of the cookie, otherwise the first known one that the browser accepts, otherwise English."""
    asked = [part.partition(";")[0] for part in request.headers.get("accept-language", "").split(",")]
    return language_for([request.cookies.get(_COOKIE, ""), *asked])


class Languages:
    """Middleware that sets the language for the messages to each client."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            set_language(language_of(HTTPConnection(scope)))
        await self._app(scope, receive, send)
