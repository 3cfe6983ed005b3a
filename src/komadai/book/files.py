"""Book files: their format, written as a whole and read a block at a time. docs/reference/books.md describes it."""

from __future__ import annotations

import hashlib
import json
import os
import struct
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from ..errors import BookError
from ..game.position import Position
from ..i18n import _
from ..json_text import fits, parsed
from ..storage import write_whole
from .openings import Opening, unpacked

MAGIC = b"KMDABOOK"
FORMAT = 1
MOST_MOVES = 1000  # of one position: the most played
MOST_SCORE = 10_000
"""A score counts as at most this many hundredths of the least piece, a mate as exactly as many."""

_HEAD = struct.Struct("<8sII")  # magic, length and CRC-32 of the compressed description
_ROW = struct.Struct("<Q6Iq")
_ROWS = 1024  # of a block, after which it ends with the position
_MOST_BLOCK = (_ROWS + MOST_MOVES) * _ROW.size
_COUNTS = ("games", "plies", "least", "positions", "moves")
_DESCRIPTION = {"variant": str, "version": str, "rules": str, "options": {...: str}, **dict.fromkeys(_COUNTS, int)}
_MOST_DESCRIPTION = 1 << 24  # bytes before compression
_CACHED_BLOCKS = 64


class Row(NamedTuple):
    """A move of a position.

    Attributes:
        key: the position's (:func:`key_of`). ``name``: the number of the move string.
        games: in how many games it was played, of which the mover has won, drawn and lost so many; the others have no
            known result.
        scored: how many of them have a score. ``total``: their sum, for the mover.
    """

    key: int
    name: int
    games: int
    wins: int
    draws: int
    losses: int
    scored: int
    total: int

    def is_sound(self, names: int) -> bool:
        """True if the numbers can be true together."""
        return (
            self.name < names
            and self.games > 0
            and self.wins + self.draws + self.losses <= self.games
            and self.scored <= self.games
            and abs(self.total) <= self.scored * MOST_SCORE
        )


def key_of(position: Position) -> int:
    """The number under which a book keeps a position: the first 8 bytes of the SHA-256 of its position string."""
    return int.from_bytes(hashlib.sha256(position.sfen().encode()).digest()[:8], "little")


