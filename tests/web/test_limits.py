"""What one client may ask of the server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import httpx
import pytest
from served import Server
from support import in_a_loop

import komadai
from komadai.engine import Clock, Engine
from komadai.web import limits, thinkers
from komadai.web.limits import USUAL, Bucket, Buckets
from komadai.web.thinkers import Thinkers


class Time:
    """A clock that is set by hand."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    made = Time()
    monkeypatch.setattr(limits, "time", made)
    monkeypatch.setattr(thinkers, "perf_counter", made.monotonic)
    return made


def test_a_bucket_gives_what_it_has_and_fills_up_again(time: Time) -> None:
    bucket = Bucket(rate=2, burst=3)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    time.now = 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]
    time.now = 100
    assert bucket.left == 3
    bucket.spend(10)
    assert bucket.left == 0


def test_everyone_has_a_bucket_of_their_own_until_forgotten(time: Time) -> None:
    buckets = Buckets(1, 1, most=2)
    assert buckets.of("a").take()
    assert not buckets.of("a").take()
    assert buckets.of("b").take()
    assert not buckets.of("a").take()
    assert buckets.of("c").take(), "b, who has not been here for longest, is forgotten"
    assert not buckets.of("a").take()
    assert buckets.of("b").take()


def test_whose_games_have_thought_enough_gets_short_thoughts(time: Time) -> None:
    asked: list[float] = []

    class Thinking:
        def search(self, _position: Any, *, time: float) -> None:
            asked.append(time)
            clock.now += 100

    clock = time

    async def run() -> None:
        made, position = Thinkers(1), komadai.Position("nana")
        engine = cast("Engine", Thinking())
        for owner in (*["ada"] * 6, "ben", None):
            await made.search(engine, position, 1.0, None, owner)
        await made.search(engine, position, 1.0, Clock(0.2, byoyomi=0.1), "ben")

    in_a_loop(run())
    assert asked[:6] == [1.0] * 5 + [0.05], "300 seconds were saved up, and half a second a second came in"
    assert asked[6:8] == [1.0, 1.0], "others are not short of time"
    assert asked[8] < 0.3, "no more than the clock has"


def test_limits_are_raised_all_together() -> None:
    raised = USUAL.times(3)
    assert raised.messages == (60, 180)
    assert raised.shared == pytest.approx((0.6, 30))


def test_a_server_keeps_to_its_limits_or_to_higher_ones(start: Callable[..., Server]) -> None:
    def asked(server: Server) -> list[int]:
        with httpx.Client(base_url=server.url) as browser:
            return [browser.post("/api/join", json={"invite": "x.y"}).status_code for _ in range(60)]

    usual = asked(start())
    assert usual[:30] == [409] * 30, "what is allowed at once"
    assert 429 in usual
    assert set(asked(start(0, "--limits", "1000"))) == {409}
