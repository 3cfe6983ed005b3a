"""Limits that a child process sets itself before it reads anything."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

_NICE = 15  # the server comes first, and then its clients: on this machine they may be nice themselves


def limit_process(memory_mb: int) -> None:
    """Limit the memory for data of this process, let others go first, and be killed first where memory is short."""
    if sys.platform == "win32":
        return
    import resource

    most = memory_mb << 20
    _soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    with contextlib.suppress(OSError, ValueError):  # not every system has this limit
        resource.setrlimit(resource.RLIMIT_DATA, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    os.nice(_NICE)
    with contextlib.suppress(OSError):  # not every system has it
        Path("/proc/self/oom_score_adj").write_text("500", encoding="ascii")


def limit_processor(seconds: int) -> None:
    """Let the system end this process when it has computed for so many seconds more (``SIGXCPU``)."""
    if sys.platform == "win32":
        return
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    _soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + 1 + seconds, hard))
