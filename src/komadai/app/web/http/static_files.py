"""The static files of the client, read and compressed once: a page loads them all at the same time.

Pages name them below a version of all files, ``/static/<version>/…``, so that browsers keep them and need not ask
again. Without it, or with another one, they are the same files, and browsers ask each time whether they have changed.
Below ``linked/`` all modules of a page are one file (:mod:`.linked`).
"""

from __future__ import annotations

import gzip
import mimetypes
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b, sha256
from os import PathLike, stat_result
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from .linked import Linker

STATIC = Path(__file__).resolve().parent.parent / "static"

_FOREVER = "max-age=31536000, immutable"
_BELOW_VERSION = re.compile(r"([0-9a-f]{16})/(.*)", re.DOTALL)
_ASKED = "komadai.version"  # of a scope
_NONE: Mapping[str, str] = {}
_LINKED = "linked/"
_PACKED = ("text/", "application/j", "image/svg+xml")
"""Prefixes of the media types worth compressing."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A body without secrets that is kept, and its compressed form if that is worth it."""

    body: bytes
    packed: bytes | None
    media: str
    tag: str

    @classmethod
    def of(cls, body: bytes, media: str) -> Kept:
        """The body, with a tag that changes with it."""
        packed = gzip.compress(body, mtime=0) if media.startswith(_PACKED) else None
        return cls(body, packed, media, f'"{blake2b(body, digest_size=12).hexdigest()}"')

    def answer(self, scope: Scope, headers: Mapping[str, str] = _NONE, status: int = 200) -> Response:
        """The response to a request: none but its tag if the browser has the file, packed if it understands that."""
        asked, headers = Headers(scope=scope), {"etag": self.tag, "vary": "accept-encoding", **headers}
        if self.tag in asked.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if self.packed is None or "gzip" not in asked.get("accept-encoding", ""):
            return Response(self.body, status, headers, self.media)
        return Response(self.packed, status, headers | {"content-encoding": "gzip"}, self.media)


@lru_cache(maxsize=256)
def _read(path: str, _changed: int) -> Kept:
    """Read a file; the time of its last change is part of the cache key."""
    body = Path(path).read_bytes()
    media = mimetypes.guess_type(path)[0] or "application/octet-stream"
    return Kept.of(body, media)


def version_of(files: Mapping[str, bytes], about: bytes = b"") -> str:
    """The version of files by path: 16 hexadecimal digits that change with them, and with what there is ``about``
    them."""
    digest = sha256(about)
    for path, data in sorted(files.items()):
        digest.update(f"{path} {len(data)}\n".encode())
        digest.update(data)
    return digest.hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class _Version:
    """The version of all files that changed last at these times, by path."""

    name: str
    times: Mapping[str, int]


_known = _Version("", {})


def _times(folder: str) -> Iterator[tuple[str, int]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _times(entry.path)
            else:
                yield entry.path, entry.stat().st_mtime_ns


def _now() -> _Version:
    """The version of the files as they are: they may be edited while the server runs."""
    global _known
    times = dict(_times(str(STATIC)))
    if times != _known.times:
        files = {Path(path).relative_to(STATIC).as_posix(): Path(path).read_bytes() for path in times}
        _known = _Version(version_of(files), times)
    return _known


def static_version() -> str:
    """The version of all static files, for the addresses in a page."""
    return _now().name


@lru_cache(maxsize=128)
def _linked(path: str, _version: str) -> Kept | None:
    text = Linker(STATIC / "js").file(path)
    return None if text is None else Kept.of(text.encode(), "text/javascript")


class Files(StaticFiles):
    """The files of a folder, cached until they change."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        if found := _BELOW_VERSION.fullmatch(path):
            return await self.get_response(found[2], {**scope, _ASKED: found[1]})
        if path.startswith(_LINKED) and (file := _linked(path.removeprefix(_LINKED), version := static_version())):
            return file.answer(scope, {"cache-control": _FOREVER} if scope.get(_ASKED) == version else {})
        return await super().get_response(path, scope)

    def file_response(
        self, full_path: str | PathLike[str], stat_result: stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        file = _read(str(full_path), stat_result.st_mtime_ns)
        same = _is_of(scope.get(_ASKED), str(full_path), stat_result.st_mtime_ns)
        return file.answer(scope, {"cache-control": _FOREVER} if same else {}, status_code)


def _is_of(version: str | None, path: str, changed: int) -> bool:
    """True if a file that changed last at that time is what pages of the version expect."""
    if version is None:
        return False
    known = _known if _known.name == version else _now()
    return known.name == version and known.times.get(path) == changed
