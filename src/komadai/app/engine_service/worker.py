"""Both ends of an engine in a worker of a browser: messages as text, and a stop that reaches it while it searches."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable
from time import monotonic
from typing import Protocol

import msgspec

from ...errors import KomadaiError
from .messages import Answer, Failure, Report, Request, SearchRequest, SearchResult, StopRequest, decode_request, encode
from .remote import GRACE, Link, RemoteBackend
from .responder import Responder

log = logging.getLogger(__name__)

SIGNAL = 10
"""The number of the signal by which the asking end interrupts a search, through shared memory."""
_LISTEN = 0.001  # seconds for messages that have come meanwhile
_SLICE = 0.1, 0.4  # seconds of the first run of a search that cannot be interrupted, and of the longest


class Worker(Protocol):
    """A worker as whoever started it has it."""

    def send(self, text: str) -> None:
        """Send it a message."""

    def interrupt(self, id: int) -> None:
        """Interrupt the search with that id, if that can be done."""

    def end(self) -> None:
        """End it at once."""


Start = Callable[[Callable[[str], None]], Worker]
"""Starts a worker; its argument is called with every message, and with an empty one when the worker has failed."""


class _WorkerLink(Link):
    """The messages of a worker."""

    def __init__(self, start: Start) -> None:
        self._answers: asyncio.Queue[str] = asyncio.Queue()
        self._worker = start(self._answers.put_nowait)

    def send(self, message: Request) -> None:
        self._worker.send(encode(message).decode())
        if isinstance(message, StopRequest):
            self._worker.interrupt(message.id)

    async def receive(self) -> bytes:
        return (await self._answers.get()).encode()

    async def kill(self) -> str:
        self._worker.end()
        return "worker"

    async def close(self) -> None:
        self._worker.end()


class WorkerBackend(RemoteBackend):
    """An engine in a worker: started at once, so that the first search need not wait, and again after it was lost."""

    def __init__(self, start: Start, grace: float = GRACE) -> None:
        self._first: Link | None = _WorkerLink(start)
        self._start = start
        super().__init__(self._opened, grace)

    async def _opened(self) -> Link:
        first, self._first = self._first, None
        return first or _WorkerLink(self._start)

    async def close(self) -> None:
        await super().close()
        if self._first is not None:
            await self._first.close()
            self._first = None


class WorkerEnd:
    """The worker's end: answers requests, one after the other.

    A search keeps the worker busy, so that no message reaches it. With shared memory the asking end sends a signal and
    names the search; without, the search is done in short runs, between which messages are read. What it has found
    stays in the engine's memory, so that each run soon is where the one before ended.
    """

    def __init__(self, post: Callable[[str], object], wanted: Callable[[], int] | None = None) -> None:
        """Prepare.

        Args:
            post: sends a message to the asking end.
            wanted: the id of the search to be stopped, which the asking end leaves before its signal; ``None``: there
                is no shared memory.
        """
        self._post, self._wanted = post, wanted
        self._responder = Responder()
        self._current: int | None = None
        self._stopped: int | None = None
        if wanted is not None:
            signal.signal(SIGNAL, lambda *_: self._stop(wanted()))

    def _send(self, answer: Answer) -> None:
        self._post(encode(answer).decode())

    def _stop(self, id: int) -> None:
        self._stopped = id
        if id == self._current:
            self._responder.stop(id)

    async def receive(self, text: str) -> None:
        """Take a message; of a search this returns when it is answered.

        Raises:
            msgspec.MsgspecError: it is none.
        """
        match decode_request(text.encode()):
            case StopRequest(id=id):
                self._stop(id)
            case SearchRequest() as request:
                await self._search(request)

    async def _search(self, request: SearchRequest) -> None:
        self._current = request.id
        await asyncio.sleep(_LISTEN)  # a stop that is on its way comes first
        if self._stopped == request.id:
            self._responder.stop(request.id)
        try:
            if self._wanted is None and not request.tsume and request.escape is None:
                answer: Answer = await self._in_slices(request)
            else:
                answer = self._responder.answer(request, self._send)
        except KomadaiError as error:
            answer = Failure(request.id, str(error))
        finally:
            self._current = None
        self._send(answer)

    async def _in_slices(self, request: SearchRequest) -> SearchResult:
        """Search in short runs, each twice as long as the one before up to the longest."""
        length, longest = _SLICE
        best = Report(request.id, 0, 0, 0, 0.0, ())
        result: SearchResult | None = None
        nodes, began, left = 0, monotonic(), request.seconds

        def whole(reached: Report) -> Report:
            """The report with what the runs before have taken."""
            return msgspec.structs.replace(reached, nodes=nodes + reached.nodes, seconds=monotonic() - began)

        def reported(reached: Report) -> None:
            nonlocal best
            if reached.depth > best.depth:
                best = whole(reached)
                self._send(best)

        while True:
            run = min(length, left)
            started = monotonic()
            found = self._responder.answer(msgspec.structs.replace(request, seconds=run), reported)
            took = monotonic() - started
            if result is None or found.report.depth >= best.depth:
                result = msgspec.structs.replace(found, report=whole(found.report))
            nodes, left = nodes + found.report.nodes, request.seconds - (monotonic() - began)
            await asyncio.sleep(_LISTEN)
            if took < run * 0.9 or left <= 0 or self._stopped == request.id:
                return result
            length = min(length * 2, longest)
