"""Has jobs done by a pool: each is lent to a worker for a time, and again to another if nothing comes of it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from .job import JobAnswer, Job, JobError, LieError, canonical, read_answer
from .pools import Pool
from .rates import Rates

_POLL = 0.2  # seconds between two looks at what has changed
_LOOK = 2.0  # seconds between two counts of the workers
_AHEAD = 2  # jobs given out for each that can be done at a time, so that no worker waits for the next
_LEASE = 120.0  # seconds for a job, if it is not expected to take longer
_SLOW = 10  # times as long as expected is too long
_MOST_LENT = 3  # times that a job is out at once
_MOST_FAILURES = 5  # of one job
_TWICE = 50  # one job in so many is done twice, the first among them

T = TypeVar("T")


@dataclass(slots=True)
class _Lent:
    """A job that is not done."""

    job: Job
    twice: bool
    expires: float = 0.0
    futures: list[Future[Any]] = field(default_factory=list)
    failures: int = 0
    first: JobAnswer | None = None


class Runner(Generic[T]):
    """Has jobs done, and yields their results as they come.

    A worker whose answer makes no sense is refused, and its job done by another. One job in fifty is done twice, if
    possible by two workers, and must have the same result.

    Attributes:
        rates: how far the run has come. ``workers``: the number of jobs that could be done at a time when last looked.
        outcomes: the number of times that an answer was ``done``, ``late`` or ``failed``, a worker ``refused``, or all
            connections were ``lost``.
        done, seconds: by worker, the jobs it has done and the seconds it worked.
    """

    def __init__(
        self,
        pool: Pool,
        rates: Rates,
        read: Callable[[Job, JobAnswer], T],
        *,
        log: Callable[[str], object] = lambda line: None,
        halted: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare.

        Args:
            pool: the workers. ``rates``: is given what they have done.
            read: what an answer stands for; it raises ``KeyError``, ``TypeError`` or ``ValueError`` if that cannot be
                right.
            log: is given a line on workers that are refused or lost.
            halted: asked now and then; the jobs under way are abandoned if it says so.
        """
        self._pool, self.rates, self._read = pool, rates, read
        self._log, self._halted, self._clock = log, halted, clock
        self.workers = 1
        self.outcomes, self.done = Counter[str](), Counter[str]()
        self.seconds: dict[str, float] = {}
        self._lent: dict[str, _Lent] = {}
        self._refused: set[str] = set()
        self._looked = float("-inf")
        self._begun = 0

    def _look(self) -> int:
        """Count the workers; how many jobs may be out."""
        if self._clock() - self._looked > _LOOK:
            self.workers, self._looked = self._pool.size(), self._clock()
        return _AHEAD * max(self.workers, 1)

    def run(self, jobs: Iterator[Job]) -> Generator[tuple[Job, T], None, None]:
        """Have the jobs done. They are asked for one by one, when there is a worker for the next.

        Raises:
            JobError: a job cannot be done, two workers disagree, or no worker is left that may do it.
        """
        more = True
        try:
            while not self._halted():
                while more and len(self._lent) < self._look():
                    job = next(jobs, None)
                    if job is None:
                        more = False
                    elif job.id not in self._lent:
                        self._lent[job.id] = _Lent(job, twice=self._begun % _TWICE == 0)
                        self._begun += 1
                        self._lend(self._lent[job.id])
                if not self._lent:
                    return
                owners = {future: lent for lent in self._lent.values() for future in lent.futures}
                for future in wait(owners, _POLL, FIRST_COMPLETED).done:
                    lent = owners[future]
                    if future in lent.futures and (found := self._taken(lent, future)):
                        yield lent.job, found[0]
                self._lend_again()
        finally:
            for lent in self._lent.values():
                _drop(lent)
            self._lent.clear()

    def _lend(self, lent: _Lent) -> None:
        avoid = lent.first.worker if lent.first is not None else ""
        expected = self.rates.expected(lent.job.size) or 0.0
        lent.expires = self._clock() + max(_LEASE, _SLOW * expected)
        try:
            lent.futures.append(self._pool.submit(lent.job.data, avoid))
        except (OSError, RuntimeError):  # also BrokenExecutor
            self._renew()

    def _lend_again(self) -> None:
        """Lend again what has been out for too long; what comes first counts."""
        now = self._clock()
        for lent in self._lent.values():
            if lent.expires < now:
                self._log(f"nothing has come of job {lent.job.id[:12]} in time; it is given out again")
                self.outcomes["late"] += 1
                for future in lent.futures[: 1 - _MOST_LENT]:
                    future.cancel()
                del lent.futures[: 1 - _MOST_LENT]
                self._lend(lent)

    def _renew(self) -> None:
        """Replace the executor, which is broken; everything is given out again."""
        self.outcomes["lost"] += 1
        for lent in self._lent.values():
            _drop(lent)
        self._pool.renew()
        self._looked = float("-inf")
        for lent in list(self._lent.values()):
            if not lent.futures:
                self._lend(lent)

    def _taken(self, lent: _Lent, future: Future[Any]) -> tuple[T] | None:
        """Take what a worker sent back; what it stands for, if the job is done by that."""
        lent.futures.remove(future)
        try:
            data = future.result()
        except (CancelledError, BrokenExecutor):
            self._renew()
            return None
        except Exception as error:
            lent.failures += 1
            self.outcomes["failed"] += 1
            if lent.failures >= _MOST_FAILURES:
                said = f"{type(error).__name__}: {error}"
                raise JobError(f"a job has failed {lent.failures} times, the last time by {said[:500]}") from None
            self._lend(lent)
            return None
        worker = str(data.get("worker")) if isinstance(data, dict) else "a worker"
        try:
            answer = read_answer(lent.job, data)
            if answer.failure:
                raise JobError(f"{answer.worker}: {answer.failure}")
            if answer.refusal:
                raise LieError(answer.refusal)
            value = self._read(lent.job, answer)
        except JobError:
            raise
        except (KeyError, TypeError, ValueError) as error:
            said = str(error) if isinstance(error, LieError) else f"its answer cannot be right: {error}"
            self._refuse(worker, said)
            self._lend(lent)
            return None
        if answer.worker in self._refused:  # what it was given before
            self._lend(lent)
            return None
        self.outcomes["done"] += 1
        self.done[answer.worker] += 1
        self.seconds[answer.worker] = self.seconds.get(answer.worker, 0.0) + answer.seconds
        return (value,) if self._agreed(lent, answer) else None

    def _agreed(self, lent: _Lent, answer: JobAnswer) -> bool:
        """True unless another answer has still to agree with this."""
        if lent.twice and lent.first is None:
            lent.first = answer
            _drop(lent)
            self._lend(lent)
            return False
        if lent.first is not None and canonical(lent.first.result) != canonical(answer.result):
            raise JobError(
                f"{lent.first.worker} and {answer.worker} disagree on job {lent.job.id[:12]}, which must have one "
                "result; one of them is of another build or unsound, and what both have done should be done again"
            )
        _drop(lent)
        del self._lent[lent.job.id]
        self.rates.add(lent.job.size, answer.seconds)
        return True

    def _refuse(self, worker: str, why: str) -> None:
        if worker not in self._refused:
            self._log(f"{worker} is refused: {why}")
            self.outcomes["refused"] += 1
            self._refused.add(worker)
            self._pool.refuse(worker, why)
            self._looked = float("-inf")


def _drop(lent: _Lent) -> None:
    """Wait no longer for any answer."""
    for future in lent.futures:
        future.cancel()
    lent.futures.clear()


Watch = Callable[[Runner[Any]], AbstractContextManager[Callable[[], object]]]
"""Watches a run while the context lasts, which gives a function to call after each job."""


def unwatched(_runner: Runner[Any]) -> AbstractContextManager[Callable[[], object]]:
    """Watch nothing."""
    return nullcontext(lambda: None)
