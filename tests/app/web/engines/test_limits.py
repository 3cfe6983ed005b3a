"""Rate limits of one client."""

from __future__ import annotations

import asyncio
import threading
from time import sleep, thread_time
from typing import Any

import httpx
import pytest
from starlette.requests import Request

import komadai
from helpers.web.served import WAIT, Server
from komadai.app.engine_service import InPlaceBackend, Report, SearchRequest, SearchResult
from komadai.app.engine_service.backend import Reporter, unheard
from komadai.app.web.engines.addresses import USUAL_NETWORKS
from komadai.app.web.engines.pool import EnginePool
from komadai.app.web.engines.rate_limits import USUAL, Bucket, Buckets, RateLimits
from komadai.app.web.engines.turns import Payer
from komadai.app.web.engines.work_queue import WorkQueue
from komadai.app.web.game.store_calls import ask_for_move, ask_store
from komadai.app.web.http.responses import ProblemError, answered
from komadai.engine import Clock


def test_a_bucket_gives_what_it_has_and_fills_up_again(clock: Any) -> None:
    bucket = Bucket(rate=2, burst=3)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    clock.now = 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]
    clock.now = 100
    assert bucket.left == 3
    bucket.spend(10)
    assert bucket.left == 0


def test_everyone_has_a_bucket_of_their_own_until_forgotten(clock: Any) -> None:
    buckets = Buckets(1, 1, most=2)
    assert buckets.of("a").take()
    assert not buckets.of("a").take()
    assert buckets.of("b").take()
    assert not buckets.of("a").take()
    assert buckets.of("c").take(), "b, who has not been here for longest, is forgotten"
    assert not buckets.of("a").take()
    assert buckets.of("b").take()


async def test_whose_games_have_thought_enough_gets_short_thoughts(clock: Any) -> None:
    asked: list[float] = []

    class Thinking(InPlaceBackend):
        async def search(self, request: SearchRequest, report: Reporter = unheard) -> SearchResult:
            asked.append(request.seconds)
            clock.now += 100
            return SearchResult(0, None, Report(0, 0, 0, 0, 0.0, ()))

    made, engine, request = EnginePool(1), Thinking(), SearchRequest.of(komadai.Game("nana"), 1.0)
    for owner in (*["ada"] * 6, "ben", ""):
        await made.search(engine, request, None, Payer(owner=owner))
    await made.search(engine, request, Clock(0.2, byoyomi=0.1), Payer(owner="ben"))
    assert asked[:6] == [1.0] * 5 + [0.05], "300 seconds were saved up, and half a second a second came in"
    assert asked[6:8] == [1.0, 1.0], "others are not short of time"
    assert asked[8] < 0.3, "no more than the clock has"


def test_limits_are_raised_all_together() -> None:
    raised = USUAL.times(3)
    assert raised.messages == (60, 180)
    assert raised.shared == pytest.approx((0.6, 30))


def test_a_server_may_be_given_higher_limits(server: Server) -> None:
    with httpx.Client(base_url=server.url) as browser:
        said = {browser.post("/api/join", json={"invite": "x.y"}).status_code for _ in range(90)}
    assert said == {409}, "of which the usual ones allow 30 at once"


async def test_the_store_is_asked_whatever_else_is_worked_out() -> None:
    hold = threading.Event()
    busy = [asyncio.create_task(asyncio.to_thread(hold.wait)) for _ in range(100)]
    try:
        await asyncio.sleep(0)
        assert await asyncio.wait_for(ask_store(lambda: "there"), WAIT) == "there"
    finally:
        hold.set()
        await asyncio.gather(*busy)


def burn() -> None:
    """Compute for a while."""
    until = thread_time() + 0.05
    while thread_time() < until:
        pass


async def test_an_address_that_has_used_up_its_share_of_work_waits() -> None:
    queue = WorkQueue(RateLimits(work=(0, 1.04)))
    one, other = (Request({"type": "http", "client": (name, 1)}) for name in ("one", "other"))
    for request in (one, other):
        USUAL_NETWORKS.mark(request)
    asked = [asyncio.create_task(answered(queue, request, burn)) for request in (one, one, one, one, other)]
    said = await asyncio.gather(*asked, return_exceptions=True)
    refused = [isinstance(answer, ProblemError) and answer.status == 429 for answer in said]
    assert refused == [False, True, True, True, False], "one at a time, others have their own place and share"
    queue.close()


async def test_moves_do_not_wait_for_others_in_the_store() -> None:
    hold = threading.Event()
    others = [asyncio.create_task(ask_store(hold.wait)) for _ in range(50)]
    try:
        await asyncio.sleep(0)
        assert await asyncio.wait_for(ask_for_move(lambda: "done"), WAIT) == "done"
        assert not any(other.done() for other in others)
    finally:
        hold.set()
        await asyncio.gather(*others)


async def test_two_others_at_most_are_in_the_store_while_a_move_is_written() -> None:
    inside, most, lock = 0, 0, threading.Lock()

    def look() -> None:
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        sleep(0.001)
        with lock:
            inside -= 1

    await asyncio.gather(*(ask_store(look) for _ in range(50)))
    assert most <= 2
