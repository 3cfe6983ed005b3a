"""Where questions are worked out that take a while: a few at a time, so that no game need wait for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import thread_time
from typing import TypeVar

from starlette.requests import Request

from ...i18n import _
from ..http.responses import ProblemError, refusing
from .rate_limits import USUAL, Buckets, Limits
from .threads import in_thread

T = TypeVar("T")

_AT_ONCE = 2  # more would only take turns
_LEAST = 1.0  # seconds of work that an address must have left


def address(request: Request) -> str:
    """What a client is counted by."""
    return request.client.host if request.client else ""


class WorkQueue:
    """Threads of its own, for questions that come in turn; each address has a share of their time."""

    def __init__(self, limits: Limits = USUAL) -> None:
        self._threads = ThreadPoolExecutor(_AT_ONCE, "workshop")
        self._room = asyncio.Semaphore(_AT_ONCE)
        self._shares = Buckets(*limits.work)

    async def run(self, request: Request, work: Callable[[], T], fault: str = "") -> T:
        """Work something out.

        Args:
            fault: begins the sentence where it cannot be done.

        Raises:
            ProblemError: what was asked for cannot be done, is not as it should be, or the address has used up its
                share while it waited for its turn.
        """
        share, seconds = self._shares.of(address(request)), 0.0

        def timed() -> T:
            nonlocal seconds
            began = thread_time()
            try:
                return work()
            finally:
                seconds = thread_time() - began

        async with self._room:
            if share.left < _LEAST:
                raise ProblemError(429, _("Too many calculations at once; wait a moment."))
            try:
                with refusing(422, fault):
                    return await in_thread(self._threads, timed)
            finally:
                share.spend(seconds)

    def close(self) -> None:
        """Take no more work."""
        self._threads.shutdown(wait=False, cancel_futures=True)
