"""A loop whose clock jumps to the next timer whenever there is nothing to do: hours take no time."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


class _Jumping(selectors.DefaultSelector):  # type: ignore[misc, valid-type]
    """Waits for nothing: the time for which it would have waited is over at once."""

    skipped = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found: list[tuple[selectors.SelectorKey, int]] = super().select(0 if timeout is not None else None)
        if not found and timeout:
            self.skipped += timeout
        return found


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.skipped


def in_virtual_time(work: Coroutine[Any, Any, T]) -> T:
    """Run it in such a loop, in a thread of its own. It must not wait for other threads."""

    def run() -> T:
        with asyncio.Runner(loop_factory=_Loop) as runner:
            return runner.run(work)

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()
