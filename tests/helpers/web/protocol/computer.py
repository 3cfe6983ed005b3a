"""A computer that takes a second of simulated time for each move, and makes the first legal one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from komadai.game.position import Position
from komadai.web import app

THINKING = 1.0  # seconds


class _Computer:
    """In place of an engine and of the pool of engines."""

    def __init__(self, **_options: Any) -> None:
        self._stopped = asyncio.Event()

    def stop(self) -> None:
        self._stopped.set()

    @asynccontextmanager
    async def lend(self, *_wanted: Any, **_options: Any) -> AsyncIterator[_Computer]:
        yield _Computer()

    async def search(self, engine: _Computer, position: Position, *_limits: Any) -> Any:
        with suppress(TimeoutError):
            await asyncio.wait_for(engine._stopped.wait(), THINKING)
        return SimpleNamespace(move=first_move(position))


def first_move(position: Position) -> Any:
    return min(position.legal_moves(), key=str, default=None)


@contextmanager
def simple_computers() -> Iterator[None]:
    """Let all servers that start have such a computer."""
    with patch.object(app, "EnginePool", _Computer):
        yield
