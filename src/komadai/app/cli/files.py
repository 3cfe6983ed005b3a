"""The files that commands read and write: marked where a command names them, checked before its work, written whole.

Every parameter that names a file or folder has the type :class:`File`, with a mark of :class:`Use`. So a command that
writes a file gets ``--force``, and does not begin before it is known that each file can be written, that none is there
already, and that no two are the same.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from enum import Enum, auto
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from ...errors import NotationError
from ...storage import Place, check_folder, is_stream, is_url, replacing, write_whole

STANDARD = "-"

RULE = "a rule option is given by --rule NAME=VALUE"

files_of_games: dict[str, Path] = {}
"""The variant files of this run, by the ids of their games."""


class Use(Enum):
    """How a command uses the file or folder that a parameter names."""

    READS = auto()
    WRITES = auto()
    """A file, which is not there yet."""
    PRINTS = auto()
    """Likewise, or ``-`` for standard output."""
    RESUMES = auto()
    """Likewise, or what the command has written before if it goes on, as it makes sure itself."""
    GOES_ON = auto()
    """A file that keeps how far the command has come: made, or gone on with, as it makes sure itself."""
    FOLDER = auto()
    """A folder in which the command writes, by a rule of its own."""
    OWN = auto()
    """A file or folder that the command checks by itself, as it depends on what it reads."""
    KEEPS = auto()
    """A folder in which the program keeps what is its own, or the address of a database."""


_WRITTEN = {Use.WRITES, Use.PRINTS, Use.RESUMES, Use.GOES_ON}
_FORCED = {Use.WRITES, Use.PRINTS, Use.RESUMES}


class File(click.ParamType[Any]):
    """The name of a file or folder, and how the command uses it.

    Args:
        use: how.
        text: whether the command takes the name as a text, which may be something else, rather than as a path.
    """

    name = "file"

    def __init__(self, use: Use, *, text: bool = False) -> None:
        self.use, self._text = use, text

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name as a path.

        Raises:
            NotationError: no file can be called so, or it looks like a rule option behind ``-o``.
        """
        name = "file" if param is None else name_of(param)
        if not str(value):
            raise refused(name, value, "is no name of a file")
        if "\0" in str(value):
            raise refused(name, value, "has a character that no name can have")
        if name == "--output" and re.fullmatch(r"[a-z]\w*=\w+", str(value)):
            raise refused("-o", value, f"-o names the output; {RULE}")
        return str(value) if self._text else Path(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type="dir" if self.use is Use.FOLDER else "file")]


def name_of(parameter: click.Parameter) -> str:
    """What people call a parameter: its longest option, or the word of an argument in the help."""
    if isinstance(parameter, click.Argument):
        return (parameter.metavar or str(parameter.name).upper()).strip("[].")
    return max(parameter.opts, key=len)


def refused(name: str, path: str | Path, why: str) -> NotationError:
    """The error of a file that cannot be used as the parameter of that name."""
    return NotationError(f"{name} {str(path)!r}", [why])


def check(
    written: Iterable[tuple[str, Path]],
    *,
    read: Iterable[tuple[str, Path]] = (),
    going_on: Iterable[tuple[str, Path]] = (),
    force: bool = False,
) -> None:
    """Check the places of files before the work whose results they take.

    Args:
        written: the files to be written, by the names of their parameters.
        read: files that are read. ``going_on``: files that may be there although they are written.
        force: whether files that are there may be written over.

    Raises:
        NotationError: a file cannot be written, is there already, or is the same as another.
    """
    sources = {key: name for name, path in read if (key := _key_of(path)) is not None}
    streams = dict(_files_of_streams())
    used: dict[tuple[object, ...], str] = {}
    going_on, written, taken = list(going_on), list(written), list[tuple[str, Path]]()
    for name, path in (*going_on, *written):
        with _refusing(name, path):
            place = Place.at(path)
        if place.key is None:
            continue
        others = sources | (streams if place.taken else {}) | used
        if (other := others.get(place.key, name)) != name:
            raise refused(name, path, f"is the file of {other}; give another name")
        used[place.key] = name
        if place.taken and (name, path) not in going_on:
            taken.append((name, path))
    if taken and not force:
        raise refused(*taken[0], "is there already; --force overwrites it")


