"""The answers that the server gives without looking at any state, taken from it at the export.

With them a page is shown before there is a Python in the tab, and need not ask it later: the client's files, the pages,
and what the interface says about the games.
"""

from __future__ import annotations

import asyncio
import json
import struct
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ....i18n import LANGUAGES
from ....variants import names
from ... import lessons, puzzles
from ...web.http import pages
from ...web.store.sqlite import SqliteStore
from ..host import application

_STATIC = Path(__file__).parents[2] / "web/static"
_VARYING = {"content-length", "content-encoding", "etag", "set-cookie", "vary"}
"""Headers that are left out: they depend on the request, or make no sense where the answer is kept."""
_GENERAL = ("/api/variants", "/api/shelf", "/api/bots", "/api/engines", "/api/lessons")
_OF_GAMES = ("/api/rules/{variant}", "/api/lessons/{variant}")

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """An answer with status 200.

    Attributes:
        path: the address, or a pattern in which ``{name}`` stands for any one segment.
        language: of the reader, one of :data:`komadai.i18n.LANGUAGES`; ``None``: the same for all.
    """

    path: str
    language: str | None
    headers: Headers
    body: bytes


async def _get(app: ASGIApp, path: str, language: str) -> tuple[int, Headers, bytes]:
    """Ask the application as a browser on this machine does."""
    head = [(b"host", b"localhost"), (b"accept", b"*/*"), (b"accept-language", language.encode())]
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "https",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": head,
        "client": ("127.0.0.1", 1),
        "server": ("localhost", 443),
    }
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    headers = [(name.decode().lower(), value.decode()) for name, value in sent[0]["headers"]]
    body = b"".join(message.get("body", b"") for message in sent[1:])
    return sent[0]["status"], tuple((name, value) for name, value in headers if name not in _VARYING), body


def _samples() -> Iterator[dict[str, str]]:
    """Values for the names in patterns: each game, with a stage of its course and a puzzle, if it has them."""
    for name in names(shelf=True):
        known = name in lessons.courses()
        found = puzzles.load(name)
        yield {
            "variant": name,
            "stage": lessons.course(name).stages[0].id if known else "-",
            "puzzle": found[0].id if found else "-",
            "game": "-",
            "record": "-",
        }


def _asked() -> Iterator[tuple[str, list[str]]]:
    """The paths of answers, each with the addresses at which it may be asked for, until there is one."""
    samples = list(_samples())
    for route in pages.routes():
        if isinstance(route, Route):
            yield route.path, list(dict.fromkeys(route.path.format(**sample) for sample in samples))
    for path in sorted(_STATIC.rglob("*")):
        if path.is_file() and path.suffix not in (".html", ".ts"):
            address = f"/static/{path.relative_to(_STATIC).as_posix()}"
            yield address, [address]
    for address in _GENERAL:
        yield address, [address]
    for pattern in _OF_GAMES:
        for sample in samples:
            address = pattern.format(**sample)
            yield address, [address]


async def _answers(app: ASGIApp, path: str, addresses: Sequence[str]) -> list[KeptAnswer]:
    """The answers at a path: one if all languages have the same, none if there is nothing."""
    for address in addresses:
        found = [(language, *await _get(app, address, language)) for language in LANGUAGES]
        made = [KeptAnswer(path, language, headers, body) for language, status, headers, body in found if status == 200]
        if len(made) == len(found):
            return [replace(made[0], language=None)] if len({one.body for one in made}) == 1 else made
    return []


def collect() -> list[KeptAnswer]:
    """All answers, by path and language."""

    async def ask() -> list[KeptAnswer]:
        with tempfile.TemporaryDirectory() as folder:
            app = application(lambda: SqliteStore(Path(folder) / "games.sqlite3"))
            async with app.router.lifespan_context(app) as state:

                async def running(scope: Scope, receive: Receive, send: Send) -> None:
                    await app({**scope, "state": state}, receive, send)

                return [one for path, addresses in _asked() for one in await _answers(running, path, addresses)]

    return sorted(asyncio.run(ask()), key=lambda one: (one.path, one.language or ""))


def pack(given: Iterable[KeptAnswer]) -> bytes:
    """The bytes of ``answers.pack``: four bytes with the length of the index, little-endian; the index; the bodies.

    The index, in JSON, has ``headers``, a list of lists of names and values, and ``answers``, each with ``path``,
    ``language``, the number of its ``headers``, and ``at`` and ``length`` of its body among the bodies.
    """
    heads: dict[Headers, int] = {}
    places: dict[bytes, int] = {}
    bodies, rows = bytearray(), []
    for one in given:
        if one.body not in places:
            places[one.body] = len(bodies)
            bodies += one.body
        head = heads.setdefault(one.headers, len(heads))
        place = {"at": places[one.body], "length": len(one.body)}
        rows.append({"path": one.path, "language": one.language, "headers": head, **place})
    index = json.dumps({"headers": list(heads), "answers": rows}, separators=(",", ":"), sort_keys=True).encode()
    return b"".join([struct.pack("<I", len(index)), index, bodies])
