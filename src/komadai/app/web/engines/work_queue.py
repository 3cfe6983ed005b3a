"""A queue for questions that take a while to answer, so that no game waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar, cast

from ....i18n import current_language
from .crew import Crew, Done, timed
from .rate_limits import USUAL, RateLimits, Share, Shares
from .threads import TurnedThreads
from .turns import Payer

P = ParamSpec("P")
T = TypeVar("T")

_AT_ONCE = 2  # more threads would only share the interpreter lock
_LEAST = 1.0  # seconds of work that an address must have left


class OverusedError(Exception):
    """The address has used up its share of the work."""


class WorkQueue:
    """Answers questions in turns, in threads or processes; each address has a share of the time."""

    def __init__(self, limits: RateLimits = USUAL, *, alone: bool = False) -> None:
        """``alone``: there are only threads."""
        self._threads = TurnedThreads(_AT_ONCE, "work")
        self._shares = Shares(*limits.work)
        self._crew = None if alone else Crew(_AT_ONCE)

    async def run(self, payer: Payer, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function when its turn has come, in a process if there is much to do; errors are those of the call.

        All of it can be pickled: the function, what it is given and returns, and its errors.

        Raises:
            OverusedError: the address has used up its share in the meantime.
            WorkLostError: the process was lost.
        """
        work = partial(function, *args, **kwargs)

        def begin() -> asyncio.Future[Done]:
            apart = None if self._crew is None else self._crew.begin(current_language(), work)
            return self._in_thread(work) if apart is None else apart

        return cast(T, await self._do(payer, begin))

    def _in_thread(self, work: Callable[[], object]) -> asyncio.Future[Done]:
        doing = self._threads.begin(partial(timed, work))
        if self._crew is not None:
            doing.add_done_callback(partial(_count, self._crew.count))
        return doing

    async def _do(self, payer: Payer, begin: Callable[[], asyncio.Future[Done]]) -> object:
        share = self._shares.of(payer.address)

        def begin_if_left() -> asyncio.Future[Done]:
            require_left(share)
            return begin()

        done = await self._threads.in_turn(payer, begin_if_left, partial(_count, share.spend))
        try:
            if done.error is not None:
                raise done.error
            return done.result
        finally:
            del done  # the error's traceback has this frame

    def close(self) -> None:
        """Accept no more work, and end the processes."""
        self._threads.close()
        if self._crew is not None:
            self._crew.close()


def _count(spend: Callable[[float], object], done: asyncio.Future[Done]) -> None:
    """Count the seconds that work has taken."""
    if not done.cancelled() and done.exception() is None:
        spend(done.result().seconds)


def require_left(share: Share) -> None:
    """Check that a share of work is not used up.

    Raises:
        OverusedError: it is.
    """
    if share.left < _LEAST:
        raise OverusedError
