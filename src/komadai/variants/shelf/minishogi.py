"""Minishogi (docs/rules/minishogi.md): shogi on five by five squares."""

from __future__ import annotations

from ...spec.board import FarRanks, Rect
from ...spec.variant import About, Repetition, Variant
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
            sample="3e2d 3a4b 2d1c 4b5c 1c1b+ 2a1b 2e5b+ 5a5b",
        ),
    )


VARIANTS = {"minishogi": Entry(build)}
