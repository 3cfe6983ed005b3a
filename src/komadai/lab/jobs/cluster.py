"""The workers of a cluster of Dask (the extra ``lab``), which is reached through its scheduler."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future
from time import monotonic, sleep
from typing import Any

from ...errors import NotationError, lacking
from . import errand
from .job import JobError
from .pools import Pool

_CONNECT = 10  # seconds for one attempt
_PATIENCE = 900.0  # seconds for which a lost scheduler is waited for
_RETRIES = 5  # of a job that raises an error
_AGAIN = 1.0  # seconds between two attempts


class ClusterPool(Pool):
    """The workers of a cluster, which come and go."""

    def __init__(self, address: str) -> None:
        """Connect to the scheduler at an address such as ``tcp://host:8786``.

        Raises:
            NotationError: the extra is missing, it is no address, or no scheduler answers there.
        """
        self._address = address
        try:
            import cloudpickle
            from distributed import Client
        except ImportError as error:
            raise NotationError("--cluster", [lacking(error)]) from None
        cloudpickle.register_pickle_by_value(errand)
        # Tornado logs what Dask's callbacks raise when the scheduler is lost.
        for name in [name for name in logging.root.manager.loggerDict if name.startswith(("distributed", "tornado"))]:
            logging.getLogger(name).setLevel(logging.CRITICAL)  # losses are reported here
        self._client_class = Client
        self._refused: set[str] = set()
        self._known: dict[str, int] = {}
        try:
            self._open()
        except (OSError, ValueError) as error:
            words = f"no scheduler of Dask answers there: {error}; start one by: dask scheduler"
            raise NotationError(f"--cluster {address!r}", [words]) from None

    def _open(self) -> None:
        self._client = self._client_class(self._address, timeout=_CONNECT, set_as_default=False, name="komadai")
        self._executor: Executor = self._client.get_executor(pure=False, retries=_RETRIES)

    def submit(self, data: Mapping[str, Any]) -> Future[Any]:
        submit: Callable[..., Future[Any]] = self._executor.submit
        if not self._refused & self._known.keys():
            return submit(errand.errand, dict(data))
        fit = [worker for worker in self._known if worker not in self._refused]
        if not fit:
            raise JobError(f"all workers of {self._address} are refused")
        return submit(errand.errand, dict(data), workers=fit)

    def size(self) -> int:
        try:
            self._known = dict(self._client.nthreads())
        except (OSError, RuntimeError, ValueError):
            self._known = {}  # the scheduler is away, of which the futures tell
        return sum(threads for worker, threads in self._known.items() if worker not in self._refused)

    def refuse(self, worker: str, why: str) -> None:
        self._refused.add(worker)

    def renew(self) -> None:
        self.close()
        self.log(f"the scheduler at {self._address} is lost; waiting for it")
        until = monotonic() + _PATIENCE
        while True:
            try:
                self._open()
            except (OSError, ValueError) as error:
                if monotonic() > until:
                    raise JobError(f"the scheduler at {self._address} has been away for too long: {error}") from None
                sleep(_AGAIN)
            else:
                self.log(f"the scheduler at {self._address} is there again")
                return

    def close(self) -> None:
        self._client.close(timeout=_AGAIN)
