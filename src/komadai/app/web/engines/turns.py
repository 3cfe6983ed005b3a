"""Whose turn it is to use what costs: addresses take turns, and so do the owners at one address."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

from .addresses import NOWHERE, Address, Network

_REMEMBERED = 10_000  # networks and owners of whom it is known when they had their last turns
_RESTED = 10.0  # seconds
_AHEAD = 64  # turns that newcomers may take before somebody who waits


class Payer(NamedTuple):
    """For whom something is done.

    Attributes:
        address: of their connection.
        owner: the id of their browser; empty if unknown. All the unknown at one address are one owner.
    """

    address: Address = NOWHERE
    owner: str = ""


NOBODY = Payer()
"""A payer of whom nothing is known."""


class _Waiting(NamedTuple):
    payer: Payer
    come: asyncio.Future[None]
    since: int  # how many turns had begun then


class _Past:
    """The latest turns of a network, as many as it has shares: the turn in which each began, and when it ended."""

    __slots__ = ("began", "ended")

    def __init__(self, shares: int) -> None:
        self.began, self.ended = deque[int](maxlen=shares), deque[float](maxlen=shares)


class Turns:
    """So many may use something at once. Of several places one is kept for addresses that had none for a while.

    Of those who wait, such an address is first; then whose address, then whose owner, has waited longest for a turn:
    since its last turn, but not longer than since 64 turns before it asked: newcomers pass it only that often.
    A network of several shares has waited since the last turn but so many, and has rested if it had fewer places.
    """

    def __init__(self, places: int, rest: float = _RESTED) -> None:
        """``rest``: seconds without a place after which an address may take the one that is kept."""
        self._rest = rest
        self._free, self._kept = places, int(places > 1)
        self._waiting: dict[Address, list[_Waiting]] = {}
        self._held: Counter[str] = Counter()  # places by network
        self._turns = 0
        self._past: OrderedDict[str, _Past] = OrderedDict()
        self._owners: OrderedDict[Payer, int] = OrderedDict()
        self._alarm: asyncio.TimerHandle | None = None  # when somebody who waits has rested

    @property
    def queued(self) -> int:
        """The number of those who wait."""
        return sum(map(len, self._waiting.values()))

    @property
    def waiting(self) -> bool:
        """True if anybody waits."""
        return bool(self._waiting)

    def must_wait(self, address: Address) -> bool:
        """True if whoever comes from that address must wait."""
        return self._free <= (0 if self._rested_at(address) <= _now() else self._kept)

    @asynccontextmanager
    async def turn(self, payer: Payer) -> AsyncIterator[None]:
        """A turn, when it has come."""
        await self.take(payer)
        try:
            yield
        finally:
            self.release(payer)

    async def take(self, payer: Payer) -> None:
        """Wait for a turn; :meth:`release` ends it."""
        if not self.must_wait(payer.address):
            self._begin(payer)
            return
        waiting = _Waiting(payer, asyncio.get_running_loop().create_future(), self._turns)
        self._waiting.setdefault(payer.address, []).append(waiting)
        self._set_alarm()
        try:
            await waiting.come
        except asyncio.CancelledError:
            if waiting in self._waiting.get(payer.address, ()):
                self._leave(waiting)
            else:
                self.release(payer)  # the turn had come
            raise

    def release(self, payer: Payer) -> None:
        """End a turn of that payer; the next one begins."""
        self._free += 1
        for network in payer.address.networks:
            self._held[network.name] -= 1
            if not self._held[network.name]:
                del self._held[network.name]
            self._past_of(network).ended.append(_now())
        self._serve()

    def _serve(self) -> None:
        """Let those begin for whom there are places."""
        while self._waiting:
            address = min(self._waiting, key=self._before)
            if self.must_wait(address):
                break
            following = min(self._waiting[address], key=lambda waiting: self._owners.get(waiting.payer, 0))
            self._leave(following)
            self._begin(following.payer)
            following.come.set_result(None)
        self._set_alarm()

    def _leave(self, waiting: _Waiting) -> None:
        address = waiting.payer.address
        self._waiting[address].remove(waiting)
        if not self._waiting[address]:
            del self._waiting[address]

    def _before(self, address: Address) -> tuple[bool, int, int]:
        """The order of the addresses that wait."""
        began = [(network.shares, past.began) for network in address.networks if (past := self._past.get(network.name))]
        all_used = [turns[0] for shares, turns in began if len(turns) == shares]
        latest = [turns[-1] for _, turns in began if turns]
        since = self._waiting[address][0].since - _AHEAD
        return self._rested_at(address) > _now(), max([since, *all_used]), max([since, *latest])

    def _rested_at(self, address: Address) -> float:
        """When an address that takes no more places has rested: if it may not, since it has some, never."""
        return max(map(self._network_rested_at, address.networks))

    def _network_rested_at(self, network: Network) -> float:
        spare = network.shares - self._held[network.name]
        if spare <= 0:
            return float("inf")
        past = self._past.get(network.name)
        return past.ended[-spare] + self._rest if past and len(past.ended) >= spare else float("-inf")

    def _set_alarm(self) -> None:
        """Look again when somebody who waits may take the place that is kept."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if self._free and self._waiting:
            at = min(map(self._rested_at, self._waiting))
            if at < float("inf"):
                self._alarm = asyncio.get_running_loop().call_at(at, self._serve)

    def _begin(self, payer: Payer) -> None:
        self._free -= 1
        self._turns += 1
        for network in payer.address.networks:
            self._held[network.name] += 1
            self._past_of(network).began.append(self._turns)
        self._owners[payer] = self._turns
        self._owners.move_to_end(payer)
        while len(self._owners) > _REMEMBERED:
            self._owners.popitem(last=False)

    def _past_of(self, network: Network) -> _Past:
        past = self._past.setdefault(network.name, _Past(network.shares))
        self._past.move_to_end(network.name)
        while len(self._past) > _REMEMBERED:
            self._past.popitem(last=False)
        return past


def _now() -> float:
    return asyncio.get_running_loop().time()
