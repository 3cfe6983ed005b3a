"""How far work has come, how fast it goes, and how much of it makes a job."""

from __future__ import annotations

import time
from collections.abc import Callable

LENGTH = 20.0
"""Seconds of a worker that a job is to take."""


class Rates:
    """The progress of one run.

    Attributes:
        total: units of work there are. ``done``: those finished, of which ``known`` were so when it began.
    """

    def __init__(self, total: int, known: int = 0, clock: Callable[[], float] = time.monotonic) -> None:
        self.total, self.done, self.known = total, known, known
        self._clock, self._began = clock, clock()
        self._units, self._seconds = 0, 0.0

    def add(self, units: int, seconds: float) -> None:
        """Count units that took a worker so many seconds together."""
        self.done += units
        self._units += units
        self._seconds += seconds

    def expected(self, units: int) -> float | None:
        """The seconds that so many units take a worker; ``None`` before the first is done."""
        return self._seconds / self._units * units if self._units else None

    def units(self, left: int, workers: int) -> int:
        """How many of the units left make a job: a few seconds of work, and towards the end less, so that all workers
        end together."""
        each = self.expected(1)
        if each is None:
            return 1
        fitting = round(LENGTH / each) if each > LENGTH / left else left
        return max(1, min(fitting, -(-left // (2 * max(workers, 1)))))

    @property
    def per_minute(self) -> float:
        """Units done a minute, by all workers together."""
        return (self.done - self.known) / max(self._clock() - self._began, 1e-3) * 60

    @property
    def left(self) -> float | None:
        """The seconds left at this rate; ``None`` if there is none yet."""
        return None if self.done == self.known else (self.total - self.done) / self.per_minute * 60

    def line(self, units: str) -> str:
        """All of it in a few words."""
        said = f"{self.done:,} of {self.total:,} {units}, {self.per_minute:.3g} a minute"
        return said if self.left is None else f"{said}, {duration(self.left)} left"


def duration(seconds: float) -> str:
    """Seconds in words, such as ``2 h 05 min``."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"
