"""In which language a request is answered."""

from __future__ import annotations

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from ...i18n import LANGUAGES, set_language

_COOKIE = "language"


def language_of(request: HTTPConnection) -> str:
    """The language that the page says it is in, else the first of those that the browser asks for, else English."""
    asked = [part.partition(";")[0] for part in request.headers.get("accept-language", "").split(",")]
    wanted = [request.cookies.get(_COOKIE, ""), *asked]
    return next((known for tag in wanted if (known := tag.strip()[:2].lower()) in LANGUAGES), LANGUAGES[0])


class Languages:
    """Lets everything that is said in answer to a request, or over a socket, be said in its language."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            set_language(language_of(HTTPConnection(scope)))
        await self._app(scope, receive, send)
