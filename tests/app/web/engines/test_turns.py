"""Whose turn it is to use what costs."""

from __future__ import annotations

import asyncio
import gc
import random
import threading
from collections import Counter
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import groupby, pairwise
from typing import Any

import pytest

from helpers.virtual_time import in_virtual_time
from komadai.app.web.engines.addresses import Address, Networks
from komadai.app.web.engines.threads import TurnedThreads, in_thread
from komadai.app.web.engines.turns import Payer, Turns

RESTED = 10.0
COUNTED = Networks.parse(["198.51.100.0/24=3"])
BUSY, QUIET, OTHER = (COUNTED.of(f"192.0.2.{number}") for number in range(3))


def household(number: int, site: int = 0) -> Address:
    """The address of one of 256 households of a /48."""
    return COUNTED.of(f"2001:db8:{site:x}:{number:02x}00::1")


class Hall:
    """Turns, and what became of whoever asked for one."""

    def __init__(self, places: int, rest: float = RESTED) -> None:
        self.turns = Turns(places, rest)
        self.begun: list[tuple[float, Payer]] = []
        self.most: Counter[Address] = Counter()
        self._now: Counter[Address] = Counter()
        self._asked: list[Callable[[], Coroutine[Any, Any, None]]] = []

    def ask(self, address: Address, seconds: float = 1.0, owner: str = "", after: float = 0.0) -> None:
        """Let somebody ask for a turn of so many seconds, at once or later."""
        self._asked.append(partial(self._turn, Payer(address, owner), seconds, after))

    async def _turn(self, payer: Payer, seconds: float, after: float) -> None:
        await asyncio.sleep(after)
        async with self.turns.turn(payer):
            self.begun.append((asyncio.get_running_loop().time(), payer))
            self._now[payer.address] += 1
            self.most[payer.address] = max(self.most[payer.address], self._now[payer.address])
            await asyncio.sleep(seconds)
            self._now[payer.address] -= 1

    def over(self) -> None:
        """Let all have their turns, in virtual time."""

        async def run() -> None:
            await asyncio.gather(*(turn() for turn in self._asked))

        in_virtual_time(run())
        assert not self.turns.waiting

    def times(self, address: Address) -> list[float]:
        """When the turns of an address began."""
        return [time for time, payer in self.begun if payer.address == address]


def test_addresses_take_turns_and_so_do_owners() -> None:
    hall = Hall(1)
    for number in range(5):
        hall.ask(BUSY, owner=str(number % 2))
    hall.ask(QUIET, owner="q")
    hall.ask(BUSY, owner="late")
    hall.over()
    assert [payer.owner for _, payer in hall.begun] == ["0", "q", "1", "late", "0", "1", "0"]


def test_who_no_longer_waits_takes_no_turn() -> None:
    async def run() -> None:
        turns, first = Turns(1), Payer(BUSY)
        await turns.take(first)
        payers = [Payer(BUSY, name) for name in "bcd"]
        waiting = [asyncio.create_task(turns.take(payer)) for payer in payers]
        await asyncio.sleep(0)
        waiting[0].cancel()
        await asyncio.sleep(0)
        assert turns.queued == 2
        turns.release(first)
        waiting[1].cancel()  # its turn has come
        await asyncio.gather(*waiting[1:], return_exceptions=True)
        assert not waiting[2].cancelled()
        turns.release(payers[2])
        assert not turns.must_wait(BUSY)
        assert not turns.waiting

    in_virtual_time(run())


async def test_whatever_work_raises_reaches_who_waits_and_ends_its_turn() -> None:
    """A StopIteration, too, which no future takes: it would be waited for without end."""

    def fail(error: BaseException) -> None:
        raise error

    threads, pool = TurnedThreads(1, "tried"), ThreadPoolExecutor(1)
    for error in (StopIteration(), StopAsyncIteration(), GeneratorExit(), KeyError(), MemoryError()):
        for work in (threads.run(Payer(), partial(fail, error)), in_thread(pool, fail, error)):
            await asyncio.wait([task := asyncio.ensure_future(work)], timeout=30)
            with pytest.raises((type(error), RuntimeError)):
                task.result()
    assert await threads.run(Payer(), lambda: 5) == 5, "the place is free"
    threads.close()
    pool.shutdown()


@pytest.mark.parametrize("places", [2, 3, 8])
def test_one_place_is_kept_for_whoever_had_none(places: int) -> None:
    hall = Hall(places)
    for _ in range(100):
        hall.ask(BUSY)
    hall.ask(QUIET, after=2.5)
    hall.ask(OTHER, after=4.25)
    hall.ask(QUIET, after=2.5 + RESTED + 1.5)
    hall.over()
    assert hall.most[BUSY] == places - 1
    assert hall.times(QUIET) == [2.5, 14.0], "at once, and again when ten seconds have passed since the end"
    assert hall.times(OTHER) == [4.25]


