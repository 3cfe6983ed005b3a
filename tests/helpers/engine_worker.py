"""A worker of a browser, played by a process: messages are lines, an interruption a signal, shared memory a file."""

from __future__ import annotations

import asyncio
import mmap
import struct
import sys
import tempfile
import threading
from collections.abc import Callable

from helpers.forks import Forked
from komadai.app.engine_service.worker import SIGNAL, WorkerEnd

_ID = struct.Struct("<q")


class ProcessWorker:
    """The process as whoever started it has it; without ``shared`` memory it cannot be interrupted."""

    def __init__(self, receive: Callable[[str], None], shared: bool) -> None:
        self._memory = tempfile.NamedTemporaryFile()  # noqa: SIM115 closed by end()
        self._memory.write(_ID.pack(-1))
        self._memory.flush()
        self._shared = shared
        self._process = Forked(_work, self._memory.name if shared else "")
        loop = asyncio.get_running_loop()

        def read() -> None:
            for line in self._process.stdout:
                loop.call_soon_threadsafe(receive, line)

        self._reading = threading.Thread(target=read)
        self._reading.start()

    def send(self, text: str) -> None:
        self._process.stdin.write(text)
        self._process.stdin.flush()

    def interrupt(self, id: int) -> None:
        if self._shared:
            with open(self._memory.name, "rb+") as file:
                file.write(_ID.pack(id))
            self._process.send_signal(SIGNAL)

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        self._reading.join()
        for stream in (self._process.stdin, self._process.stdout, self._memory):
            stream.close()


async def _serve(memory: str) -> None:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)

    def post(text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    wanted = None
    if memory:
        with open(memory, "rb+") as file:
            shared = mmap.mmap(file.fileno(), _ID.size)

        def wanted() -> int:
            return int(_ID.unpack(shared[:])[0])

    end, tasks = WorkerEnd(post, wanted), set()
    while line := await reader.readline():
        tasks.add(asyncio.create_task(end.receive(line.decode())))


def _work(memory: str) -> None:
    asyncio.run(_serve(memory))
