"""The messages between the server and the process that compiles the files of strangers, one a line."""

from __future__ import annotations

from typing import Literal

import msgspec

Task = Literal["check", "position", "explain", "request", "report"]
"""The tasks for a variant file; ``request``: the search for the engine's reply."""

MAX_LINE = 16 << 20
"""Bytes of the longest message."""


OUT_OF_MEMORY = 3
"""The exit status of a process that had too little memory."""


class Ask(msgspec.Struct):
    """A question: its task, the language of the answer, and the body of the request as it came."""

    task: Task
    language: str
    body: msgspec.Raw


class WorkshopAnswer(msgspec.Struct):
    """The answer in JSON, or a sentence with the reason of a refusal; ``seconds``: of the processor."""

    body: msgspec.Raw = msgspec.Raw(b"null")
    refused: str | None = None
    seconds: float = 0.0
