"""Gorogoro Dōbutsu Shōgi (docs/rules/gorogoro.md): golds, silvers and pawns on five by six squares."""

from __future__ import annotations

from ...spec import About, FarRanks, Rect, Repetition, Variant
from .. import Entry
from ..shogi import drop_rules, pieces


def build() -> Variant:
    return Variant(
        id="gorogoro",
        name="Gorogoro Shogi",
        version="1",
        board=Rect(5, 6),
        start="sgkgs/5/1ppp1/1PPP1/5/SGKGS b -",
        kinds=pieces("KGSP"),
        hand_order=("G", "S", "P"),
        summary="Five by six squares: golds, silvers and pawns, at close quarters from the start.",
        sources=("docs/rules/gorogoro.md", "Madoka Kitao and Maiko Fujita, 2012"),
        zone=FarRanks(2),
        rules=drop_rules("gorogoro.md 3", "gorogoro.md 4", "gorogoro.md 5"),
        repetition=Repetition(4, perpetual_check_loses=True),
        about=About(
            2,
            (5, 10),
            "Madoka Kitao’s next step after Dōbutsu Shōgi, on the way to shogi.",
            sample="4d4c 3c3d 2f2e 2c2d 2e2d P*4b 4c4b+ 3a2b P*1b 4a4b 1b1a+ P*4e 1a2a 2b2a 5f4e 3d3e+",
        ),
    )


VARIANTS = {"gorogoro": Entry(build)}
