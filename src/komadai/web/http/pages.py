"""The pages of the browser client."""

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
    """The handler for a page; a variant in its address must exist."""
    page = Page(name)

    def answer(request: Request) -> Response:
        if "variant" in request.path_params:
            entry(request.path_params["variant"])
        return page.answer(request)

    return answer


def routes() -> list[BaseRoute]:
    """The routes of the pages and of static files."""
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
        # Only these are compressed: compressed responses with secrets could leak them.
        Mount("/static", Files(directory=_STATIC)),
    ]
