"""The loop: reads lines and hands them to a protocol, which the first word ``usi``, ``uci`` or ``xboard`` chooses.

Before that word, lines are taken for USI. The console commands ``d``, ``perft N`` and ``bench [DEPTH]`` work in every
protocol; ``stop`` ends a count, anything else waits for it.
"""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from ..engine import MAX_DEPTH
from ..errors import KomadaiError, NotationError
from ..spec.numbers import whole_number
from .session import Session
from .uci import UciDialect
from .usi import UsiDialect
from .xboard import XboardDialect


class Dialect(Protocol):
    """A protocol: what a program says in it is turned into calls of a session, and what happens there into lines."""

    def __init__(self, session: Session, write: Callable[[str], None]) -> None: ...

    def handle(self, line: str) -> bool:
        """Answer one line; ``False`` after ``quit``."""

    def remark(self, text: str) -> None:
        """Write a line that programs pass over and people read."""

    def finish(self) -> None:
        """The input has ended: stop what is in progress, and wait for its answer."""


PROTOCOLS: Mapping[str, Callable[[Session, Callable[[str], None]], Dialect]] = {
    "usi": UsiDialect,
    "uci": UciDialect,
    "xboard": XboardDialect,
}
"""The protocols by the word that chooses them."""

_LAST_COUNT = 2.0  # seconds that a count still gets when the input has ended
_ALSO = {"protover": "xboard"}  # words a program may send before the protocol's


class Server:
    """Answers one program; ``write`` receives each line of output (default: standard output)."""

    def __init__(
        self, variant: str | None = None, protocol: str | None = None, write: Callable[[str], object] | None = None
    ) -> None:
        """Wait for a program.

        Args:
            variant: the game to start with, by default the standard one.
            protocol: a key of :data:`PROTOCOLS`; by default the first word that is one chooses.

        Raises:
            NotationError: there is no such game, or no such protocol.
        """
        if protocol is not None and protocol not in PROTOCOLS:
            raise NotationError(f"unknown protocol {protocol!r}", [f"choose from {', '.join(PROTOCOLS)}"])
        self._out = write or (lambda line: print(line, flush=True))
        self._writing = threading.Lock()
        self._gone: OSError | None = None  # why nothing can be written any more
        self.session = Session(variant)
        self._chosen = protocol is not None
        self._speak(protocol or next(iter(PROTOCOLS)))

    def _speak(self, protocol: str) -> None:
        self.dialect = PROTOCOLS[protocol](self.session, self.write)
        self.session.remark = self.dialect.remark

    def write(self, line: str) -> None:
        """Write one line whole, whichever thread it comes from."""
        with self._writing:
            if self._gone is None:
                try:
                    self._out(line)
                except OSError as error:
                    self._gone = error

    def run(self, lines: Iterable[str] | None = None) -> None:
        """Answer every line (standard input by default) until ``quit`` or the end.

        Raises:
            OSError: standard input cannot be read, or the answers cannot be written, unless the reader has gone.
        """
        if lines is None:
            # Bytes that are no text are answered like any unknown line.
            for stream in (sys.stdin, sys.stdout):
                if isinstance(stream, io.TextIOWrapper):
                    stream.reconfigure(errors="backslashreplace")
            lines = sys.stdin
        try:
            for line in lines:
                if not self.handle(line) or self._gone is not None:
                    break
            self._wait_for_count()
            self.dialect.finish()
        finally:
            self.session.stop(answer=False)  # after Ctrl-C no thread may be left in the core
        if self._gone is not None and not isinstance(self._gone, BrokenPipeError):
            raise self._gone

    def handle(self, line: str) -> bool:
        """Answer one line; ``False`` after ``quit``."""
        words = line.split()
        if not words:
            return True
        word = _ALSO.get(words[0], words[0])
        if not self._chosen and word in PROTOCOLS:
            self.session.settle()
            self._chosen = True
            self._speak(word)
        if words[0] == "stop" and self.session.counting:
            self.session.stop()
            return True
        if words[0] == "quit":
            self._wait_for_count()
        command = {"d": self._display, "perft": self._perft, "bench": self._bench}.get(words[0])
        if command is None:
            return self.dialect.handle(line)
        try:
            command(words[1:])
        except KomadaiError as error:
            self.dialect.remark(str(error))
        return True

    def _wait_for_count(self) -> None:
        """Give a running count a moment before quitting, so that ``perft`` and ``quit`` in a pipe print a result."""
        if self.session.counting and not self.session.wait(_LAST_COUNT):
            self.session.stop()

    # --- Console commands ---

    def _display(self, words: list[str]) -> None:
        for line in self.session.display():
            self.dialect.remark(line)

    def _perft(self, words: list[str]) -> None:
        depth = whole_number(words[0], 0, MAX_DEPTH) if len(words) == 1 else None
        if depth is None:
            raise NotationError("perft", [f"expected 'perft N', with N from 0 to {MAX_DEPTH}"])
        self.session.perft(depth, self.dialect.remark)

    def _bench(self, words: list[str]) -> None:
        depth = whole_number(words[0], 1, MAX_DEPTH) if len(words) == 1 else None
        if words and depth is None:
            raise NotationError("bench", [f"expected 'bench' or 'bench DEPTH', with DEPTH from 1 to {MAX_DEPTH}"])
        self.session.bench(depth, self.dialect.remark)
