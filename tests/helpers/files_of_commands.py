"""Which parameters of the command line name files, names that no file can have, and a disk that is full."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from komadai.app.cli import root
from komadai.app.cli.files import File, Use

_NAMES_A_FILE = re.compile(r"\b(FILES?|DIR|FOLDER|IN|OUT|PATH|RECORDS)\b")


def _commands(command: click.Command, words: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            inner = command.get_command(click.Context(command), name)
            assert inner is not None
            yield from _commands(inner, (*words, name))
    else:
        yield " ".join(words), command


def commands() -> dict[str, click.Command]:
    """All commands, by their words."""
    return dict(_commands(root))


def parameters() -> dict[str, Use | None]:
    """All parameters that name files or folders, as ``COMMAND PARAMETER``, with what their command does with them."""
    found: dict[str, Use | None] = {}
    for words, command in commands().items():
        for one in command.params:
            if isinstance(one.type, File):
                found[f"{words} {one.name}"] = one.type.use
            elif _NAMES_A_FILE.search(one.metavar or "") or isinstance(one.type, click.Path | click.File):
                found[f"{words} {one.name}"] = None
    return found


def odd_names(folder: Path) -> dict[str, str]:
    """Names by which there is no file and can be none, by what is odd about them."""
    (folder / "loop").symlink_to("loop")
    (folder / "folder").mkdir()
    (folder / "file").write_text("x")
    return {
        "too long": str(folder / ("x" * 300)),
        "much too long": "y" * 5000,
        "a loop": str(folder / "loop"),
        "a zero": str(folder / "a\0b"),
        "in a file": str(folder / "file" / "x"),
        "in no folder": str(folder / "no" / "x"),
        "in a home that the shell has not put in": "~/x",
        "a stream of no such number": f"/dev/fd/{'9' * 25}",
        "in a folder of no letters": str(folder / "\udcff" / "x"),
    }


@contextlib.contextmanager
def full_disk(room: int) -> Iterator[None]:
    """No file of this process can grow beyond so many bytes."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
