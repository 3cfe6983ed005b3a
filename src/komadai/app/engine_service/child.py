"""The backend that answers in a child process, which may crash, hang or grow without harm to this one."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Sequence

from ...processes import streams
from .backend import CLOSE_WITHIN
from .messages import MAX_ANSWER, Request, encode
from .remote import GRACE, Link, RemoteBackend

MEMORY_MB = 1024
"""Memory that a child may take for data, in MiB; files that it maps, such as solved tables, are not counted."""


def command(memory_mb: int = MEMORY_MB) -> list[str]:
    """The command line of a child process."""
    return [sys.executable, "-m", __package__, str(memory_mb)]


class _ChildLink(Link):
    """The pipes of a process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process, self._requests, self._answers = process, process.stdin, process.stdout

    def send(self, message: Request) -> None:
        self._requests.write(encode(message))

    async def receive(self) -> bytes:
        return await self._answers.readline()

    async def kill(self) -> str:
        status = await streams.end(self.process)
        return f"process {self.process.pid}, exit status {status}"

    async def close(self) -> None:
        self._requests.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_WITHIN):
                await self.process.wait()
        await self.kill()


class ChildBackend(RemoteBackend):
    """A child process with an engine: started for the first request, and again after it was lost."""

    def __init__(self, command: Sequence[str] | None = None, grace: float = GRACE) -> None:
        """Prepare; nothing is started yet.

        Args:
            command: the program that answers requests; by default ours, ``python -m komadai.app.engine_service``.
            grace: seconds beyond its time that a search has for its answer.
        """
        super().__init__(self._start, grace)
        self._command = command or globals()["command"]()

    @property
    def pid(self) -> int | None:
        """The id of the child process; ``None`` before the first search and after a loss."""
        return self._link.process.pid if isinstance(self._link, _ChildLink) else None

    async def _start(self) -> Link:
        return _ChildLink(await streams.start(self._command, MAX_ANSWER))
