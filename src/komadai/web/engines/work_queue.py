"""A queue for questions that take a while to answer, so that no game waits for them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from .rate_limits import USUAL, Limits, Share, Shares
from .threads import TurnedThreads
from .turns import Payer

T = TypeVar("T")

_AT_ONCE = 2  # more threads would only share the interpreter lock
_clock = getattr(time, "thread_time", time.perf_counter)  # the former is missing where there are no threads
_LEAST = 1.0  # seconds of work that an address must have left


class OverusedError(Exception):
    """The address has used up its share of the work."""


class WorkQueue:
    """Threads for questions, which are answered in turns; each address has a share of the time."""

    def __init__(self, limits: Limits = USUAL) -> None:
        self._threads = TurnedThreads(_AT_ONCE, "work")
        self._shares = Shares(*limits.work)

    async def run(self, payer: Payer, work: Callable[[], T]) -> T:
        """Do the work in a thread when its turn has come; errors are those of the work.

        Raises:
            OverusedError: the address has used up its share in the meantime.
        """
        share, seconds = self._shares.of(payer.address), 0.0

        def timed() -> T:
            nonlocal seconds
            began = _clock()
            try:
                return work()
            finally:
                seconds = _clock() - began

        return await self._threads.run(payer, timed, lambda: require_left(share), lambda: share.spend(seconds))

    def close(self) -> None:
        """Accept no more work."""
        self._threads.close()


def require_left(share: Share) -> None:
    """Check that a share of work is not used up.

    Raises:
        OverusedError: it is.
    """
    if share.left < _LEAST:
        raise OverusedError
