"""Limits that a child process sets itself before it reads anything."""

from __future__ import annotations

import contextlib
import os
import sys
import time
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
    if os.getsid(0) == os.getpid():
        # Linux may share the processors among sessions before processes. This file says how nice a session is.
        _write("autogroup", str(_NICE))
    _write("oom_score_adj", "500")


def _write(name: str, value: str) -> None:
    """Write a file of this process in ``/proc``. Linux takes one ``autogroup`` in 0.1 s, so this tries again."""
    for _attempt in range(20):
        try:
            Path(f"/proc/self/{name}").write_text(value, encoding="ascii")
        except BlockingIOError:
            time.sleep(0.05)
        except OSError:  # not every system has it
            return
        else:
            return


def limit_processor(seconds: int) -> None:
    """Let the system end this process when it has computed for so many seconds more (``SIGXCPU``)."""
    if sys.platform == "win32":
        return
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    _soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + 1 + seconds, hard))
