"""The whole check of a certificate by the native generator: quicker than :mod:`komadai.solve.check`, as strict."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .. import _core
from ..compiler import compile_variant
from ..errors import TableError
from ..spec.board import SIDES
from ..spec.material import royals
from ..spec.setup import Setup
from ..spec.sfen import parse, start_of
from ..spec.symmetry import Symmetry
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
    about, strategy = check.read(path, variant)
    for key, right in ("variant", variant.id), ("options", dict(own_options(variant))):
        if about[key] != right:
            raise TableError(f"{path} has {key} {about[key]!r}; the game has {right!r}")
    compiled, royal = compile_variant(variant), royals(variant)

    def kings(setup: Setup) -> list[int]:
        """The royal pieces of each side, which the core relies on; nothing else of a position needs to be sound."""
        held = [kind in royal for kind in variant.hand_order]
        return [
            sum(piece is not None and piece.side == side and piece.code in royal for piece in setup.board)
            + sum(count for count, counts in zip(hand, held, strict=True) if counts)
            for side, hand in zip(SIDES, setup.hands, strict=True)
        ]

    sound = kings(start_of(variant))
    native = _core.StrategyCheck(compiled.rules, [_image(variant, one) for one in strategy.group], strategy.win)
    for block, position, plies, move in strategy.entries:
        try:
            setup = parse(variant, position)
            if kings(setup) != sound:
                raise ValueError(f"royal pieces in other numbers than {variant.id} has")
            native.add(compiled.native(setup), plies, move)
        except ValueError as error:
            raise TableError(f"block {block}, {position}: {error}") from None
    total, seen = len(strategy.entries), 0

    def done(_batch: int) -> None:
        nonlocal seen
        seen = min(total, seen + native.entries)
        progress("entries", seen, total)

    if fault := native.run(threads, done):
        block, position, *_ = strategy.entries[fault[0]]
        raise TableError(f"block {block}, {position}: {fault[1]}")
    return about


def _image(variant: Variant, one: Symmetry) -> _core.Image:
    """A symmetry for the core."""
    kinds, slots = list(one.kinds), list(one.slots(variant))
    return _core.Image(map=list(one.map), exchanges=int(one.exchanges), kinds=kinds, slots=slots)
