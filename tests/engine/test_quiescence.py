"""The search ends soon in any game: quiescence is bounded, and depth 1 is always finished and reported."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle, islice

import pytest

import komadai
from helpers.madeup.kit import KING, kind, variant
from helpers.support import DEFAULTS, SHELF
from komadai.engine import Engine, Info
from komadai.game.position import Position
from komadai.spec import FarRanks, Rect, Variant

SHOGI = komadai.variant("shogi")
KYOTO = komadai.variant("kyoto")
MANY_KINDS = (KING, *(kind(code, "QNAD", captured=None) for code in "ABCD"))


def crowded(size: int, ranks: int) -> Variant:
    """A board half full of pieces that slide every way and leap besides."""
    rows = ["".join(islice(cycle("ABCD"), size)) for _ in range(ranks)]
    rows[-1] = rows[-1][: size // 2] + "K" + rows[-1][size // 2 + 1 :]
    start = [row.lower() for row in rows[::-1]] + [str(size)] * (size - 2 * ranks) + rows
    return variant(f"crowded-{size}", Rect(size, size), "/".join(start) + " b -", MANY_KINDS, ())


RESTLESS = [
    *(
        pytest.param(replace(SHOGI, id=f"zone-{ranks}", zone=FarRanks(ranks)), id=f"zone-{ranks}")
        for ranks in range(5, 10)
    ),
    pytest.param(
        replace(KYOTO, id="turning", board=Rect(9, 9), start="psnlk+l+n+s+p/1+p5p1/9/9/9/9/9/1P5+P1/+P+S+N+LKLNSP b -"),
        id="turning",
    ),
    pytest.param(crowded(13, 5), id="crowded-13"),
    pytest.param(crowded(25, 7), id="crowded-25"),
]


@pytest.mark.parametrize("variant", RESTLESS)
def test_the_first_depth_ends_soon(variant: Variant) -> None:
    position = Position(variant)
    for _ in range(3 if len(variant.board) < 300 else 1):
        info = Engine(variant).search(position, depth=1)
        assert info.depth == 1
        assert info.nodes < 10_000 + 80 * len(position.legal_moves())
        assert info.move is not None
        position.push(info.move)


@pytest.mark.parametrize("variant", RESTLESS[:-2])
def test_most_of_the_search_is_no_quiescence(variant: Variant) -> None:
    assert Engine(variant).search(Position(variant), nodes=150_000).depth >= 4


@pytest.mark.parametrize("variant", [*RESTLESS, *DEFAULTS, *SHELF])
@pytest.mark.parametrize("multipv", [1, 5])
def test_the_first_depth_is_finished_whatever_the_limit(variant: Variant, multipv: int) -> None:
    position, reports = Position(variant), list[Info]()
    info = Engine(variant, tables=False).search(position, nodes=1, multipv=multipv, report=reports.append)
    assert [report.depth for report in reports] == [1]
    assert (info.depth, info.move) == (1, reports[0].move)
    assert info.nodes <= 10 + 2 * len(position.legal_moves())
