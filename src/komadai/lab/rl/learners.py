"""Learners that answer prompts: callables, our own policies, and programs that read and write lines of JSON.

A learner is described by one line of text: ``random``, ``best``, ``level=3``, ``python:MODULE:FUNCTION``, or
``command:PROGRAM ARGUMENTS``.
"""

from __future__ import annotations

import contextlib
import importlib
import itertools
import json
import os
import queue
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any

from ...engine import STRONGEST
from ...errors import KomadaiError, NotationError
from ...game.position import Position
from ...json_text import parsed
from ...processes import Program as Started
from ...spec.numbers import whole_number
from ...spec.variant import Variant
from ...variants import suggest
from .measure import Policy, best_policy, level_policy, random_policy

_FORMS = ("random", "best", "level=N", "python:MODULE:FUNCTION", "command:PROGRAM")
_TIMEOUT = 60.0
_FAREWELL = 2.0  # seconds for a line that is still being written


class LearnerError(KomadaiError):
    """A learner gives no answer: its program ends, is too slow, says so, or writes what is no answer."""


@dataclass(frozen=True, slots=True)
class Request:
    """A question to a learner.

    Attributes:
        system: the rules, and the form of an answer; the same for all questions of a game.
        prompt: the position in words. ``game``: the variant's id. ``position``: the position string.
        legal: the legal moves. ``attempt``: 1 for the first question about a position, more after answers refused.
        at: the position itself, for policies.
    """

    system: str
    prompt: str
    game: str
    position: str
    legal: tuple[str, ...]
    attempt: int
    at: Position

    def line(self, number: int) -> str:
        """The question as a line of JSON."""
        names = ("system", "prompt", "game", "position", "legal", "attempt")
        return json.dumps({"id": number} | {name: getattr(self, name) for name in names}, ensure_ascii=False)


Learner = Callable[[Request], str]
"""Answers a question in words (:func:`komadai.lab.rl.answers.read_answer`)."""


def of_policy(policy: Policy) -> Learner:
    """The learner that answers with a policy's moves."""
    return lambda request: f"move: {policy(request.at)}"


def learner(text: str, variant: Variant, *, seed: int = 0, timeout: float = _TIMEOUT) -> Learner:
    """The learner that a line of text describes.

    Args:
        seed: makes the chance of our own policies repeatable. ``timeout``: seconds that a program has for an answer.

    Raises:
        NotationError: the text describes none. SpecError: ``best`` in a game without a table.
        LearnerError: the program does not start.
    """
    kind, _, rest = text.partition(":")
    if text == "random":
        return of_policy(random_policy(seed))
    if text == "best":
        return of_policy(best_policy(variant))
    if text.startswith("level="):
        level = whole_number(text.removeprefix("level="), 1, STRONGEST)
        if level is None:
            raise NotationError(f"learner {text!r}", [f"expected a level from 1 to {STRONGEST}"])
        return of_policy(level_policy(variant, level, seed=seed))
    if kind == "python":
        return _function(text, rest)
    if kind == "command":
        try:
            words = shlex.split(rest)
        except ValueError as error:
            raise NotationError(f"learner {text!r}", [str(error)]) from None
        if not words:
            raise NotationError(f"learner {text!r}", ["names no program; expected command:PROGRAM"])
        return Program(words, timeout)
    raise NotationError(f"learner {text!r}", [suggest(text, _FORMS)])


def _function(text: str, place: str) -> Learner:
    module, _, name = place.partition(":")
    if not {"", os.getcwd()} & {*sys.path}:
        sys.path.append(os.getcwd())  # where it lies while it is written, as for `python -m`
    try:
        found: Any = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise NotationError(f"learner {text!r}", [f"expected python:MODULE:FUNCTION; {error}"]) from None
    if not callable(found):
        raise NotationError(f"learner {text!r}", [f"{name} is no function"])

    def ask(request: Request) -> str:
        try:
            answer = found(request)
        except (Exception, SystemExit) as error:  # of whatever code it has, such as that of a network
            raise LearnerError(f"{place} failed: {type(error).__name__}: {error}") from error
        if not isinstance(answer, str):
            raise LearnerError(f"{place} gave {answer!r:.80}; expected text")
        return answer

    return ask


class Program:
    """A program that reads questions as lines of JSON and answers each by one, ``{"id": 1, "answer": "move: K*2b"}``.

    A line ``{"id": 1, "error": "…"}`` says that there is no answer this time. What the program writes on standard error
    is left alone. If it has ended it is started anew for the next question; :meth:`close` ends it.
    """

    def __init__(self, command: list[str], timeout: float = _TIMEOUT) -> None:
        """Start the program, which has ``timeout`` seconds for each answer.

        Raises:
            LearnerError: it does not start.
        """
        self._words, self._command, self._timeout = command, shlex.join(command), timeout
        self._numbers = itertools.count(1)
        self._start()

    def _start(self) -> None:
        try:
            self._process = Started(self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as error:
            raise LearnerError(f"{self._command} does not start: {error.strerror}") from None
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._writer: threading.Thread | None = None
        threading.Thread(target=_read, args=(self._process.stdout, self._lines), daemon=True).start()

    def __call__(self, request: Request) -> str:
        """Ask, and return the answer. An answer to an earlier question, which came too late, is passed over.

        Raises:
            LearnerError: there is none in time, or the program says so, or the line is no answer to this question.
        """
        if self._process.poll() is not None or (self._writer is not None and self._writer.is_alive()):
            self.close()  # it has ended, or does not read
            self._start()
        number = next(self._numbers)
        # A program that does not read would keep this thread waiting for ever.
        line = request.line(number) + "\n"
        self._writer = threading.Thread(target=_write, args=(self._process.stdin, line), daemon=True)
        self._writer.start()
        late = time.monotonic() + self._timeout
        while True:
            try:
                said = self._lines.get(timeout=max(late - time.monotonic(), 0))
            except queue.Empty:
                raise LearnerError(f"{self._command} gave no answer in {self._timeout:g} s") from None
            if said is None:
                self.close()  # it may have closed its output alone
                raise LearnerError(f"{self._command} ended instead of answering question {number}")
            try:
                data = parsed(said)
            except ValueError:
                data = None
            known = data.get("id") if isinstance(data, dict) else None
            if isinstance(known, int) and known < number:
                continue
            if known == number and isinstance(data.get("answer", data.get("error")), str):
                break
            expected = json.dumps({"id": number, "answer": "move: …"}, ensure_ascii=False)
            raise LearnerError(f"{self._command} wrote {said.strip()[:80]!r}; expected {expected}")
        if "answer" not in data:
            raise LearnerError(f"{self._command} failed: {data['error'][:200]}")
        return str(data["answer"])

    def close(self) -> None:
        """End the program, and what it has started."""
        self._process.end()
        if self._writer is not None:
            self._writer.join(_FAREWELL)
        if self._process.stdin is not None and not (self._writer is not None and self._writer.is_alive()):
            with contextlib.suppress(OSError):  # an answer that it never read
                self._process.stdin.close()


def _read(lines: IO[bytes], into: queue.Queue[str | None]) -> None:
    with lines:
        for line in lines:
            into.put(line.decode("utf-8", "replace"))
    into.put(None)


def _write(to: IO[bytes], line: str) -> None:
    with contextlib.suppress(OSError, ValueError):  # it has ended, which the reader tells
        to.write(line.encode())
        to.flush()