@contextmanager
def _refusing(name: str, path: Path) -> Iterator[None]:
    """Turn the errors of a place that cannot be written into those of the parameter that names it."""
    try:
        yield
    except OSError as error:
        raise refused(name, path, f"cannot be written: {error.strerror or error}") from None


def _key_of(path: Path) -> tuple[object, ...] | None:
    """The key of a file that is there."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None


def _files_of_streams() -> Iterator[tuple[tuple[object, ...], str]]:
    """The files to which the standard streams lead."""
    for number, name in enumerate(("standard input", "standard output", "standard error")):
        try:
            status = os.fstat(number)
        except OSError:
            continue
        if stat.S_ISREG(status.st_mode):
            yield (status.st_dev, status.st_ino), name


def begun(path: Path) -> bool:
    """True for a file in which a command has kept something, from which it goes on."""
    try:
        return path.is_file() and path.stat().st_size > 0
    except (OSError, ValueError):
        return False


def write(path: Path, content: str | bytes) -> None:
    """Write a file whole, or with ``-`` to standard output.

    Raises:
        NotationError: the file cannot be written.
        OSError: standard output cannot.
    """
    if str(path) == STANDARD:
        if isinstance(content, str):
            sys.stdout.write(content)
        else:
            sys.stdout.flush()
            sys.stdout.buffer.write(content)
        return
    with _refusing("file", path):
        write_whole(path, content.encode() if isinstance(content, str) else content)


@contextmanager
def read_again(path: Path) -> Iterator[Path]:
    """The file that a command writes and reads again: that at the path, or for a stream one that is copied into it.

    Raises:
        NotationError: the stream cannot be written.
    """
    if not is_stream(path):
        yield path
        return
    with _refusing("file", path), replacing(path) as part:
        yield part


def _look(name: str, folder: Path) -> None:
    """Look for a folder, which need not be there.

    Raises:
        NotationError: there can be none.
    """
    try:
        if not stat.S_ISDIR(folder.stat().st_mode):
            raise refused(name, folder, "is no folder")
    except FileNotFoundError:
        pass
    except OSError as error:
        raise refused(name, folder, f"cannot be used: {error.strerror}") from None


def check_in(name: str, folder: Path) -> None:
    """Check that files can be written in a folder, which need not be there.

    Raises:
        NotationError: they cannot.
    """
    with _refusing(name, folder):
        check_folder(folder)


def writes(parameters: Iterable[click.Parameter]) -> bool:
    """True if one of the parameters names a file that is not to be overwritten unasked."""
    return any(isinstance(one.type, File) and one.type.use in _FORCED for one in parameters)


def check_all(parameters: Iterable[click.Parameter], given: Mapping[str, Any], *, force: bool) -> None:
    """Check the files that a command was given, and that its other words are text.

    Raises:
        NotationError: one cannot be used as the command would.
    """
    values = [
        (one, value) for one in parameters if one.name in given for value in _each(given[one.name]) if value is not None
    ]
    for parameter, value in values:
        if isinstance(value, str) and not isinstance(parameter.type, File) and _is_no_text(value):
            raise refused(name_of(parameter), value, "is no text in UTF-8")
    used = [(name_of(one), value, one.type.use) for one, value in values if isinstance(one.type, File)]
    resumes = any(begun(Path(value)) for _, value, use in used if use is Use.GOES_ON)
    written, going_on = list[tuple[str, Path]](), list[tuple[str, Path]]()
    read = [("GAME", path) for path in files_of_games.values()]
    for name, value, use in used:
        path = Path(value)
        if use is Use.READS:
            read.append((name, path))
        elif use is Use.KEEPS:
            if not is_url(str(value)):
                _look(name, path)
        elif use is Use.FOLDER:
            check_in(name, path)
        elif use in _WRITTEN and str(path) == STANDARD:
            if use is not Use.PRINTS:
                raise refused(name, path, "is no name of a file; this cannot go to standard output")
        elif use in _WRITTEN:
            known = use is Use.GOES_ON or (use is Use.RESUMES and resumes)
            (going_on if known else written).append((name, path))
    check(written, read=read, going_on=going_on, force=force)


def _each(value: Any) -> Iterable[Any]:
    return value if isinstance(value, tuple) else (value,)


def _is_no_text(word: str) -> bool:
    """True for an argument of bytes that are no letters; names of files may be so."""
    try:
        word.encode()
    except UnicodeEncodeError:
        return True
    return False
