"""Make the small kanji fonts that the browser client ships: only the characters the variants draw.

Needs fonttools, brotli and two families of fonts under the SIL Open Font License 1.1, whose text lies beside the
result: Noto CJK (Debian: ``apt install fonts-noto-cjk``), and Yuji Syuku (``npm pack @fontsource/yuji-syuku``), of
which ``--brush`` names the file ``yuji-syuku-japanese-400-normal.woff2``; without it the brush font is left as it is.
The characters that a font has are listed in a text file beside it, which a test compares with what the variants draw.
With ``--check`` it only says whether the shipped fonts have them all.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from fontTools import subset
from fontTools.ttLib import TTFont

from komadai import variant, variants
from komadai.spec.board import SIDES, Side
from komadai.spec.japanese import full_kanji
from komadai.spec.kinds import Kind
from komadai.spec.names import kanji_on, one_kanji

NOTO = Path("/usr/share/fonts/opentype/noto")
SOURCE = NOTO / "NotoSerifCJK-Bold.ttc"
JAPANESE = 0  # the Japanese face within Noto's collections
TARGET = Path(__file__).parent.parent / "src/komadai/app/web/static/fonts"
EXTRA = "王玉駒台先後手☗☖"  # headings and the signs of the sides


class Face(NamedTuple):
    """A font that is shipped: the set of pieces it is for, its own name, which is not that of the font it was made
    from, and its characters."""

    name: str
    family: str
    characters: str

    @property
    def file(self) -> Path:
        return TARGET / f"komadai-{self.name}.woff2"

    def missing(self) -> str:
        """The characters that the shipped font lacks."""
        has = TTFont(self.file).getBestCmap()
        return "".join(char for char in self.characters if ord(char) not in has)


def _pieces(names: Iterable[str]) -> list[tuple[Kind, Side]]:
    return [(kind, side) for name in names for kind in variant(name).kinds for side in SIDES]


def _written(pieces: Iterable[tuple[Kind, Side]]) -> set[str]:
    return {char for kind, side in pieces for char in kanji_on(kind, side)}


_PIECES = _pieces(variants(shelf=True))


def characters() -> str:
    """Every character that some piece of some variant bears, in part or in full, and the extra ones, in code order."""
    full = {char for kind, side in _PIECES for char in full_kanji(kind, side)}
    return "".join(sorted(_written(_PIECES) | full | {*EXTRA}))


FACES = (
    Face("kanji", "Komadai Kanji", characters()),
    # Without the shelf: its characters, and 彍, which Yuji lacks, are shown in the first font, for pages stay small so.
    Face("brush", "Komadai Brush", "".join(sorted(_written(_pieces(variants(shelf=False))) - {*"彍"}))),
    Face("short", "Komadai Short", "".join(sorted({one_kanji(kind, side) for kind, side in _PIECES}))),
)


def build(face: Face, source: Path) -> None:
    """Write the subset."""
    options = subset.Options(flavor="woff2", layout_features=[], name_IDs=[0, 1, 2, 13, 14], notdef_outline=True)
    font = subset.load_font(str(source), subset.Options(font_number=JAPANESE))
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=face.characters)
    subsetter.subset(font)
    for record in font["name"].names:
        if record.nameID == 1:
            record.string = face.family
    subset.save_font(font, str(face.file), options)
    face.file.with_suffix(".txt").write_text("".join(map(chr, sorted(font.getBestCmap()))) + "\n", encoding="utf-8")
    print(f"{face.file.name}: {len(face.characters)} characters, {face.file.stat().st_size} bytes")


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--check", action="store_true", help="only say whether the shipped fonts have all characters")
    asked.add_argument("--noto", type=Path, default=NOTO, help="the folder of Noto CJK")
    asked.add_argument("--brush", type=Path, help="the file of the brush font")
    options = asked.parse_args()
    if not options.check:
        serif, sans = options.noto / SOURCE.name, options.noto / "NotoSansCJK-Bold.ttc"
        for face, source in zip(FACES, (serif, options.brush, sans), strict=True):
            if source:
                build(face, source)
    lacking = {face.file.name: face.missing() for face in FACES}
    for name, chars in lacking.items():
        if chars:
            print(f"{name} lacks {chars}; run python tools/subset_font.py", file=sys.stderr)
    return any(lacking.values())


if __name__ == "__main__":
    sys.exit(main())
