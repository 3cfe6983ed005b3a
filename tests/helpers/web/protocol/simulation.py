"""Simulated time: an event loop in which all waiting takes none, and what the server takes its time stamps from."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import Context, ContextVar
from dataclasses import dataclass
from random import Random
from typing import Any
from unittest.mock import patch
from weakref import WeakSet

from komadai.app.web.game import clocks, heartbeat, kept_game, registry
from komadai.app.web.store import Event

INSTANT = 1e-6  # seconds after which everything that waits for nothing is done
EPOCH = 1e6  # wall-clock time at the start; small, so that differences are exact to a nanosecond


@dataclass
class Host:
    """A machine: the id of its boot, and how far its clocks are ahead of true time."""

    boot: str
    mono: float
    wall: float = EPOCH


class Process:
    """A process on a host, with all that belongs to it in the loop, so that it can be killed.

    Attributes:
        before: seconds until work in a thread begins. ``after``: from then until its result is seen.
    """

    def __init__(self, host: Host) -> None:
        self.host = host
        self.before = self.after = 0.0
        self.alive = True
        self.tasks: set[asyncio.Task[Any]] = set()
        self.timers: WeakSet[asyncio.TimerHandle] = WeakSet()
        self.work: dict[asyncio.Future[Any], Callable[[], None]] = {}


RUNNING: ContextVar[Process | None] = ContextVar("the process that runs", default=None)


class _Leap(selectors.SelectSelector):
    """A selector that waits for nothing: time leaps to when the next timer is due."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        assert timeout is not None, "everything waits, and nothing will ever happen"
        self.now += timeout
        return []


class SimulatedLoop(asyncio.SelectorEventLoop):
    """An event loop with a time of its own. Work for threads is done in the loop, when its process gets to it."""

    def __init__(self) -> None:
        self._leap = _Leap()
        super().__init__(self._leap)
        self.set_task_factory(_make_task)

    def time(self) -> float:
        return self._leap.now

    def run_for(self, seconds: float = INSTANT) -> None:
        """Let so much time pass."""
        self.run_until_complete(asyncio.sleep(seconds))

    def call_at(
        self, when: float, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        handle = super().call_at(when, callback, *args, context=context)
        process = RUNNING.get() if context is None else context.get(RUNNING)
        if process is not None:
            process.timers.add(handle)
        return handle

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
        process, future = RUNNING.get(), self.create_future()
        assert process is not None
        if not process.alive:
            future.cancel()
            return future

        def answer(settle: Callable[[Any], None], result: Any) -> None:
            if not future.done():
                settle(result)

        def work() -> None:
            if process.work.pop(future, None) is None:
                return  # killed before
            try:
                settle, result = future.set_result, func(*args)
            except Exception as error:
                settle, result = future.set_exception, error  # type: ignore[assignment]
            self.call_later(process.after, answer, settle, result)

        process.work[future] = work
        self.call_later(process.before, work)
        return future


def _make_task(loop: asyncio.AbstractEventLoop, work: Any, **more: Any) -> asyncio.Task[Any]:
    task: asyncio.Task[Any] = asyncio.Task(work, loop=loop, **more)
    process = RUNNING.get() if more.get("context") is None else more["context"].get(RUNNING)
    if process is not None:
        process.tasks.add(task)
        task.add_done_callback(process.tasks.discard)
    return task


@contextmanager
def simulated(loop: SimulatedLoop, seed: int) -> Iterator[None]:
    """Let the server take its time stamps from the loop, and its secrets from the seed."""
    chance = Random(seed)

    def stamp() -> clocks.Stamp:
        process, now = RUNNING.get(), loop.time()
        assert process is not None
        return real(now + process.host.wall, now + process.host.mono, process.host.boot)

    def event(seq: int, kind: str, payload: Any, command: str | None = None) -> Event:
        now = stamp()
        return Event(seq, kind, payload, command, now.at, now.mono, now.boot)

    real = clocks.Stamp
    with (
        patch.object(kept_game, "Event", event),
        patch.object(clocks, "Stamp", stamp),
        patch.object(heartbeat, "Stamp", stamp),
        patch.object(registry, "monotonic", loop.time),
        patch("secrets.token_urlsafe", lambda count=32: "".join(chance.choices(_LETTERS, k=(count * 8 + 5) // 6))),
    ):
        yield


_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
