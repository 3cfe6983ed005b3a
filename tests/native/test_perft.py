"""The perft tables: plain text (``id``, ``epd``, ``perft DEPTH NODES``), one file a variant."""

from __future__ import annotations

import pytest

import komadai
from helpers.support import PERFT_TABLES, perft_rows
from komadai.game.position import Position

SLOW = 100_000_000  # leaves
ROWS = [
    pytest.param(
        *(row[:1] + row[2:]),
        id="-".join(map(str, row[:2] + row[3:4])),
        marks=[pytest.mark.slow] if row[-1] > SLOW else [],
    )
    for row in perft_rows()
]


def test_every_variant_has_a_table_and_every_table_a_variant() -> None:
    assert sorted(path.stem for path in PERFT_TABLES.glob("*.perft")) == list(komadai.variants(shelf=True))


@pytest.mark.parametrize(("name", "position", "depth", "nodes"), ROWS)
def test_perft(name: str, position: str, depth: int, nodes: int) -> None:
    assert Position(name, position).perft(depth) == nodes
