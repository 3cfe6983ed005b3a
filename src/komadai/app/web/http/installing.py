"""What makes pages a program of their own: the service worker, the web app manifest, its icons, and the page that is
shown where the server cannot be reached."""

from __future__ import annotations

import mimetypes
from functools import lru_cache

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from .icons import MANIFEST, drawn
from .responses import ProblemError, nothing_here
from .static_files import STATIC, Kept, static_version
from .templates import Page, path_of


@lru_cache(maxsize=2)
def _worker(version: str) -> Kept:
    return Kept.of(worker("server", version).encode(), "text/javascript")


def worker(source: str, version: str) -> str:
    """The service worker of the pages of a ``server``, or of a static ``site``, of this version."""
    text = (STATIC / "sw.js").read_text(encoding="utf-8")
    return text.replace("@FROM@", source).replace("@VERSION@", version)


@lru_cache(maxsize=1)
def _files() -> dict[str, Kept]:
    types = {MANIFEST: "application/manifest+json"}
    return {
        path: Kept.of(data, types.get(path) or mimetypes.guess_type(path)[0] or "application/octet-stream")
        for path, data in drawn().items()
    }


def _file(request: Request) -> Response:
    found = _files().get(path_of(request.scope).removeprefix("/"))
    if found is None:
        raise ProblemError(404, nothing_here())
    return found.answer(request.scope)


def routes() -> list[Route]:
    """The routes of these files."""
    return [
        Route("/sw.js", lambda request: _worker(static_version()).answer(request.scope)),
        Route(f"/{MANIFEST}", _file),
        Route("/icons/{name}", _file),
        Route("/offline", Page("offline").answer),
    ]
