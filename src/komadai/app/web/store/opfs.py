"""The store inside a browser: a SQLite database in memory, and a log of all that was written to it.

A browser gives a site files of its own (the origin private file system), which a worker reads and writes at once, but
SQLite cannot keep its database there. So each transaction is one record at the end of a log, flushed before the
transaction ends; the database is made from the log at the next start. A log begins with an image of a database. When
it has grown, a new one is begun in the other of two files, and the one with the higher number that begins well is
read. A tab may be killed at any moment: the record that it was writing is then cut off, and was not confirmed.
"""

from __future__ import annotations

import errno
import sqlite3
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import msgspec

from ....i18n import _
from . import ConflictError, StoreError, StoreFullError, WriteInDoubtError
from .sql import Statement, prolonging
from .sqlite import SqliteDatabase
from .watch import Watch

_FRAME = struct.Struct("<II")  # length of a record and its CRC-32, before it
_HEAD = struct.Struct("<8sQ")  # the record at the beginning of a log: magic, number of the log
_MAGIC = b"KMDLOG1\n"
_GROWN = 1 << 19
"""Bytes of records from which on a log is begun anew, if the image at its beginning is smaller than they are."""
_HEARTBEATS = 60.0
"""Seconds from one heartbeat in the log to the next: after a tab was closed so much more may not be counted."""

Values = list[str | float | int | None]
_statements: msgspec.json.Decoder[list[tuple[str, Values]]] = msgspec.json.Decoder(list[tuple[str, Values]])


class Handle(Protocol):
    """A file that this process alone has open. All methods raise :class:`OSError`; numbers are in bytes."""

    def size(self) -> int:
        """Its length."""

    def read(self, at: int, length: int) -> bytes:
        """At most so many bytes from there on."""

    def write(self, at: int, data: bytes) -> None:
        """Write all of it; the file grows as needed."""

    def truncate(self, size: int) -> None:
        """Cut it off."""

    def flush(self) -> None:
        """Return when all that was written is on the disk."""

    def close(self) -> None:
        """Let others open it."""


def framed(record: bytes) -> bytes:
    """A record with its length and checksum."""
    return _FRAME.pack(len(record), zlib.crc32(record)) + record


def records(data: bytes) -> Iterator[tuple[bytes, int]]:
    """The sound records from the beginning of a log on, each with the place where it ends."""
    at = 0
    while len(data) - at > _FRAME.size:
        length, checksum = _FRAME.unpack_from(data, at)
        record = data[at + _FRAME.size : at + _FRAME.size + length]
        # Zeros, which a file may have at its end after a failure of power, would be an empty record.
        if not length or len(record) < length or zlib.crc32(record) != checksum:
            return
        at += _FRAME.size + length
        yield record, at


class _Log:
    """One of the two files.

    Attributes:
        number: the higher is the later; 0 if the file has no beginning of a log.
        image: of the database at its beginning.
        written: the records since.
        end: the place after the last one.
    """

    def __init__(self, handle: Handle) -> None:
        self.handle = handle
        self.number, self.image, self.written, self.end, self.begun = 0, b"", list[bytes](), 0, 0
        found = records(handle.read(0, handle.size()))
        head, image = next(found, (b"", 0)), next(found, (b"", 0))
        if len(head[0]) == _HEAD.size and head[0].startswith(_MAGIC) and image[0]:
            self.number = _HEAD.unpack(head[0])[1]
            self.image, self.begun = image
            self.end = self.begun
            for record, end in found:
                self.written.append(record)
                self.end = end

    def begin(self, number: int, image: bytes) -> None:
        """Begin the log anew."""
        data = framed(_HEAD.pack(_MAGIC, number)) + framed(image)
        self.handle.truncate(0)
        self.handle.write(0, data)
        self.handle.flush()
        self.number, self.begun, self.end = number, len(data), len(data)

    def append(self, record: bytes) -> None:
        """Write a record, which is on the disk on return.

        Raises:
            OSError: it is not written. :class:`WriteInDoubtError`: it is not known whether it is.
        """
        data = framed(record)
        try:
            self.handle.write(self.end, data)
            self.handle.flush()
        except OSError:
            self._cut()
            raise
        self.end += len(data)

    def _cut(self) -> None:
        """Cut off what was written in vain."""
        try:
            self.handle.truncate(self.end)
            self.handle.flush()
        except OSError as error:
            raise WriteInDoubtError(_words(error)) from error

    @property
    def grown(self) -> bool:
        """True if it is worth beginning anew."""
        return self.end - self.begun > max(_GROWN, self.begun)


