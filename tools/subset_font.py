"""Make the small kanji font that the browser client ships: only the characters the variants draw.

Needs fonttools, brotli and Noto Serif CJK (Debian: ``apt install fonts-noto-cjk``), which is under the SIL Open Font
License 1.1; its text lies beside the result. The characters the font has are listed in a text file beside it, which a
test compares with what the variants draw. With ``--check`` it only says whether the shipped font has them all.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

from komadai import variant, variants

SOURCE = Path("/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc")
JAPANESE = 0  # the face "Noto Serif CJK JP" within the collection
TARGET = Path(__file__).parent.parent / "src/komadai/web/static/fonts/komadai-kanji.woff2"
EXTRA = "王玉駒台先後手☗☖"  # headings and the signs of the sides


def characters() -> str:
    """Every character some piece of some variant bears, and the extra ones, in code order."""
    kinds = (kind for name in variants() for kind in variant(name).kinds)
    return "".join(sorted({*EXTRA, *"".join(kind.kanji + (kind.kanji_white or "") for kind in kinds)}))


def missing() -> str:
    """The characters the shipped font lacks."""
    return "".join(c for c in characters() if ord(c) not in TTFont(TARGET).getBestCmap())


def build() -> None:
    """Write the subset. It bears a name of its own, since it is not the font Noto's authors made."""
    options = subset.Options(flavor="woff2", layout_features=[], name_IDs=[0, 1, 2, 13, 14], notdef_outline=True)
    font = subset.load_font(str(SOURCE), subset.Options(font_number=JAPANESE))
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=characters())
    subsetter.subset(font)
    for record in font["name"].names:
        if record.nameID == 1:
            record.string = "Komadai Kanji"
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    subset.save_font(font, str(TARGET), options)
    TARGET.with_suffix(".txt").write_text("".join(map(chr, sorted(font.getBestCmap()))) + "\n", encoding="utf-8")


def main() -> int:
    if "--check" not in sys.argv[1:]:
        build()
        print(f"{TARGET.name}: {len(characters())} characters, {TARGET.stat().st_size} bytes")
    if lacking := missing():
        print(f"{TARGET.name} lacks {lacking}; run python tools/subset_font.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
