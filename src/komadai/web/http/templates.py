"""The pages as the browser gets them: each is told in ``static``, and in ``frame.html`` what all have in common."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from string import Template

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

_STATIC = Path(__file__).parent.parent / "static"


class _Parts(dict[str, str]):
    """``$name`` in a page stands for what ``name.html`` tells."""

    def __missing__(self, name: str) -> str:
        text = (_STATIC / f"{name}.html").read_text(encoding="utf-8").removesuffix("\n")
        return Template(text).substitute(self)


def page(name: str) -> str:
    """The whole document: ``frame.html`` with the page in it, which begins in the document's head."""
    return _Parts(page=_Parts()[name])["frame"]


class Page:
    """A page put together once, to be answered with again and again."""

    def __init__(self, name: str) -> None:
        self._text = page(name)
        self._tag = f'"{sha256(self._text.encode()).hexdigest()[:32]}"'

    def answer(self, request: Request) -> Response:
        """The page, or that the browser has it already."""
        if request.headers.get("if-none-match") == self._tag:
            return Response(status_code=304, headers={"etag": self._tag})
        return HTMLResponse(self._text, headers={"etag": self._tag})
