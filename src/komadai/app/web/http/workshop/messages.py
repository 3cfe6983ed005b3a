"""The messages between the server and the process that compiles the files of strangers, one a line."""

from __future__ import annotations

from typing import Literal

import msgspec

from ....engine_service import SearchRequest
from ...schema.workshop import TaughtMove

Task = Literal["check", "position", "setup", "explain", "request", "report", "lesson", "course", "judge"]
"""The tasks for a variant file; ``request``: the search for the engine's reply. The last three are for a lesson."""

MAX_LINE = 16 << 20
"""Bytes of the longest message."""


OUT_OF_MEMORY = 3
"""The exit status of a process that had too little memory."""


class Ask(msgspec.Struct):
    """A question: its task, the language of the answer, and the body of the request as it came."""

    task: Task
    language: str
    body: msgspec.Raw


class JudgeAsk(msgspec.Struct):
    """A question about a stage, with the opponent's move once it is known."""

    asked: TaughtMove
    reply: str | None = None


class Advice(msgspec.Struct):
    """What is said about positions, in JSON, with the numbers of these; or the ``search`` that must find the opponent's
    move first."""

    line: list[int]
    body: msgspec.Raw = msgspec.Raw(b"null")
    search: SearchRequest | None = None


class WorkshopAnswer(msgspec.Struct):
    """The answer in JSON, or a sentence with the reason of a refusal; ``seconds``: of the processor."""

    body: msgspec.Raw = msgspec.Raw(b"null")
    refused: str | None = None
    seconds: float = 0.0
