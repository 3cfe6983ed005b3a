"""Pools of workers behind executors of the standard library; here of processes, in ``cluster.py`` of machines."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial
from typing import Any

from ...errors import require_threads
from ...processes import worker_pool
from .job import JobError, perform


class Pool(ABC):
    """Workers, any of which may be lost at any time, and so may be what connects them.

    Attributes:
        log: is given a line on workers that are refused or lost. ``show``: one now and then on how far a run has come.
    """

    log: Callable[[str], object] = staticmethod(lambda line: None)
    show: Callable[[str], object] = staticmethod(lambda line: None)

    @abstractmethod
    def submit(self, data: Mapping[str, Any]) -> Future[Any]:
        """Have a job done.

        Raises:
            JobError: no worker is left that may.
        """

    @abstractmethod
    def size(self) -> int:
        """The number of jobs that can be done at a time at present; 0 while no worker is known."""

    @abstractmethod
    def refuse(self, worker: str, why: str) -> None:
        """Give no more jobs to a worker.

        Raises:
            JobError: this pool has no names for its workers, so that none can be left out.
        """

    @abstractmethod
    def renew(self) -> None:
        """Make another executor in place of one that is broken; what was submitted to that is lost.

        Raises:
            JobError: it cannot be had again.
        """

    @abstractmethod
    def close(self) -> None:
        """End; jobs under way are abandoned."""


def _work(data: Mapping[str, Any]) -> dict[str, Any]:
    return perform(data, f"process {os.getpid()}")


def _pass_on(future: Future[Any], done: Future[Any]) -> None:
    """Pass on what became of a job. Whoever waits for it may cancel the future that is theirs: an executor with one of
    its own cancelled fails itself where its processes are lost."""
    if done.cancelled():
        future.cancel()
    elif future.set_running_or_notify_cancel():
        error = done.exception()
        if error is None:
            future.set_result(done.result())
        else:
            future.set_exception(error)


class LocalPool(Pool):
    """Processes of this machine. If one is lost, all are started anew.

    Attributes:
        executor: that of the standard library, at present.
    """

    def __init__(self, workers: int) -> None:
        """Prepare so many processes, which start when they are needed.

        Raises:
            NotationError: this system has no processes.
        """
        require_threads("workers")
        self._workers = workers
        self.executor = worker_pool(workers)

    def submit(self, data: Mapping[str, Any]) -> Future[Any]:
        future: Future[Any] = Future()
        self.executor.submit(_work, data).add_done_callback(partial(_pass_on, future))
        return future

    def size(self) -> int:
        return self._workers

    def refuse(self, worker: str, why: str) -> None:
        raise JobError(f"{worker} of this machine is refused: {why}")

    def renew(self) -> None:
        self.close()
        self.executor = worker_pool(self._workers)

    def close(self) -> None:
        self.executor.shutdown(wait=False, cancel_futures=True)
