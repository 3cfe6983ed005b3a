"""The pages of the browser; what they show they ask of the rest of the server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from ..variants import entry

_STATIC = Path(__file__).parent / "static"


def _page(name: str) -> Callable[[Request], FileResponse]:
    """A page; where its address names a variant, there must be such a one."""

    def answer(request: Request) -> FileResponse:
        if "variant" in request.path_params:
            entry(request.path_params["variant"])
        return FileResponse(_STATIC / name)

    return answer


def routes() -> list[BaseRoute]:
    """Where the pages are, and the files they are made of."""
    return [
        Route("/", _page("index.html")),
        Route("/settings", _page("settings.html")),
        Route("/new/{variant}", _page("new.html")),
        Route("/rules/{variant}", _page("rules.html")),
        Route("/edit/{variant}", _page("edit.html")),
        Route("/puzzles/{variant}", _page("puzzles.html")),
        Route("/game/{game}", _page("game.html")),
        Route("/join", _page("join.html")),
        Route("/study", _page("study.html")),
        Route("/study/{record}", _page("study.html")),
        # Answers that hold secrets are not packed.
        Mount("/static", GZipMiddleware(StaticFiles(directory=_STATIC))),
    ]
