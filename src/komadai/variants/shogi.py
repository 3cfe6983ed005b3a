"""Standard shogi (docs/rules/shogi.md): the common ground with the rest of the field."""

from __future__ import annotations

from dataclasses import replace

from ..spec.board import FarRanks, Rect
from ..spec.conditions import Is, Mates, OnFile, Stuck
from ..spec.kinds import Becomes, Kind
from ..spec.rules import Forbid, Rule
from ..spec.variant import About, Agreement, Declaration, Handicap, Option, Repetition, Variant
from . import Entry

GOLD_MOVE = "WfF"


def promotable(code: str) -> Becomes:
    """A piece that may promote in the zone, and is held unpromoted once it is captured."""
    return Becomes(zone=(code, f"+{code}"), captured=code)


KINDS = (
    Kind("K", "king", "玉", "gyoku", "K", royal=True, kanji_white="王"),
    Kind("R", "rook", "飛", "hisha", "R", promotable("R"), value=990, hand_value=1100),
    Kind("B", "bishop", "角", "kakugyō", "B", promotable("B"), value=850, hand_value=950),
    Kind("G", "gold general", "金", "kinshō", GOLD_MOVE, Becomes(captured="G"), value=540, hand_value=600),
    Kind("S", "silver general", "銀", "ginshō", "FfW", promotable("S"), value=490, hand_value=560),
    Kind("N", "knight", "桂", "keima", "ffN", promotable("N"), value=310, hand_value=340),
    Kind("L", "lance", "香", "kyōsha", "fR", promotable("L"), value=290, hand_value=320),
    Kind("P", "pawn", "歩", "fuhyō", "fW", promotable("P"), value=100, hand_value=110),
    Kind("+R", "dragon king", "龍", "ryūō", "RF", Becomes(captured="R"), value=1400),
    Kind("+B", "dragon horse", "馬", "ryūma", "BW", Becomes(captured="B"), value=1200),
    Kind("+S", "promoted silver", "全", "narigin", GOLD_MOVE, Becomes(captured="S"), value=550),
    Kind("+N", "promoted knight", "圭", "narikei", GOLD_MOVE, Becomes(captured="N"), value=550),
    Kind("+L", "promoted lance", "杏", "narikyō", GOLD_MOVE, Becomes(captured="L"), value=550),
    Kind("+P", "tokin", "と", "tokin", GOLD_MOVE, Becomes(captured="P"), value=550),
)


def pieces(letters: str) -> tuple[Kind, ...]:
    """The pieces with these letters, and their promoted forms."""
    return tuple(kind for kind in KINDS if kind.code[-1] in letters)


START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -"


def _handicap(name: str, kanji: str, first: str, second: str) -> Handicap:
    """A handicap, from the first two ranks of the player who gives it."""
    return Handicap(name, kanji, f"{first}/{second}/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w -")


HANDICAPS = (
    _handicap("lance", "香落ち", "lnsgkgsn1", "1r5b1"),
    _handicap("right lance", "右香落ち", "1nsgkgsnl", "1r5b1"),
    _handicap("bishop", "角落ち", "lnsgkgsnl", "1r7"),
    _handicap("rook", "飛車落ち", "lnsgkgsnl", "7b1"),
    _handicap("rook and lance", "飛香落ち", "lnsgkgsn1", "7b1"),
    _handicap("two pieces", "二枚落ち", "lnsgkgsnl", "9"),
    _handicap("three pieces", "三枚落ち", "lnsgkgsn1", "9"),
    _handicap("four pieces", "四枚落ち", "1nsgkgsn1", "9"),
    _handicap("five pieces", "五枚落ち", "2sgkgsn1", "9"),
    _handicap("five pieces, the other knight", "左五枚落ち", "1nsgkgs2", "9"),
    _handicap("six pieces", "六枚落ち", "2sgkgs2", "9"),
    _handicap("seven pieces, with the right silver", "左七枚落ち", "2sgkg3", "9"),
    _handicap("seven pieces, with the left silver", "右七枚落ち", "3gkgs2", "9"),
    _handicap("eight pieces", "八枚落ち", "3gkg3", "9"),
    _handicap("ten pieces", "十枚落ち", "4k4", "9"),
)


NIFU = Forbid("there is already an unpromoted pawn of yours on that file (nifu)")


def drop_rules(stuck: str, two_pawns: str, pawn_mate: str, nifu: Forbid = NIFU) -> tuple[Rule, ...]:
    """Shogi's rules about where pieces land and are dropped; the arguments are the pages and numbers of the rules."""
    return (
        Rule("always", Stuck(), Forbid("it could never move again from there"), stuck),
        Rule("drops", Is(("P",)) & OnFile(("P",)), nifu, two_pawns),
        Rule("drops", Is(("P",)) & Mates(), Forbid("a dropped pawn may not give checkmate (uchifuzume)"), pawn_mate),
    )


ENTERING_KING = Option(
    "entering_king",
    ("none", "27", "24"),
    "whether a player whose king has entered may declare: no, by 27 points, or by 24, which may draw",
)

_BIG = tuple((code, 5) for code in ("R", "B", "+R", "+B"))

_DECLARATIONS = {
    "none": None,
    "27": Declaration(FarRanks(3), 10, _BIG, wins=(28, 27), draws=None, source="shogi.md 14", missing_for="w"),
    "24": Declaration(FarRanks(3), 10, _BIG, wins=(31, 31), draws=24, source="shogi.md 15", missing_for="w"),
}


def _version_1(now: Variant) -> Variant:
    """The version in which the pieces that a handicap left out counted for nobody."""
    return replace(now, version="1", declaration=now.declaration and replace(now.declaration, missing_for=None))


def build(entering_king: str) -> Variant:
    made = Variant(
        id="shogi",
        name="Standard shogi",
        version="2",
        board=Rect(9, 9),
        start=START,
        kinds=KINDS,
        hand_order=("R", "B", "G", "S", "N", "L", "P"),
        summary="Nine by nine; captured pieces change sides and are dropped back.",
        sources=("docs/rules/shogi.md", "Japan Shogi Association"),
        zone=FarRanks(3),
        rules=drop_rules("shogi.md 3, 6", "shogi.md 7", "shogi.md 8"),
        repetition=Repetition(4, perpetual_check_loses=True),
        agreement=Agreement(FarRanks(3), "shogi.md 13"),
        declaration=_DECLARATIONS[entering_king],
        handicaps=HANDICAPS,
        about=About(
            1,
            (30, 60),
            "The chess of Japan, some four hundred years old. The other games here begin with its ideas.",
            sample="2g2f 3c3d 2f2e 2b3c 1g1f 1c1d 2h2f 8c8d 5i6h 5a4b 3i4h 9c9d 6h7h 9d9e 1i1h 8d8e",
        ),
    )
    return replace(made, same_moves=(_version_1(made),))


VARIANTS = {"shogi": Entry(build, (ENTERING_KING,), standard=True)}
