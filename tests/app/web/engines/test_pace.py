"""Requests begin one in a round of the event loop, and leave time between them while there are many."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest

from helpers.virtual_time import in_virtual_time
from komadai.app.web.engines import pace as paces
from komadai.app.web.engines.addresses import Networks
from komadai.app.web.engines.pace import Pace
from komadai.app.web.engines.turns import Payer

ONE, OTHER = (Payer(Networks.parse([]).of(f"192.0.2.{number}")) for number in (1, 2))


async def rounds(pace: Pace, payers: list[Payer]) -> list[int]:
    """In which round of the loop each began."""
    current, begun = 0, dict[int, int]()

    async def count() -> None:
        nonlocal current
        while True:
            await asyncio.sleep(0)
            current += 1

    async def begin(number: int, payer: Payer) -> None:
        await pace.begin(payer)
        begun[number] = current

    counting = asyncio.create_task(count())
    await asyncio.gather(*(begin(number, payer) for number, payer in enumerate(payers)))
    counting.cancel()
    return [begun[number] for number in range(len(payers))]


def test_requests_that_arrive_together_begin_in_different_rounds() -> None:
    async def arrive() -> None:
        begun = await rounds(Pace(), [ONE] * 20)
        assert len(set(begun)) == len(begun)
        assert begun == sorted(begun)

    in_virtual_time(arrive())


def test_addresses_begin_by_turns() -> None:
    async def arrive() -> None:
        *flood, other = await rounds(Pace(), [ONE] * 20 + [OTHER])
        assert sum(one < other for one in flood) <= 2

    in_virtual_time(arrive())


@pytest.mark.parametrize("many", [False, True])
def test_between_many_the_loop_is_left_to_others(many: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paces, "_UNHURRIED", (0, 0 if many else 1000))
    work = 0.01  # seconds for which each occupies the loop

    async def arrive() -> None:
        loop, pace = asyncio.get_running_loop(), Pace()
        begun: list[float] = []

        async def begin() -> None:
            await pace.begin(ONE)
            begun.append(loop.time())
            loop._jumping.skipped += work  # type: ignore[attr-defined]

        await asyncio.gather(*(begin() for _number in range(5)))
        pauses = [after - before - work for before, after in pairwise(begun)]
        assert pauses == pytest.approx([paces._TIMES * work if many else 0] * 4)

    in_virtual_time(arrive())
