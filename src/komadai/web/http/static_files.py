"""The static files of the client, read and compressed once: a page loads some fifty of them at the same time."""

from __future__ import annotations

import gzip
import mimetypes
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from os import PathLike, stat_result
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

_PACKED = ("text/", "application/j", "image/svg+xml")
"""Prefixes of the media types worth compressing."""


@dataclass(frozen=True, slots=True)
class _File:
    body: bytes
    packed: bytes | None
    media: str
    tag: str


@lru_cache(maxsize=256)
def _read(path: str, _changed: int) -> _File:
    """Read a file; the time of its last change is part of the cache key."""
    body = Path(path).read_bytes()
    media = mimetypes.guess_type(path)[0] or "application/octet-stream"
    packed = gzip.compress(body, mtime=0) if media.startswith(_PACKED) else None
    return _File(body, packed, media, f'"{blake2b(body, digest_size=12).hexdigest()}"')


class Files(StaticFiles):
    """The files of a folder, cached until they change."""

    def file_response(
        self, full_path: str | PathLike[str], stat_result: stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        file, asked = _read(str(full_path), stat_result.st_mtime_ns), Headers(scope=scope)
        headers = {"etag": file.tag, "vary": "accept-encoding"}
        if file.tag in asked.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if file.packed is None or "gzip" not in asked.get("accept-encoding", ""):
            return Response(file.body, status_code, headers, file.media)
        return Response(file.packed, status_code, headers | {"content-encoding": "gzip"}, file.media)
