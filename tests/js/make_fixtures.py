"""Write the positions that the tests of the client use, as the server sends them; ``--check`` only compares."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from komadai import Game
from komadai.app.web.presenter import encode

FIXTURES = Path(__file__).parent / "fixtures"
POSITIONS = {
    "promotion": ("shogi", "4k4/9/4P4/9/9/9/9/9/4K4 b P"),
    "capture": ("mortal", "4k4/9/9/4r4/4P4/9/9/9/4K4 b -"),
    "unbounded": ("ki", "9/9/2[cho]6/4k4/9/4K4/9/9/9 w [HI][KAKU][kaku]"),
    "compound": ("ko", "1g16+[ag]/17[LB]1/19/19/19/19/8p1p8/8p1p8/7e1+[TP]1c7/19/19/19/19/19/19/19/19/19/17G1 b -"),
    "burning": (
        "ko",
        "19/19/19/19/7g[ma]10/7[CL]1[SW]p[SO]7/12b6/19/19/19/19/19/19/16+[en]2/19/19/19/18[RG]/[AG]16G[AG] b -",
    ),
}
KIND = ("code", "name", "kanji", "romaji", "royal", "next", "faces")
"""The fields of a kind that tests use."""


def fixture(name: str, start: str | None) -> dict[str, Any]:
    """A position and the parts of its variant that tests use."""
    game = Game(name, start) if start else Game(name)
    variant = to_builtins(encode.variant(game.variant))
    kinds = [{field: kind[field] for field in KIND} for kind in variant["kinds"]]
    kept = {field: variant[field] for field in ("id", "look", "numbering", "hands", "board")}
    return {"variant": kept | {"kinds": kinds}, "position": to_builtins(encode.position(game, with_tree=True))}


def main() -> int:
    stale = []
    for name, (variant, start) in POSITIONS.items():
        path, made = FIXTURES / f"{name}.json", json.dumps(fixture(variant, start), ensure_ascii=False) + "\n"
        if "--check" not in sys.argv[1:]:
            path.write_text(made, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != made:
            stale.append(path.name)
    if stale:
        print(f"not what the server sends: {', '.join(stale)}; run python tests/js/make_fixtures.py", file=sys.stderr)
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main())
