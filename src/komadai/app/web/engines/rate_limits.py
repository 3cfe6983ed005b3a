"""Rate limits for clients."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from .addresses import Address

Rate = tuple[float, float]
"""(sustained rate per second, burst)"""


@dataclass(frozen=True, slots=True)
class RateLimits:
    """The rate limits of one server.

    Attributes:
        creations: games created or joined by one browser. ``creations_from``: the same from one address.
        checks: positions checked, and lists of games, from one address.
        questions: questions about positions from one address. ``records``: records read or shown, from one address.
            ``shared``: records stored, from one address.
        profiles: profiles made, opened or deleted from one address; one that is not there counts as several.
        work: seconds of work on such questions, for one address.
        thinking: seconds that the engine thinks for one browser. ``thinking_from``: the same for one address.
        stored: bytes that the games and records of one address take in the store (:class:`.quota.Quota`).
        sockets: WebSockets open at once from one address.
        challenges: games that one address has in the lobby. ``challenges_by_days``: those among them that are played
            over days, which stay there without their maker.
        live: live studies that one address has. ``shown``: changes of theirs from one address.
        unplayed: games that one address has joined and not yet moved in.
        messages: messages on one connection. ``analyses``: the same for analysis.
        analysing: seconds of analysis on one connection. ``analysing_all``: the same of the server, for each core.
    """

    creations: Rate = (1, 30)
    creations_from: Rate = (2, 60)
    checks: Rate = (20, 100)
    questions: Rate = (30, 200)
    records: Rate = (2, 60)
    shared: Rate = (0.2, 10)
    profiles: Rate = (0.5, 40)
    work: Rate = (0.5, 30)
    thinking: Rate = (0.5, 300)
    thinking_from: Rate = (1, 1200)
    messages: Rate = (20, 60)
    analyses: Rate = (5, 20)
    analysing: Rate = (0.5, 1800)
    analysing_all: Rate = (0.5, 3600)
    stored: Rate = (20_000_000 / 86_400, 40_000_000)
    sockets: int = 256
    challenges: int = 5
    challenges_by_days: int = 2
    unplayed: int = 3
    live: int = 2
    shown: Rate = (8, 80)

    def times(self, factor: float) -> RateLimits:
        """All limits multiplied by a factor."""

        def scaled(limit: Any) -> Any:
            return int(limit * factor) if isinstance(limit, int) else (limit[0] * factor, limit[1] * factor)

        return RateLimits(**{field.name: scaled(getattr(self, field.name)) for field in fields(self)})


USUAL = RateLimits()
"""The default limits."""


class Bucket:
    """A token bucket: it holds ``burst`` tokens and gains ``rate`` tokens per second."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._tokens, self._at = float(burst), time.monotonic()

    @property
    def part(self) -> float:
        """The part of it that is full, 0 to 1."""
        return self.left / self._burst

    @property
    def left(self) -> float:
        """The number of tokens at present."""
        now = time.monotonic()
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._at = now
        return self._tokens

    def take(self) -> bool:
        """Take a token; false if there is none."""
        if self.left < 1:
            return False
        self._tokens -= 1
        return True

    def spend(self, tokens: float) -> None:
        """Take so many tokens, or all if there are fewer."""
        self._tokens = max(self.left - tokens, 0.0)


class Buckets:
    """Buckets by name, for at most ``most`` names: the least recently used are dropped."""

    def __init__(self, rate: float, burst: float, most: int = 10_000) -> None:
        self._rate, self._burst, self._most = rate, burst, most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, name: str, times: int = 1) -> Bucket:
        """The bucket with that name; a new one is full, and so many times as large as usual."""
        bucket = self._buckets.get(name)
        if bucket is None:
            bucket = self._buckets[name] = Bucket(self._rate * times, self._burst * times)
        self._buckets.move_to_end(name)
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return bucket


class Share:
    """The part of something that an address may take: as much as every network has left that it counts for."""

    def __init__(self, buckets: Sequence[Bucket]) -> None:
        self._buckets = buckets

    @property
    def left(self) -> float:
        """The number of tokens at present."""
        return min(bucket.left for bucket in self._buckets)

    @property
    def part(self) -> float:
        """The part of them that is left, 0 to 1."""
        return min(bucket.part for bucket in self._buckets)

    def take(self) -> bool:
        """Take a token; false if there is none."""
        return self.left >= 1 and all(bucket.take() for bucket in self._buckets)

    def spend(self, tokens: float) -> None:
        """Take so many tokens, or all if there are fewer."""
        for bucket in self._buckets:
            bucket.spend(tokens)


class Shares:
    """The shares of all addresses."""

    def __init__(self, rate: float, burst: float) -> None:
        """``rate`` and ``burst``: of one share."""
        self._buckets = Buckets(rate, burst)

    def of(self, address: Address) -> Share:
        """The share of an address."""
        return Share([self._buckets.of(network.name, network.shares) for network in address.networks])
