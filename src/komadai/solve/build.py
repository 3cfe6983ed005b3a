"""Solve a variant: run the native solver, keep checkpoints on disk, write the table."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

from .. import _core
from ..compiler import compile_variant
from ..errors import TableError, require_threads
from ..spec.variant import Variant
from ..storage import write_whole
from ..variants import own_options
from . import files
from .shape import index_of, shape_of
from .table import Progress, Table, hardest_of, silent


class _Checkpoint:
    """The parts of an unfinished solution, one file each in a folder beside the table; see docs/solved/format.md.

    A part that cannot be written or read is computed again, so nothing here fails.
    """

    def __init__(self, folder: Path, rules: str) -> None:
        self.folder, self._rules = folder, rules

    def _path(self, part: int) -> Path:
        return self.folder / f"{part:06}.part"

    def _checksum(self, part: int, data: bytes) -> bytes:
        return hashlib.sha256(f"{self._rules} {part} ".encode() + data).digest()

    def save(self, part: int, data: bytes) -> None:
        try:
            write_whole(self._path(part), self._checksum(part, data), data)
        except OSError:
            return

    def load(self, part: int) -> bytes | None:
        try:
            found = self._path(part).read_bytes()
        except OSError:
            return None
        return found[32:] if found[:32] == self._checksum(part, found[32:]) else None

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def build(
    variant: Variant, *, path: Path | None = None, threads: int | None = None, progress: Progress = silent
) -> Table:
    """Solve a variant and write its table; an interrupted call is resumed.

    Other Python threads run meanwhile. An interruption (Ctrl-C) loses less than a second of work.

    Args:
        variant: the variant to solve.
        path: the file to write; by default in the cache.
        threads: the number of processor cores to use; by default all.
        progress: called with the stages ``moves`` (parts of the positions) and ``values`` (positions known).

    Raises:
        SpecError: the variant cannot be solved completely; every reason at once.
        TableError: the table cannot be written.
    """
    require_threads("solving a game")
    shape = shape_of(variant)
    compiled = compile_variant(variant)
    rules = variant.play_hash
    path = path or files.cache_path(variant)
    threads = threads or os.cpu_count() or 1
    index = index_of(compiled, shape)
    solver = _core.Solver(index)
    checkpoint = _Checkpoint(path.with_name(f"{path.name}.parts"), rules)
    finished = 0
    for part in range(solver.parts):
        data = checkpoint.load(part)
        if data is not None:
            try:
                solver.load(part, data)
            except ValueError:
                continue
            finished += 1
    progress("moves", finished, solver.parts)

    def done(part: int) -> None:
        nonlocal finished
        finished += 1
        checkpoint.save(part, solver.save(part))
        progress("moves", finished, solver.parts)

    solver.expand(threads, done)
    solver.propagate(threads, lambda ply, known, positions: progress("values", known, positions))
    summary = solver.summary()
    width = 1 if len(summary.positions) <= 256 else 2
    values = solver.values(width)
    about = {
        "format": files.FORMAT,
        "variant": variant.id,
        "version": variant.version,
        "options": dict(own_options(variant)),
        "rules": rules,
        "size": index.size,
        "mirror": shape.mirror,
        "width": width,
        "block": files.BLOCK,
        "values": hashlib.sha256(values).hexdigest(),
        "statistics": {
            "positions": summary.positions,
            "reachable": summary.reachable,
            "moves": summary.moves,
        },
        "hardest": [],
    }
    contents = files.Contents(about, files.compressed(values))
    longest = max((value - 1 for value, count in enumerate(summary.reachable) if count and value), default=0)
    about["hardest"] = hardest_of(Table(variant, contents, path), solver, longest)
    try:
        write_whole(path, files.pack(contents))
    except OSError as error:
        raise TableError(f"{path} cannot be written: {error.strerror}") from None
    checkpoint.remove()
    return Table(variant, files.read(path), path)
