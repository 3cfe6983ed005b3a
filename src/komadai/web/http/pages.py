"""The pages of the browser; what they show they ask of the rest of the server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route

from ...variants import entry
from .static_files import Files
from .templates import Page

_STATIC = Path(__file__).parent.parent / "static"


def _page(name: str) -> Callable[[Request], Response]:
    """A page; where its address names a variant, there must be such a one."""
    page = Page(name)

    def answer(request: Request) -> Response:
        if "variant" in request.path_params:
            entry(request.path_params["variant"])
        return page.answer(request)

    return answer


def routes() -> list[BaseRoute]:
    """Where the pages are, and the files they are made of."""
    return [
        Route("/", _page("index")),
        Route("/settings", _page("settings")),
        Route("/new/{variant}", _page("new")),
        Route("/rules/{variant}", _page("rules")),
        Route("/edit/{variant}", _page("edit")),
        Route("/puzzles/{variant}", _page("puzzles")),
        Route("/game/{game}", _page("game")),
        Route("/join", _page("join")),
        Route("/study", _page("study")),
        Route("/study/{record}", _page("study")),
        # Answers that hold secrets are not packed.
        Mount("/static", Files(directory=_STATIC)),
    ]
