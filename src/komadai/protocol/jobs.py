"""The one job in progress: a search, a search for mate, ``perft`` or ``bench``.

It runs in a thread of its own, so that the loop goes on reading. There is one at a time: a command that would disturb
it stops a search, whose answer comes first, or waits for a count.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from ..engine import Engine

_FIRST_BREATH, _LONGEST_BREATH = 0.0005, 0.05  # seconds between two requests to stop


class Job:
    """Something that goes on in a thread of its own. ``patient``: others wait for it instead of ending it."""

    def __init__(self, *, patient: bool) -> None:
        self.patient = patient
        self.stopped = threading.Event()
        self.pondering = False  # until the expected move is played
        self.hit = threading.Event()  # it was
        self.silent = False  # the answer is discarded
        self.engine: Engine | None = None
        self.thread: threading.Thread

    def end(self) -> None:
        """Ask for the end, and wait for it."""
        self.stopped.set()
        self.hit.set()
        breath = _FIRST_BREATH
        while self.thread.is_alive():
            # The thread may not have entered the search yet, so repeat the request until it ends.
            if self.engine is not None:
                self.engine.stop()
            self.thread.join(breath)
            breath = min(2 * breath, _LONGEST_BREATH)


class Worker:
    """Does one job at a time. Its methods are for one thread, but a job may start the next as its last act."""

    def __init__(self) -> None:
        self._job: Job | None = None
        self._lock = threading.Lock()

    @property
    def busy(self) -> bool:
        """True while a job is in progress."""
        job = self._job
        return job is not None and job.thread.is_alive()

    @property
    def counting(self) -> bool:
        """True while a job runs that other commands wait for: ``perft`` or ``bench``."""
        job = self._job
        return job is not None and job.patient and job.thread.is_alive()

    @property
    def pondering(self) -> bool:
        """True while a search waits for :meth:`ponderhit`."""
        job = self._job
        return job is not None and job.pondering and job.thread.is_alive()

    def ponderhit(self) -> None:
        """The expected move was played: time counts from now on."""
        job = self._job
        if job is not None:
            job.pondering = False
            job.hit.set()
            if job.engine is not None:
                job.engine.ponderhit()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until no job is in progress, and end none; without ``seconds``, for however long that takes.

        Returns:
            Whether no job is in progress.
        """
        until = None if seconds is None else time.monotonic() + seconds
        while (job := self._other()) is not None:
            job.thread.join(None if until is None else max(until - time.monotonic(), 0.0))
            if job.thread.is_alive():
                return False
            self._forget(job)
        return True

    def stop(self, *, answer: bool = True) -> None:
        """End the job in progress and wait for its answer, which is discarded unless ``answer`` is set."""
        while (job := self._other()) is not None:
            job.silent = job.silent or not answer
            job.end()
            self._forget(job)

    def settle(self) -> None:
        """Make room for something else: a search is ended, with its answer; what counts is waited for."""
        job = self._other()
        if job is not None and job.patient:
            self.wait()
        else:
            self.stop()

    def _other(self) -> Job | None:
        """The job in progress, unless it is itself that asks."""
        job = self._job
        return None if job is None or job.thread is threading.current_thread() else job

    def _run(self, job: Job, work: Callable[[], None]) -> None:
        job.thread = threading.Thread(target=work, daemon=True)
        with self._lock:  # or the job could be over, and another in its place, before it is registered here
            job.thread.start()
            self._job = job

    def _forget(self, job: Job) -> None:
        """A job is over; the next one may already have been started by it."""
        with self._lock:
            if self._job is job:
                self._job = None
