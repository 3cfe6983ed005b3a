"""Table files: their places and their format. docs/solved/format.md describes the format.

A small file is checked as a whole when it is opened, and its contents are kept. A large one is mapped into memory and
checked part by part, each when a value of it is first asked for.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate, islice, pairwise
from pathlib import Path
from typing import Any, get_args

from ..errors import TableError
from ..json_text import parsed
from ..spec.variant import Variant
from ..storage import cache_folder
from ..variants import own_options
from .compression import Compression, compress

MAGIC = b"KMDTABLE"
FORMAT = 2  # raised also whenever native/index.cpp numbers positions in another way
BLOCK = 1 << 16  # bytes of a block before compression
PART = 256  # blocks of a part of a large file
_READ = (1, FORMAT)
_LARGE = 64 << 20  # bytes from which a file has parts
_HEAD = struct.Struct("<8s32sI")  # magic, SHA-256 of what follows it, length of the description


def command(variant: Variant) -> str:
    """The command that builds the variant's table."""
    return " ".join(["komadai solve", variant.id, *(f"--rule {name}={value}" for name, value in own_options(variant))])


def is_made_for(about: dict[str, Any], variant: Variant) -> bool:
    """True if a table with that description has the rules of the variant."""
    return bool(about.get("rules") == variant.play_hash)


def file_name(variant: Variant, *, everything: bool = True) -> str:
    """The name of the variant's table file; ``everything``: that of all positions, not of what the start leads to."""
    parts = [variant.id, variant.version, *(f"{name}={value}" for name, value in own_options(variant))]
    return re.sub(r"[^\w.=-]", "_", "-".join(parts)) + (".table" if everything else ".start.table")


def cache_path(variant: Variant, *, everything: bool = True) -> Path:
    """The path of the table in the cache."""
    return cache_folder() / file_name(variant, everything=everything)


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of a table file: its description, and the values in compressed blocks."""

    about: dict[str, Any]
    blocks: Sequence[bytes]


class _Mapped(Sequence[bytes]):
    """The blocks of a large file, read when they are asked for."""

    def __init__(self, view: memoryview, path: Path, starts: list[int], parts: list[str]) -> None:
        self._view, self._path, self._starts, self._parts = view, path, starts, parts
        self._sound: set[int] = set()

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return tuple(self[one] for one in range(*number.indices(len(self))))
        if not 0 <= number < len(self):
            raise IndexError(number)
        part = number // PART
        if part not in self._sound:
            first, end = self._starts[part * PART], self._starts[min((part + 1) * PART, len(self))]
            if hashlib.sha256(self._view[first:end]).hexdigest() != self._parts[part]:
                raise TableError(f"{self._path} is damaged: the checksum of part {part} is wrong")
            self._sound.add(part)
        return bytes(self._view[self._starts[number] : self._starts[number + 1]])


def _batched(blocks: Iterable[bytes], count: int) -> Iterator[tuple[bytes, ...]]:
    """The blocks, so many at a time."""
    left = iter(blocks)
    return iter(lambda: tuple(islice(left, count)), ())


def compressed(
    blocks: Iterable[bytes], *, by: Compression = "zlib", threads: int = 1, level: int = 9
) -> tuple[bytes, ...]:
    """The blocks of all values, each compressed; ``level`` is that of zlib."""
    with ThreadPoolExecutor(threads) as pool:
        found: list[bytes] = []
        for some in _batched(blocks, 16 * threads):
            found += pool.map(lambda block: compress(block, by, level), some)
        return tuple(found)


def packed(contents: Contents) -> Iterator[bytes]:
    """The bytes of a table file, in pieces."""
    about, blocks = contents.about, contents.blocks
    if sum(map(len, blocks)) >= _LARGE:
        about = about | {"parts": [hashlib.sha256(b"".join(part)).hexdigest() for part in _batched(blocks, PART)]}
    text = json.dumps(about, ensure_ascii=False, sort_keys=True).encode()
    lengths = struct.pack(f"<{len(blocks)}I", *map(len, blocks))
    checksum = hashlib.sha256(struct.pack("<I", len(text)) + text + lengths)
    if "parts" not in about:
        for block in blocks:
            checksum.update(block)
    yield _HEAD.pack(MAGIC, checksum.digest(), len(text)) + text + lengths
    yield from blocks


def pack(contents: Contents) -> bytes:
    """The bytes of a table file."""
    return b"".join(packed(contents))


def _count(about: dict[str, Any], name: str) -> int:
    """A whole number above 0 in a description."""
    value = about[name]
    if type(value) is not int or value < 1:
        raise ValueError
    return value


def unpack(data: bytes | mmap.mmap, path: Path) -> Contents:
    """Read the bytes of a table file.

    Raises:
        TableError: they are not a table, are damaged, or have another format.
    """
    if len(data) < _HEAD.size or data[: len(MAGIC)] != MAGIC:
        raise TableError(f"{path} is no table of Komadai")
    _, checksum, length = _HEAD.unpack_from(data)
    view, at = memoryview(data), len(MAGIC) + len(checksum)
    try:
        about = parsed(data[_HEAD.size : _HEAD.size + length])
    except ValueError:
        about = None
    large = isinstance(about, dict) and "parts" in about
    end = _head_end(about, length) if large else len(data)
    if hashlib.sha256(view[at:end]).digest() != checksum:
        raise TableError(f"{path} is damaged or cut off: its checksum is wrong")
    try:
        if about["format"] not in _READ:
            known = " and ".join(map(str, _READ))
            raise TableError(f"{path} has format {about['format']!r}; this version of Komadai reads {known}")
        if compression_of(about) not in get_args(Compression):
            raise ValueError
        count = _blocks_of(about)
        lengths = struct.unpack_from(f"<{count}I", data, _HEAD.size + length)
        starts = list(accumulate(lengths, initial=_HEAD.size + length + 4 * count))
        if large and len(about["parts"]) != -(-count // PART):
            raise ValueError
    except (ValueError, KeyError, TypeError, struct.error) as error:
        if isinstance(error, TableError):
            raise
        raise TableError(f"{path} is no table that can be read: its description does not fit") from None
    if starts[-1] != len(data):
        raise TableError(f"{path} is no table that can be read: its blocks do not fit")
    if large:
        return Contents(about, _Mapped(view, path, starts, about["parts"]))
    return Contents(about, tuple(bytes(view[first:last]) for first, last in pairwise(starts)))


def compression_of(about: dict[str, Any]) -> Compression:
    """The compression of a table with that description; those of format 1 do not name it."""
    found: Compression = about.get("compression", "zlib")
    return found


def _blocks_of(about: dict[str, Any]) -> int:
    """The number of blocks of a table with that description; a ValueError, KeyError or TypeError if it is none."""
    size, width, block = (_count(about, name) for name in ("size", "width", "block"))
    if width > 2 or block % width:
        raise ValueError
    return -(-size * width // block)


def _head_end(about: dict[str, Any], length: int) -> int:
    """The end of what comes before the blocks."""
    try:
        return _HEAD.size + length + 4 * _blocks_of(about)
    except (ValueError, KeyError, TypeError):
        return _HEAD.size + length


def read(path: Path) -> Contents:
    """Read a table file; a large one is mapped into memory.

    Raises:
        TableError: it cannot be read, or is not a valid table.
    """
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size >= _LARGE:
                return unpack(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), path)
            return unpack(file.read(), path)
    except OSError as error:
        raise TableError(f"{path} cannot be read: {error.strerror}") from None
