"""A program that is spoken to in lines over its standard streams, with a time for everything."""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
import sys
import weakref
from collections import deque
from collections.abc import Iterator, Sequence
from time import monotonic, sleep

from ...errors import EngineError
from ...processes import Program

_LONGEST_LINE = 1 << 20  # bytes; longer than any protocol line
_AT_ONCE, _A_SECOND = 1 << 18, 1 << 20  # bytes that are read at once, and in the long run: others need the processor
_LAST_WORDS = 8  # lines of standard error kept for messages
_SHOWN = 200  # characters of such a line
_FAREWELL = 2.0  # seconds a program has to end after its input is closed
_CHUNK = 1 << 16
_PIPES_CAN_BE_AWAITED = sys.platform != "win32"  # there, selectors take only sockets


def _end(program: Program) -> None:
    """End the program and whatever it started, at once."""
    program.end()
    for stream in (program.stdin, program.stdout, program.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()


class LineProcess:
    """A running program. It is read only while a caller waits for a line or writes one, so no threads are needed.

    It is ended by :meth:`close`, and at the latest when this object is gone. Signals from the terminal do not reach it.
    """

    def __init__(self, command: Sequence[str]) -> None:
        """Start the program.

        Raises:
            EngineError: it cannot be started, or this is Windows.
        """
        self.command = tuple(command)
        if not _PIPES_CAN_BE_AWAITED:
            raise EngineError(
                f"cannot start {self.command[0]!r}: Komadai drives other engines on Linux and macOS only; "
                "on Windows, start it in the Windows Subsystem for Linux"
            )
        try:
            pipe = subprocess.PIPE
            self._program = Program(self.command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise EngineError(f"cannot start {self.command[0]!r}: {reason}") from None
        self._finalizer = weakref.finalize(self, _end, self._program)
        streams = (self._program.stdin, self._program.stdout, self._program.stderr)
        self._stdin, self._stdout, self._stderr = (stream.fileno() for stream in streams if stream is not None)
        self._selector = selectors.DefaultSelector()
        for stream in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(stream, False)  # type: ignore[attr-defined, unused-ignore] # not in Windows
        for stream in (self._stdout, self._stderr):
            self._selector.register(stream, selectors.EVENT_READ)
        self._rests = {self._stdout: b"", self._stderr: b""}
        self._lines: deque[str] = deque()
        self._complaints: deque[str] = deque(maxlen=_LAST_WORDS)
        self._left, self._counted = float(_AT_ONCE), monotonic()  # bytes to be read, and when that was known

    @property
    def alive(self) -> bool:
        """True while the program runs."""
        return self._finalizer.alive and self._program.poll() is None

    def error(self, what: str) -> EngineError:
        """The error that says what the program did, and its last words."""
        said = "; it said: " + " | ".join(self._complaints) if self._complaints else ""
        return EngineError(f"{self.command[0]}: {what}{said}")

    def write(self, line: str, seconds: float) -> None:
        """Write a line.

        Raises:
            EngineError: the program has ended, or did not take the line in that time.
        """
        if not self._finalizer.alive:
            raise self.error("has been closed")
        rest, deadline = f"{line}\n".encode(), monotonic() + seconds
        while rest:
            try:
                rest = rest[os.write(self._stdin, rest) :]
            except BlockingIOError:
                left = deadline - monotonic()
                if left <= 0:
                    raise self.error(f"takes no input; waited {seconds:g} s") from None
                self._pump(min(left, 0.01))
            except OSError:
                raise self._gone() from None

    def read(self, seconds: float) -> str | None:
        """The next line, without its end, or ``None`` if none comes in that time.

        Raises:
            EngineError: the program has ended, or writes a line without end.
        """
        deadline = monotonic() + seconds
        while not self._lines:
            if not self._finalizer.alive:
                raise self.error("has been closed")
            if self._stdout not in self._rests:
                raise self._gone()
            left = deadline - monotonic()
            if left < 0:
                return None
            self._pump(left)
        return self._lines.popleft()

    def discard(self) -> None:
        """Forget the lines that have come already."""
        if self._finalizer.alive:
            self._pump(0)
        self._lines.clear()

    def kill(self) -> None:
        """End the program at once; may be called from another thread, which finds that it has ended."""
        self._program.kill_group()

    def close(self, farewell: str | None = None) -> None:
        """End the program: say the farewell, wait a little, then kill. Harmless if it has ended already."""
        if not self._finalizer.alive:
            return
        if farewell is not None and self._program.poll() is None:
            with contextlib.suppress(EngineError):
                self.write(farewell, _FAREWELL)
            deadline = monotonic() + _FAREWELL
            while self._program.poll() is None and (left := deadline - monotonic()) > 0:
                self._ignore(min(left, 0.02))
        self._finalizer()
        self._selector.close()

    def _chunks(self, seconds: float) -> Iterator[tuple[int, bytes]]:
        """The output that comes within that time, by stream; at a stream's end nothing, for the last time. A program
        that writes without end waits until it is read."""
        now = monotonic()
        self._left = min(self._left + (now - self._counted) * _A_SECOND, _AT_ONCE)
        self._counted = now
        if self._left < 0:
            sleep(min(-self._left / _A_SECOND, max(seconds, 0)))
            return
        for key, _ in self._selector.select(max(seconds, 0)) if self._rests else ():
            try:
                chunk = os.read(key.fd, _CHUNK)
            except BlockingIOError:
                continue
            self._left -= len(chunk)
            yield key.fd, chunk
            if not chunk:
                self._selector.unregister(key.fd)
                del self._rests[key.fd]
        if not self._rests and seconds > 0 and self._program.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._program.wait(seconds)

    def _ignore(self, seconds: float) -> None:
        """Let the program write for that time."""
        for _ in self._chunks(seconds):
            pass

    def _pump(self, seconds: float) -> None:
        """Take in what comes within that time, on both streams.

        Raises:
            EngineError: it is a line without end.
        """
        for stream, chunk in self._chunks(seconds):
            *whole, rest = (self._rests[stream] + chunk).split(b"\n")
            if not chunk:  # at the end, text without a line break is a line, too
                whole, rest = [rest] if rest else [], b""
            self._rests[stream] = rest[:_LONGEST_LINE]
            if stream == self._stderr:
                self._complaints.extend(_shown(line) for line in whole[-_LAST_WORDS:])
                continue
            if max(map(len, (*whole, rest))) > _LONGEST_LINE:
                raise self.error(f"wrote a line of more than {_LONGEST_LINE} bytes")
            self._lines.extend(map(_text, whole))

    def _gone(self) -> EngineError:
        """The message for a program whose streams have ended."""
        deadline = monotonic() + _FAREWELL / 4
        while (self._rests or self._program.poll() is None) and (left := deadline - monotonic()) > 0:
            self._pump(left)
        status = self._program.poll()
        how = (
            "has closed its output"
            if status is None
            else f"was ended by signal {-status}"
            if status < 0
            else f"has ended with status {status}"
        )
        return self.error(how)


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip()


def _shown(line: bytes) -> str:
    """A line as a message quotes it."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in _text(line[:_SHOWN]))
