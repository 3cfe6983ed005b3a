"""An engine that runs as a program of its own: what does not depend on the protocol that it speaks."""

from __future__ import annotations

import shlex
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from time import perf_counter
from types import TracebackType
from typing import Literal, Self

from ...errors import NotationError
from ...spec.variant import Variant
from ...variants import suggest
from .process import LineProcess
from .replies import EngineOption

GameResult = Literal["win", "lose", "draw"]

PATIENCE = 30.0  # seconds for a handshake, which may load large files
GRACE = 5.0  # seconds that an engine may take to answer the command to stop
SLICE = 0.05  # seconds between two looks for a request to stop
NO_LIMIT = 3600.0  # seconds for a search without a limit of time


class RunningEngine(ABC):
    """One engine, running. Use it as a context manager, or :meth:`close` it.

    Attributes:
        name: of the engine, by itself. ``options``: those it lists, by name.
    """

    def __init__(self, command: str | Sequence[str], patience: float) -> None:
        """Start an engine and complete the protocol's handshake.

        Args:
            command: the program and its arguments; a string is split as a shell would.
            patience: seconds to wait for any answer but that to a search.

        Raises:
            EngineError: it does not start, or does not answer as the protocol says.
            NotationError: the command is empty or badly quoted.
        """
        words = split_command(command) if isinstance(command, str) else list(command)
        if not words:
            raise NotationError("engine", ["the command is empty; expected a program and its arguments"])
        self.options: dict[str, EngineOption] = {}
        self.name = ""
        self._patience = patience
        self._variant: Variant | None = None
        self._halt, self._stopped = threading.Event(), False
        self._process = LineProcess(words)
        try:
            self._shake_hands()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @property
    def alive(self) -> bool:
        """True while the engine runs."""
        return self._process.alive

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError(
            f"{type(self).__name__} runs a program and is not pickled; pickle the program's command instead"
        )

    def close(self) -> None:
        """Send ``quit`` and make sure that the program ends."""
        self._process.close("quit")

    def kill(self) -> None:
        """End the program while another thread speaks with it, which finds that it has ended."""
        self._process.kill()

    def stop(self) -> None:
        """End a search that is running in another thread soon; it returns the engine's answer."""
        self._halt.set()

    def set_option(self, name: str, value: str) -> None:
        """Set an option; a button is pressed whatever the value.

        Raises:
            NotationError: the engine lists no such option, or not with that value; the message says what it lists.
            EngineError: the engine is gone.
        """
        option = self._option(name)
        about = f"{self.name or self._process.command[0]}, option {name!r}"
        if option is None:
            raise NotationError(about, [suggest(name, tuple(self.options)) if self.options else "it has no options"])
        if refusal := option.refusal(value):
            raise NotationError(about, [refusal])
        self._send(self._setting(option, value))

    @abstractmethod
    def _shake_hands(self) -> None:
        """Have the engine say who it is and which options it has."""

    @abstractmethod
    def _setting(self, option: EngineOption, value: str) -> str:
        """The line that sets an option."""

    @abstractmethod
    def _is_end(self, line: str, end: str) -> bool:
        """True for the last line of an answer that ends with that word."""

    def _option(self, name: str) -> EngineOption | None:
        return self.options.get(name)

    def _send(self, line: str) -> None:
        self._process.write(line, self._patience)

    def _talk(self, question: str, end: str) -> Iterator[str]:
        """Ask, and give the lines of the answer, with the one that ends it."""
        self._send(question)
        deadline = perf_counter() + self._patience
        while True:
            line = self._process.read(max(deadline - perf_counter(), 0))
            if line is None or perf_counter() > deadline:
                self._process.close()
                raise self._process.error(f"does not answer {question!r} with {end!r}; waited {self._patience:g} s")
            yield line
            if self._is_end(line, end):
                return

    def _replies(self, started: float, timeout: float, stop: str) -> Iterator[str]:
        """The lines of the answer to a search, and nothing now and then while it goes on. The engine is sent the word
        ``stop`` when the time is over, or :meth:`stop` asks for it.

        Raises:
            EngineError: it is gone, or does not answer even then.
        """
        deadline, self._stopped = started + timeout, False
        while True:
            yield self._process.read(min(max(deadline - perf_counter(), 0), SLICE)) or ""
            now = perf_counter()
            if now >= deadline and self._stopped:
                self._process.close()
                raise self._process.error(f"does not answer 'go'; waited {now - started:.1f} s")
            if not self._stopped and (now >= deadline or self._halt.is_set()):
                self._stopped, deadline = True, now + GRACE
                self._send(stop)


def split_command(text: str) -> list[str]:
    """The words of a command line, as a shell would split it.

    Raises:
        NotationError: a quotation is not closed.
    """
    try:
        return shlex.split(text)
    except ValueError as error:
        raise NotationError(f"command {text!r}", [str(error).lower()]) from None
