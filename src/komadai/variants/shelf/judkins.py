"""Judkins shogi (docs/rules/judkins.md): shogi on six by six squares."""

from __future__ import annotations

from ...spec import About, FarRanks, Rect, Repetition, Variant
from .. import Entry
from ..shogi import drop_rules, pieces


def build() -> Variant:
    return Variant(
        id="judkins",
        name="Judkins Shogi",
        version="1",
        board=Rect(6, 6),
        start="rbnsgk/5p/6/6/P5/KGSNBR b -",
        kinds=pieces("KRBGSNP"),
        hand_order=("R", "B", "G", "S", "N", "P"),
        summary="Shogi on six by six squares: Minishogi with a knight and more room.",
        sources=("docs/rules/judkins.md", "Paul Judkins"),
        zone=FarRanks(2),
        rules=drop_rules("judkins.md 3", "judkins.md 4", "judkins.md 5"),
        repetition=Repetition(4, perpetual_check_loses=True),
        about=About(
            3,
            (10, 15),
            "Paul Judkins’ game of before 1998, between Minishogi and shogi.",
            sample="5f5e 2a2b 1f1d 3a4b 2f1e 2b3c 3f2d 6a6e+ 5e6e 3c2d 1d2d 5a6b R*6a N*2c 6a4a 4b3a",
        ),
    )


VARIANTS = {"judkins": Entry(build)}
