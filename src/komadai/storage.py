"""The user's data and cache folders, atomic file writes, locks of files, and journals that outlive an interruption."""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
import shutil
import stat
import sys
import tempfile
import unicodedata
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from .errors import NotationError

ESCAPED = "backslashreplace"
"""The errors of encoding for JSON: names of files may have bytes that are no letters, which JSON has an escape for."""

_ABSENT = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)
_LOCKED = 1 << 40  # the byte that Windows locks, behind all contents: nobody can read what is locked there


def _folder(variable: str, linux: str, macos: str, windows: str) -> Path:
    """A folder of the user for this program."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return (Path(base) if base else Path.home() / "AppData" / "Local") / "komadai" / windows
    if sys.platform == "darwin":
        return Path.home() / "Library" / macos / "komadai"
    base = os.environ.get(variable)
    return (Path(base) if base else Path.home() / linux) / "komadai"


def data_folder() -> Path:
    """The folder where games are kept unless another is named: the user's data folder.

    On Linux ``$XDG_DATA_HOME/komadai``, by default ``~/.local/share/komadai``; on macOS ``~/Library/Application
    Support/komadai``; on Windows ``%LOCALAPPDATA%\\komadai``.
    """
    return _folder("XDG_DATA_HOME", ".local/share", "Application Support", "")


def cache_folder() -> Path:
    """The folder of what can be made or fetched again.

    On Linux ``$XDG_CACHE_HOME/komadai``, by default ``~/.cache/komadai``; on macOS ``~/Library/Caches/komadai``; on
    Windows ``%LOCALAPPDATA%\\komadai\\Cache``.
    """
    return _folder("XDG_CACHE_HOME", ".cache", "Caches", "Cache")


LENDERS: list[Callable[[str], bytes | None]] = []
"""Give the contents of a file of the package by its name, where the package has come without it."""


def shipped(path: Path) -> Path:
    """The path of a file of the package, which need not exist; one that is lent is written first."""
    for lend in () if path.exists() else LENDERS:
        if (data := lend(path.name)) is not None:
            write_whole(path, data)
    return path


_STREAM = re.compile(r"/dev/(stdin|stdout|stderr|fd/\d{1,9})|/proc/(self|thread-self|\d+)(?:/task/\d+)?/(fd/\d{1,9})")
_STANDARD = {"stdin": 0, "stdout": 1, "stderr": 2}
_LONGEST_NAME = 255  # bytes
_MOST_LINKS = 40  # followed one after the other, as Linux does


def _descriptor(path: Path) -> int | None:
    """The number of the open stream that a path such as ``/dev/stdout`` or ``/dev/fd/3`` leads to."""
    at = os.path.abspath(path)
    for _link in range(_MOST_LINKS):
        if (found := _STREAM.fullmatch(at)) is not None:
            if found[2] not in (None, "self", "thread-self", str(os.getpid())):  # a stream of another process
                return None
            name = found[1] or found[3]
            return _STANDARD[name] if name in _STANDARD else int(name.removeprefix("fd/"))
        try:
            at = os.path.abspath(Path(at).parent / os.readlink(at))
        except (OSError, ValueError):  # no link
            break
    return None


def is_stream(path: Path) -> bool:
    """True for a standard stream, a device or a pipe, which is written into and never replaced."""
    try:
        return _descriptor(path) is not None or stat.S_IFMT(path.stat().st_mode) not in (stat.S_IFREG, stat.S_IFDIR)
    except (OSError, ValueError):
        return False


def _stream(path: Path) -> BinaryIO:
    """The stream at a path, open for writing."""
    number = _descriptor(path)
    if number is None:
        return path.open("wb")
    if number == _STANDARD["stdout"] and sys.stdout is not None:
        sys.stdout.flush()
    return os.fdopen(os.dup(number), "wb")


def _beside(path: Path) -> Path:
    """A new name for a file in the folder of a path, which is no longer where that is long."""
    return path.with_name(f".{path.name[:40]}.{secrets.token_hex(4)}")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A name for a new file, which takes its place at the path when the context ends without an error.

    Links are followed: what they lead to is replaced. What is written for a stream is copied into it.

    Raises:
        OSError: it cannot be written.
    """
    if is_stream(path):
        with tempfile.TemporaryDirectory() as folder:
            part = Path(folder) / path.name
            yield part
            with part.open("rb") as made, _stream(path) as file:
                shutil.copyfileobj(made, file)
        return
    target = Path(os.path.realpath(path))
    target.parent.mkdir(parents=True, exist_ok=True)
    part = _beside(target)
    try:
        yield part
        _put(part, target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _put(part: Path, target: Path) -> None:
    """Let a complete file take its place, with the permissions of the one before it."""
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    with suppress(FileNotFoundError):
        part.chmod(stat.S_IMODE(target.stat().st_mode))
    part.replace(target)


def write_whole(path: Path, *chunks: bytes) -> None:
    """Write a file so that it is there as a whole or not at all; a stream may end short.

    Raises:
        OSError: it cannot be written.
    """
    if is_stream(path):
        with _stream(path) as file:
            file.writelines(chunks)
        return
    with replacing(path) as part, part.open("xb") as file:
        file.writelines(chunks)


@dataclass(frozen=True, slots=True)
class Place:
    """A place where a file can be written.

    Attributes:
        key: equal for paths that lead to one file, also through links or in other letters; ``None`` for a device, which
            takes whatever comes.
        taken: whether a file is there.
    """

    key: tuple[object, ...] | None
    taken: bool

    @classmethod
    def at(cls, path: Path) -> Place:
        """The place at a path, tried by a file that is gone at once.

        Raises:
            OSError: no file can be written there; the message says why.
        """
        if (number := _descriptor(path)) is not None:
            key = _key(os.fstat(number))
            _check_open_for_writing(number)
            return cls(key, taken=False)
        try:
            status = path.stat()
        except FileNotFoundError:
            status = None
        if status is not None and stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, "is a folder; name a file")
        if status is not None and not stat.S_ISREG(status.st_mode):
            if stat.S_ISSOCK(status.st_mode) or not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, "cannot be written into")
            return cls(_key(status), taken=False)
        target = Path(os.path.realpath(path))
        try:
            folds = _try(target)
            folder = target.parent.stat()
        except FileNotFoundError:
            why = "no file can be made in the folder" if target.parent.is_dir() else "there is no folder"
            raise FileNotFoundError(errno.ENOENT, f"{why} {str(target.parent)!r}") from None
        if status is not None:
            return cls(_key(status), taken=True)
        name = unicodedata.normalize("NFC", target.name).casefold() if folds else target.name
        return cls((folder.st_dev, folder.st_ino, name), taken=False)


