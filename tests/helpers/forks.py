"""Processes that have loaded the program when they begin, within milliseconds: forks of one process."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.reduction import DupFd
from pathlib import Path
from typing import Any

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    [
        *("komadai.app.cli.play", "komadai.app.web.server", "komadai.variants.hand", "fuzz.faults.traced"),
        *("komadai.app.engine_service.worker", "pydantic.type_adapter", "uvicorn.lifespan.on", "uvicorn.loops.asyncio"),
        *("uvicorn.protocols.http.auto", "uvicorn.protocols.websockets.auto"),
    ]
)


class Forked:
    """A call in a process of its own, with the caller's environment and folder and the part of ``subprocess.Popen``
    that tests use. ``errors``: the file that takes its log, by default the caller's."""

    def __init__(self, call: Callable[..., None], *arguments: Any, errors: Path | None = None) -> None:
        given, writing = os.pipe()
        reading, taken = os.pipe()
        streams, place = (DupFd(given), DupFd(taken), errors), (dict(os.environ), str(Path.cwd()))
        self._process = FORKS.Process(target=_run, args=(call, arguments, streams, place))
        self._process.start()
        os.close(given)
        os.close(taken)
        self.stdin = os.fdopen(writing, "w", encoding="utf-8")
        self.stdout = os.fdopen(reading, encoding="utf-8")

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        if self._process.is_alive():
            with suppress(ProcessLookupError):  # the server of forks has seen its end just now
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired("a fork", timeout or 0)
        return self.returncode


def _run(call: Callable[..., None], arguments: Sequence[Any], streams: Sequence[Any], place: Sequence[Any]) -> None:
    *pipes, errors = streams
    for number, pipe in enumerate(pipes):
        os.dup2(pipe.detach(), number)
    if errors is not None:
        with errors.open("wb") as log:
            os.dup2(log.fileno(), 2)
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(number, mode, encoding="utf-8", closefd=False) for number, mode in enumerate("rww")
    )
    environment, folder = place
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    call(*arguments)


def komadai_command(*words: str) -> None:
    """Run ``komadai WORDS``, for :class:`Forked`."""
    sys.argv = ["komadai", *words]
    from komadai.__main__ import main

    main()