def write(path: Path, about: dict[str, Any], names: list[str], rows: Iterable[Row]) -> None:
    """Write a book.

    Args:
        path: where. ``about``: the description, to which the parts of the file are added.
        names: the move strings. ``rows``: in the order of their keys.

    Raises:
        BookError: it would be too large.
        OSError: it cannot be written.
    """
    blocks, index, positions, moves = list[bytes](), list[tuple[str, int]](), 0, 0
    for block in _blocks(rows):
        blocks.append(zlib.compress(b"".join(_ROW.pack(*row) for row in block), 9))
        index.append((f"{block[0].key:016x}", len(blocks[-1])))
        positions += len({row.key for row in block})
        moves += len(block)
    whole = {**about, "format": FORMAT, "positions": positions, "moves": moves, "names": names, "blocks": index}
    text = json.dumps(whole, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    if len(text) > _MOST_DESCRIPTION:
        raise BookError(_("the book would be too large; keep fewer moves, with fewer plies or more games a move"))
    description = zlib.compress(text, 9)
    write_whole(path, _HEAD.pack(MAGIC, len(description), zlib.crc32(description)), description, *blocks)


def _blocks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """The rows in blocks, none of which ends within a position."""
    block = list[Row]()
    for _key, moves in groupby(rows, attrgetter("key")):
        block += moves
        if len(block) >= _ROWS:
            yield block
            block = []
    if block:
        yield block


@dataclass(frozen=True, slots=True)
class _Block:
    """A block in the file: its first key, its place and its length."""

    first: int
    at: int
    length: int


class BookFile:
    """A book file, of which only the description is in memory, and the blocks read last.

    Attributes:
        path: where it is. ``about``: its description. ``names``: the move strings. ``openings``: those it has.
    """

    def __init__(self, path: Path) -> None:
        """Read the description.

        Raises:
            BookError: it cannot be read, is no book, is damaged, or has another format.
        """
        self.path = path
        try:
            if not path.is_file():
                raise BookError(_("{path} cannot be read: {why}", path=path, why=_("there is no such file")))
            with path.open("rb") as file:
                self._stamp = _stamp(file)
                self._load(file)
        except OSError as error:
            raise self._unreadable(error) from None
        self._rows = lru_cache(maxsize=_CACHED_BLOCKS)(self._read)

    def _load(self, file: BinaryIO) -> None:
        head, size = file.read(_HEAD.size), self._stamp[1]
        if len(head) < _HEAD.size or not head.startswith(MAGIC):
            raise BookError(_("{path} is no opening book of Komadai", path=self.path))
        _magic, length, checksum = _HEAD.unpack(head)
        compressed = file.read(min(length, size))
        if len(compressed) != length or zlib.crc32(compressed) != checksum:
            raise self._damaged()
        try:
            about = parsed(_inflated(compressed, _MOST_DESCRIPTION))
            form = about.pop("format")
            if form != FORMAT:
                raise BookError(
                    _(
                        "{path} has format {found}; this version of Komadai reads format {known}",
                        path=self.path,
                        found=repr(form)[:20],
                        known=FORMAT,
                    )
                )
            self.names: tuple[str, ...] = tuple(about.pop("names"))
            self._blocks, at = list[_Block](), _HEAD.size + length
            for first, extent in about.pop("blocks"):
                if type(extent) is not int or not 0 < extent <= 2 * _MOST_BLOCK:
                    raise ValueError
                self._blocks.append(_Block(int(first, 16), at, extent))
                at += extent
            self._firsts = [block.first for block in self._blocks]
            sound = fits(about, _DESCRIPTION) and fits(list(self.names), [str])
            sound = sound and all(0 <= about[name] <= 1 << 62 for name in _COUNTS)
            self.openings: tuple[Opening, ...] | None = unpacked(about["openings"]) if "openings" in about else None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            if isinstance(error, BookError):
                raise
            raise self._damaged() from None
        if not sound or at != size or self._firsts != sorted(set(self._firsts)):
            raise self._damaged()
        self.about: dict[str, Any] = about

    def find(self, key: int) -> list[Row]:
        """The moves of a position; an empty list if the book has none.

        Raises:
            BookError: the file is damaged, or another stands in its place.
        """
        number = bisect_right(self._firsts, key) - 1
        if number < 0:
            return []
        rows = self._rows(number)
        first = bisect_left(rows, key, key=attrgetter("key"))
        last = bisect_right(rows, key, first, key=attrgetter("key"))
        return list(rows[first:last])

    def __iter__(self) -> Iterator[Row]:
        """All moves, in the order of the keys.

        Raises:
            BookError: as :meth:`find`.
        """
        for number in range(len(self._blocks)):
            yield from self._rows(number)

    def _read(self, number: int) -> tuple[Row, ...]:
        block = self._blocks[number]
        try:
            with self.path.open("rb") as file:
                if _stamp(file) != self._stamp:
                    raise BookError(_("{path} was changed while it was in use; open it again", path=self.path))
                file.seek(block.at)
                rows = tuple(map(Row._make, _ROW.iter_unpack(_inflated(file.read(block.length), _MOST_BLOCK))))
        except OSError as error:
            raise self._unreadable(error) from None
        except (ValueError, struct.error) as error:
            if isinstance(error, BookError):
                raise
            raise self._damaged() from None
        ends = (*self._firsts[number + 1 :][:1], 1 << 64)[0]
        keys = [row.key for row in rows]
        if keys[:1] != [block.first] or keys[-1] >= ends or keys != sorted(keys):
            raise self._damaged()
        if not all(row.is_sound(len(self.names)) for row in rows):
            raise self._damaged()
        return rows

    def _damaged(self) -> BookError:
        return BookError(_("{path} is damaged or cut off; build it again", path=self.path))

    def _unreadable(self, error: OSError) -> BookError:
        return BookError(_("{path} cannot be read: {why}", path=self.path, why=error.strerror))


def _stamp(file: BinaryIO) -> tuple[int, int]:
    """The time of the last change, and the size."""
    status = os.fstat(file.fileno())
    return status.st_mtime_ns, status.st_size


def _inflated(data: bytes, most: int) -> bytes:
    """Decompressed bytes.

    Raises:
        ValueError: they are no whole stream of zlib, or more than ``most``.
    """
    stream = zlib.decompressobj()
    try:
        plain = stream.decompress(data, most)
    except zlib.error:
        raise ValueError from None
    if not stream.eof or stream.unused_data:
        raise ValueError
    return plain
