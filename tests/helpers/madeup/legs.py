"""Made-up games of legs that capture otherwise than they move, and of moves that are hard to write."""

from __future__ import annotations

import random
from dataclasses import replace

from helpers.madeup.kit import KING, forbid, kind, variant
from helpers.madeup.stones import ALL, stone, stones
from komadai.spec.betza import betza
from komadai.spec.board import FarRanks, Rect, Unbounded
from komadai.spec.conditions import Has, Is, Near, OnFile
from komadai.spec.movement import ORTHOGONAL, Shot
from komadai.spec.rules import Become, Others, Remove, Rule
from komadai.spec.variant import Borrowing, Variant

SEVEN = Rect(7, 7)

# Pawns that step and take aslant, cannons, hoppers, and pieces that only move or only take; all come to hand.
QUIET = variant(
    "quiet-legs",
    SEVEN,
    "cakhsnr/ppppppp/7/7/7/PPPPPPP/RNSHKAC b -",
    (
        replace(KING, move="mKcK"),
        kind("C", "mRcpR", zone=("C", "+C")),
        kind("+C", "mRcpRF"),
        kind("A", "mpBcpB"),
        kind("H", "mQcN", zone=("H", "A", "S")),
        kind("S", "mFcWfW"),
        kind("N", "mNcB2", zone=("N", "+N")),
        kind("+N", "pQ3"),
        kind("R", "R"),
        kind("P", "mfWcfF", zone=("R", "N", "S", "+P")),
        kind("+P", "mWcF"),
    ),
    ("C", "A", "H", "S", "N", "R", "P"),
    zone=FarRanks(2),
    rules=(forbid("drops", Is(("P",)) & OnFile(("P",))),),
)
# The moves of the neighbour behind, besides one's own, and by compass; two kings of a side, which are one kind.
BORROWED = replace(
    QUIET,
    id="borrowed-legs",
    start="2kasnk/ppppppp/7/7/7/PPPPPPP/KNSAK2 b CHch",
    notation="compass",
    borrowing=Borrowing(((0, -1), (1, 0)), "either", besides=True),
)
# On a field without edges, by compass.
ADRIFT_LEGS = replace(
    QUIET,
    id="quiet-legs-adrift",
    board=Unbounded(9, 9, "K"),
    start="9/9/2rhk4/3ca4/4K4/3AC4/4HR3/9/9 b -",
    kinds=tuple(replace(one, becomes=replace(one.becomes, zone=())) for one in QUIET.kinds),
    zone=None,
    rules=(),
    notation="compass",
)
# Shots beside walks there and back, with promotion by force and by choice: the same squares are two moves.
THERE_AND_BACK = replace(
    stones(
        "there-and-back",
        (
            stone("A", betza("K").times(1, 2).shooting(Shot(ALL, 1, standing="may", after_capture=True)), zone=("B",)),
            stone("B", betza("W").times(1, 3).shooting(Shot(ALL, 2, targets=2, standing="may")), zone=("A", "B", "C")),
            stone("C", betza("R"), zone=("B",), captures=("C", "A")),
            stone("AX", betza("F").times(1, 2), quiet=("A", "AX")),
            stone("X", "K"),
        ),
        "7/7",
        survives_if=Has(("X",)),
    ),
    start="ab[ax]cxab/1b[ax]1a[ax]1/7/7/7/1[AX]A1[AX]B1/BAXC[AX]BA b -",
)
# What becomes of the mover, and whether it is still there, is up to rules: a choice may be seen in others alone.
ENDS = stones(
    "ends-by-rules",
    (
        stone("A", "KfR", zone=("A", "+A", "B"), captures=("A", "B")),
        stone("+A", betza("W").times(1, 2), quiet=("+A", "A")),
        stone("B", "Q2", zone=("B", "+A")),
        stone("C", betza("F").times(1, 2)),
        stone("X", "K"),
    ),
    "ABCXCBA/AABABAA",
    Rule("arrives", Near(("B",), "enemy"), Remove("made-up rule", None), "madeup.py"),
    Rule("became", Is(("+A",)), Become("C", "made-up rule", Others(("B",), "own", 2)), "madeup.py"),
    Rule("at_all_times", Is(("+A",)) & Near(("C",), "enemy"), Become("A", "made-up rule", None), "madeup.py"),
    survives_if=Has(("X",)),
)
# Turns of two landings and shots, with hands and kings; two faces of one kanji, and pieces to drop that share it.
HELD_TURNS = variant(
    "turns-and-hands",
    Rect(6, 6),
    "sadkba/bbbbbb/6/6/BBBBBB/ABKDAS b -",
    (
        KING,
        kind("S", betza("F").shooting(Shot(ORTHOGONAL, 3, standing="may")), zone=("S", "+S")),
        kind("+S", "WfF"),
        kind("A", betza("K").times(1, 2), dropped=("A", "B")),
        kind("B", "W", captured="A"),
        kind("D", "R", zone=("+S", "A", "D")),
    ),
    ("S", "A", "D"),
    zone=FarRanks(2),
)
LEGS = (QUIET, BORROWED, ADRIFT_LEGS, THERE_AND_BACK, ENDS, HELD_TURNS)

_KANJI = (
    *("金", "銀", "金銀", "成", "成金", "不成", "右", "金上", "打", "同", "居", "射", "一", "三三", "東", "♞", "N"),
    *("B", "角 行", "㌔", "(金)", "=金", "生", "と", "龍", "玉"),
)
_ROMAJI = ("kin", "Kin", "gin", "n", "ne", "x", "o uma", "kin ne", "", "金", "a-b", "kin+", "[n]", "1a", "a" * 40)


def named_badly(game: Variant, seed: int) -> Variant:
    """The same game with names that are shared, or look like other parts of a text."""
    chance = random.Random(seed)
    kanji, romaji = (chance.sample(words, chance.randint(2, len(words))) for words in (_KANJI, _ROMAJI))
    kinds = (replace(one, kanji=chance.choice(kanji), romaji=chance.choice(romaji)) for one in game.kinds)
    return replace(game, kinds=tuple(kinds))
