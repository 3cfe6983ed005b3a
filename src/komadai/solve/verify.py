"""The whole check of a certificate by the native generator: quicker than :mod:`komadai.solve.check`, as strict."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .. import _core
from ..compiler import compile_variant
from ..errors import TableError
from ..spec.board import SIDES
from ..spec.sfen import parse, print_setup
from ..spec.variant import Variant
from ..variants import own_options
from . import check
from .table import Progress, silent


def verify(path: Path, variant: Variant, *, threads: int = 2, progress: Progress = silent) -> dict[str, Any]:
    """Check every entry of a certificate by the generic path of the move generator, without a table.

    The file, its hashes and its start are read and checked as :mod:`komadai.solve.check` does.

    Returns:
        The certificate's description; ``root`` is its root hash, in hexadecimal.

    Raises:
        TableError: the certificate is damaged, belongs to another game or is wrong; with the place.
        OSError: the file cannot be read.
    """
    about, strategies = check.read(path, variant)
    for key, right in ("variant", variant.id), ("options", dict(own_options(variant))):
        if about[key] != right:
            raise TableError(f"{path} has {key} {about[key]!r}; the game has {right!r}")
    for strategy in strategies:
        _verify(strategy, variant, threads, progress)
    return about


def _verify(strategy: check.Strategy, variant: Variant, threads: int, progress: Progress) -> None:
    """Check the entries of one strategy."""
    compiled = compile_variant(variant)
    native = _core.StrategyCheck(compiled.rules, SIDES.index(strategy.side), strategy.win)
    for block, position, plies, answers in strategy.entries:
        setup = parse(variant, position)
        if print_setup(variant, setup) != position:
            raise TableError(f"block {block}, {position}: no position as it is written")
        try:
            native.add(compiled.load(setup), plies, answers.split())
        except ValueError as error:
            raise TableError(f"block {block}, {position}: {error}") from None
    total, seen = len(strategy.entries), 0

    def done(_batch: int) -> None:
        nonlocal seen
        seen = min(total, seen + native.entries)
        progress(f"entries of {strategy.side}", seen, total)

    if fault := native.run(threads, done):
        block, position, *_ = strategy.entries[fault[0]]
        raise TableError(f"block {block}, {position}: {fault[1]}")
