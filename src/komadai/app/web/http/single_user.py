"""Refusals where one browser has the application for itself: nobody else can be reached."""

from __future__ import annotations

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from ....i18n import _
from .responses import error_answer
from .templates import path_of

_NEED_OTHERS = frozenset(("/lobby", "/join", "/api/lobby", "/api/join", "/api/profile"))
_NEED_OTHERS_BELOW = ("/api/profile/",)


def nobody_else() -> str:
    """The reason, for the person here."""
    return _(
        "Komadai runs inside this browser, where nobody else can be reached: games with people elsewhere, the lobby, "
        "profile keys and shared addresses need a server."
    )


class Alone:
    """Refuse what needs other people."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            path, shares = path_of(scope), scope["method"] == "POST" and path_of(scope) == "/api/records"
            if path in _NEED_OTHERS or path.startswith(_NEED_OTHERS_BELOW) or shares:
                await error_answer(Request(scope), 403, nobody_else())(scope, receive, send)
                return
        await self._app(scope, receive, send)
