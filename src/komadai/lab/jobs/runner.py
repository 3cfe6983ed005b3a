"""Has jobs done by a pool, and reads what comes back; a job whose worker is refused goes to another."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from typing import Any, Generic, TypeVar

from .job import Job, JobAnswer, JobError, LieError, read_answer
from .pools import Pool
from .rates import Rates

_POLL = 0.2  # seconds between two looks at what has changed
_EVERY = 15.0  # seconds between two lines on how far the run has come
_LOOK = 2.0  # seconds between two counts of the workers
_AHEAD = 2  # jobs given out for each that can be done at a time, so that no worker waits for the next

T = TypeVar("T")


class Runner(Generic[T]):
    """Has jobs done, and yields their results as they come.

    A worker whose answer makes no sense is refused, and its job done by another.

    Attributes:
        rates: how far the run has come. ``workers``: the number of jobs that could be done at a time when last looked.
    """

    def __init__(
        self,
        pool: Pool,
        rates: Rates,
        read: Callable[[Job, JobAnswer], T],
        *,
        units: str = "games",
        halted: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare.

        Args:
            pool: the workers. ``rates``: is given what they have done.
            read: what an answer stands for; it raises ``KeyError``, ``TypeError`` or ``ValueError`` if that cannot be
                right.
            units: the word for what the jobs have ``size`` of.
            halted: asked now and then; the jobs under way are abandoned if it says so.
        """
        self._pool, self.rates, self._read = pool, rates, read
        self._units, self._halted, self._clock = units, halted, clock
        self.workers = 1
        self._out: dict[Future[Any], Job] = {}
        self._refused: set[str] = set()
        self._looked = float("-inf")
        self._shown, self._said = -1, clock()

    def split(self, units: Sequence[int], job: Callable[[Sequence[int]], Job]) -> Iterator[Job]:
        """The jobs of units in their order, each as long as suits what is known of their speed when it is asked for."""
        at = 0
        while at < len(units):
            count = self.rates.units(len(units) - at, self.workers)
            yield job(units[at : at + count])
            at += count

    def _look(self) -> int:
        """Count the workers; how many jobs may be out."""
        if self._clock() - self._looked > _LOOK:
            self.workers, self._looked = self._pool.size(), self._clock()
        return _AHEAD * max(self.workers, 1)

    def run(self, jobs: Iterator[Job]) -> Generator[tuple[Job, T], None, None]:
        """Have the jobs done. They are asked for one by one, when there is a worker for the next.

        Raises:
            JobError: a job cannot be done, or no worker is left that may do it.
        """
        more = True
        try:
            while not self._halted():
                while more and len(self._out) < self._look():
                    job = next(jobs, None)
                    if job is None:
                        more = False
                    elif all(job.id != other.id for other in self._out.values()):
                        self._lend(job)
                if not self._out:
                    return
                for future in wait(list(self._out), _POLL, FIRST_COMPLETED).done:
                    lent = self._out.pop(future, None)
                    if lent is not None and (found := self._taken(lent, future)):
                        yield lent, found[0]
                        self._show()
        finally:
            self._drop()
            self._show()

    def _show(self) -> None:
        """Say now and then, and at the end, how far the run has come."""
        done, now = self.rates.done, self._clock()
        if done != self._shown and (done == self.rates.total or now > self._said + _EVERY):
            self._shown, self._said = done, now
            self._pool.show(f"{self.rates.line(self._units)}, {self.workers} workers")

    def _lend(self, job: Job) -> None:
        while True:
            try:
                self._out[self._pool.submit(job.data)] = job
                return
            except (OSError, RuntimeError):  # also BrokenExecutor
                self._renew()

    def _renew(self) -> None:
        """Replace the executor, which is broken; everything is given out again."""
        jobs = self._drop()
        self._pool.renew()
        self._looked = float("-inf")
        for job in jobs:
            self._lend(job)

    def _drop(self) -> list[Job]:
        """Wait no longer for any answer; the jobs that were out."""
        jobs = list(self._out.values())
        for future in self._out:
            future.cancel()
        self._out.clear()
        return jobs

    def _taken(self, job: Job, future: Future[Any]) -> tuple[T] | None:
        """Take what a worker sent back; what it stands for, if the job is done by that."""
        try:
            data = future.result()
        except (CancelledError, BrokenExecutor):
            self._renew()
            self._lend(job)
            return None
        except Exception as error:
            raise JobError(f"a job has failed: {f'{type(error).__name__}: {error}'[:500]}") from None
        worker = str(data.get("worker")) if isinstance(data, dict) else "a worker"
        try:
            answer = read_answer(job, data)
            if answer.failure:
                raise JobError(f"{answer.worker}: {answer.failure}")
            if answer.refusal:
                raise LieError(answer.refusal)
            value = self._read(job, answer)
        except JobError:
            raise
        except (KeyError, TypeError, ValueError) as error:
            said = str(error) if isinstance(error, LieError) else f"its answer cannot be right: {error}"
            self._refuse(worker, said)
            self._lend(job)
            return None
        if answer.worker in self._refused:  # what it was given before
            self._lend(job)
            return None
        self.rates.add(job.size, answer.seconds)
        return (value,)

    def _refuse(self, worker: str, why: str) -> None:
        if worker not in self._refused:
            self._pool.log(f"{worker} is refused: {why}")
            self._refused.add(worker)
            self._pool.refuse(worker, why)
            self._looked = float("-inf")
