"""A pool of two workers for tests, one of which may lie."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from komadai.lab.jobs import Pool, perform


class Here(Pool):
    """Workers that are threads of this process; ``bend`` makes something else of their answers."""

    def __init__(self, bend: Callable[[dict[str, Any]], dict[str, Any]] = lambda answer: answer) -> None:
        self._bend = bend
        self._threads = ThreadPoolExecutor(2)
        self.refused: dict[str, str] = {}

    def _work(self, data: Mapping[str, Any], worker: str) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(json.dumps(perform(json.loads(json.dumps(data)), worker)))
        return self._bend(answer) if worker == "bent" else answer

    def submit(self, data: Mapping[str, Any]) -> Future[Any]:
        fit = [name for name in ("bent", "straight") if name not in self.refused]
        return self._threads.submit(self._work, data, fit[0])

    def size(self) -> int:
        return 2

    def refuse(self, worker: str, why: str) -> None:
        self.refused[worker] = why

    def renew(self) -> None:
        raise AssertionError

    def close(self) -> None:
        self._threads.shutdown(cancel_futures=True)
