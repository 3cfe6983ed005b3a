"""The end of engines that hang, and what is heard of those that say too much."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import komadai
from helpers.stubborn import Stubborn, left_of
from helpers.support import in_a_loop
from helpers.web.served import WAIT
from komadai.app.engine_service import (
    EngineFailureError,
    EngineLostError,
    InPlaceBackend,
    Report,
    SearchRequest,
    SearchResult,
)
from komadai.app.engine_service.messages import Failure, Request, encode
from komadai.app.engine_service.remote import Link, RemoteBackend
from komadai.app.engine_service.responder import Responder

GAME = komadai.Game("nana")
FOR_EVER = 1e6  # seconds


class Frozen(Link):
    """An engine that takes everything and answers nothing, or that, until it is ended."""

    def __init__(self, answer: bytes | None = None) -> None:
        self.asked: list[Request] = []
        self._answers: asyncio.Queue[bytes] = asyncio.Queue()
        self._answer = answer

    def send(self, message: Request) -> None:
        self.asked.append(message)
        if self._answer is not None:
            self._answers.put_nowait(self._answer)

    async def receive(self) -> bytes:
        return await self._answers.get()

    async def kill(self) -> str:
        self._answers.put_nowait(b"")
        return "a frozen one"

    async def close(self) -> None:
        await self.kill()


@pytest.mark.parametrize("cancelled", [True, False])
def test_a_search_of_a_frozen_engine_ends_with_its_backend(cancelled: bool) -> None:
    async def run() -> None:
        links: list[Frozen] = []

        async def opened() -> Link:
            links.append(Frozen())
            return links[-1]

        backend = RemoteBackend(opened, grace=FOR_EVER)
        work = asyncio.create_task(backend.search(SearchRequest.of(GAME, FOR_EVER)))
        while not links or not links[0].asked:
            await asyncio.sleep(0)
        if cancelled:
            work.cancel()
            await asyncio.sleep(0)
        await asyncio.wait_for(backend.close(), WAIT)
        with pytest.raises(asyncio.CancelledError if cancelled else EngineLostError):
            await asyncio.wait_for(work, WAIT)
        with pytest.raises(EngineLostError):
            await backend.search(SearchRequest.of(GAME, FOR_EVER))
        assert len(links) == 1, "a search is not repeated, nor begun, after the end"

    in_a_loop(run())


def test_an_engine_that_fails_in_many_words_is_quoted_in_few() -> None:
    async def run() -> None:
        link = Frozen(encode(Failure(0, "<b>" + "x" * 100_000)))

        async def opened() -> Link:
            return link

        with pytest.raises(EngineFailureError) as caught:
            await RemoteBackend(opened).search(SearchRequest.of(GAME, 0.1))
        assert len(str(caught.value)) <= 200
        assert len(link.asked) == 1, "it would say the same again"

    in_a_loop(run())


class Chatty(Responder):
    """Reports without end, while the loop has no time."""

    def __init__(self) -> None:
        super().__init__()
        self.said, self.heard = threading.Event(), threading.Event()

    def answer(self, request: SearchRequest, report: Callable[[Report], object]) -> SearchResult:
        for depth in range(10_000):
            report(Report(request.id, depth, 0, 0, 0.0, ()))
        self.said.set()
        assert self.heard.wait(WAIT)
        return SearchResult(request.id, None, Report(request.id, 0, 0, 0, 0.0, ()))


def test_the_loop_hears_the_latest_of_many_reports() -> None:
    async def run() -> None:
        responder, heard = Chatty(), list[int]()

        def hear(report: Report) -> None:
            heard.append(report.depth)
            responder.heard.set()

        work = asyncio.create_task(InPlaceBackend(lambda: responder).search(SearchRequest.of(GAME, 1.0), hear))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert responder.said.wait(WAIT)  # which keeps the loop busy
        await asyncio.wait_for(work, WAIT)
        assert heard == [9_999]

    in_a_loop(run())


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")
def test_a_program_that_hangs_ends_with_its_backend(tmp_path: Path) -> None:
    from komadai.app.web.engines.named import named_engines

    stubborn = Stubborn(tmp_path, "hangs")

    async def run() -> None:
        [engine] = named_engines(["A=usi:" + " ".join(f"'{word}'" for word in stubborn.command)])
        backend = engine.backend()
        work = asyncio.create_task(backend.search(SearchRequest.of(komadai.Game("shogi"), FOR_EVER, engine="A")))
        pids = await asyncio.to_thread(stubborn.stays)
        await asyncio.wait_for(backend.close(), WAIT)
        with pytest.raises(EngineLostError):
            await asyncio.wait_for(work, WAIT)
        assert left_of(pids) == []

    in_a_loop(run())
