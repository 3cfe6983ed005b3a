"""The cache of the tests. Tables that take seconds are made once, and kept while the core's sources stay the same."""

from __future__ import annotations

import os
import shutil
from hashlib import sha256
from pathlib import Path

import komadai
from komadai import solve
from komadai.solve import files
from komadai.storage import cache_folder

_ROOT = Path(__file__).resolve().parents[2]
_FOLDER = "cache-of-tests-"


def _digest() -> str:
    """The digest of what tables are made by."""
    found = sha256()
    for path in sorted((_ROOT / "native").glob("*.?pp")):
        found.update(path.read_bytes())
    return found.hexdigest()[:12]


CACHE = _ROOT / "build" / f"{_FOLDER}{_digest()}"
"""Of ``XDG_CACHE_HOME``."""


def forget_others() -> None:
    """Remove the caches of other sources."""
    for folder in CACHE.parent.glob(f"{_FOLDER}*"):
        if folder != CACHE:
            shutil.rmtree(folder, ignore_errors=True)


def lend_nana(game: str = "nana", **options: str) -> Path:
    """Put the table of Nana, or of Nana by other rules, into the cache in force; the file."""
    variant = komadai.variant(game, **options)
    path, made = files.cache_path(variant), CACHE / "komadai" / files.file_name(variant)
    if not path.exists():
        solve.build(variant, path=made, wait=True)
    if not path.exists():
        cache_folder().mkdir(parents=True, exist_ok=True)
        os.link(made, path)
    return path
