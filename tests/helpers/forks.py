"""Processes that have loaded the program when they begin, within milliseconds: forks of one process."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from multiprocessing.reduction import DupFd
from pathlib import Path
from typing import Any

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    [
        *("komadai.cli.play", "komadai.web.server", "komadai.variants.hand", "helpers.faults.traced"),
        *("pydantic.type_adapter", "uvicorn.lifespan.on", "uvicorn.loops.asyncio"),
        *("uvicorn.protocols.http.auto", "uvicorn.protocols.websockets.auto"),
    ]
)


class Forked:
    """``komadai ARGUMENTS``, with the caller's environment and folder and the part of ``subprocess.Popen`` that tests
    use. ``errors``: the file that takes its log, by default the caller's."""

    def __init__(self, arguments: Sequence[str], errors: Path | None = None) -> None:
        reading, writing = os.pipe()
        place = dict(os.environ), str(Path.cwd())
        self._process = FORKS.Process(target=_run, args=(arguments, DupFd(writing), errors, *place))
        self._process.start()
        os.close(writing)
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
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float) -> int:
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired("komadai", timeout)
        return self.returncode


def _run(arguments: Sequence[str], out: Any, errors: Path | None, environment: Mapping[str, str], folder: str) -> None:
    os.dup2(out.detach(), 1)
    if errors is not None:
        with errors.open("wb") as log:
            os.dup2(log.fileno(), 2)
    sys.stdout, sys.stderr = (os.fdopen(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = ["komadai", *arguments]
    from komadai.cli import main

    main()
