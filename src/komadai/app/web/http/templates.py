"""HTML pages, from files in ``static``; ``frame.html`` is common to all.

Their addresses are relative, so that they are right in whatever folder of a host the server is mounted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from html import escape
from string import Template

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import Scope

from ....i18n import LANGUAGES
from .static_files import STATIC, Kept, static_version

_BOARD = re.compile(r'id="board"|\$\w+_stage|\$board_and_move|\$set_up_board')
_IN_MENU = {
    "index": "",
    "learn": "learn",
    "puzzles": "puzzles",
    "today": "today",
    "study": "study",
    "rules": "rules",
    "workshop": "workshop",
    "games": "games",
    "lobby": "lobby",
    "settings": "settings",
}
"""The addresses of pages that the menu names."""
_PART_OF = {"lesson": "learn", "puzzle": "puzzles", "drill": "today", "workshop_play": "workshop"}
"""The pages in the menu to which others belong."""
_SET = {"teach": "set-"}
"""What the ids of the position editor begin with, on pages that have another board."""


def path_of(scope: Scope) -> str:
    """The path that a request asks for, below the one that the server is mounted at."""
    mounted: str = scope.get("app_root_path", scope.get("root_path", ""))  # the former is set below a Mount
    return str(scope["path"]).removeprefix(mounted)


def root_of(request: Request) -> str:
    """The way from the address of a request up to the folder of the home page, without a slash at its end."""
    return "/".join([".."] * (path_of(request.scope).count("/") - 1)) or "."


def static_of(root: str, alone: bool) -> str:
    """The way from a page's address to the static files, without a slash at its end; arguments as of :func:`page`."""
    # In a browser's tab they are those of the site, which has a version as a whole.
    return f"{root}/static" if alone else f"{root}/static/{static_version()}"


class _Parts(dict[str, str]):
    """The values of ``$name`` in a page: the contents of ``name.html``; ``$root`` and some others are given."""

    def __missing__(self, name: str) -> str:
        text = (STATIC / f"{name}.html").read_text(encoding="utf-8").removesuffix("\n")
        return Template(text).substitute(self)


def page(name: str, root: str = ".", alone: bool = False) -> str:
    """The whole document: ``frame.html`` around the page, which begins inside the head.

    Args:
        root: the way from its address to the folder of the home page (:func:`root_of`).
        alone: one browser has the application for itself; what needs other people is hidden.
    """
    given = {"root": root, "static": static_of(root, alone), "languages": " ".join(LANGUAGES)}
    given["scripts"] = given["static"] + ("/js" if alone else "/linked")  # in a tab no file has a long way
    parts = _Parts(given, alone=" data-alone" if alone else "", set=_SET.get(name, ""))
    own = (STATIC / f"{name}.html").read_text(encoding="utf-8")
    parts["skip"] = parts["skip_to_board" if _BOARD.search(own) else "skip_to_main"]
    if (part := _PART_OF.get(name, name)) in _IN_MENU:
        here = f'<a href="{root}/{_IN_MENU[part]}"'
        parts["menu"] = parts["menu"].replace(here, f'{here} aria-current="{"page" if part == name else "true"}"')
    parts["page"] = parts[name]
    return parts["frame"]


class Page:
    """A page, assembled once for each depth of its addresses."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._made: dict[tuple[str, bool, str], Kept] = {}  # by what they depend on

    def answer(self, request: Request) -> Response:
        """The page, or status 304 if the browser has it."""
        of = root_of(request), request.state.alone, static_version()
        if of not in self._made:
            self._made[of] = Kept.of(page(self._name, *of[:2]).encode(), "text/html")
        return self._made[of].answer(request.scope)


@lru_cache(maxsize=16)
def _error(root: str, alone: bool, _static: str) -> Template:
    return Template(page("error", root, alone))


def error_page(request: Request, status: int, sentence: str, links: Mapping[str, str]) -> Response:
    """The page that says why there is no other; ``links`` as of :class:`.responses.ProblemError`."""
    root = root_of(request)
    others = "".join(f'<a class="button" href="{root}{to}">{escape(words)}</a> ' for to, words in links.items())
    template = _error(root, request.state.alone, static_version())
    return HTMLResponse(template.substitute(fault=escape(sentence), others=others), status)
