"""Compression of the blocks of a table file.

LZMA takes a fifth less room than zlib and three times the time to read a block. A Python may lack it, such as that in
a browser's tab, so it is loaded only for the large tables that are compressed with it.
"""

from __future__ import annotations

import zlib
from typing import Any, Literal

from ..errors import TableError

Compression = Literal["zlib", "lzma"]

# No contexts of neighbours and places, since values are no text; the dictionary holds a block.
_SETTINGS = {"preset": 6, "lc": 0, "lp": 0, "pb": 0, "dict_size": 1 << 16}


def _lzma() -> tuple[Any, dict[str, Any]]:
    """The module, and the arguments of its raw format.

    Raises:
        TableError: this Python lacks it.
    """
    try:
        import lzma
    except ImportError:
        missing = "this Python was built without the module lzma, which large tables of solved games need"
        raise TableError(missing) from None
    return lzma, {"format": lzma.FORMAT_RAW, "filters": [{"id": lzma.FILTER_LZMA1, **_SETTINGS}]}


def compress(block: bytes, by: Compression, level: int = 9) -> bytes:
    """A block compressed by itself; ``level`` is that of zlib.

    Raises:
        TableError: this Python lacks the compression.
    """
    if by == "zlib":
        return zlib.compress(block, level)
    lzma, raw = _lzma()
    packed: bytes = lzma.compress(block, **raw)
    return packed


def decompress(block: bytes, by: Compression, length: int) -> bytes | None:
    """The ``length`` bytes that a block holds; ``None`` if it is damaged or holds another number.

    Raises:
        TableError: this Python lacks the compression.
    """
    found: bytes
    if by == "zlib":
        try:
            found = zlib.decompressobj().decompress(block, length + 1)
        except zlib.error:
            return None
    else:
        lzma, raw = _lzma()
        try:
            found = lzma.LZMADecompressor(**raw).decompress(block, length + 1)
        except lzma.LZMAError:
            return None
    return found if len(found) == length else None
