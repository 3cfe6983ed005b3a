"""The perft tables: plain text (``id``, ``epd``, ``perft DEPTH NODES``), one file a variant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from helpers.support import NAMES, ROOT
from komadai.game.position import Position

TABLES = ROOT / "tests" / "perft"


def rows() -> Iterator[Any]:
    for path in sorted(TABLES.glob("*.perft")):
        title = position = ""
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            word, _, rest = line.partition(" ")
            if word == "id":
                title = rest
            elif word == "epd":
                position = rest
            elif word == "perft":
                depth, nodes = map(int, rest.split())
                yield pytest.param(path.stem, position, depth, nodes, id=f"{path.stem}-{title}-{depth}")
            else:
                assert not line or line.startswith("#"), f"{path.name}:{number}: cannot read {line!r}"


def test_every_variant_has_a_table_and_every_table_a_variant() -> None:
    assert sorted(path.stem for path in TABLES.glob("*.perft")) == list(NAMES)


@pytest.mark.parametrize(("name", "position", "depth", "nodes"), list(rows()))
def test_perft(name: str, position: str, depth: int, nodes: int) -> None:
    assert Position(name, position).perft(depth) == nodes
