"""The books of openings that come with the package, a file a game."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from ...book import Book
from ...errors import BookError
from ...spec.variant import CACHED_VARIANTS, Variant
from ...variants import build, names, own_options
from .names import FOLDER


def path_of(variant: Variant) -> Path:
    """The variant's book in the package, which need not exist."""
    name = "-".join([variant.id, *(f"{name}={value}" for name, value in own_options(variant))])
    return FOLDER / (re.sub(r"[^\w.=-]", "_", name) + ".book")


def games() -> tuple[str, ...]:
    """The ids of the games for which the package has openings with the usual options."""
    return tuple(sorted(name for name in names() if count(build(name))))


@lru_cache(maxsize=CACHED_VARIANTS)
def packaged(variant: Variant) -> Book | None:
    """The book of a game that comes with the package; ``None`` if there is none, or it was made for other rules."""
    path = path_of(variant)
    try:
        return Book(path, variant) if path.is_file() else None
    except BookError:
        return None


def count(variant: Variant) -> int:
    """How many openings the package has of a game."""
    book = packaged(variant)
    return 0 if book is None else len(book.openings or ())
