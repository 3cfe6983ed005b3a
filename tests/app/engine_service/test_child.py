"""A child process that crashes, hangs, grows or lies in mid-search: the search is answered by the next."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

import komadai
from helpers.support import in_a_loop
from helpers.web.served import WAIT
from komadai.app.engine_service import ChildBackend, EngineLostError, SearchRequest
from komadai.app.engine_service.messages import MAX_LINE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

GAME = komadai.Game("shogi")

GROWING = """
import runpy, sys
from pathlib import Path
from komadai.app.engine_service.responder import Responder

answer, mark = Responder.answer, Path(sys.argv[1])

def grow(self, request, report):
    if not mark.exists():
        mark.touch()
        hoard = [bytearray(1 << 20) for _ in range(1 << 20)]
    return answer(self, request, report)

Responder.answer = grow
sys.argv = ["engine", "300"]
runpy.run_module("komadai.app.engine_service", run_name="__main__")
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, pytest.param(signal.SIGSEGV, marks=pytest.mark.slow), signal.SIGSTOP])
def test_a_process_lost_in_mid_search_is_replaced(how: signal.Signals) -> None:
    async def run() -> None:
        backend = ChildBackend(grace=1.0)
        try:
            assert (await backend.search(SearchRequest.of(GAME, 0.05))).move
            searching, first = asyncio.Event(), backend.pid
            work = asyncio.create_task(backend.search(SearchRequest.of(GAME, 0.5), lambda _: searching.set()))
            await asyncio.wait_for(searching.wait(), WAIT)
            assert first is not None
            os.kill(first, how)
            result = await asyncio.wait_for(work, WAIT)
            assert GAME.position.is_legal(result.move or "")
            assert backend.pid != first
            with pytest.raises(ProcessLookupError):
                os.kill(first, 0)  # nothing is left of it
        finally:
            await backend.close()

    in_a_loop(run())


def test_a_process_lost_between_searches_is_replaced() -> None:
    async def run() -> None:
        backend = ChildBackend()
        try:
            await backend.search(SearchRequest.of(GAME, 0.05))
            os.kill(backend.pid or 0, signal.SIGKILL)
            assert (await backend.search(SearchRequest.of(GAME, 0.05))).move
        finally:
            await backend.close()

    in_a_loop(run())


def test_a_process_that_grows_is_replaced(tmp_path: Path) -> None:
    async def run() -> None:
        backend = ChildBackend([sys.executable, "-c", GROWING, str(tmp_path / "grown")])
        try:
            assert (await backend.search(SearchRequest.of(GAME, 0.5))).move
            assert (tmp_path / "grown").exists()
        finally:
            await backend.close()

    in_a_loop(run())


@pytest.mark.parametrize(
    "program",
    [
        "pass",  # ends at once
        "input(); print('nonsense')",
        'input(); print(\'{"t":"result","id":99,"move":null,"report":{"id":99}}\')',
        'input(); print(\'{"t":"result","id":99,"move":"7g7f"}\')',
        f"input(); print('x' * {2 * MAX_LINE})",
        'input()\nwhile True: print(\'{"t":"report","id":0,"depth":1,"seldepth":1,"nodes":1,"seconds":1,"lines":[]}\')',
        "raise SystemExit(3)",
    ],
)
def test_a_program_that_never_answers_well_is_given_up(program: str) -> None:
    async def run() -> None:
        backend = ChildBackend([sys.executable, "-c", program])
        try:
            with pytest.raises(EngineLostError, match="process"):
                await asyncio.wait_for(backend.search(SearchRequest.of(GAME, 0.05)), WAIT)
        finally:
            await backend.close()

    in_a_loop(run())


def test_a_program_that_cannot_be_started_is_lost() -> None:
    async def run() -> None:
        with pytest.raises(EngineLostError):
            await ChildBackend(["/nowhere/engine"]).search(SearchRequest.of(GAME, 0.05))

    in_a_loop(run())


def test_a_process_ends_with_its_input() -> None:
    async def run() -> None:
        process = await asyncio.create_subprocess_exec(
            *[sys.executable, "-m", "komadai.app.engine_service", "1024"],
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'{"t":"search","id":0,"variant":"shogi","options":{},"moves":[],"seconds":1e6,"start":"')
        process.stdin.write(GAME.start.sfen().encode() + b'"}\n')
        assert await asyncio.wait_for(process.stdout.readline(), WAIT)
        process.stdin.close()
        assert await asyncio.wait_for(process.wait(), WAIT) == 0

    in_a_loop(run())
