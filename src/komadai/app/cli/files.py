"""The files that commands read and write: marked where a command names them, checked before its work, written whole.

Every parameter that names a file or folder has one of the marks of :class:`Use` in its annotation. So a command that
writes a file gets ``--force``, and does not begin before it is known that each file can be written, that none is there
already, and that no two are the same.
"""

from __future__ import annotations

import inspect
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from enum import Enum, auto
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer
from typer.models import ArgumentInfo, ParameterInfo

from ...errors import NotationError
from ...storage import Place, check_folder, is_stream, is_url, replacing, write_whole

STANDARD = "-"
_MOST = 10**12  # of whatever a command counts: games, positions, seconds

GAMES = {"game", "variant"}
"""Parameters of commands that are names of games, or variant files."""


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

Games = Annotated[
    str | None,
    typer.Option(
        envvar="KOMADAI_DATA",
        metavar="FOLDER|URL",
        help="Where games are kept: a folder, or a PostgreSQL database, postgresql://user@host/name.",
    ),
    Use.KEEPS,
]
"""The store of a server."""

Force = Annotated[bool, typer.Option("--force", help="Overwrite files.")]


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


def checking_files(command: Callable[..., object]) -> Callable[..., object]:
    """The command, which begins when its files are checked; with the option ``--force`` if it writes any."""
    hints = get_type_hints(command, include_extras=True)
    uses = {
        name: use for name, hint in hints.items() for use in getattr(hint, "__metadata__", ()) if isinstance(use, Use)
    }
    names = {name: _name_of(name, hint) for name, hint in hints.items()}
    adds = "force" not in hints and any(use in _FORCED for use in uses.values())

    @wraps(command)
    def checked(*args: object, **named: Any) -> object:
        _check_uses(uses, names, named)
        if adds:
            del named["force"]
        return command(*args, **named)

    if adds:
        add_option(checked, command, "force", False, Force)
    return checked


def add_option(wrapper: Any, command: Callable[..., object], name: str, default: object, annotation: Any) -> None:
    """Give the wrapper of a command one more option for typer to see."""
    hints = get_type_hints(command, include_extras=True)  # which are text in the module of the command
    parameters = [one.replace(annotation=hints[one.name]) for one in inspect.signature(command).parameters.values()]
    added = inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
    wrapper.__signature__ = inspect.Signature([*parameters, added])
    wrapper.__annotations__ = hints | {name: annotation}


def _check_uses(uses: Mapping[str, Use], names: Mapping[str, str], named: Mapping[str, Any]) -> None:
    """Check the files that a command was given, that its numbers count something, and that its other words are text."""
    for parameter, value in named.items():
        for one in value if isinstance(value, list) else [value]:
            is_file = parameter in uses or (parameter in GAMES and str(one).endswith(".toml"))
            if isinstance(one, str) and not is_file and not one.isascii() and _is_no_text(one):
                raise refused(names[parameter], one, "is no text in UTF-8")
            if isinstance(one, int | float) and parameter != "seed" and not -_MOST <= one <= _MOST:
                raise refused(names[parameter], str(one), f"is out of range; expected at most {_MOST:,}")
    resumes = any(begun(Path(named[name])) for name, use in uses.items() if use is Use.GOES_ON and named.get(name))
    written, going_on = list[tuple[str, Path]](), list[tuple[str, Path]]()
    games = {name: str(named[name]) for name in GAMES & named.keys()}
    read = [(names[name], _path(names[name], game)) for name, game in games.items() if game.endswith(".toml")]
    for parameter, use in uses.items():
        value, name = named.get(parameter), names[parameter]
        for one in value if isinstance(value, list) else [] if value is None else [value]:
            path = _path(name, one)
            if use is Use.READS:
                read.append((name, path))
            elif use is Use.KEEPS:
                if not is_url(str(one)):
                    _look(name, path)
            elif use is Use.FOLDER:
                check_in(name, path)
            elif use in _WRITTEN and str(path) == STANDARD:
                if use is not Use.PRINTS:
                    raise refused(name, path, "is no name of a file; this cannot go to standard output")
            elif use in _WRITTEN:
                known = use is Use.GOES_ON or (use is Use.RESUMES and resumes)
                (going_on if known else written).append((name, path))
    check(written, read=read, going_on=going_on, force=bool(named.get("force")))


def _is_no_text(word: str) -> bool:
    """True for an argument of bytes that are no letters; names of files may be so."""
    try:
        word.encode()
    except UnicodeEncodeError:
        return True
    return False


def _path(name: str, value: str | Path) -> Path:
    if "\0" in str(value):
        raise refused(name, value, "has a character that no name can have")
    return Path(value)


def _name_of(parameter: str, hint: Any) -> str:
    """The name of a parameter for people: its longest option, or the word of an argument in the help."""
    info = next((one for one in getattr(hint, "__metadata__", ()) if isinstance(one, ParameterInfo)), None)
    if isinstance(info, ArgumentInfo):
        return (info.metavar or parameter.upper()).strip("[].")
    # Typer's first argument is a default, which there is none of in an annotation.
    words = (getattr(info, "default", None), *(getattr(info, "param_decls", None) or ()))
    options = [word for word in words if isinstance(word, str) and word.startswith("--")]
    return max(options, key=len, default=f"--{parameter.replace('_', '-')}")
