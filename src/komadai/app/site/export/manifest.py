"""``files.json``: the large files of a static site, under names that change with their contents.

The file is an object with

- ``version``: 16 hexadecimal digits, of all that the folder holds;
- ``komadai``, ``pyodide``, ``python``: the versions of what it is made of;
- ``games``: their ids;
- ``folder``: the paths of all files that were written but this one;
- ``files``: an object by logical name, of objects with ``path`` in the folder; ``bytes``: its size; ``raw``,
  ``sha256``, ``type``: size, digest and media type of what it holds; ``gzip``: it is compressed, for the browser to
  unpack; and ``when`` it is needed: ``start`` or ``demand``.

The logical names are those of Pyodide's files in ``pyodide/``, ``python.zip`` (:mod:`.tree`), ``answers.pack``
(:mod:`.answers`), and in ``lent/`` the solved games and the nets.
"""

from __future__ import annotations

import gzip
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Literal

from zopfli.gzip import compress

from .tree import Tree

NAME = "files.json"
_TYPES = {
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
}
_WORTH = 0.95  # a file is compressed if that makes it smaller than this share
_ITERATIONS = 1  # of Zopfli, which then saves 3 % of what gzip leaves; four more save another 0.2 %


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of the manifest, and what is written."""

    name: str
    raw: bytes
    when: Literal["start", "demand"]

    @property
    def compressed(self) -> bytes | None:
        """The compressed contents, ``None`` if that is not worth it."""
        if len(gzip.compress(self.raw, compresslevel=1)) >= _WORTH * len(self.raw):
            return None
        packed: bytes = compress(self.raw, numiterations=_ITERATIONS)
        return packed


@dataclass(frozen=True, slots=True)
class Manifest:
    """The manifest and the files that it names.

    Attributes:
        about: the objects of ``files`` by logical name.
        files: by path in the folder.
    """

    about: dict[str, dict[str, object]]
    files: Tree


def listed(entries: list[Entry]) -> Manifest:
    """The manifest of these files."""
    about: dict[str, dict[str, object]] = {}
    files: Tree = {}
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        every = list(threads.map(lambda entry: entry.compressed, entries))
    for entry, packed in zip(entries, every, strict=True):
        digest = sha256(entry.raw).hexdigest()
        suffix = PurePosixPath(entry.name).suffix
        path = f"files/{digest[:16]}{suffix}{'' if packed is None else '.gz'}"
        files[path] = entry.raw if packed is None else packed
        about[entry.name] = {
            "path": path,
            "bytes": len(files[path]),
            "raw": len(entry.raw),
            "sha256": digest,
            "type": _TYPES.get(suffix, "application/octet-stream"),
            "gzip": packed is not None,
            "when": entry.when,
        }
    return Manifest(dict(sorted(about.items())), files)
