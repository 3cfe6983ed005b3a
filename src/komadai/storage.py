"""The user's data and cache folders, atomic file writes, and locks of files."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import BinaryIO

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
