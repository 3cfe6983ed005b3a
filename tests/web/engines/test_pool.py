"""Engines are lent to the games that think, and are never more than may think at once."""

from __future__ import annotations

import asyncio

import pytest

import komadai
from helpers.support import in_a_loop
from komadai.engine import Engine
from komadai.web.engines.pool import EnginePool

NANA, SHOGI = komadai.variant("nana"), komadai.variant("shogi")


def test_an_engine_is_lent_again_to_whoever_plays_the_same_game_as_well() -> None:
    async def run() -> None:
        thinkers = EnginePool(2)
        async with thinkers.lend(NANA, 2) as first:
            assert (first.variant, first.level) == (NANA, 2)
        async with thinkers.lend(NANA, 5) as other, thinkers.lend(NANA, 2) as again:
            assert again is first
            assert other.level == 5

    in_a_loop(run())


def test_there_are_never_more_engines_than_may_think_at_once() -> None:
    async def run() -> None:
        thinkers, alive, most = EnginePool(2), 0, 0
        kept: set[Engine] = set()

        async def think(level: int) -> None:
            nonlocal alive, most
            async with thinkers.lend(SHOGI if level % 2 else NANA, level) as engine:
                alive += 1
                most = max(most, alive)
                kept.add(engine)
                await asyncio.sleep(0.001)
                alive -= 1

        await asyncio.gather(*(think(level) for level in range(1, 10)))
        assert most == 2
        assert len(thinkers._free) == 2

    in_a_loop(run())


def test_an_engine_whose_search_was_broken_off_is_not_lent_again() -> None:
    async def run() -> None:
        thinkers = EnginePool(1)
        with pytest.raises(RuntimeError):
            async with thinkers.lend(NANA, 2) as first:
                raise RuntimeError
        async with thinkers.lend(NANA, 2) as second:
            assert second is not first

    in_a_loop(run())
