"""Work for other processes, which find it by its name."""

from __future__ import annotations

import os

from komadai.app.web.http.responses import ProblemError
from komadai.errors import NotationError
from komadai.i18n import current_language
from komadai.variants import build


class OddError(Exception):
    """An error that cannot be made again from its text."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__(f"{one} and {other}")


def where() -> int:
    """The process that does this."""
    return os.getpid()


def language() -> str:
    """The language in force."""
    return current_language()


def knows(name: str) -> str:
    """The name of a variant with that id."""
    return build(name).name


def die() -> None:
    """End this process at once."""
    os._exit(7)


def refuse(kind: str) -> None:
    """Fail.

    Raises:
        NotationError: ``notation``. ProblemError: ``problem``. OddError: otherwise.
    """
    match kind:
        case "notation":
            raise NotationError("moves", ["one", "two"])
        case "problem":
            raise ProblemError(418, "a teapot", {"/tea": "Tea"})
    raise OddError(1, 2)
