"""Programs that the export runs: pip, npm and node."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from .... import processes
from ....errors import SiteError

Say = Callable[[str], None]
"""Takes a line about what is done now."""

NOT_FETCHED = "cannot be downloaded: "
_SHOWN = 2000  # most characters of a failed program's last words


class FetchError(SiteError):
    """A part cannot be downloaded; by its first words `.ci/run` tells it from all that may be wrong here."""

    def __init__(self, why: str) -> None:
        super().__init__(f"{NOT_FETCHED}{why}")


def megabytes(count: int) -> str:
    """A number of bytes for people."""
    return f"{count / 1e6:.1f} MB"


def program(name: str, use: str) -> str:
    """The path of a program.

    Raises:
        SiteError: it is not installed; ``use`` says what would do without it.
    """
    found = shutil.which(name)
    if found is None:
        raise SiteError(f"{name} is not installed; {use}")
    return found


def run(
    command: Sequence[str | Path], doing: str, folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> str:
    """Run a program and return its standard output.

    Args:
        command: the program and its arguments.
        doing: what it is for, in the words of the error.
        folder: where it runs; by default here.
        environment: variables added to those of this process.

    Raises:
        SiteError: it fails or cannot be started; with its last words.
    """
    try:
        more = {**os.environ, **environment} if environment else None
        status, written, complained = processes.run(list(map(str, command)), folder, more)
    except OSError as error:
        raise SiteError(f"{doing} failed: {command[0]}: {error.strerror}") from None
    if status:
        said = (complained.strip() or written.strip())[-_SHOWN:]
        raise SiteError(f"{doing} failed: {Path(command[0]).name} ended with status {status}\n{said}")
    return written


def fetch(command: Sequence[str | Path], doing: str, folder: Path | None = None) -> str:
    """Run a program that downloads something.

    Raises:
        FetchError: it fails or cannot be started; with its last words.
    """
    try:
        return run(command, doing, folder)
    except SiteError as error:
        raise FetchError(str(error)) from None
