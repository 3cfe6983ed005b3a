"""Backends are lent to the games that think, and are never more than may think at once."""

from __future__ import annotations

import asyncio

import pytest

import komadai
from komadai.app.engine_service import Backend, InPlaceBackend, SearchRequest, Subject
from komadai.app.web.engines.addresses import USUAL_NETWORKS
from komadai.app.web.engines.pool import EnginePool
from komadai.app.web.engines.turns import Payer

STRANGER = Payer(USUAL_NETWORKS.of("198.51.100.7"))
NANA, SHOGI = komadai.Game("nana"), komadai.Game("shogi")


async def test_a_backend_is_lent_again_to_whoever_plays_the_same_game_as_well() -> None:
    pool = EnginePool(2)
    async with pool.lend(Subject.of(NANA, 2)) as first:
        await first.search(SearchRequest.of(NANA, 0.05, 2))
    async with (
        pool.lend(Subject.of(NANA, 5)) as other,
        pool.lend(Subject.of(NANA, 2), payer=STRANGER) as again,
    ):
        assert again is first
        assert other is not first


async def test_there_are_never_more_backends_than_may_search_at_once() -> None:
    made: list[Backend] = []

    def make() -> Backend:
        made.append(InPlaceBackend())
        return made[-1]

    pool, alive, most = EnginePool(2, make=make), 0, 0

    async def think(level: int) -> None:
        nonlocal alive, most
        payer = Payer(USUAL_NETWORKS.of(f"192.0.2.{level}"))
        async with pool.lend(Subject.of(SHOGI if level % 2 else NANA, level), payer=payer):
            alive += 1
            most = max(most, alive)
            await asyncio.sleep(0.001)
            alive -= 1

    await asyncio.gather(*(think(level) for level in range(1, 10)))
    assert most == 2
    assert len(made) == 2


async def test_a_backend_comes_back_after_an_error() -> None:
    pool = EnginePool(1)
    with pytest.raises(RuntimeError):
        async with pool.lend(Subject.of(NANA)) as first:
            raise RuntimeError
    async with pool.lend(Subject.of(NANA)) as second:
        assert second is first
