"""Which parameters of the command line name files, names that no file can have, and a disk that is full."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from typer.models import ParameterInfo

from komadai.app.cli import COMMANDS, command_line
from komadai.app.cli.files import GAMES, Use

_NAMES_A_FILE = re.compile(r"\b(FILES?|DIR|FOLDER|IN|OUT|PATH|RECORDS)\b")


def _commands(group: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    if inner := getattr(group, "commands", None):
        for name, command in inner.items():
            yield from _commands(command, (*words, name))
    else:
        yield " ".join(words), group


def _names_a_file(hint: Any) -> bool:
    """True for a parameter whose type is a path, or whose word in the help is one of a file."""
    kind, *more = get_args(hint)
    info = next((one for one in more if isinstance(one, ParameterInfo)), None)
    return "Path" in str(kind) or bool(_NAMES_A_FILE.search(str(getattr(info, "metavar", None) or "")))


def commands() -> dict[str, Any]:
    """All commands, by their words."""
    return dict(_commands(command_line(*COMMANDS)))


def parameters() -> dict[str, Use | None]:
    """All parameters that name files or folders, as ``COMMAND PARAMETER``, with what their command does with them; and
    those that name games, which may be variant files."""
    found: dict[str, Use | None] = {}
    for words, command in commands().items():
        for name, hint in get_type_hints(command.callback, include_extras=True).items():
            use = next((one for one in getattr(hint, "__metadata__", ()) if isinstance(one, Use)), None)
            if name in GAMES and words.split()[0] not in ("admin", "export-site", "engine-worker"):
                use = Use.READS
            if use is not None or (hasattr(hint, "__metadata__") and _names_a_file(hint)):
                found[f"{words} {name}"] = use
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
