"""Rate limits for clients."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, fields

Rate = tuple[float, float]
"""(sustained rate per second, burst)"""


@dataclass(frozen=True, slots=True)
class Limits:
    """The rate limits of one server.

    Attributes:
        creations: games created or joined by one browser. ``creations_from``: the same from one address.
        checks: positions checked, and lists of games, for all clients together.
        questions: questions about positions from one address. ``records``: records read or shown, from one address.
            ``shared``: records stored, from one address.
        work: seconds of work on such questions, for one address.
        messages: messages on one connection. ``analyses``: the same for analysis.
    """

    creations: Rate = (1, 30)
    creations_from: Rate = (2, 60)
    checks: Rate = (20, 100)
    questions: Rate = (30, 200)
    records: Rate = (2, 60)
    shared: Rate = (0.2, 10)
    work: Rate = (0.5, 30)
    messages: Rate = (20, 60)
    analyses: Rate = (5, 20)

    def times(self, factor: float) -> Limits:
        """All limits multiplied by a factor."""
        rates = {field.name: getattr(self, field.name) for field in fields(self)}
        return Limits(**{name: (often * factor, most * factor) for name, (often, most) in rates.items()})


USUAL = Limits()
"""The default limits."""


class Bucket:
    """A token bucket: it holds ``burst`` tokens and gains ``rate`` tokens per second."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._tokens, self._at = float(burst), time.monotonic()

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

    def of(self, name: str) -> Bucket:
        """The bucket with that name; a new one is full."""
        bucket = self._buckets.setdefault(name, Bucket(self._rate, self._burst))
        self._buckets.move_to_end(name)
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return bucket
