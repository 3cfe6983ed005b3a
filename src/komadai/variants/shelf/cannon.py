"""Cannon shogi (docs/rules/cannon.md): pieces that hop over another."""

from __future__ import annotations

from ...spec import About, Becomes, FarRanks, Forbid, Kind, Rect, Repetition, Rule, Stuck, Variant
from .. import Entry
from ..shogi import GOLD_MOVE, pieces, promotable

SOLDIER = Becomes(zone=("P", "+P"), captured="P")

KINDS = (
    *pieces("KRBGSNL"),
    Kind("U", "gold cannon", "金包", "kinhō", "mRcpR", promotable("U")),
    Kind("A", "silver cannon", "銀包", "ginhō", "pR", promotable("A")),
    Kind("C", "copper cannon", "銅包", "dōhō", "mBcpB", promotable("C")),
    Kind("I", "iron cannon", "鉄包", "teppō", "pB", promotable("I")),
    Kind("P", "soldier", "兵", "hei", "fsW", SOLDIER),
    Kind("+U", "flying gold cannon", "飛金", "hikin", "mRpRmFpB2", Becomes(captured="U")),
    Kind("+A", "flying silver cannon", "飛銀", "higin", "mRpRmFpB2", Becomes(captured="A")),
    Kind("+C", "flying copper cannon", "飛銅", "hidō", "mBpBmWpR2", Becomes(captured="C")),
    Kind("+I", "flying iron cannon", "飛鉄", "hitetsu", "mBpBmWpR2", Becomes(captured="I")),
    Kind("+P", "tokin", "と", "tokin", GOLD_MOVE, Becomes(captured="P")),
)


def build() -> Variant:
    return Variant(
        id="cannon",
        name="Cannon Shogi",
        version="1",
        board=Rect(9, 9),
        start="lnsgkgsnl/1rci1uab1/p1p1p1p1p/9/9/9/P1P1P1P1P/1BAU1ICR1/LNSGKGSNL b -",
        kinds=KINDS,
        hand_order=("R", "B", "U", "A", "C", "I", "G", "S", "N", "L", "P"),
        summary="Shogi with five soldiers and four cannons a side, which hop over a piece to move or to capture.",
        sources=("docs/rules/cannon.md", "Peter Michaelsen, 1998"),
        zone=FarRanks(3),
        rules=(Rule("always", Stuck(), Forbid("it could never move again from there"), "cannon.md 4"),),
        repetition=Repetition(4, perpetual_check_loses=True),
        about=About(
            5,
            (30, 60),
            "Peter Michaelsen’s game of 1998, with the cannons of Chinese and Korean chess.",
            sample="4h1e 6b9e 1e4b+ 5a4b U*9f I*8c 3h2g 4b5a 1i1h 9e6h+ 5i6h 9a9b 2g8a 6a6b I*2g 8c6a",
        ),
    )


VARIANTS = {"cannon": Entry(build)}
