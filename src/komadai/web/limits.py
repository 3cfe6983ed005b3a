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
