"""The start in a worker of a browser, where there are no threads, files or processes: only what JavaScript lends.

:mod:`.host` and the store know nothing of browsers, and are tested without one.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple, ParamSpec, TypeVar

import anyio.to_thread

from ..engine_service.worker import Start, WorkerBackend
from ..web.store import StoreFullError
from ..web.store.opfs import OpfsStore
from .host import Host, application

P = ParamSpec("P")
T = TypeVar("T")

_GRACE = 2.0  # seconds that an engine may take to stop; then its worker is ended


class BrowserFile:
    """A file of the browser (``FileSystemSyncAccessHandle``), through the object that ``worker.js`` makes of it."""

    def __init__(self, access: Any) -> None:
        self._access = access

    def _do(self, name: str, *arguments: Any) -> Any:
        try:
            return getattr(self._access, name)(*arguments)
        except Exception as error:  # pyodide.ffi.JsException, with the name of a DOMException
            number = errno.ENOSPC if "QuotaExceeded" in f"{getattr(error, 'name', '')} {error}" else errno.EIO
            raise OSError(number, str(error)) from error

    def size(self) -> int:
        return int(self._do("size"))

    def read(self, at: int, length: int) -> bytes:
        return bytes(self._do("read", at, length).to_bytes())

    def write(self, at: int, data: bytes) -> None:
        self._do("write", at, data)

    def truncate(self, size: int) -> None:
        self._do("truncate", size)

    def flush(self) -> None:
        self._do("flush")

    def close(self) -> None:
        self._do("close")


class MemoryFile:
    """A file in memory, for a browser that lends none."""

    def __init__(self) -> None:
        self._data = bytearray()

    def size(self) -> int:
        return len(self._data)

    def read(self, at: int, length: int) -> bytes:
        return bytes(self._data[at : at + length])

    def write(self, at: int, data: bytes) -> None:
        self._data[at : at + len(data)] = data

    def truncate(self, size: int) -> None:
        del self._data[size:]

    def flush(self) -> None: ...

    def close(self) -> None: ...


async def _here(
    call: Callable[..., T],
    *arguments: Any,
    abandon_on_cancel: bool = False,
    cancellable: Any = None,
    limiter: Any = None,
) -> T:
    """Stands for :func:`anyio.to_thread.run_sync`; the loop of Pyodide does the same for asyncio."""
    return call(*arguments)


def work_in_place() -> None:
    """Do in place what is meant for threads."""
    anyio.to_thread.run_sync = _here  # type: ignore[assignment]


class Begun(NamedTuple):
    """The application that has been started.

    Attributes:
        volatile: games last as long as the tab, for lack of files or of room in them.
    """

    host: Host
    volatile: bool


def _opened(lent: Sequence[Any], free: Callable[[], tuple[int, int] | None]) -> OpfsStore | None:
    """The games in the files of the browser; ``None`` if it lends none, or has no room for a first one."""
    try:
        return OpfsStore([BrowserFile(file) for file in lent], free) if lent else None
    except StoreFullError:
        return None


async def begin(lent: Sequence[Any], room: Callable[[], Any], start: Start) -> Begun:
    """Start the application.

    Args:
        lent: two files, as :class:`BrowserFile` takes them; none where the browser lends none.
        room: the bytes that the browser still gives this site and those that it gives in all; nothing if unknown.
        start: starts a worker with an engine.

    Raises:
        StoreError: the games cannot be read, and so on; the message says why.
    """
    work_in_place()

    def free() -> tuple[int, int] | None:
        found = room()
        return None if not found else (int(found[0]), int(found[1]))

    kept = _opened(lent, free)
    store = kept or OpfsStore([MemoryFile(), MemoryFile()])
    engine = cache(lambda: WorkerBackend(start, _GRACE))
    host = Host(application(lambda: store, engine))
    await host.start()
    engine()  # it gets ready while the person chooses a game
    return Begun(host, kept is None)
