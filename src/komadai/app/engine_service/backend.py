"""The door of the service, and the backend that answers in this process."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from itertools import count
from threading import Event

import msgspec

from ...errors import KomadaiError
from .messages import Report, SearchRequest, SearchResult, Subject
from .responder import Answerer, Responder

Reporter = Callable[[Report], object]

CLOSE_WITHIN = 1.0
"""Seconds that an engine has to end when it is asked to."""


class EngineLostError(KomadaiError):
    """The engine has ended, hangs, or answers with nonsense; the message says which. Another request may succeed."""


class EngineFailureError(EngineLostError):
    """The engine says that it cannot answer. The message is in its own words, which may be anything, and are for the
    log alone."""


def unheard(_report: Report) -> None:
    """Take no notice of a report."""


class Backend(ABC):
    """Answers requests, one at a time.

    Attributes:
        subject: of the latest request: the next about the same is answered sooner.
    """

    subject: Subject | None = None

    @abstractmethod
    async def search(self, request: SearchRequest, report: Reporter = unheard) -> SearchResult:
        """Search until the time is up or :meth:`stop`; cancelled or not, the search has ended when this returns.

        Args:
            report: called in the event loop with each report. After a loss of the engine they begin again.

        Raises:
            KomadaiError: no such variant, position, move or level.
            EngineLostError: the engine was lost, and so was the next.
        """

    @abstractmethod
    def stop(self) -> None:
        """End the search under way soon: its result is the best found so far."""

    @abstractmethod
    async def close(self) -> None:
        """End, and soon also a search under way, which is lost; nothing is searched from now on. Closing twice does
        nothing."""


class InPlaceBackend(Backend):
    """An engine in a thread of this process, or one that such a thread drives."""

    def __init__(self, make: Callable[[], Answerer] = Responder) -> None:
        self._responder = make()
        self._ids = count()
        self._id: int | None = None  # of the search under way
        self._work: asyncio.Future[SearchResult] | None = None
        self._closed = False

    async def search(self, request: SearchRequest, report: Reporter = unheard) -> SearchResult:
        if self._closed:
            raise EngineLostError("the engine is closed")
        self.subject = request.subject
        self._id = id = next(self._ids)
        loop = asyncio.get_running_loop()
        request = msgspec.structs.replace(request, id=id)
        latest: deque[Report] = deque(maxlen=1)
        called = Event()  # the loop hears no more often than it has time for

        def hear() -> None:
            called.clear()
            if latest:
                report(latest.pop())

        def reported(reached: Report) -> None:
            latest.append(reached)
            if not called.is_set():
                called.set()
                loop.call_soon_threadsafe(hear)

        work = self._work = asyncio.ensure_future(asyncio.to_thread(self._responder.answer, request, reported))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            self.stop()
            await asyncio.gather(work, return_exceptions=True)
            raise
        finally:
            self._id = self._work = None

    def stop(self) -> None:
        if self._id is not None:
            self._responder.stop(self._id)

    async def close(self) -> None:
        self._closed = True
        self.stop()
        if self._work is not None:
            await asyncio.wait([self._work], timeout=CLOSE_WITHIN)
        if self._work is not None:
            self._responder.kill()
            await asyncio.wait([self._work])
        await asyncio.to_thread(self._responder.close)
