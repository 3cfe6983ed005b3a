"""The first paint: what a page shows before its scripts run, from the server's own answers.

It is in the folder's pages as plain HTML, so that something can be read at once, and without JavaScript, too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from ...printing.sheet import prose
from .answers import KeptAnswer

_SHEET = re.compile(r'<link rel="stylesheet" href="[./]*/(static/[^"]+)">')
_ADDRESS = re.compile(r'((?:href|src)=")(?:\.{0,2}/)+(?!/)')
_SCRIPT = re.compile(r"<(script|noscript)\b.*?</\1>\s*", re.DOTALL)
_FONT = re.compile(r"@font-face\s*\{[^}]*\}\s*")  # their addresses are relative to the style sheet
_BOARDS = "static/board.css"  # there is no board before the scripts run


@dataclass(frozen=True, slots=True)
class Paint:
    """The parts of a document.

    Attributes:
        path: the folder of the page, ``""`` or ``"rules/NAME"``.
        body: HTML; its addresses begin with the way up to the folder of the home page.
        style: CSS.
    """

    path: str
    title: str
    body: str
    style: str

    @property
    def root(self) -> str:
        """The way from the page to the folder of the home page, ``"./"`` or ``"../../"``."""
        return "../" * (self.path.count("/") + 1) if self.path else "./"


def paints(given: Sequence[KeptAnswer]) -> list[Paint]:
    """The first paint of the home page, and of the rules of each game."""
    known = {one.path: one.body.decode() for one in given if one.language in (None, "en") and _is_text(one)}
    home, rules = known["/"], known["/rules/{variant}"]
    variants: list[dict[str, Any]] = json.loads(known["/api/variants"])
    made = [_painted(known, home, "", _heading(home), {"cards": "".join(map(_card, _first_to_last(variants)))})]
    for variant in variants:
        title = f"{variant['name']}: the rules"
        book = json.loads(known[f"/api/rules/{variant['id']}"])
        filled = {"title": escape(title), "summary": escape(variant["summary"]), "parts": _book(book)}
        made.append(_painted(known, rules, f"rules/{variant['id']}", f"{title} – Komadai", filled))
    return made


def _is_text(one: KeptAnswer) -> bool:
    return dict(one.headers)["content-type"].startswith(("text/", "application/json"))


def _heading(page: str) -> str:
    """The title of a page."""
    found = re.search(r"<title[^>]*>([^<]*)</title>", page)
    assert found is not None  # frame.html has one
    return found[1]


def _painted(known: Mapping[str, str], page: str, path: str, title: str, filled: Mapping[str, str]) -> Paint:
    """A page without its scripts, whose elements with these ids have these contents."""
    head, _, rest = page.partition("<body")
    body = _SCRIPT.sub("", rest.partition(">")[2].partition("</body>")[0])
    for name, contents in filled.items():
        body = _with(body, name, contents)
    sheets = [f"/{name}" for name in _SHEET.findall(head) if name != _BOARDS]
    made = Paint(path, title, body, _FONT.sub("", "".join(known[name] for name in sheets)))
    return Paint(path, title, _ADDRESS.sub(rf"\1{made.root}", body), made.style)


def _with(body: str, name: str, contents: str) -> str:
    """The HTML in which the element of that id, which has no child of its own name, has these contents and is shown."""
    found = re.search(rf'<(\w+)( id="{name}"[^>]*)>(.*?)</\1>', body, re.DOTALL)
    assert found is not None, name  # the page has it: tests/app/site
    element = f"<{found[1]}{found[2].replace(' hidden', '').replace(' data-t', '')}>{contents}</{found[1]}>"
    return body[: found.start()] + element + body[found.end() :]


def _first_to_last(variants: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The games that have a card of their own, the easiest first."""
    games = [one for one in variants if not one["about"].get("of")]
    return sorted(games, key=lambda one: (one["about"]["order"], one["name"]))


def _card(variant: dict[str, Any]) -> str:
    texts = (variant["summary"], variant["about"].get("story") or "")
    words = "".join(f"<p>{escape(text)}</p>" for text in texts if text)
    link = f'<a class="button" href="./rules/{variant["id"]}/">Rules</a>'
    return (
        f'<article class="card"><div class="card-game"><h2>{escape(variant["name"])}</h2>{words}'
        f'<div class="row">{link}</div></div></article>'
    )


def _book(book: dict[str, Any]) -> str:
    """The rules for players, and the page of numbered rules."""
    parts = [f"<h2>{escape(one['title'])}</h2>{prose(one['text'])}" for one in book["sections"]]
    return "".join([*parts, book["page"]])
