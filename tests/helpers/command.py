"""The command line as tests run it: in a process of its own, or in this one."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from unittest import mock

from komadai.__main__ import main

PATIENCE = 600  # seconds


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str


def run_alone(*arguments: str, given: str = "") -> Ran:
    """The output of ``komadai ARGUMENTS`` run as a process."""
    made = subprocess.run(
        [sys.executable, "-c", "from komadai.__main__ import main; main()", *arguments],
        input=given,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    return Ran(made.returncode, made.stdout, made.stderr)


def komadai_says(*arguments: str) -> Ran:
    """The same in this process, which is faster; an exception that escapes fails the test."""
    out, err, status = io.StringIO(), io.StringIO(), 0
    with (
        mock.patch.object(sys, "argv", ["komadai", *arguments]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as end:
            status = int(end.code or 0)
    return Ran(status, out.getvalue(), err.getvalue())


@contextlib.contextmanager
def running(command: Sequence[str], **more: Any) -> Iterator[subprocess.Popen[Any]]:
    """A process; what is left of it at the end, and of its session if it began one, is killed."""
    with subprocess.Popen(command, **more) as process:
        try:
            yield process
        finally:
            process.kill()
            if more.get("start_new_session"):
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)


def refusal(*arguments: str) -> str:
    """What a command says that refuses what it is given, and does nothing else."""
    ran = komadai_says(*arguments)
    assert (ran.status, ran.out) == (2, ""), ran
    assert "Traceback" not in ran.err
    return ran.err


def said_of(*arguments: str) -> str:
    """The output of a command that has nothing to complain of."""
    ran = komadai_says(*arguments)
    assert (ran.status, ran.err) == (0, "")
    return ran.out


def parsed(*arguments: str) -> Any:
    return json.loads(said_of(*arguments))
