"""Sho shogi (docs/rules/sho.md): shogi before drops, with the drunk elephant."""

from __future__ import annotations

from ...spec import About, Becomes, Extinction, FarRanks, Forbid, Has, Kind, Rect, Repetition, Rule, Stuck, Variant
from .. import Entry
from ..shogi import GOLD_MOVE


def _promotable(code: str) -> Becomes:
    return Becomes(zone=(code, f"+{code}"))


KINDS = (
    Kind("K", "king", "玉", "gyoku", "K", kanji_white="王"),
    Kind("R", "rook", "飛", "hisha", "R", _promotable("R")),
    Kind("B", "bishop", "角", "kakugyō", "B", _promotable("B")),
    Kind("E", "drunk elephant", "酔象", "suizō", "FfrlW", _promotable("E"), short="象"),
    Kind("G", "gold general", "金", "kinshō", GOLD_MOVE),
    Kind("S", "silver general", "銀", "ginshō", "FfW", _promotable("S")),
    Kind("N", "knight", "桂", "keima", "ffN", _promotable("N")),
    Kind("L", "lance", "香", "kyōsha", "fR", _promotable("L")),
    Kind("P", "pawn", "歩", "fuhyō", "fW", _promotable("P")),
    Kind("+R", "dragon king", "龍", "ryūō", "RF"),
    Kind("+B", "dragon horse", "馬", "ryūma", "BW"),
    Kind("+E", "crown prince", "太子", "taishi", "K", short="太"),
    Kind("+S", "promoted silver", "全", "narigin", GOLD_MOVE),
    Kind("+N", "promoted knight", "圭", "narikei", GOLD_MOVE),
    Kind("+L", "promoted lance", "杏", "narikyō", GOLD_MOVE),
    Kind("+P", "tokin", "と", "tokin", GOLD_MOVE),
)


def build() -> Variant:
    return Variant(
        id="sho",
        name="Sho Shogi",
        version="1",
        board=Rect(9, 9),
        start="lnsgkgsnl/1r2e2b1/ppppppppp/9/9/9/PPPPPPPPP/1B2E2R1/LNSGKGSNL b -",
        kinds=KINDS,
        hand_order=(),
        summary="Shogi before there were drops, with a drunk elephant that promotes to a second king.",
        sources=("docs/rules/sho.md", "Sho Shōgi Zushiki, 1696"),
        survives_if=Has(("K", "+E")),
        extinction=Extinction(
            "{other} has neither king nor crown prince", "neither king nor crown prince", guarded=True
        ),
        zone=FarRanks(3),
        rules=(Rule("lands", Stuck(), Forbid("it could never move again from there"), "sho.md 3"),),
        repetition=Repetition(4, perpetual_check_loses=True),
        about=About(
            5,
            (20, 40),
            "Shogi of the sixteenth century, before pieces changed sides and the elephant went.",
            sample="6g6f 3c3d 5h6g 6c6d 9g9f 6d6e 6f6e 8b9b 7i7h 5b6c 6i7i 7a8b 3g3f 8b7a 6g5f 3a4b",
        ),
    )


VARIANTS = {"sho": Entry(build)}
