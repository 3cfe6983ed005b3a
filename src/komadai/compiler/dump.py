"""Print rule tables and a position as text, for ``komadai_perft``: ``python -m komadai.compiler.dump shogi``."""

from __future__ import annotations

import sys

from .. import _core
from ..spec.sfen import parse
from ..variants import build
from . import compile_variant


def dump(name: str, position: str | None = None) -> str:
    """The rule tables of a variant and a position, by default its start, as text."""
    variant = build(name)
    compiled = compile_variant(variant)
    native = compiled.load(parse(variant, position)) if position else compiled.start
    hands = [native.hand(side) for side in (0, 1)]
    return _core.as_text(compiled.tables, native.side_to_move(), native.board(), hands, native.taken_on())


if __name__ == "__main__":
    print(dump(*sys.argv[1:3]), end="")
