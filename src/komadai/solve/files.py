"""Table files: their places and their format. docs/solved/format.md describes the format."""

from __future__ import annotations

import hashlib
import json
import re
import struct
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import TableError
from ..spec.variant import Variant
from ..storage import cache_folder, write_whole
from ..variants import own_options

MAGIC = b"KMDTABLE"
FORMAT = 1  # raised also whenever native/index.cpp numbers positions in another way
BLOCK = 1 << 16  # bytes of a block before compression
_FORMER_RULES = {
    "5e1f0bdbb769f9bab77b452547942fb06cfde88da5ab53c71dc94345252a392a": (
        "331858e476568d47b5a2f94192360ffac725ba30f82d064f3633d3b64da07670"
    ),
    "061eef0f6d7aa41d68968e165eb4127ae8b410cab6a933d30ebdf67f10622346": (
        "c5ba9f88f99d8c3bbd0433b9c5c5919d7bb6df54fbb9b0321d07f66a5ea93ad0"
    ),
    "90a0bd2771afed1132489ced7077f7c2318927082dca8826ab4f4bd4b5d8d4b4": (
        "4c10895ad6c8f7295f52d83dd7778f4b97ef22bd60d1c3fef957f2cccf6b73d1"
    ),
    "d56403811628a5ab14e81b2fee14a352e049ca7854f600f7caf33ceae321b365": (
        "dfab6e53df3276eb95fa40a067afe86e2f63d8a1917a0df03a7bf16a63f60077"
    ),
}
"""Rules hashes by the checksums that older files of the four Nana tables hold in their place."""

_HEAD = struct.Struct("<8s32sI")  # magic, SHA-256 of all that follows it, length of the description


def command(variant: Variant) -> str:
    """The command that builds the variant's table."""
    return " ".join(["komadai solve", variant.id, *(f"-o {name}={value}" for name, value in own_options(variant))])


def is_made_for(about: dict[str, Any], variant: Variant) -> bool:
    """True if a table with that description has the rules of the variant."""
    rules = about.get("rules")
    return isinstance(rules, str) and _FORMER_RULES.get(rules, rules) == variant.play_hash


def file_name(variant: Variant) -> str:
    """The name of the variant's table file."""
    parts = [variant.id, variant.version, *(f"{name}={value}" for name, value in own_options(variant))]
    return re.sub(r"[^\w.=-]", "_", "-".join(parts)) + ".table"


def _no_lender(_name: str) -> bytes | None:
    return None


lend: Callable[[str], bytes | None] = _no_lender
"""Gives the contents of a shipped table by the name of its file, where the package has come without them."""


def shipped_path(variant: Variant) -> Path:
    """The path of the table in the package, which need not exist."""
    path = Path(__file__).parent / "tables" / file_name(variant)
    if not path.exists() and (data := lend(path.name)) is not None:
        write_whole(path, data)
    return path


def cache_path(variant: Variant) -> Path:
    """The path of the table in the cache."""
    return cache_folder() / file_name(variant)


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of a table file: its description, and the values in compressed blocks."""

    about: dict[str, Any]
    blocks: tuple[bytes, ...]


def compressed(blocks: Iterable[bytes]) -> tuple[bytes, ...]:
    """The blocks of all values, each compressed."""
    return tuple(zlib.compress(block, 9) for block in blocks)


def pack(contents: Contents) -> bytes:
    """The bytes of a table file."""
    text = json.dumps(contents.about, ensure_ascii=False, sort_keys=True).encode()
    lengths = struct.pack(f"<{len(contents.blocks)}I", *map(len, contents.blocks))
    body = b"".join([text, lengths, *contents.blocks])
    checksum = hashlib.sha256(struct.pack("<I", len(text)) + body).digest()
    return _HEAD.pack(MAGIC, checksum, len(text)) + body


def _count(about: dict[str, Any], name: str) -> int:
    """A whole number above 0 in a description."""
    value = about[name]
    if not isinstance(value, int) or value < 1:
        raise ValueError
    return value


def unpack(data: bytes, path: Path) -> Contents:
    """Read the bytes of a table file.

    Raises:
        TableError: they are not a table, are damaged, or have another format.
    """
    if len(data) < _HEAD.size or data[: len(MAGIC)] != MAGIC:
        raise TableError(f"{path} is no table of Komadai")
    _, checksum, length = _HEAD.unpack_from(data)
    view = memoryview(data)
    if hashlib.sha256(view[len(MAGIC) + len(checksum) :]).digest() != checksum:
        raise TableError(f"{path} is damaged or cut off: its checksum is wrong")
    try:
        about = json.loads(data[_HEAD.size : _HEAD.size + length])
        if about["format"] != FORMAT:
            raise TableError(f"{path} has format {about['format']!r}; this version of Komadai reads format {FORMAT}")
        size, width, block = (_count(about, name) for name in ("size", "width", "block"))
        if width > 2 or block % width:
            raise ValueError
        count = -(-size * width // block)
        lengths = struct.unpack_from(f"<{count}I", data, _HEAD.size + length)
    except (ValueError, KeyError, TypeError, RecursionError, struct.error) as error:
        if isinstance(error, TableError):
            raise
        raise TableError(f"{path} is no table that can be read: its description does not fit") from None
    blocks, at = [], _HEAD.size + length + 4 * count
    for length in lengths:
        blocks.append(bytes(view[at : at + length]))
        at += length
    if at != len(data):
        raise TableError(f"{path} is no table that can be read: its blocks do not fit")
    return Contents(about, tuple(blocks))


def read(path: Path) -> Contents:
    """Read a table file.

    Raises:
        TableError: it cannot be read, or is not a valid table.
    """
    try:
        return unpack(path.read_bytes(), path)
    except OSError as error:
        raise TableError(f"{path} cannot be read: {error.strerror}") from None
