"""Tori shogi (docs/rules/tori.md): birds on seven by seven squares."""

from __future__ import annotations

from ...spec import About, Becomes, FarRanks, Forbid, Is, Kind, Mates, OnFile, Rect, Repetition, Rule, Stuck, Variant
from .. import Entry

SWALLOW = ("S",)

KINDS = (
    Kind("K", "phoenix", "鵬", "hō", "K", royal=True),
    Kind("F", "falcon", "鷹", "taka", "FfrlW", Becomes(zone=("+F",), captured="F")),
    Kind("C", "crane", "鶴", "tsuru", "FvW", Becomes(captured="C")),
    Kind("L", "left quail", "鶉", "uzura", "fRrbBlbF", Becomes(captured="L")),
    Kind("R", "right quail", "鶉", "uzura", "fRlbBrbF", Becomes(captured="R")),
    Kind("P", "pheasant", "雉", "kiji", "bFfD", Becomes(captured="P")),
    Kind("S", "swallow", "燕", "tsubame", "fW", Becomes(zone=("+S",), captured="S")),
    Kind("+F", "eagle", "鵰", "washi", "WfFbRfBbB2", Becomes(captured="F")),
    Kind("+S", "goose", "鴈", "kari", "fAbD", Becomes(captured="S")),
)


def build() -> Variant:
    return Variant(
        id="tori",
        name="Tori Shogi",
        version="1",
        board=Rect(7, 7),
        start="rpckcpl/3f3/sssssss/2s1S2/SSSSSSS/3F3/LPCKCPR b -",
        kinds=KINDS,
        hand_order=("F", "C", "L", "R", "P", "S"),
        summary="Seven by seven squares, and every piece a bird; the swallows meet at once.",
        sources=("docs/rules/tori.md", "Toyota Genryū, 1799"),
        zone=FarRanks(2),
        rules=(
            Rule("always", Stuck(), Forbid("it could never move again from there"), "tori.md 3"),
            Rule(
                "drops",
                Is(SWALLOW) & OnFile(SWALLOW, least=2),
                Forbid("there are already two swallows of yours on that file"),
                "tori.md 4",
            ),
            Rule("drops", Is(SWALLOW) & Mates(), Forbid("a dropped swallow may not give checkmate"), "tori.md 5"),
        ),
        repetition=Repetition(4, perpetual_check_loses=True),
        about=About(
            4,
            (15, 30),
            "Toyota Genryū’s game of 1799, ascribed to Ōhashi Sōei, his teacher.",
            sample="5g6f 5d5e 6f5e 5c5d 5e6f S*5e 3g2f 3a2b S*7d 5a6b 4g3f 4a5a 4e4d 4c4d 7d7c 2b3a",
        ),
    )


VARIANTS = {"tori": Entry(build)}
