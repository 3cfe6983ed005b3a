"""Solve a variant: run the native solver, keep checkpoints on disk, write the table."""

from __future__ import annotations

import hashlib
import os
import time
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from .. import _core
from ..compiler import compile_variant
from ..errors import SpecError, TableError, require_threads
from ..game.position import Position
from ..spec.variant import Variant
from ..storage import locked, unfinished, with_ending, write_whole
from ..variants import own_options, variant_of
from . import files
from .compression import Compression, decompress
from .shape import Index, Shape, index_of, shape_of
from .table import Progress, Table, hardest_of, silent

Solver = _core.Solver | _core.RelativeSolver
_WAVES = 1 << 15  # of a solution, at most
_AUDITED, _SAMPLED = 1 << 24, 1_000  # numbers up to which all are looked at again, and positions of larger games
_AGAIN = 0.1  # seconds between looks at a table that another process makes
_MANY = 1 << 30  # numbers, whose file zlib would leave too large


class _Checkpoint:
    """The states of an unfinished solution, in a file beside the table; see docs/solved/format.md.

    What cannot be written or read is computed again, so nothing here fails.
    """

    def __init__(self, path: Path, about: dict[str, Any], solver: Solver, every: float, threads: int) -> None:
        self.path, self._solver, self._every, self._threads = path, solver, every, threads
        self._about = about | {"width": solver.state, "block": solver.state * solver.part}
        self._saved = time.monotonic()

    def restore(self) -> bool:
        """Take up what is there, if it belongs to this game; whether it did."""
        with suppress(TableError, ValueError, KeyError, TypeError, zlib.error):
            found = files.read(self.path)
            if {key: what for key, what in found.about.items() if key not in ("stage", "parts")} != self._about:
                return False
            size, block = self._about["size"] * self._about["width"], self._about["block"]
            sizes = [min(block, size - first) for first in range(0, size, block)]
            parts = (decompress(packed, "zlib", length) for packed, length in zip(found.blocks, sizes, strict=True))
            longest = _WAVES * (self._solver.parts + 8)
            stage = zlib.decompressobj().decompress(b64decode(found.about["stage"]), longest)
            if all(part is not None for part in parts):
                self._solver.load_stage(stage)
                for number, (packed, length) in enumerate(zip(found.blocks, sizes, strict=True)):
                    self._solver.load(number, decompress(packed, "zlib", length) or b"")
                return True
        return False

    def unsound(self) -> TableError:
        """The error that its states cannot have come from solving this game."""
        return TableError(f"{self.path} holds wrong states; remove it, and solve the game from the beginning")

    def save(self, every: float | None = None) -> None:
        """Keep the states, if the last were kept so many seconds ago."""
        if time.monotonic() - self._saved < (self._every if every is None else every):
            return
        stage = b64encode(zlib.compress(self._solver.save_stage())).decode()
        states = (self._solver.save(part) for part in range(self._solver.parts))
        blocks = files.compressed(states, threads=self._threads, level=1)
        with suppress(OSError):
            write_whole(self.path, *files.packed(files.Contents(self._about | {"stage": stage}, blocks)))
        self._saved = time.monotonic()

    def remove(self) -> None:
        with suppress(OSError):
            self.path.unlink()


def build(
    variant: str | Variant,
    *,
    path: Path | None = None,
    threads: int | None = None,
    progress: Progress = silent,
    everything: bool = True,
    checkpoint_seconds: float = 300.0,
    wait: bool = False,
) -> Table:
    """Solve a variant and write its table; an interrupted call is resumed.

    Other Python threads run meanwhile. An interruption (Ctrl-C) loses the work since the last checkpoint.

    Args:
        variant: the variant to solve, or its name.
        path: the file to write; by default in the cache, by a name that tells ``everything``. Its checkpoints lie
            beside it.
        threads: the number of processor cores to use; by default all.
        progress: called with the stages ``moves`` (parts of the positions, or positions) and ``values`` (positions
            known); a total of 0 is not known yet.
        everything: solve all positions; otherwise only those that play from the start leads to while nobody passes
            over a capture that ends the game, which may be many fewer.
        checkpoint_seconds: the time between two checkpoints.
        wait: open the table that another process or thread has made, or wait for the one that it is making.

    Raises:
        NotationError: unknown variant.
        SpecError: the variant cannot be solved completely; every reason at once.
        TableError: the table cannot be written, or another process is at it (without ``wait``).
    """
    require_threads("solving a game")
    variant = variant_of(variant, {})
    shape = shape_of(variant)
    path = path or files.cache_path(variant, everything=everything)
    while True:
        try:
            with locked(with_ending(path, ".lock")):
                made = _opened(variant, path) if wait else None
                return made or _built(
                    variant, shape, path, threads, progress, checkpoint_seconds, everything=everything
                )
        except BlockingIOError:
            if not wait:
                words = "is being made by another process; wait for it, or choose another file"
                raise TableError(f"{path} {words}") from None
        except OSError as error:
            raise TableError(f"{path} cannot be written: {error.strerror}") from None
        time.sleep(_AGAIN)


