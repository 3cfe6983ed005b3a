"""Yari shogi (docs/rules/yari.md): pieces that run forwards like spears."""

from __future__ import annotations

from ...spec import About, Becomes, FarRanks, Kind, Rect, Repetition, Variant
from .. import Entry
from ..shogi import drop_rules, promotable

YARI_GOLD = "WfFbR"

KINDS = (
    Kind("K", "king", "玉", "gyoku", "K", royal=True, kanji_white="王"),
    Kind("R", "yari rook", "飛槍", "hiyari", "frlR", promotable("R")),
    Kind("B", "yari bishop", "角槍", "kakuyari", "fFfR", promotable("B")),
    Kind("N", "yari knight", "桂槍", "keiyari", "fRffN", promotable("N")),
    Kind("P", "pawn", "歩", "fuhyō", "fW", promotable("P")),
    Kind("+R", "rook", "飛", "hisha", "R", Becomes(captured="R")),
    Kind("+B", "yari gold", "金槍", "kin’yari", YARI_GOLD, Becomes(captured="B")),
    Kind("+N", "yari gold", "金槍", "kin’yari", YARI_GOLD, Becomes(captured="N")),
    Kind("+P", "yari silver", "銀槍", "gin’yari", "fKbR", Becomes(captured="P")),
)


def build() -> Variant:
    return Variant(
        id="yari",
        name="Yari Shogi",
        version="1",
        board=Rect(7, 9),
        start="rnnkbbr/7/ppppppp/7/7/7/PPPPPPP/7/RBBKNNR b -",
        kinds=KINDS,
        hand_order=("R", "B", "N", "P"),
        summary="Seven by nine squares: all but the king run forwards like a spear, and their promoted forms run back.",
        sources=("docs/rules/yari.md", "Christian Freeling, 1981"),
        zone=FarRanks(3),
        rules=drop_rules("yari.md 3", "yari.md 4", "yari.md 5")[:2],
        repetition=Repetition(4, perpetual_check_loses=True),
        about=About(
            3,
            (15, 30),
            "Christian Freeling’s game of 1981; yari is a spear.",
            sample="7i7h 6c6d 3i3h 5c5d 1g1f 2a1b 7g7f 6a5c 1i1h 1c1d 2i1g 4a5b 6g6f 5a6c 3h4f 6d6e",
        ),
    )


VARIANTS = {"yari": Entry(build)}
