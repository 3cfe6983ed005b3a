"""The processes that this one has started, however far down, and that are still there."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

_MARK = f"KOMADAI_TESTS_OF={uuid4().hex}"
_OWN = "multiprocessing."  # what Python starts for itself ends with this process
_SOON = 30.0  # seconds in which an end takes effect, on a machine that has much else to do

os.environ.update([_MARK.split("=")])


def started_here() -> dict[int, str]:
    """Those processes, each with the test that started it and its command. Only Linux knows."""
    found: dict[int, str] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            marks = (folder / "environ").read_text("utf-8", "replace").split("\0")
            words = (folder / "cmdline").read_text("utf-8", "replace").split("\0")
            parent = int((folder / "stat").read_text("utf-8").rpartition(")")[2].split()[1])
        except OSError:
            continue  # it has just ended, or is another user's
        own = parent == os.getpid() and any(_OWN in word for word in words)
        if _MARK in marks and int(folder.name) != os.getpid() and not own and words != [""]:  # a zombie has no words
            test = next((mark.partition("=")[2] for mark in marks if mark.startswith("PYTEST_CURRENT_TEST=")), "")
            found[int(folder.name)] = f"{test}: {' '.join(words)}"
    return found


def end_all() -> list[str]:
    """Wait for the processes that are about to end, kill the others and say which those were."""
    until = time.monotonic() + _SOON
    while (left := started_here()) and time.monotonic() < until:
        time.sleep(0.05)
    for process in left:
        with suppress(ProcessLookupError):  # it has ended just now
            os.kill(process, signal.SIGKILL)
    return sorted(left.values())
