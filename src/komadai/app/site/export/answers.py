"""The answers that the server gives without looking at any state, taken from it at the export.

With them a page is shown before there is a Python in the tab, and need not ask it later: the client's files, the pages,
and what the interface says about the games.
"""

from __future__ import annotations

import asyncio
import json
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from starlette.routing import Route

from ....i18n import LANGUAGES
from ....variants import build, names
from ... import lessons, openings, puzzles
from ...web.http import pages
from ...web.store.opfs import OpfsStore
from ..host import Host, application
from ..tab import MemoryFile

_STATIC = Path(__file__).parents[2] / "web/static"
_VARYING = {"content-length", "content-encoding", "etag", "vary"}
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


def _samples() -> Iterator[dict[str, str]]:
    """Values for the names in patterns: each game, with a stage of its course and a puzzle, if it has one."""
    for name in names(shelf=True):
        found, book = puzzles.load(name), openings.packaged(build(name))
        yield {
            "variant": name,
            "stage": lessons.course(name).entries[0].id,
            "puzzle": found[0].id if found else "-",
            "opening": f"{book.openings[0].id}.b" if book and book.openings else "-",
            "game": "-",
            "record": "-",
            "live": "-",
        }


def _asked() -> Iterator[tuple[str, list[str]]]:
    """The paths of answers, each with the addresses at which it may be asked for, until there is one."""
    samples = list(_samples())
    for route in pages.routes():
        if isinstance(route, Route):
            yield route.path, list(dict.fromkeys(route.path.format(**sample) for sample in samples))
    for path in sorted(_STATIC.rglob("*")):
        if path.is_file() and path.suffix not in (".html", ".ts") and path.name != "sw.js":
            address = f"/static/{path.relative_to(_STATIC).as_posix()}"
            yield address, [address]
    for address in _GENERAL:
        yield address, [address]
    for pattern in _OF_GAMES:
        for sample in samples:
            address = pattern.format(**sample)
            yield address, [address]


async def _answers(host: Host, path: str, addresses: Sequence[str]) -> list[KeptAnswer]:
    """The answers at a path: one if all languages have the same, none if there is nothing.

    Raises:
        RuntimeError: the application fails.
    """
    for address in addresses:
        made = []
        for language in LANGUAGES:
            status, headers, body = await host.http("GET", address, [("accept-language", language)])
            if status == 500:
                raise RuntimeError(f"{address} is answered with status 500")
            if status == 200:
                kept = tuple((name, value) for name, value in headers if name not in _VARYING)
                made.append(KeptAnswer(path, language, kept, body))
        if len(made) == len(LANGUAGES):
            return [replace(made[0], language=None)] if len({one.body for one in made}) == 1 else made
    return []


def collect() -> list[KeptAnswer]:
    """All answers, by path and language."""

    async def ask() -> list[KeptAnswer]:
        host = Host(application(lambda: OpfsStore([MemoryFile(), MemoryFile()])))
        await host.start()
        try:
            return [one for path, addresses in _asked() for one in await _answers(host, path, addresses)]
        finally:
            await host.stop()

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
