"""Every backend of the engine service answers the same requests in the same way."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

import pytest

import komadai
from helpers.engine_worker import ProcessWorker
from helpers.support import in_a_loop
from helpers.web.served import WAIT
from komadai.app.engine_service import (
    Backend,
    ChildBackend,
    InPlaceBackend,
    Report,
    SearchRequest,
    Subject,
    WorkerBackend,
)
from komadai.errors import KomadaiError

Use = Callable[[Backend], Awaitable[None]]


BACKENDS = {
    "in place": InPlaceBackend,
    "child": ChildBackend,
    "worker": lambda: WorkerBackend(partial(ProcessWorker, shared=True)),
    # A problem of mate ends when grace does.
    "worker in slices": lambda: WorkerBackend(partial(ProcessWorker, shared=False), grace=2),
}


@pytest.fixture(params=BACKENDS.values(), ids=BACKENDS)
def run(request: pytest.FixtureRequest) -> Callable[[Use], None]:
    """Use a backend, and close it twice."""

    async def using(use: Use) -> None:
        backend = request.param()
        try:
            await asyncio.wait_for(use(backend), WAIT)
        finally:
            await backend.close()
            await backend.close()

    return lambda use: in_a_loop(using(use))


def test_a_search_reports_and_ends_with_a_legal_move(run: Callable[[Use], None]) -> None:
    game = komadai.Game("shogi")
    game.push("7g7f")

    async def use(backend: Backend) -> None:
        reports: list[Report] = []
        result = await backend.search(SearchRequest.of(game, 0.2, lines=2), reports.append)
        assert backend.subject == Subject.of(game)
        depths = [report.depth for report in reports]
        assert depths == sorted(depths)
        assert len(result.report.lines) == 2
        position = game.position.copy()
        assert result.move == result.report.lines[0].pv[0]
        for text in result.report.lines[0].pv:
            position.push(text)

    run(use)


def test_a_mate_problem_is_judged_and_stopped(run: Callable[[Use], None]) -> None:
    problem = komadai.Game.problem("shogi", "9/6P2/6Snk/6R2/9/9/9/9/9 b Sr2b4g2s3n4l17p")
    hard = komadai.Game("shogi", "ln1k1g3/1s7/4p+P3/1p1g5/6+L2/pP1P+n4/2K2PPP1/1S7/LN1G1GSN1 b 2RBSL6Pb3p")

    async def use(backend: Backend) -> None:
        found = (await backend.search(SearchRequest.of(problem, WAIT, tsume=True))).tsume
        assert found is not None
        assert (found.outcome, found.plies, found.plies_every_defence, found.unique) == ("mate", 3, 5, True)
        assert found.moves == ["S*2b", "1c1b", "3d1d"]
        assert found.complete
        asking = asyncio.ensure_future(backend.search(SearchRequest.of(hard, WAIT, tsume=True)))
        await asyncio.sleep(0.1)
        backend.stop()
        stopped = (await asking).tsume
        assert stopped is not None
        assert not stopped.complete

    run(use)


def test_options_and_a_position_are_kept_and_one_that_is_over_has_no_move(
    run: Callable[[Use], None],
) -> None:
    mated = komadai.Game("shogi", "4k4/4G4/4P4/9/9/9/9/9/4K4 w -")
    game = komadai.Game("nana", "2K/3/k2 w 2R2B", illegal_move="loses")

    async def use(backend: Backend) -> None:
        for level in (1, 10):
            result = await backend.search(SearchRequest.of(game, 0.1, level))
            assert game.position.is_legal(result.move or "")
        assert (await backend.search(SearchRequest.of(mated, 0.1))).move is None

    run(use)


def test_one_request_follows_another_whatever_moves_are_taken_back(run: Callable[[Use], None]) -> None:
    game, other = komadai.Game("shogi"), komadai.Game("shogi", "4k4/9/9/9/9/9/9/9/4K4 b G")

    async def use(backend: Backend) -> None:
        for change in (["7g7f", "3c3d"], [None, "8c8d", "2g2f"], [None, None, None], ["2g2f"]):
            for text in change:
                game.push(text) if text else game.pop()
            for at in (game, other):
                result = await backend.search(SearchRequest.of(at, 0.05))
                assert at.position.is_legal(result.move or "")

    run(use)


def test_a_stopped_search_ends_at_once_with_a_move(run: Callable[[Use], None]) -> None:
    game = komadai.Game("shogi")

    async def use(backend: Backend) -> None:
        searching = asyncio.Event()
        work = asyncio.create_task(backend.search(SearchRequest.of(game, 1e6), lambda _: searching.set()))
        await searching.wait()
        backend.stop()
        assert game.position.is_legal((await work).move or "")
        work = asyncio.create_task(backend.search(SearchRequest.of(game, 1e6)))
        await asyncio.sleep(0)
        backend.stop()  # before it has begun
        assert game.position.is_legal((await work).move or "")
        backend.stop()  # nothing is under way

    run(use)


def test_a_cancelled_search_has_ended(run: Callable[[Use], None]) -> None:
    game = komadai.Game("shogi")

    async def use(backend: Backend) -> None:
        for wait in (True, False):
            searching = asyncio.Event()
            work = asyncio.create_task(backend.search(SearchRequest.of(game, 1e6), lambda _, s=searching: s.set()))
            await (searching.wait() if wait else asyncio.sleep(0))
            work.cancel()
            with pytest.raises(asyncio.CancelledError):
                await work
        assert (await backend.search(SearchRequest.of(game, 0.05))).move

    run(use)


def test_a_bad_request_is_refused_in_words(run: Callable[[Use], None]) -> None:
    async def use(backend: Backend) -> None:
        for bad, words in (
            (SearchRequest("chess", {}, "x", [], 1.0), "unknown variant"),
            (SearchRequest("nana", {"agreement": "x"}, "x", [], 1.0), "agreement"),
            (SearchRequest("nana", {}, "nonsense", [], 1.0), "position"),
            (SearchRequest("nana", {}, "3/3/3 b Kk", ["9i9h"], 1.0), "9i9h"),
            (SearchRequest("nana", {}, "2K/3/k2 w 2R2B", [], 1.0, level=11), "level 11"),
            (SearchRequest("nana", {}, "2K/3/k2 w 2R2B", [], -1.0), "time"),
        ):
            with pytest.raises(KomadaiError, match=words):
                await backend.search(bad)
            assert (await backend.search(SearchRequest.of(komadai.Game("nana"), 0.05))).move

    run(use)
