"""Solved games: tables with the value of every position, and queries on them.

``komadai solve GAME`` builds a table; those of Nana Shogi come with the package. ``docs/solved`` has the results, the
method and the format of the files.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ..errors import SpecError, TableError
from ..spec.variant import Variant
from ..variants import variant_of
from . import files
from .build import build
from .shape import shape_of
from .table import Audit, MoveValue, Puzzle, Statistics, Table, Value

__all__ = [
    "Audit",
    "MoveValue",
    "Puzzle",
    "Statistics",
    "Table",
    "Value",
    "build",
    "find",
    "open",
    "shape_of",
]


@lru_cache(maxsize=8)
def _table(variant: Variant, path: Path, stamp: tuple[int, int]) -> Table:
    return Table(variant, files.read(path), path)


def _open(variant: Variant, path: Path) -> Table:
    """The table in that file; the latest ones are kept."""
    try:
        status = path.stat()
    except (OSError, ValueError) as error:  # also a name that no file can have
        raise TableError(f"{path} cannot be read: {getattr(error, 'strerror', error)}") from None
    return _table(variant, path, (status.st_mtime_ns, status.st_size))


def _places(variant: Variant) -> tuple[Path, ...]:
    """Where a table of the variant may lie, the best first."""
    return files.shipped_path(variant), files.cache_path(variant), files.cache_path(variant, everything=False)


def find(variant: str | Variant, *, everything: bool = False, **options: str) -> Table | None:
    """The variant's table, from the package or else from the cache; ``None`` if there is no valid one.

    Never builds a table: a file that is damaged, or made for other rules, is ignored. A table of all positions goes
    before one of what the start leads to, and with ``everything`` no other will do. ``variant`` and ``options`` are
    those of :func:`open`.

    Raises:
        NotationError: unknown variant or option.
    """
    made, found = variant_of(variant, options), None
    versions = tuple(map(made.under, made.versions))
    for path in (path for one in versions for path in _places(one)):
        try:
            table = _open(made, path) if path.is_file() else None
        except (TableError, SpecError, OSError):
            continue
        if table is not None and table.everything:
            return table
        found = found or table
    return None if everything else found


def open(variant: str | Variant, *, path: Path | str | None = None, **options: str) -> Table:
    """The table of a variant, for probing. If there is none it is built and kept in the cache, which takes minutes.

    Args:
        variant: a variant, or its name with rule ``options``.
        path: a table file; by default that of the package or of the cache.

    Raises:
        NotationError: unknown variant or option.
        SpecError: the variant cannot be solved completely; every reason at once.
        TableError: the file given as ``path`` is not a valid table of this variant, or a new one cannot be written.
    """
    made = variant_of(variant, options)
    if path is not None:
        return _open(made, Path(path))
    return find(made) or build(made)
