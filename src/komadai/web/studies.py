"""Studies: positions and records over HTTP. The page holds the study; only shared records are kept here."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..errors import KomadaiError
from . import describe
from .answers import ProblemError, answer, json_of
from .branch import Branch, Text, typed
from .limits import Bucket
from .shading import explain
from .store import Store

_MOST_BYTES = 512 * 1024  # of a question about a position

T = TypeVar("T")


class Ask(Branch, kw_only=True, forbid_unknown_fields=True):
    """The body of ``POST /api/positions``: the position after the moves, as it is shown.

    ``known``: how many of the moves need not be told. ``text``: one more move, as a person typed it.
    """

    known: Annotated[int, msgspec.Meta(ge=0)] = 0
    text: Text | None = None


class Why(Branch, kw_only=True, forbid_unknown_fields=True):
    """The body of ``POST /api/positions/explain``: why a move is not legal after the moves."""

    text: Text


async def _worked_out(work: Callable[[], T]) -> T:
    """Work something out in a thread, so that the others need not wait.

    Raises:
        ProblemError: what was asked for is not there, or not as it should be.
    """
    try:
        return await asyncio.to_thread(work)
    except KomadaiError as error:
        raise ProblemError(422, f"{_capital(str(error))}.") from None


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].removesuffix('.')}"


class Studies:
    """The HTTP interface for studies."""

    store: Store

    def __init__(self) -> None:
        self._questions = Bucket(rate=30, burst=200)

    def routes(self) -> list[Route]:
        """Where it is to be found."""
        return [
            Route("/api/positions", self.position, methods=["POST"]),
            Route("/api/positions/explain", self.explain, methods=["POST"]),
        ]

    async def _read(self, request: Request, kind: type[T]) -> T:
        if not self._questions.take():
            raise ProblemError(429, "Too many questions at once; wait a moment.")
        return await json_of(request, kind, _MOST_BYTES)

    async def position(self, request: Request) -> Response:
        """The position after some moves, and the moves."""
        asked = await self._read(request, Ask)
        return answer(await _worked_out(lambda: _position(asked)))

    async def explain(self, request: Request) -> Response:
        """Why a move is not legal."""
        asked = await self._read(request, Why)
        return answer({"text": await _worked_out(lambda: explain(asked.game().position, asked.text))})


def _position(asked: Ask) -> dict[str, Any]:
    game, entries = asked.told(asked.known)
    if asked.text is not None:
        move = typed(game.position, asked.text)
        entries.append(describe.made(game.position, move)[0])
        game.push(move)
    return {"moves": entries, "position": describe.position(game, with_tree=True)}
