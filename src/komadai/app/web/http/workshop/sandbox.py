"""Processes that compile the files of strangers, with limits of time and memory that no file can pass."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import sys
from typing import Literal, Protocol

import msgspec

from .....errors import KomadaiError
from .....i18n import sentence
from .....processes import streams
from ...engines.rate_limits import USUAL, RateLimits, Shares
from ...engines.turns import Payer, Turns
from ...engines.work_queue import WorkQueue, require_left
from ...metrics import Metrics
from .answers import answer
from .messages import MAX_LINE, OUT_OF_MEMORY, Ask, WorkshopAnswer

log = logging.getLogger(__name__)

MEMORY_MB = 400
"""Memory that a process may take for data, in MiB."""
SECONDS = 10
"""Seconds of the processor for a question."""
_PATIENCE = 90.0  # seconds of any clock: only for what computes nothing, or a machine that is very busy
_AT_ONCE = 2

Loss = Literal["time", "memory", "crash"]


class RefusedError(Exception):
    """The question has no answer: a sentence for a person."""


class LostError(Exception):
    """The process did not survive the question: it took too long or too much memory, or it crashed."""

    def __init__(self, loss: Loss) -> None:
        super().__init__(loss)
        self.loss = loss


class Workbench(Protocol):
    """Answers questions about variant files."""

    async def ask(self, payer: Payer, ask: Ask) -> bytes:
        """The answer in JSON.

        Raises:
            RefusedError: the question has none.
            LostError: the process did not survive it.
            OverusedError: the address has used up its share of the work.
        """

    async def close(self) -> None:
        """End what was started."""


class OwnBench:
    """Answers in this process: for a tab of a browser, in which there is nobody else to be harmed."""

    def __init__(self, queue: WorkQueue) -> None:
        self._queue = queue

    async def ask(self, payer: Payer, ask: Ask) -> bytes:
        try:
            return await self._queue.run(payer, answer, ask)
        except KomadaiError as error:
            raise RefusedError(sentence(error)) from None
        except (MemoryError, RecursionError):
            raise LostError("memory") from None

    async def close(self) -> None:
        pass


class Sandbox:
    """Child processes, started when they are needed and again after they were lost."""

    def __init__(
        self,
        limits: RateLimits = USUAL,
        metrics: Metrics | None = None,
        memory_mb: int = MEMORY_MB,
        seconds: int = SECONDS,
    ) -> None:
        self._command = [sys.executable, "-m", __package__, str(memory_mb), str(seconds)]
        self._turns = Turns(_AT_ONCE)
        self._shares = Shares(*limits.work)
        self._free: list[asyncio.subprocess.Process] = []
        self._lost = 0
        if metrics is not None:
            words = "Processes that a variant file of a visitor has cost."
            metrics.counter("komadai_workshop_lost", words, lambda: self._lost)

    async def ask(self, payer: Payer, ask: Ask) -> bytes:
        share = self._shares.of(payer.address)
        async with self._turns.turn(payer):
            require_left(share)
            spent = float(SECONDS)
            try:
                said = await self._answer(msgspec.json.encode(ask) + b"\n")
                spent = said.seconds
            finally:
                share.spend(spent)
        if said.refused is not None:
            raise RefusedError(said.refused)
        return bytes(said.body)

    async def _answer(self, line: bytes) -> WorkshopAnswer:
        process = self._free.pop() if self._free else await streams.start(self._command, MAX_LINE)
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            async with asyncio.timeout(_PATIENCE):
                process.stdin.write(line)
                await process.stdin.drain()
                said = msgspec.json.decode(await process.stdout.readline(), type=WorkshopAnswer)
        except (OSError, TimeoutError, ValueError, msgspec.MsgspecError) as error:
            self._lost += 1
            status = await _kill(process)
            log.warning("a process of the workshop was lost: exit status %s", status)
            raise LostError(_loss(status, error)) from None
        except BaseException:
            await _kill(process)
            raise
        self._free.append(process)
        return said

    async def close(self) -> None:
        free, self._free = self._free, []
        for process in free:
            await _kill(process)


def _loss(status: int, error: Exception) -> Loss:
    """The limit that ended the process."""
    out_of_time = -int(getattr(signal, "SIGXCPU", 0))
    if isinstance(error, TimeoutError) or status == out_of_time:
        return "time"
    return "memory" if status in (OUT_OF_MEMORY, -signal.SIGABRT) else "crash"


async def _kill(process: asyncio.subprocess.Process) -> int:
    """End a process at once; its exit status, which is its own if it has ended already."""
    if process.stdin is not None:
        process.stdin.close()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(0.5 if process.stdout is None or process.stdout.at_eof() else 0):
            return await process.wait()
    return await streams.end(process)