class OpfsStore(SqliteDatabase):
    """Games and their events in two files of a browser."""

    def __init__(self, handles: Sequence[Handle], room: Callable[[], tuple[int, int] | None] = lambda: None) -> None:
        """Read the files; empty ones become a store.

        Args:
            handles: of the two files.
            room: the bytes that the browser still gives this site, and those that it gives in all, if that is known.

        Raises:
            StoreFullError: they are empty, and there is no room for a store.
            StoreError: they cannot be read, or were written by a newer version.
        """
        super().__init__()
        self._room = room
        self._beaten = float("-inf")  # when a heartbeat was last written to the log
        self._logs: list[_Log] = []
        self._db = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        try:
            self._logs += sorted(map(_Log, handles), key=lambda log: log.number)
            self._open()
        except (sqlite3.Error, OSError, StoreError) as error:
            self._db.close()
            for handle in handles:
                handle.close()
            if isinstance(error, StoreError):
                raise
            if getattr(error, "errno", 0) == errno.ENOSPC and not any(log.number for log in self._logs):
                raise StoreFullError(_words(error)) from error
            raise StoreError(_("the games in this browser cannot be read: {why}", why=_words(error))) from error

    @property
    def _log(self) -> _Log:
        """The log that is written."""
        return self._logs[-1]

    def _open(self) -> None:
        """Make the database from the log; what follows its last sound record is cut off."""
        log = self._log
        if log.image:
            self._db.deserialize(log.image)
        self._db.execute("PRAGMA foreign_keys=ON")
        for record in log.written:
            with self._transaction():
                for sql, values in _statements.decode(record):
                    self._db.execute(sql, values)
        log.image, log.written = b"", []
        if self._migrate() or not log.number:
            self._begin_anew()
        elif log.handle.size() > log.end:
            log.handle.truncate(log.end)
            log.handle.flush()

    def _begin_anew(self) -> None:
        """Write the database to the other file, and only then empty the one before."""
        before, following = self._log, self._logs[0]
        following.begin(before.number + 1, self._db.serialize())
        self._logs.reverse()
        if before.end:
            before.handle.truncate(0)
            before.handle.flush()

    @property
    def place(self) -> str:
        return "the files of this site in the browser"

    def close(self) -> None:
        super().close()
        for log in self._logs:
            log.handle.close()

    def size(self) -> int:
        return sum(log.handle.size() for log in self._logs)

    def disk(self) -> tuple[int, int] | None:
        return self._room()

    def no_room(self) -> str:
        return _words(OSError(errno.ENOSPC, ""))

    def _prolong(self, watch: Watch) -> None:
        if 0 <= watch.seen - self._beaten < _HEARTBEATS:
            with self._transaction():
                self._db.execute(*prolonging(watch))
        else:
            super()._prolong(watch)
            self._beaten = watch.seen

    def _write(self, *statements: Statement) -> None:
        try:
            with self._transaction():
                before = self._db.total_changes
                for sql, values in statements:
                    self._db.execute(sql, values)
                if self._db.total_changes != before:
                    self._log.append(msgspec.json.encode(statements))
        except sqlite3.IntegrityError as error:
            raise ConflictError(str(error)) from error
        except OSError as error:
            full = StoreFullError if error.errno == errno.ENOSPC else StoreError
            raise full(_words(error)) from error
        except sqlite3.Error as error:
            raise StoreError(f"the game store cannot be written: {error}") from error
        if self._log.grown:
            self._compact()

    def _compact(self) -> None:
        """Begin the log anew, unless there is no room: then it is tried again after the next write."""
        with self._lock:
            try:
                self._begin_anew()
            except OSError:
                return


def _words(error: Any) -> str:
    """A failure in words for the person here."""
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return _("the room that this browser gives this site is used up; make room in the browser’s settings")
    return str(error)
