"""HTML pages, from files in ``static``; ``frame.html`` is common to all."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from string import Template

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

_STATIC = Path(__file__).parent.parent / "static"


class _Parts(dict[str, str]):
    """The values of ``$name`` in a page: the contents of ``name.html``."""

    def __missing__(self, name: str) -> str:
        text = (_STATIC / f"{name}.html").read_text(encoding="utf-8").removesuffix("\n")
        return Template(text).substitute(self)


def page(name: str) -> str:
    """The whole document: ``frame.html`` around the page, which begins inside the head."""
    return _Parts(page=_Parts()[name])["frame"]


class Page:
    """A page, assembled once."""

    def __init__(self, name: str) -> None:
        self._text = page(name)
        self._tag = f'"{sha256(self._text.encode()).hexdigest()[:32]}"'

    def answer(self, request: Request) -> Response:
        """The page, or status 304 if the browser has it."""
        if request.headers.get("if-none-match") == self._tag:
            return Response(status_code=304, headers={"etag": self._tag})
        return HTMLResponse(self._text, headers={"etag": self._tag})


@cache
def _error() -> Template:
    return Template(page("error"))


def error_page(status: int, sentence: str) -> Response:
    """The page that says why there is no other."""
    return HTMLResponse(_error().substitute(fault=escape(sentence)), status)
