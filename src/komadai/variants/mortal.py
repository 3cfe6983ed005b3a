"""Mortal Shogi (docs/rules/mortal.md): captured pieces sink in rank, and pawns die."""

from __future__ import annotations

from ..spec.board import FarRanks, Rect
from ..spec.kinds import Becomes, Kind
from ..spec.rules import Forbid
from ..spec.variant import About, Agreement, Repetition, Variant
from . import Entry
from .shogi import GOLD_MOVE, START, drop_rules

NIFU = Forbid("there is already a pawn of yours on that file (nifu)")

# From high to low: what a kind promotes to lies before it, what it becomes when captured behind it.
KINDS = (
    Kind("K", "king", "玉", "gyoku", "K", royal=True, kanji_white="王"),
    Kind("DK", "dragon king", "龍", "ryūō", "RF", Becomes(captured="DH"), value=1400),
    Kind("DH", "dragon horse", "馬", "ryūma", "BW", Becomes(captured="R"), value=1200, hand_value=1300),
    Kind("R", "rook", "飛", "hisha", "R", Becomes(zone=("R", "DK"), captured="B"), value=990, hand_value=1100),
    Kind("B", "bishop", "角", "kakugyō", "B", Becomes(zone=("B", "DH"), captured="G"), value=850, hand_value=950),
    Kind("G", "gold general", "金", "kinshō", GOLD_MOVE, Becomes(captured="S"), value=540, hand_value=600),
    Kind(
        "S", "silver general", "銀", "ginshō", "FfW", Becomes(zone=("S", "G"), captured="L"), value=490, hand_value=550
    ),
    Kind("L", "lance", "香", "kyōsha", "fR", Becomes(zone=("L", "S", "G"), captured="N"), value=310, hand_value=340),
    Kind(
        "N", "knight", "桂", "keima", "ffN", Becomes(zone=("N", "L", "S", "G"), captured="P"), value=310, hand_value=340
    ),
    Kind("P", "pawn", "歩", "fuhyō", "fW", Becomes(zone=("P", "N", "L", "S", "G")), value=100, hand_value=120),
)


def build() -> Variant:
    return Variant(
        id="mortal",
        name="Mortal Shogi",
        version="1",
        board=Rect(9, 9),
        start=START,
        kinds=KINDS,
        hand_order=("DK", "DH", "R", "B", "G", "S", "L", "N", "P"),
        summary="Shogi in which a captured piece comes to hand one rank lower, and a captured pawn leaves the game.",
        sources=("docs/rules/mortal.md", "Roberto Lavieri and Fergus Duniho"),
        zone=FarRanks(3),
        rules=drop_rules("mortal.md 2, 3, 5", "mortal.md 5", "mortal.md 5", NIFU),
        repetition=Repetition(4, perpetual_check_loses=True),
        agreement=Agreement(FarRanks(3), "mortal.md 7"),
        about=About(
            2,
            (30, 60),
            "Roberto Lavieri’s and Fergus Duniho’s game, in which the armies wear away.",
            sample="3i3h 3a4b 7i6h 5c5d 5g5f 4b5c 6h5g 4a4b 6i6h 7a7b 3g3f 6c6d 4g4f 7c7d 7g7f 8a7c",
        ),
    )


VARIANTS = {"mortal": Entry(build)}
