"""How a command runs: what is wrong is said in a line, also of standard streams closed, full or without letters."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import platform
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any

from . import __version__
from .errors import KomadaiError, lacking, visible
from .processes import ended_by_signals

_READER_GONE = 128 + 13  # as the shell says of a program that SIGPIPE has ended
_NAMES = ("standard input", "standard output", "standard error")


class _Stream(io.FileIO):
    """A standard stream, which is named in errors."""

    def __init__(self, number: int, opened: int) -> None:
        super().__init__(opened, "w" if number else "r", closefd=False)
        self._number = number

    @contextlib.contextmanager
    def _named(self) -> Any:
        try:
            yield
        except OSError as error:
            error.filename = _NAMES[self._number]
            raise

    def write(self, data: Any, /) -> int:
        with self._named():
            return super().write(data)

    def readinto(self, into: Any, /) -> int:
        with self._named():
            return super().readinto(into)

    def readall(self) -> bytes:
        with self._named():
            return super().readall()


class _Said(io.TextIOWrapper):
    """Standard error, on which is said what can be said: where it cannot be written, work goes on."""

    def write(self, text: str, /) -> int:
        with contextlib.suppress(OSError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError):
            super().flush()


def prepare() -> None:
    """Let the standard streams take kanji, in UTF-8 on Windows, as escapes where the user's encoding lacks them; those
    that are closed are open to errors, so that no file takes their place, and no print seems to have succeeded."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = getattr(sys, name)
        if stream is None:
            # The wrong way round, so that reading and writing fail as they would on the closed stream; where only
            # messages are lost, both are possible.
            way = (os.O_WRONLY, os.O_RDONLY, os.O_RDWR)[number]
            opened = os.open(os.devnull, way)  # the lowest number that is free: that of the stream
            os.set_inheritable(opened, True)
            setattr(sys, name, _made(number, opened, None))
        elif not isinstance(stream, io.TextIOWrapper):
            pass  # of a caller in this process
        elif stream is not getattr(sys, f"__{name}__") or (stream.isatty() and number < 2):
            if sys.platform == "win32":
                stream.reconfigure(encoding="utf-8")
            stream.reconfigure(errors="backslashreplace")
        else:
            setattr(sys, name, _made(number, number, stream))


def _made(number: int, opened: int, stream: io.TextIOWrapper | None) -> io.TextIOWrapper:
    """A standard stream made anew, buffered as the one before it."""
    raw = _Stream(number, opened)
    settings: dict[str, Any] = {
        "encoding": "utf-8" if stream is None or sys.platform == "win32" else stream.encoding,
        "errors": "backslashreplace",
        "line_buffering": number == 2 or (stream is not None and stream.line_buffering),
        "write_through": stream is not None and stream.write_through,
    }
    if number == 0:
        return io.TextIOWrapper(io.BufferedReader(raw), **settings)
    under: Any = raw if settings["write_through"] else io.BufferedWriter(raw)  # as with `python -u`
    return (_Said if number == 2 else io.TextIOWrapper)(under, **settings)


def finish() -> OSError | None:
    """Write what standard output still holds; the error if that is not possible, after which nothing is left of it."""
    try:
        if not sys.stdout.closed:
            sys.stdout.flush()
    except OSError as error:
        with contextlib.suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)
        return error
    return None


class _InALine(logging.Formatter):
    """A failure and its place in the code, without the traceback, which means nothing to a user."""

    def formatException(self, ei: Any) -> str:  # noqa: N802 the name is logging's
        *_outer, (frame, line) = traceback.walk_tb(ei[2])
        return f"({ei[1]!r}, {frame.f_code.co_filename}:{line})"


def _log_in_lines() -> None:
    """Log failures to standard error; the server has a log of its own."""
    handler = logging.StreamHandler()
    handler.setFormatter(_InALine("komadai: %(message)s"))
    logging.getLogger("komadai").handlers = [handler]


def run(command: Callable[[], object]) -> None:
    """Run a command; what is wrong with the input, or not installed, is said in one line, with exit status 2.

    A file or stream that cannot be read or written is likewise; only where nobody reads on, as with ``head``, nothing
    is said.
    """
    prepare()
    _log_in_lines()
    status: Any = 0
    try:
        with ended_by_signals():
            _load_core()
            command()
    except SystemExit as end:  # the usual end
        status = end.code
    except KomadaiError as error:
        status = _say(str(error))
    except ModuleNotFoundError as missing:
        status = _say(": ".join([*sys.argv[1:2], lacking(missing)]))
    except KeyboardInterrupt:
        status = 130
    except OSError as error:
        status = _say_failure(error)
    if (failure := finish()) is not None and not status:
        status = _say_failure(failure)
    if status:
        sys.exit(status)


def _load_core() -> None:
    """Load the core. An interruption waits until that is done, since within the core it aborts the process.

    Raises:
        KomadaiError: it is missing or damaged.
    """
    with contextlib.ExitStack() as stack:
        if sys.platform != "win32" and threading.current_thread() is threading.main_thread():
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
            stack.callback(signal.pthread_sigmask, signal.SIG_UNBLOCK, [signal.SIGINT])
        try:
            from . import _core  # noqa: F401
        except ImportError as broken:
            where = f"Komadai {__version__}, Python {platform.python_version()}, {sys.platform} {platform.machine()}"
            words = "is missing" if isinstance(broken, ModuleNotFoundError) else "cannot be loaded"
            raise KomadaiError(f"the core of Komadai {words} ({where}); install Komadai again") from None


def _say(words: str) -> int:
    print(f"komadai: {words}", file=sys.stderr)
    return 2


def _say_failure(error: OSError) -> int:
    """Say what could not be read or written; the exit status."""
    if isinstance(error, BrokenPipeError):
        return _READER_GONE
    return _say(visible(": ".join(str(part) for part in (error.filename, error.strerror or error) if part)))
