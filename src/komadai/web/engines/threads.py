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
    work = partial(copy_context().run, call, *args, **kwargs)
    return await asyncio.get_running_loop().run_in_executor(pool, work)


class TurnedThreads:
    """Threads that payers take turns at. A turn lasts until the work is done, also if nobody waits for it any more."""

    def __init__(self, places: int, name: str) -> None:
        self._threads, self._turns = ThreadPoolExecutor(places, name), Turns(places)

    async def run(self, payer: Payer, work: Callable[[], T], check: Callable[[], object] | None = None) -> T:
        """Do the work in a thread when the payer's turn has come; errors are those of the work.

        Args:
            check: called when the turn has come; if it raises, nothing is done.
        """
        await self._turns.take(payer)
        try:
            if check is not None:
                check()
            doing = asyncio.get_running_loop().run_in_executor(self._threads, partial(copy_context().run, work))
        except BaseException:
            self._turns.release(payer)
            raise
        doing.add_done_callback(lambda _: self._turns.release(payer))
        return await asyncio.shield(doing)

    def close(self) -> None:
        """Accept no more work."""
        self._threads.shutdown(wait=False, cancel_futures=True)