def _check_open_for_writing(number: int) -> None:
    """Check that an open stream is one that can be written, which standard input seldom is.

    Raises:
        OSError: it is not.
    """
    if sys.platform != "win32":
        import fcntl

        if fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
            raise OSError(errno.EBADF, "is open for reading only")


def _key(status: os.stat_result) -> tuple[object, ...] | None:
    return None if stat.S_ISCHR(status.st_mode) else (status.st_dev, status.st_ino)


def _try(path: Path) -> bool:
    """Make a file in the folder of a path, and remove it; true if the folder takes names in other letters for the same.

    Raises:
        OSError: that is not possible.
    """
    tried = _beside(path.with_name("komadai"))
    tried.open("xb").close()
    try:
        return tried.with_name(tried.name.upper()).exists()
    finally:
        tried.unlink()


def is_url(place: str) -> bool:
    """True for the address of a database, false for the path of a folder."""
    return "://" in place or place.startswith(("postgres:", "postgresql:"))


def check_folder(path: Path) -> None:
    """Check that a folder can be made at a path, or files in the one that is there.

    Raises:
        OSError: they cannot; the message says why.
    """
    while path.parent != path:
        try:
            path.lstat()
            break
        except OSError as error:
            if error.errno not in _ABSENT:
                raise
            path = path.parent
    if not path.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, f"{str(path)!r} is no folder")
    _try(path / "file")


