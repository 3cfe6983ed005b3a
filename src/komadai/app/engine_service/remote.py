"""The backend that has its requests answered elsewhere, over a link that may break."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from itertools import count
from time import monotonic

import msgspec

from .backend import Backend, EngineFailureError, EngineLostError, Reporter, unheard
from .messages import Failure, Report, Request, SearchRequest, SearchResult, StopRequest, decode_answer

log = logging.getLogger(__name__)

GRACE = 10.0
"""Seconds beyond its time, or after a stop, that a search has for its answer."""
_START_WITHIN = 30.0  # seconds more for the first answer over a new link
_MOST_REPORTS = 1000  # of one search
_LEAST = 0.05  # seconds of a repeated search
_SHOWN = 200  # characters of an engine's words in the log


class Link(ABC):
    """A connection to an engine elsewhere."""

    @abstractmethod
    def send(self, message: Request) -> None:
        """Send a message.

        Raises:
            OSError: the other end is gone.
        """

    @abstractmethod
    async def receive(self) -> bytes:
        """The next answer as a line; empty when there are no more.

        Raises:
            OSError: the other end is gone. ``ValueError``: the line is too long.
        """

    @abstractmethod
    async def kill(self) -> str:
        """End the engine at once; what it was, for the log, such as ``process 12, exit status -9``."""

    @abstractmethod
    async def close(self) -> None:
        """End the engine, which has nothing to do."""


class RemoteBackend(Backend):
    """An engine at the other end of a link: opened for the first request, and again after it was lost."""

    def __init__(self, open: Callable[[], Awaitable[Link]], grace: float = GRACE) -> None:
        """Prepare; nothing is opened yet.

        Args:
            open: opens a link.
            grace: seconds beyond its time that a search has for its answer.
        """
        self._open, self._grace = open, grace
        self._ids = count()
        self._link: Link | None = None
        self._request: SearchRequest | None = None  # under way
        self._deadline: asyncio.Timeout | None = None  # of the request under way
        self._stopped = self._closed = False
        self._patience = grace  # seconds for the answer under way: a new link takes longer

    async def search(self, request: SearchRequest, report: Reporter = unheard) -> SearchResult:
        self.subject, self._stopped = request.subject, False
        ends = monotonic() + request.seconds
        try:
            return await self._ask(request, report)
        except EngineLostError as error:
            if self._closed or isinstance(error, EngineFailureError):
                raise
            log.warning("%s; the search is repeated", error)
        left = _LEAST if self._stopped else max(ends - monotonic(), _LEAST)
        return await self._ask(msgspec.structs.replace(request, seconds=left), report)

    async def _ask(self, request: SearchRequest, report: Reporter) -> SearchResult:
        """One attempt.

        Raises:
            EngineLostError: the engine was lost.
        """
        request = msgspec.structs.replace(request, id=next(self._ids))
        try:
            self._patience = self._grace + (_START_WITHIN if self._link is None else 0)
            async with asyncio.timeout(request.seconds + self._patience) as self._deadline:
                if self._link is None and not self._closed:
                    self._link = await self._open()
                if self._link is None or self._closed:
                    raise EOFError
                self._request = request
                self._link.send(request)
                if self._stopped:
                    self.stop()
                return await self._result(self._link, request.id, report)
        except asyncio.CancelledError:
            self._deadline = None  # it has ended
            await self._end_search()
            raise
        except TimeoutError:
            raise await self._lost("does not answer in time") from None
        except (EOFError, OSError):
            raise await self._lost("has ended") from None
        except EngineLostError:
            raise
        except (ValueError, msgspec.MsgspecError):
            raise await self._lost("answers with nonsense") from None
        finally:
            self._request = self._deadline = None

    async def _result(self, link: Link, id: int, report: Reporter) -> SearchResult:
        """The answer to a request.

        Raises:
            EngineFailureError: the engine says that there is none.
            ValueError: the answers make no sense. ``EOFError``: they end.
        """
        for _ in range(_MOST_REPORTS):
            line = await link.receive()
            if not line:
                raise EOFError
            match decode_answer(line):
                case Report(id=known) as reached if known == id:
                    report(reached)
                    await asyncio.sleep(0)  # there may be many at once
                case SearchResult(id=known) as result if known == id:
                    return result
                case Failure(id=known, reason=reason) if known == id:
                    raise EngineFailureError(reason[:_SHOWN])
                case _:
                    raise ValueError("an answer to another request")
        raise ValueError("too many reports")

    def stop(self) -> None:
        self._stopped = True
        if self._request is None or self._link is None:
            return
        with contextlib.suppress(OSError):
            self._link.send(StopRequest(self._request.id))
        ends = asyncio.get_running_loop().time() + self._patience
        when = self._deadline and self._deadline.when()
        if self._deadline is not None and when is not None and when > ends:
            self._deadline.reschedule(ends)

    async def _end_search(self) -> None:
        """End the search under way, whose answer nobody waits for, and the engine with it if it takes long."""
        link, request = self._link, self._request
        if link is None or request is None:
            return
        self.stop()
        try:
            async with asyncio.timeout(self._patience):
                await self._result(link, request.id, unheard)
        except EngineFailureError:
            pass
        except (TimeoutError, EOFError, OSError, ValueError, msgspec.MsgspecError):
            await self._kill()

    async def _lost(self, how: str) -> EngineLostError:
        """The error for an engine that is lost; what is left of it is ended."""
        return EngineLostError(f"the engine ({await self._kill()}) {how}")

    async def _kill(self) -> str:
        link, self._link = self._link, None
        return "not started" if link is None else await link.kill()

    async def close(self) -> None:
        self._closed = True
        link, self._link = self._link, None
        if link is not None:
            await link.close()
