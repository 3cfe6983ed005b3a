"""Files as a browser gives them to a worker (``FileSystemSyncAccessHandle``); they can be full, or fail to flush."""

from __future__ import annotations

import errno
from pathlib import Path

from komadai.app.web.store.opfs import OpfsStore

FILES = ("games-a.log", "games-b.log")


class FileHandle:
    """A handle on a file of this machine.

    Attributes:
        room: bytes that it may have; a write beyond them is done in part, and fails.
        deaf: flushing fails. ``flushed``: the contents at the latest flush.
    """

    def __init__(self, path: Path) -> None:
        path.touch()
        self.path, self._file = path, path.open("rb+", buffering=0)
        self.room: int | None = None
        self.deaf = False
        self.flushed = path.read_bytes()

    def size(self) -> int:
        return self._file.seek(0, 2)

    def read(self, at: int, length: int) -> bytes:
        self._file.seek(at)
        return self._file.read(length)

    def write(self, at: int, data: bytes) -> None:
        fits = len(data) if self.room is None else max(0, self.room - at)
        self._file.seek(at)
        self._file.write(data[:fits])
        if fits < len(data):
            raise OSError(errno.ENOSPC, "QuotaExceededError")

    def truncate(self, size: int) -> None:
        self._file.truncate(size)

    def flush(self) -> None:
        if self.deaf:
            raise OSError(errno.EIO, "InvalidStateError")
        self.flushed = self.path.read_bytes()

    def close(self) -> None:
        self._file.close()


def opened(folder: Path) -> tuple[OpfsStore, list[FileHandle]]:
    """The store in a folder, and its handles."""
    handles = [FileHandle(folder / name) for name in FILES]
    return OpfsStore(handles), handles
