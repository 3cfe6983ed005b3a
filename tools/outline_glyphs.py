"""Write the outlines of all characters that pictures of boards need, so that these look alike everywhere.

Needs fonttools and Noto CJK (Debian: ``apt install fonts-noto-cjk``), which is under the SIL Open Font License 1.1; its
text lies beside the result. Kanji are taken from Noto Serif CJK JP, letters and digits from Noto Sans CJK JP, which is
easier to read small. With ``--check`` it only says whether the outlines shipped are all there.
"""

from __future__ import annotations

import json
import string
import sys
from pathlib import Path

from fontTools.misc.transform import Transform
from fontTools.pens.basePen import BasePen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont
from subset_font import JAPANESE, SOURCE, characters

SANS = SOURCE.with_name("NotoSansCJK-Bold.ttc")
LATIN = string.ascii_letters + string.digits + "+×?"
TARGET = Path(__file__).parent.parent / "src/komadai/picture/glyphs.json"
EM = 500  # units of the outlines: half of the fonts' own are plenty


class _Relative(BasePen):
    """Writes an outline as a path of whole numbers, each point relative to the one before."""

    def __init__(self) -> None:
        super().__init__(None)
        self.words: list[str] = []
        self._at = self._start = (0, 0)

    def _step(self, command: str, *points: tuple[float, float]) -> None:
        there = [(round(x), round(y)) for x, y in points]
        steps = [number for x, y in there for number in (x - self._at[0], y - self._at[1])]
        self._at = there[-1]
        self.words.append(command + "".join(f"{' ' if number >= 0 else ''}{number}" for number in steps).strip())

    def _moveTo(self, pt: tuple[float, float]) -> None:  # noqa: N802 - fonttools' name
        self._step("m", pt)
        self._start = self._at

    def _lineTo(self, pt: tuple[float, float]) -> None:  # noqa: N802
        self._step("l", pt)

    def _curveToOne(self, pt1: tuple[float, float], pt2: tuple[float, float], pt3: tuple[float, float]) -> None:  # noqa: N802
        self._step("c", pt1, pt2, pt3)

    def _closePath(self) -> None:  # noqa: N802
        self.words.append("z")
        self._at = self._start


def outlines(font: TTFont, wanted: str) -> dict[str, tuple[int, str]]:
    """For each character its width and its outline, the baseline at 0 and y downwards."""
    scale = EM / font["head"].unitsPerEm
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    found = {}
    for char in wanted:
        pen, glyph = _Relative(), glyphs[names[ord(char)]]
        glyph.draw(TransformPen(pen, Transform(scale, 0, 0, -scale, 0, 0)))
        found[char] = (round(glyph.width * scale), "".join(pen.words))
    return found


def main() -> int:
    if "--check" not in sys.argv[1:]:
        serif, sans = (TTFont(path, fontNumber=JAPANESE) for path in (SOURCE, SANS))
        glyphs = outlines(serif, characters()) | outlines(sans, LATIN)
        lines = ",\n".join(f"{json.dumps(char, ensure_ascii=False)}:{json.dumps(glyphs[char])}" for char in glyphs)
        TARGET.write_text(f'{{"em":{EM},"glyphs":{{\n{lines}\n}}}}\n', encoding="utf-8")
        print(f"{TARGET.name}: {len(glyphs)} characters, {TARGET.stat().st_size} bytes")
    has = json.loads(TARGET.read_text(encoding="utf-8"))["glyphs"]
    if lacking := {*characters(), *LATIN} - set(has):
        print(f"{TARGET.name} lacks {''.join(sorted(lacking))}; run {Path(__file__).name}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
