"""``komadai solve``: small games solved completely."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...errors import TableError
from ...game.position import Position
from ...spec.variant import Variant
from ...variants import build
from .base import Command, number
from .files import File, Use, read_again
from .options import as_json, command_of, game, output, print_json, rules

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from ...solve import Table


class Stages:
    """Shows how far long work in several stages has come, on a terminal; ``one``: there is one, whose text changes."""

    def __init__(self, *, one: bool = False) -> None:
        self._one = one
        self._tasks: dict[str, TaskID] = {}
        self._progress: Progress | None = None
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

            columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
            self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
        self.bars: contextlib.AbstractContextManager[object] = self._progress or contextlib.nullcontext()

    def __call__(self, stage: str, done: float, total: int) -> None:
        if self._progress is None:
            return
        key = "" if self._one else stage
        if key not in self._tasks:
            self._tasks[key] = self._progress.add_task(stage)
        self._progress.update(self._tasks[key], description=stage, completed=done, total=total or None)


def solve_first(variant: Variant) -> None:
    """Solve a game that is quick to solve and has no table yet, with a bar.

    Raises:
        TableError: the table cannot be written.
    """
    from ...solve import obtain

    with (stages := Stages(one=True)).bars:
        obtain(variant, progress=lambda *done: stages(f"solving {variant.id}, once: {done[0]}", *done[1:]))


_REFERENCE_SAMPLE = 10_000  # positions that an audit checks with the reference generator too


@click.command(cls=Command)
@game
@rules
@output("Where the table goes; by default into the cache.", Use.WRITES)
@click.option(
    "--certificate",
    "proof",
    type=File(Use.WRITES),
    metavar="FILE",
    help="Write a proof of the value of the start, which needs no table.",
)
@click.option("--threads", type=number(1, 256), help="Threads; by default one for each core.")
@click.option(
    "--from-start",
    is_flag=True,
    help="Only positions reachable from the start, assuming game-ending captures are played.",
)
@click.option(
    "--audit",
    type=number(1),
    help="Check the value of one position in N by its moves; 1 checks all.",
)
@click.option(
    "--check-certificate",
    type=File(Use.READS),
    metavar="FILE",
    help="Instead of solving, check every entry of the certificate in this file by the rules.",
)
@as_json
def solve(
    game: str,
    rules: dict[str, str],
    output: Path | None,
    proof: Path | None,
    threads: int | None,
    from_start: bool,
    audit: int | None,
    check_certificate: Path | None,
    as_json: bool,
) -> None:
    """Solve a small game completely, or tell what its table says; an interrupted solution is resumed."""
    from ... import solve as solved

    variant = build(game, **rules)
    if check_certificate is not None:
        _check_certificate(variant, check_certificate, threads or os.cpu_count() or 1, as_json=as_json)
        return
    started = time.perf_counter()
    with (stages := Stages()).bars, contextlib.ExitStack() as stack:
        path = output and stack.enter_context(read_again(output))
        known = None if output else solved.find(variant, everything=not from_start)
        built = known is None
        found = known or solved.build(variant, path=path, threads=threads, progress=stages, everything=not from_start)
        file, size = output if built and output else found.path, found.path.stat().st_size
    seconds = time.perf_counter() - started
    start = found.probe(Position(variant))
    statistics = found.statistics
    shares = statistics.shares(statistics.positions)
    data = {
        "variant": variant.id,
        "version": variant.version,
        "options": found.about["options"],
        "file": str(file),
        "bytes": size,
        "values_sha256": found.about["values"],
        "built_in_seconds": round(seconds, 1) if built else None,
        "start": start and str(start),
        "longest_win": max((value - 1 for value in range(2, len(statistics.positions), 2)), default=None),
        "positions": shares,
        "reachable": statistics.shares(statistics.reachable),
    }
    if not as_json:
        print(f"{variant.name}: {start or 'no value known'} for Black at the start")
        print(f"{sum(shares.values()):,} positions: {', '.join(f'{n:,} {name}' for name, n in shares.items())}")
        print(f"longest win: {data['longest_win']} plies")
        print(f"{file}, {size:,} bytes{f', built in {seconds:.1f} s' if built else ''}")
    if audit:
        with (stages := Stages()).bars:
            full = found.audit(one_in=audit, threads=threads or os.cpu_count() or 1, progress=stages)
            slow = found.check_by_reference(_REFERENCE_SAMPLE, 0, progress=stages)
        data["audit"] = {
            name: {"positions": one.positions, "moves": one.moves, "wrong": len(one.wrong)}
            for name, one in (("all", full), ("reference", slow))
        }
        if not as_json:
            print(f"audit: {full.positions:,} positions, {full.moves:,} moves: {len(full.wrong) or 'none'} wrong")
            print(f"by the reference generator: {slow.positions:,} positions: {len(slow.wrong) or 'none'} wrong")
    if proof:
        data["certificate"] = _certify(found, proof, command_of("solve", game, rules), as_json=as_json)
    if as_json:
        print_json(data)
    if audit and (full.wrong or slow.wrong):
        raise TableError(f"{found.path} is wrong, for example at {(*full.wrong, *slow.wrong)[0]}")


def _certify(table: Table, path: Path, game: str, *, as_json: bool) -> dict[str, Any]:
    """Write a certificate, print what is in it unless as JSON, and return that; ``game``: the command with the game.

    Raises:
        TableError: the table is damaged or wrong, or has no value for the start.
    """
    from ...solve import certificate

    with (stages := Stages()).bars:
        found = certificate.write(table, path, stages)
    if not as_json:
        file = shlex.quote(str(path))
        print(f"{path}, {path.stat().st_size:,} bytes: {len(found):,} positions; ", end="")
        print(f"check it by: python -m komadai.solve.check {file}")
        print(f"or, more quickly, by: {game} --check-certificate {file}")
    return {"file": str(path), "bytes": path.stat().st_size, "entries": len(found)}


def _check_certificate(variant: Variant, path: Path, threads: int, *, as_json: bool) -> None:
    """Print what a certificate proves, if all of it holds.

    Raises:
        TableError: it does not, or it is of another game.
    """
    from ...solve.verify import verify

    with (stages := Stages()).bars:
        about = verify(path, variant, threads=threads, progress=stages)
    if as_json:
        print_json({key: about[key] for key in ("variant", "options", "outcome", "plies", "root", "entries")})
        return
    print(f"all {about['entries']:,} entries hold under {len(about['images'])} images")
    plies = "" if about["plies"] is None else f" in {about['plies']} plies"
    print(f"{variant.name}: {about['outcome']}{plies} for Black at the start; root hash {about['root']}")
