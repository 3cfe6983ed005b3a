"""Learners that answer prompts: callables, our own policies, and programs that read and write lines of JSON.

A learner is described by one line of text: ``random``, ``best``, ``level=3``, ``python:MODULE:FUNCTION``, or
``command:PROGRAM ARGUMENTS``.
"""

from __future__ import annotations

import contextlib
import importlib
import itertools
import json
import queue
import shlex
import subprocess
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TextIO

from ..engine import STRONGEST
from ..errors import KomadaiError, NotationError
from ..game.position import Position
from ..spec.numbers import whole_number
from ..spec.variant import Variant
from ..variants import suggest
from .measure import Policy, best_policy, level_policy, random_policy

_FORMS = ("random", "best", "level=N", "python:MODULE:FUNCTION", "command:PROGRAM")
_TIMEOUT = 60.0


class LearnerError(KomadaiError):
    """A program that is to answer prompts does not: it ends, is too slow, or writes what is no answer."""


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
"""Answers a question in words (:func:`komadai.rl.text.read_answer`)."""


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
    try:
        found: Any = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise NotationError(f"learner {text!r}", [f"expected python:MODULE:FUNCTION; {error}"]) from None
    if not callable(found):
        raise NotationError(f"learner {text!r}", [f"{name} is no function"])
    return found  # type: ignore[no-any-return]


class Program:
    """A program that reads questions as lines of JSON and answers each by one, ``{"id": 1, "answer": "move: K*2b"}``.

    Call it with a :class:`Request`. What it writes on standard error is left alone. It is ended by :meth:`close`.
    """

    def __init__(self, command: list[str], timeout: float = _TIMEOUT) -> None:
        """Start the program, which has ``timeout`` seconds for each answer.

        Raises:
            LearnerError: it does not start.
        """
        self._command, self._timeout, self._numbers = shlex.join(command), timeout, itertools.count(1)
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", errors="replace"
            )
        except OSError as error:
            raise LearnerError(f"{self._command} does not start: {error.strerror}") from None
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True).start()

    def _read(self, lines: TextIO) -> None:
        with lines:
            for line in lines:
                self._lines.put(line)
        self._lines.put(None)

    def __call__(self, request: Request) -> str:
        """Ask, and return the answer.

        Raises:
            LearnerError: there is none in time, or the line is no answer to this question.
        """
        number = next(self._numbers)
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(request.line(number) + "\n")
            self._process.stdin.flush()
            line = self._lines.get(timeout=self._timeout)
        except (OSError, ValueError):
            line = None
        except queue.Empty:
            raise LearnerError(f"{self._command} gave no answer in {self._timeout:g} s") from None
        if line is None:
            raise LearnerError(f"{self._command} ended instead of answering question {number}")
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict) or data.get("id") != number or not isinstance(data.get("answer"), str):
            expected = json.dumps({"id": number, "answer": "move: …"}, ensure_ascii=False)
            raise LearnerError(f"{self._command} wrote {line.strip()[:80]!r}; expected {expected}")
        return str(data["answer"])

    def close(self) -> None:
        """End the program."""
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):  # an answer that it never read
                self._process.stdin.close()
