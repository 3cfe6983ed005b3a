"""Programs that a loop of asyncio speaks with; apart from the others, since few commands need asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import cast

from . import APART, kill, noticed, starting, watch


class _Streams(asyncio.subprocess.SubprocessStreamProtocol):
    """The streams of a program that a loop of asyncio waits for."""

    _pid = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._pid = cast("asyncio.SubprocessTransport", transport).get_pid()
        watch(self._pid, leads=True)

    def process_exited(self) -> None:
        super().process_exited()
        noticed(self._pid)


async def start(command: Sequence[str], longest_line: int) -> asyncio.subprocess.Process:
    """Start a program like :class:`Program`, with pipes to and from it, in the running loop; :func:`end` ends it.

    Raises:
        OSError: it cannot be started.
    """
    loop, pipe = asyncio.get_running_loop(), asyncio.subprocess.PIPE
    with starting():
        transport, protocol = await loop.subprocess_exec(
            lambda: _Streams(limit=longest_line, loop=loop),
            *command,
            stdin=pipe,
            stdout=pipe,
            stderr=None,
            process_group=0,
            creationflags=APART,
        )
    return asyncio.subprocess.Process(transport, protocol, loop)


async def end(process: asyncio.subprocess.Process) -> int:
    """End a program and its group at once; its exit status, which is its own if it has ended already."""
    kill(process.pid)
    transport = getattr(process, "_transport", None)
    if transport is not None and (output := transport.get_pipe_transport(1)) is not None:
        output.resume_reading()  # a reader that has enough stops, and older Pythons wait for the end of the output
    status = await process.wait()
    if transport is not None:
        transport.close()  # the pipes
    return status
