"""Limits on what one client may ask of the server."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, fields

Rate = tuple[float, float]
"""So many a second in the long run, and so many at once."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What clients may ask of one server.

    Attributes:
        creations: games made or joined by one browser. ``creations_from``: the same from one address.
        checks: positions checked, and questions how games stand, of all clients together.
        questions: questions about positions from one address. ``records``: the same of records that are read or
            shown. ``shared``: the same of records that are kept.
        work: seconds of work on such questions for one address.
        messages: messages of one connection. ``analyses``: the same of one that analyses.
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
        """All of them so many times as high."""
        rates = {field.name: getattr(self, field.name) for field in fields(self)}
        return Limits(**{name: (often * factor, most * factor) for name, (often, most) in rates.items()})


USUAL = Limits()
"""What is allowed unless whoever runs the server says otherwise."""


class Bucket:
    """A token bucket: ``burst`` tokens at once, ``rate`` a second in the long run."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._tokens, self._at = float(burst), time.monotonic()

    @property
    def left(self) -> float:
        """The tokens that are there now."""
        now = time.monotonic()
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._at = now
        return self._tokens

    def take(self) -> bool:
        """Whether one more request may be served now; if so, it is counted."""
        if self.left < 1:
            return False
        self._tokens -= 1
        return True

    def spend(self, tokens: float) -> None:
        """Take so many tokens, or all that are there."""
        self._tokens = max(self.left - tokens, 0.0)


class Buckets:
    """A bucket for everyone, by any name. Of too many names the ones not asked for longest are forgotten."""

    def __init__(self, rate: float, burst: float, most: int = 10_000) -> None:
        self._rate, self._burst, self._most = rate, burst, most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, name: str) -> Bucket:
        """The bucket of that name, full when it is new."""
        bucket = self._buckets.setdefault(name, Bucket(self._rate, self._burst))
        self._buckets.move_to_end(name)
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return bucket
