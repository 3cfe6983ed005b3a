"""Solved games: tables with the value of every position, and queries on them.

``komadai solve GAME`` builds a table in the user's cache. That of a game which takes seconds is built on first use, too
(:func:`obtain`, ``komadai.solve.background``). ``docs/solved`` has the results, the method and the format of the files.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ..errors import SpecError, TableError
from ..spec.variant import Variant
from ..storage import shipped
from ..typed import typed
from ..variants import variant_of
from . import files
from .build import build
from .shape import is_small, shape_of
from .table import Audit, MoveValue, Progress, Puzzle, Statistics, Table, Value, silent

__all__ = [
    "Audit",
    "MoveValue",
    "Puzzle",
    "Statistics",
    "Table",
    "Value",
    "build",
    "find",
    "is_quick",
    "obtain",
    "open",
    "shape_of",
]

QUICK = 50_000_000
"""The most positions of a game that is solved without being asked: seconds of a few processor cores, and 2 bytes of
memory for each position."""


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
    """Where a table of the variant may lie, the best first; a static site lends the first."""
    return shipped(files.cache_path(variant)), files.cache_path(variant, everything=False)


def find(variant: str | Variant, *, everything: bool = False, **options: str) -> Table | None:
    """The variant's table in the cache; ``None`` if there is no valid one.

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


@typed
def is_quick(variant: Variant) -> bool:
    """True if the variant can be solved completely and has at most :data:`QUICK` positions."""
    return is_small(variant, QUICK)


def obtain(variant: str | Variant, *, progress: Progress = silent, **options: str) -> Table | None:
    """The variant's table: that of the cache, or a new one if the variant is quick to solve; else ``None``.

    A new one takes seconds. If another process is making it, its table is waited for.

    Args:
        variant: as of :func:`open`, with ``options``.
        progress: as of :func:`build`.

    Raises:
        NotationError: unknown variant or option.
        TableError: the new table cannot be written.
    """
    made = variant_of(variant, options)
    found = find(made)
    if found is None and is_quick(made):
        build(made, progress=progress, wait=True)
        found = find(made)  # which keeps it for the next call
    return found


def open(
    variant: str | Variant, *, path: Path | str | None = None, progress: Progress = silent, **options: str
) -> Table:
    """The table of a variant, for probing: that of the cache, or a new one as of :func:`obtain`.

    Args:
        variant: a variant, or its name with rule ``options``.
        path: a table file; by default that of the cache.
        progress: as of :func:`build`.

    Raises:
        NotationError: unknown variant or option.
        SpecError: the variant cannot be solved completely, with every reason, or it would take long, with the command.
        TableError: the file given as ``path`` is not a valid table of this variant, or a new one cannot be written.
    """
    made = variant_of(variant, options)
    if path is not None:
        return _open(made, Path(path))
    found = obtain(made, progress=progress)
    if found is None:
        shape_of(made)  # which says why the game cannot be solved
        raise SpecError(made.id, [f"there is no table of it here; build it with: {files.command(made)}"])
    return found
