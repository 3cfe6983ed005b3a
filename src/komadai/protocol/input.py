"""Reads standard input so that Ctrl-C always ends the wait for a line."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator
from queue import Empty, Queue
from threading import Thread

_ATTENTION = 0.2  # seconds after which an interrupt is noticed that came just before the wait
_AHEAD = 1000  # lines read before they are asked for


def standard_input() -> Iterable[str]:
    """The lines of standard input. Bytes that are no text are escaped, so that they are answered like any unknown line.

    Python looks for signals before and after it waits for the system, and an interrupt between the look and the wait
    takes effect only when a line comes. So a thread waits for the line, and the main thread never for long.
    """
    if not isinstance(sys.stdin, io.TextIOWrapper):
        return sys.stdin  # a test's
    return _lines(sys.stdin.fileno(), sys.stdin.encoding)


def _lines(descriptor: int, encoding: str) -> Iterator[str]:
    read: Queue[str | None] = Queue(_AHEAD)

    def reading() -> None:
        # A file of the thread's own: at its end the interpreter waits for the lock of sys.stdin.
        with open(descriptor, encoding=encoding, errors="backslashreplace", closefd=False) as file:
            for line in file:
                read.put(line)
        read.put(None)

    Thread(target=reading, name="standard input", daemon=True).start()
    while True:
        try:
            line = read.get(timeout=_ATTENTION)
        except Empty:
            continue
        if line is None:
            return
        yield line