def _opened(variant: Variant, path: Path) -> Table | None:
    """The table in that file; ``None`` if there is no valid one."""
    try:
        return Table(variant, files.read(path), path)
    except TableError:
        return None


def _built(
    variant: Variant,
    shape: Shape,
    path: Path,
    threads: int | None,
    progress: Progress,
    checkpoint_seconds: float,
    *,
    everything: bool,
) -> Table:
    """Solve a variant and write its table; nobody else is at it."""
    threads = threads or os.cpu_count() or 1
    index = index_of(compile_variant(variant), shape)
    solver = _solver_of(index, everything=everything)
    about = _description(variant, shape, index, everything=everything)
    checkpoint = _Checkpoint(unfinished(path), about, solver, checkpoint_seconds, threads)
    resumed = checkpoint.restore()

    def tick(stage: str, done: int, total: int) -> None:
        checkpoint.save()
        progress(stage, done, total)

    try:
        solver.expand(threads, lambda done, total: tick("moves", done, total))
        solver.propagate(threads, lambda done, total: tick("values", done, total))
        checkpoint.save(checkpoint_seconds / 2)
        summary = solver.summary(threads)
    except (RuntimeError, ValueError) as error:  # such as a position with more un-moves than moves
        if resumed and type(error) in (RuntimeError, ValueError):
            raise checkpoint.unsound() from error
        raise
    width = 1 if len(summary.positions) < 256 else 2
    digest = hashlib.sha256()

    def values() -> Iterator[bytes]:
        count = files.BLOCK // width
        for first in range(0, index.size, count):
            block = solver.values(width, first, min(count, index.size - first))
            digest.update(block)
            yield block

    by: Compression = "zlib" if index.size < _MANY else "lzma"
    blocks = files.compressed(values(), by=by, threads=threads)
    about |= {
        "compression": by,
        "width": width,
        "block": files.BLOCK,
        "values": digest.hexdigest(),
        "statistics": {
            "positions": summary.positions,
            "reachable": summary.reachable,
            "moves": summary.moves,
        },
        "hardest": [],
    }
    contents = files.Contents(about, blocks)
    if resumed and not _holds(solver, Table(variant, contents, path), summary, threads):
        raise checkpoint.unsound()
    longest = max((value - 1 for value, count in enumerate(summary.reachable) if count and value), default=0)
    about["hardest"] = hardest_of(Table(variant, contents, path), solver, longest)
    try:
        write_whole(path, *files.packed(contents))
    except OSError as error:
        raise TableError(f"{path} cannot be written: {error.strerror}") from None
    checkpoint.remove()
    return Table(variant, files.read(path), path)


def _holds(solver: Solver, table: Table, summary: _core.Summary, threads: int) -> bool:
    """Whether the values agree with the rules: all of them, or in some large games many by chance."""
    if isinstance(solver, _core.RelativeSolver):  # whose summary counts the opening, too
        again = solver.recheck(threads, lambda part: None)
        return not again.wrong and again.moves == summary.moves
    if table.about["size"] > _AUDITED:
        return table.probe(Position(table.variant)) is not None and not table.check_by_reference(_SAMPLED).wrong
    audit = table.audit(threads=threads)
    return (audit.positions, audit.moves, audit.wrong) == (sum(summary.positions), summary.moves, ())


def _solver_of(index: Index, *, everything: bool) -> Solver:
    if isinstance(index, _core.TableIndex):
        return _core.Solver(index, everything)
    if not everything:
        raise SpecError("a table of the start", ["where pieces lie relative to each other all positions are solved"])
    return _core.RelativeSolver(index)


def _description(variant: Variant, shape: Shape, index: Index, *, everything: bool) -> dict[str, Any]:
    """The description of a table, without what only its values say."""
    about = {
        "format": files.FORMAT,
        "variant": variant.id,
        "version": variant.version,
        "options": dict(own_options(variant)),
        "rules": variant.play_hash,
        "size": index.size,
        "mirror": shape.mirror,
    }
    if shape.symmetries:
        codes = [kind.code for kind in variant.kinds]
        about["symmetries"] = [
            {
                "map": one.map,
                "kinds": {codes[old]: codes[new] for old, new in enumerate(one.kinds) if old != new},
            }
            for one in shape.symmetries
        ]
    return about if everything else about | {"everything": False}
