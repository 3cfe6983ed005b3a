"""Processes for questions, once there are many: in threads they would keep games from the interpreter lock."""

from __future__ import annotations

import asyncio
import logging
import pickle
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from functools import partial
from typing import Any, NamedTuple, cast

from ....i18n import speaking
from ....processes import worker_pool
from ....variants import register, registered
from ...engine_service.process_limits import limit_process
from .rate_limits import Bucket

log = logging.getLogger(__name__)

_MEMORY_MB = 1024  # that a process may take for data
_BURST, _RATE = 1.0, 0.01  # seconds, and seconds a second, that threads may compute before the processes start

_clock = getattr(time, "thread_time", time.perf_counter)  # the former is missing where there are no threads


class Done(NamedTuple):
    """The result of work, and the seconds of the processor that it took."""

    result: Any
    error: Exception | None
    seconds: float


def timed(work: Callable[[], Any]) -> Done:
    """Do work."""
    began = _clock()
    try:
        return Done(work(), None, _clock() - began)
    except Exception as error:
        return Done(None, error, _clock() - began)


def _begin(known: bytes) -> None:
    """Begin as a process: with limits, and with the variants that its server has registered."""
    limit_process(_MEMORY_MB)
    for name, entry in pickle.loads(known).items():
        register(name, entry)


def _apart(language: str, work: bytes) -> bytes:
    """Do pickled work in this process of the pool. The answer is pickled here, since an answer that the pool cannot
    pickle or read would end all its processes."""
    with speaking(language):
        done = timed(lambda: pickle.loads(work)())
    try:
        written = pickle.dumps(done)
        pickle.loads(written)
    except Exception:
        log.exception("an answer cannot be pickled")
        written = pickle.dumps(Done(None, RuntimeError(repr(done.error)), done.seconds))
    return written


class WorkLostError(Exception):
    """The process that did some work was lost."""


class Crew:
    """Processes that start when threads have computed much, and again when one was lost."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._threads = Bucket(_RATE, _BURST)
        self._pool: Executor | None = None
        self._ready = False
        self._able = True  # processes may start

    def count(self, seconds: float) -> None:
        """Take note that a thread has computed for so long."""
        if self._able and self._pool is None and seconds > self._threads.left:
            self._start()
        self._threads.spend(seconds)

    def begin(self, language: str, work: Callable[[], Any]) -> asyncio.Future[Done] | None:
        """Begin work in a process; ``None``: none is ready. If it is lost, the future has a :class:`WorkLostError`.

        Args:
            language: of its words.
            work: what can be pickled, as its result and its errors can.
        """
        pool = self._pool
        if pool is None or not self._ready:
            return None
        try:
            future = pool.submit(_apart, language, pickle.dumps(work))
        except (OSError, RuntimeError):  # one was lost, or this process is about to end
            self._drop(pool)
            return None
        return asyncio.ensure_future(self._end(pool, future))

    async def _end(self, pool: Executor, future: Future[bytes]) -> Done:
        try:
            written = await asyncio.wrap_future(future)
        except BrokenExecutor:
            log.warning("a process that answers questions was lost")
            self._drop(pool)
            raise WorkLostError from None
        return cast(Done, pickle.loads(written))

    def _start(self) -> None:
        try:
            known = pickle.dumps(registered())
        except Exception:
            log.warning("questions stay in threads: a registered variant cannot be pickled", exc_info=True)
            self._able = False
            return
        pool = self._pool = worker_pool(self._places, partial(_begin, known))
        try:
            pool.submit(int).add_done_callback(partial(self._started, pool))
        except (OSError, RuntimeError):
            self._drop(pool)

    def _started(self, pool: Executor, done: Future[Any]) -> None:
        """A process has answered, or none could."""
        if pool is self._pool:
            self._ready = not done.cancelled() and done.exception() is None

    def _drop(self, pool: Executor) -> None:
        """End the processes, if they are those at present."""
        if pool is self._pool:
            self._end_processes(wait=False)

    def close(self) -> None:
        """End the processes, for good."""
        self._able = False
        self._end_processes(wait=True)

    def _end_processes(self, *, wait: bool) -> None:
        pool, self._pool, self._ready = self._pool, None, False
        if pool is not None:
            pool.shutdown(wait=wait, cancel_futures=True)
