"""A computer that takes a second of simulated time for each move, and makes the first legal one."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from komadai.app.engine_service import Backend, SearchRequest, SearchResult
from komadai.app.engine_service.messages import Report
from komadai.game.game import Game

THINKING = 1.0  # seconds


class Computer(Backend):
    """In place of an engine."""

    def __init__(self) -> None:
        self._stopped = asyncio.Event()

    async def search(self, request: SearchRequest, *_reporter: object) -> SearchResult:
        self.subject = request.subject
        self._stopped.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopped.wait(), THINKING)
        game = Game(request.variant, request.start, **request.options)
        for move in request.moves:
            game.push(move)
        found = min(map(str, game.position.legal_moves()), default=None)
        return SearchResult(request.id, found, Report(request.id, 1, 1, 1, THINKING, []))

    def stop(self) -> None:
        self._stopped.set()

    async def close(self) -> None:
        pass