def lock(file: BinaryIO) -> None:
    """Keep the file for this process, until it is closed.

    Raises:
        BlockingIOError: another process has it.
        OSError: this file system knows no locks.
    """
    if sys.platform == "win32":
        import msvcrt

        at = file.tell()
        file.seek(_LOCKED)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError(error.errno, error.strerror) from None
        finally:
            file.seek(at)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other processes from the same work meanwhile, by a file that is gone afterwards.

    Raises:
        BlockingIOError: another process is at it.
        OSError: the file cannot be made.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    while True:
        with path.open("ab") as file:
            try:
                lock(file)
            except BlockingIOError:
                raise
            except OSError:  # a file system without locks
                pass
            try:
                same = path.stat().st_ino == os.fstat(file.fileno()).st_ino
            except FileNotFoundError:
                same = False
            if not same:  # another process was at it, and has removed the file that this one had opened
                continue
            try:
                yield
            finally:
                with suppress(OSError):  # Windows removes no open file
                    path.unlink()
            return


class Journal:
    """A file of JSON lines for one process. A line is on the disk before :meth:`add` returns.

    Attributes:
        lines: what was in the file when it was opened. An incomplete last line, left by an interruption, is none, and
            goes; if there is no other it stays until one is added, as the file may be of another kind.
    """

    def __init__(self, path: Path) -> None:
        """Open the file, or create it.

        Raises:
            BlockingIOError: another process has it.
            OSError: it cannot be written, or is a pipe or a device, from which nothing could be read again.
        """
        if path.exists() and not path.is_file():
            raise OSError(errno.EINVAL, "is no ordinary file")
        self._path = path
        self._file: BinaryIO = path.open("a+b", buffering=0)  # so that nothing is left over by a full disk
        try:
            lock(self._file)
            self._file.seek(0)
            text = self._file.read()
        except BaseException:
            self._file.close()
            raise
        whole = text[: text.rfind(b"\n") + 1]
        self._end = len(whole)
        self.lines: list[bytes] = (whole or text).splitlines()

    def add(self, data: Any) -> None:
        """Write a line.

        Raises:
            NotationError: it cannot be written, as on a full disk; what was there before stays.
        """
        line = f"{json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n".encode(errors=ESCAPED)
        try:
            self._file.truncate(self._end)
            left = memoryview(line)
            while left:
                left = left[self._file.write(left) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(self._end)
            raise NotationError(f"file {str(self._path)!r}", [f"cannot be written: {error.strerror}"]) from None
        self._end += len(line)

    def clear(self) -> None:
        """Begin the file anew; what is in it goes with the next line."""
        self._end, self.lines = 0, []

    def close(self) -> None:
        """Close the file; another process may use it."""
        if self._end and not self._file.closed:
            with suppress(OSError):
                self._file.truncate(self._end)
        self._file.close()


class Growing:
    """A file that grows by whole pieces, and takes its place when it is finished. A stream takes them at once.

    Attributes:
        unfinished: its path until then, which stays if it is never finished; ``None`` for a stream.
    """

    def __init__(self, path: Path) -> None:
        """Begin it anew.

        Raises:
            OSError: it cannot be written.
        """
        self._target = Path(os.path.realpath(path))
        self.unfinished = None if is_stream(path) else unfinished(self._target)
        self._file = _stream(path) if self.unfinished is None else self.unfinished.open("wb")
        self._end = 0

    def add(self, piece: bytes) -> None:
        """Add a piece.

        Raises:
            OSError: it cannot be written; what was there before stays.
        """
        try:
            self._file.write(piece)
            self._file.flush()
        except OSError:
            self.close()
            raise
        self._end += len(piece)

    def finish(self) -> None:
        """Put it into its place; nothing is added any more.

        Raises:
            OSError: that is not possible.
        """
        self._file.close()
        if self.unfinished is not None:
            _put(self.unfinished, self._target)
            self.unfinished = None

    def close(self) -> None:
        """Close it; what it has stays where it is."""
        with suppress(OSError):  # the rest of a piece that could not be written
            self._file.close()
        if self.unfinished is not None:
            with suppress(OSError):
                os.truncate(self.unfinished, self._end) if self._end else self.unfinished.unlink()


def unfinished(path: Path) -> Path:
    """The path of a file while it is made."""
    return with_ending(path, ".unfinished")


def with_ending(path: Path, ending: str) -> Path:
    """The path of a file beside another, by its name and an ending; a name that gets too long is cut and numbered."""
    name = path.name
    if len(os.fsencode(name)) + len(ending) > _LONGEST_NAME:
        name = f"{name[:50]}-{zlib.crc32(os.fsencode(name)):08x}"
    return path.with_name(f"{name}{ending}")
