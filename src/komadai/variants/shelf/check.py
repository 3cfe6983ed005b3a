"""Check shogi (docs/rules/check.md): the first check wins."""

from __future__ import annotations

from ...spec import About, FarRanks, GivesCheck, Rect, Repetition, Variant
from .. import Entry
from ..shogi import KINDS, START, drop_rules


def build() -> Variant:
    return Variant(
        id="check",
        name="Check Shogi",
        version="1",
        board=Rect(9, 9),
        start=START,
        kinds=KINDS,
        hand_order=("R", "B", "G", "S", "N", "L", "P"),
        summary="Shogi in which the first check wins.",
        sources=("docs/rules/check.md", "王手将棋"),
        wins_if=GivesCheck(),
        goal="check was given",
        zone=FarRanks(3),
        rules=drop_rules("check.md 4", "check.md 5", "")[:2],
        repetition=Repetition(4),
        about=About(
            3,
            (5, 15),
            "A game for a break between games of shogi: who gives check first has won.",
            sample="7g7f 5a5b 5i6h 9c9d 9g9f 3a3b 8h7g 4c4d 7g4d 8b7b 4d5c+",
        ),
    )


VARIANTS = {"check": Entry(build)}
