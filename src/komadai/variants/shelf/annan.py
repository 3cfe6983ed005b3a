"""Annan shogi (docs/rules/annan.md): a piece moves as the one behind it."""

from __future__ import annotations

from ...spec import About, Borrowing, FarRanks, Rect, Repetition, Variant
from .. import Entry
from ..shogi import KINDS, drop_rules

BEHIND = (0, -1)


def build() -> Variant:
    return Variant(
        id="annan",
        name="Annan Shogi",
        version="1",
        board=Rect(9, 9),
        start="lnsgkgsnl/1r5b1/p1ppppp1p/1p5p1/9/1P5P1/P1PPPPP1P/1B5R1/LNSGKGSNL b -",
        kinds=KINDS,
        hand_order=("R", "B", "G", "S", "N", "L", "P"),
        summary="Shogi in which a piece moves as the piece of its side that stands directly behind it.",
        sources=("docs/rules/annan.md", "安南将棋"),
        borrowing=Borrowing((BEHIND,)),
        zone=FarRanks(3),
        rules=drop_rules("", "annan.md 4", "annan.md 5")[1:],
        repetition=Repetition(4, perpetual_check_loses=True),
        about=About(
            4,
            (20, 40),
            "A game of professionals at their leisure; its name, Annan, is an old one of Vietnam.",
            sample="8h7f 7c7d 9i9h 1a1b 9g9c+ 7d7e 9c8b 7a6b R*9c 9a9c 9h9c+ 8a9c 6i6h 7e7f L*2c R*1d",
        ),
    )


VARIANTS = {"annan": Entry(build)}
