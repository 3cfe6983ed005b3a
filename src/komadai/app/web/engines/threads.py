"""Work in threads: of a given pool, or in turns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import ParamSpec, TypeVar

from .turns import Payer, Turns

P = ParamSpec("P")
T = TypeVar("T")


async def in_thread(pool: Executor, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Like :func:`asyncio.to_thread`, but in that pool: the shared one may be busy with searches."""
    return await _begun(pool, partial(call, *args, **kwargs))


def _begun(pool: Executor, work: Callable[[], T]) -> asyncio.Future[T]:
    """Begin the work in a thread, in this context."""
    return asyncio.get_running_loop().run_in_executor(pool, copy_context().run, _ended, work)


def _ended(work: Callable[[], T]) -> T:
    """The result of the work. A StopIteration would never reach whoever waits: no future takes it."""
    try:
        return work()
    except StopIteration as error:
        raise RuntimeError("the work raised StopIteration") from error


class TurnedThreads:
    """Threads that payers take turns at. A turn lasts until the work is done, also if nobody waits for it any more."""

    def __init__(self, places: int, name: str) -> None:
        self._threads, self._turns = ThreadPoolExecutor(places, name), Turns(places)

    async def run(self, payer: Payer, work: Callable[[], T]) -> T:
        """Do the work in a thread when the payer's turn has come; errors are those of the work."""
        return await self.in_turn(payer, lambda: self.begin(work))

    def begin(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """Begin the work in a thread; the turn must have come."""
        return _begun(self._threads, work)

    async def in_turn(
        self,
        payer: Payer,
        begin: Callable[[], asyncio.Future[T]],
        after: Callable[[asyncio.Future[T]], object] = lambda done: None,
    ) -> T:
        """Begin something when the payer's turn has come, and wait for it.

        Args:
            begin: if it raises, nothing is done.
            after: called when it is done, before the next turn begins.
        """
        await self._turns.take(payer)
        try:
            doing = begin()
        except BaseException:
            self._turns.release(payer)
            raise

        def done(doing: asyncio.Future[T]) -> None:
            try:
                after(doing)
            finally:
                self._turns.release(payer)
                if not doing.cancelled():
                    doing.exception()  # seen, also if nobody waits for it any more: it is no fault of the server

        doing.add_done_callback(done)
        return await asyncio.shield(doing)

    def close(self) -> None:
        """Accept no more work."""
        self._threads.shutdown(wait=False, cancel_futures=True)
