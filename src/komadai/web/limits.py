"""Limits on what one client may ask of the server."""

from __future__ import annotations

import time


class Bucket:
    """A token bucket: ``burst`` requests at once, ``rate`` a second in the long run."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate, self._burst = rate, burst
        self._tokens, self._at = float(burst), time.monotonic()

    def take(self) -> bool:
        """Whether one more request may be served now; if so, it is counted."""
        now = time.monotonic()
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class Budget:
    """Time to spend: ``most`` seconds at once, and ``rate`` seconds for each that passes in the long run."""

    def __init__(self, most: float, rate: float) -> None:
        self._most, self._rate = most, rate
        self._left, self._at = most, time.monotonic()

    @property
    def left(self) -> float:
        """The seconds that may be spent now; below 0 if more were spent than there were."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._at) * self._rate)
        self._at = now
        return self._left

    def spend(self, seconds: float) -> None:
        """Note what was spent."""
        self._left = self.left - seconds
