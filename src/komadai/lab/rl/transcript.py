"""Transcripts: every answer of a learner on the disk, so that a run that is interrupted goes on where it was."""

from __future__ import annotations

import hashlib
import json
import time
from pathlib import Path
from typing import Any

from ...errors import NotationError
from ...json_text import parsed
from ...storage import Journal
from .learners import Learner, LearnerError, Request

SCHEMA = "komadai-transcript/1"
TRIES = 5
_LONGEST_PAUSE = 60.0  # seconds


class Transcript:
    """Asks a learner, and keeps what it answers: one line of JSON for the settings, then one an answer.

    A line has the question's number ``n``, ``asked`` (the start of the SHA-256 of all that the learner was given),
    ``attempt``, ``position``, ``prompt`` and ``answer``. The settings hold ``system``, what the learner reads once.
    A line with ``failed`` in place of an answer says why there was none.

    Attributes:
        failed: how often an answer failed and was asked for again.
    """

    def __init__(self, path: Path | None = None, *, tries: int = TRIES) -> None:
        """Open the file and resume from it, or create it.

        Args:
            path: the file; ``None`` keeps nothing.
            tries: how often a question is asked when the answer fails or is late, with longer and longer pauses.

        Raises:
            NotationError: it cannot be written, is in use, or is none.
        """
        self.path, self.failed, self._tries = path, 0, tries
        self._about, self._number = f"transcript {str(path)!r}", 0
        self._journal: Journal | None = None
        self._header: dict[str, Any] | None = None
        self._kept: list[dict[str, Any]] = []
        if path is None:
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._journal = journal = Journal(path)
        except BlockingIOError:
            raise NotationError(self._about, ["is in use by another run"]) from None
        except OSError as error:
            raise NotationError(self._about, [str(error.strerror)]) from None
        try:
            self._load(journal.lines)
        except BaseException:
            self.close()
            raise

    def _load(self, lines: list[bytes]) -> None:
        for number, line in enumerate(lines, 1):
            try:
                data = parsed(line)
                if number == 1:
                    if data["schema"] != SCHEMA:
                        raise ValueError(f"schema {data['schema']!r}; this program writes {SCHEMA}")
                    self._header = data
                elif "failed" in data:
                    self.failed += 1
                else:
                    if not isinstance(data["answer"], str) or data["n"] != len(self._kept) + 1:
                        raise ValueError("its answers are not in order")
                    self._kept.append({name: data[name] for name in ("asked", "answer")})
            except (KeyError, TypeError, ValueError) as error:
                raise NotationError(self._about, [f"line {number} is no part of a transcript: {error}"]) from None

    @property
    def answers(self) -> int:
        """How many answers it holds."""
        return max(self._number, len(self._kept))

    def begin(self, settings: dict[str, Any]) -> None:
        """Write the settings, or check them against those in the file.

        Raises:
            NotationError: settings differ; each is named.
        """
        self._number = 0
        if self._journal is None:
            return
        settings = json.loads(json.dumps(settings))
        if self._header is None:
            self._header = {"schema": SCHEMA, **settings}
            self._journal.add(self._header)
            return
        differing = [
            f"{name} was {self._header.get(name)!r:.80}, now {settings[name]!r:.80}"
            for name in settings
            if self._header.get(name) != settings[name]
        ]
        if differing:
            raise NotationError(self._about, ["is of a run with other settings", *differing])

    def ask(self, learner: Learner, request: Request) -> str:
        """The learner's answer: that in the file, if it has one to this question.

        Raises:
            NotationError: the file has an answer to another question here.
            LearnerError: there was no answer, after all tries. All others are kept.
        """
        asked = hashlib.sha256(f"{request.system}\0{request.prompt}\0{request.position}".encode()).hexdigest()[:16]
        if self._number < len(self._kept):
            kept = self._kept[self._number]
            if kept["asked"] != asked:
                words = f"answer {self._number + 1} is to another question; the games or the prompts are others now"
                raise NotationError(self._about, [words])
            self._number += 1
            return str(kept["answer"])
        answer = self._answer(learner, request)
        self._number += 1
        told = {"attempt": request.attempt, "position": request.position, "prompt": request.prompt}
        self._add({"n": self._number, "asked": asked, **told, "answer": answer})
        return answer

    def _answer(self, learner: Learner, request: Request) -> str:
        for attempt in range(1, self._tries + 1):
            try:
                return _encodable(learner(request))
            except LearnerError as error:
                self.failed += 1
                self._add({"n": self._number + 1, "failed": _encodable(str(error))})
                if attempt == self._tries:
                    times = f"{attempt} times" if attempt > 1 else "once"
                    raise LearnerError(
                        f"question {self._number + 1} was asked {times} without an answer: {error}"
                    ) from None
                time.sleep(min(2.0 ** (attempt - 1), _LONGEST_PAUSE))
        raise AssertionError

    def _add(self, line: dict[str, Any]) -> None:
        if self._journal is not None:
            self._journal.add(line)

    def close(self) -> None:
        """Close the file."""
        if self._journal is not None:
            self._journal.close()


def _encodable(text: str) -> str:
    """The text with a question mark for each half of a character, which JSON may hold and no file."""
    return text.encode(errors="replace").decode()
