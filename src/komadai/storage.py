"""The user's data and cache folders, atomic file writes, locks of files, and journals that outlive an interruption."""

from __future__ import annotations

import errno
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from .errors import NotationError

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


def write_whole(path: Path, *chunks: bytes) -> None:
    """Write a file so that it is there as a whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(chunks)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


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
        self._file: BinaryIO = path.open("a+b")
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
        line = f"{json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n".encode()
        try:
            self._file.truncate(self._end)
            self._file.write(line)
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise NotationError(f"file {str(self._path)!r}", [f"cannot be written: {error.strerror}"]) from None
        self._end += len(line)

    def close(self) -> None:
        """Close the file; another process may use it."""
        with suppress(OSError):  # the rest of a line that could not be written
            if self._end and not self._file.closed:
                self._file.truncate(self._end)
        with suppress(OSError):
            self._file.close()
