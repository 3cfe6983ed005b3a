"""Minishogi (docs/rules/minishogi.md): shogi on five by five squares."""

from __future__ import annotations

from ...spec import About, FarRanks, Rect, Repetition, Variant
from .. import Entry
from ..shogi import drop_rules, pieces


def build() -> Variant:
    return Variant(
        id="minishogi",
        name="Minishogi",
        version="1",
        board=Rect(5, 5),
        start="rbsgk/4p/5/P4/KGSBR b -",
        kinds=pieces("KRBGSP"),
        hand_order=("R", "B", "G", "S", "P"),
        summary="Shogi on five by five squares, with one piece of each kind.",
        sources=("docs/rules/minishogi.md", "Shigenobu Kusumoto"),
        zone=FarRanks(1),
        rules=drop_rules("minishogi.md 3", "minishogi.md 4", "minishogi.md 5"),
        repetition=Repetition(4, perpetual_check_loses=True, loser="b"),
        about=About(
            2,
            (5, 10),
            "Shigenobu Kusumoto’s game of about 1970, the smallest that still is shogi through and through.",
            sample="2e3d 4a5b 3e2d 3a3b 2d2c 3b4a 2c1b 1a2b P*2e 2b3b 1b2a 3b3a 4e4d 5b3d 4d3d B*1d",
        ),
    )


VARIANTS = {"minishogi": Entry(build)}
