"""Limits on what one client may ask of the server."""

from __future__ import annotations

import time
from collections import OrderedDict


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