def test_whoever_just_had_a_place_leaves_the_kept_one_free() -> None:
    hall = Hall(2)
    hall.ask(QUIET)
    hall.ask(BUSY, 100, after=2)
    hall.ask(QUIET, after=3)
    hall.ask(OTHER, after=4)
    hall.over()
    assert hall.times(OTHER) == [4.0], "the kept place is there"
    assert hall.times(QUIET) == [0.0, 1 + RESTED], "nothing has ended when it may take that place"


def test_of_one_place_whoever_had_none_is_the_first() -> None:
    hall = Hall(1)
    for _ in range(30):
        hall.ask(BUSY)
        hall.ask(OTHER)
    hall.ask(QUIET, after=6.5)
    hall.ask(QUIET, after=6.6)
    hall.over()
    assert hall.times(QUIET) == [7.0, 10.0], "then it has its turn as others have"


@pytest.mark.parametrize("rest", [0.0, RESTED])
def test_those_who_are_always_new_do_not_come_first_for_ever(rest: float) -> None:
    """A crowd of which two wait at any time, each of another address."""

    hall = Hall(1, rest)
    for number in range(1000):
        hall.ask(COUNTED.of(f"10.0.{number >> 8}.{number & 255}"), 0.25, after=number * 0.25)
    for _ in range(3):
        hall.ask(QUIET, 0.25)
    hall.over()
    waited = [after - before for before, after in pairwise(hall.times(QUIET))]
    assert max(waited) <= max(rest, 0.25 * 64) + 1


@pytest.mark.parametrize(("many", "shares"), [("site", 4), ("widened", 3)])
def test_a_network_takes_as_many_turns_as_it_has_shares(many: str, shares: int) -> None:
    """However many addresses of it ask; a single household of a site takes no more than anybody else."""

    def served_to(crowd: list[Address]) -> list[bool]:
        hall = Hall(1)
        for number in range(200):
            hall.ask(crowd[number % len(crowd)])
        for _ in range(20):
            hall.ask(QUIET)
        hall.over()
        return [payer.address == QUIET for _, payer in hall.begun]

    crowd = [household(number) for number in range(200)] if many == "site" else [COUNTED.of("198.51.100.7")]
    served = served_to(crowd)
    runs = [len(list(turns)) for quiet, turns in groupby(served) if not quiet]
    assert max(runs[1:-1]) == min(runs[1:-1]) == shares
    if many == "site":
        alone = served_to([household(0)])
        assert max(len(list(turns)) for quiet, turns in groupby(alone[:39]) if not quiet) == 1


def test_a_site_takes_the_kept_place_four_times_at_most() -> None:
    """In ten seconds, and a newcomer is before all that come after the first."""
    hall = Hall(2)
    for number in range(250):
        hall.ask(household(number), 3)
    hall.ask(QUIET, after=1)
    hall.ask(OTHER, after=25)
    hall.over()
    assert hall.times(QUIET) == [3.0], "when the first have ended"
    assert hall.times(OTHER) == [25.0], "the kept place is free"


def test_nobody_waits_for_longer_than_one_turn_whatever_another_asks_for() -> None:
    """Random floods of one address, one household, and one site."""
    chance = random.Random(5)
    for _ in range(60):
        places, longest = chance.randint(1, 4), chance.uniform(0.1, 12)
        flood = chance.choice(([BUSY], [household(1)], [household(number, 1) for number in range(40)]))
        came = chance.uniform(0, 40)
        hall = Hall(places)
        for number in range(120):
            begins = chance.choice((0.0, chance.uniform(0, 30)))
            hall.ask(flood[number % len(flood)], chance.uniform(0, longest), after=begins)
        hall.ask(QUIET, after=came)
        hall.over()
        (begun,) = hall.times(QUIET)
        assert begun - came <= longest + 1e-6


async def test_an_error_of_work_that_nobody_waits_for_any_more_is_not_reported() -> None:
    reported, begun, left = list[object](), threading.Event(), threading.Event()
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: reported.append(context))

    def work() -> None:
        begun.set()
        left.wait()
        raise ValueError

    threads = TurnedThreads(1, "test")
    asking = asyncio.create_task(threads.run(Payer(), work))
    await asyncio.to_thread(begun.wait)
    asking.cancel()
    await asyncio.wait([asking])
    left.set()
    await threads.run(Payer(), int)  # its turn comes when the work before it has ended
    gc.collect()
    threads.close()
    assert reported == []
