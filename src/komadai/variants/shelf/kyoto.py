"""Kyoto shogi (docs/rules/kyoto.md): every piece turns over whenever it moves."""

from __future__ import annotations

from ...spec import About, Becomes, Kind, Rect, Repetition, Variant
from .. import Entry
from ..shogi import GOLD_MOVE


def _front(code: str) -> Becomes:
    """The side with which a piece lies in hand; it is dropped with either."""
    return Becomes(quiet=(f"+{code}",), captures=(f"+{code}",), captured=code, dropped=(code, f"+{code}"))


def _back(code: str) -> Becomes:
    return Becomes(quiet=(code,), captures=(code,), captured=code)


KINDS = (
    Kind("K", "king", "玉", "gyoku", "K", royal=True, kanji_white="王"),
    Kind("L", "lance", "香", "kyōsha", "fR", _front("L")),
    Kind("+L", "tokin", "と", "tokin", GOLD_MOVE, _back("L")),
    Kind("S", "silver general", "銀", "ginshō", "FfW", _front("S")),
    Kind("+S", "bishop", "角", "kakugyō", "B", _back("S")),
    Kind("N", "knight", "桂", "keima", "ffN", _front("N")),
    Kind("+N", "gold general", "金", "kinshō", GOLD_MOVE, _back("N")),
    Kind("P", "pawn", "歩", "fuhyō", "fW", _front("P")),
    Kind("+P", "rook", "飛", "hisha", "R", _back("P")),
)


def build() -> Variant:
    return Variant(
        id="kyoto",
        name="Kyoto Shogi",
        version="1",
        board=Rect(5, 5),
        start="p+nks+l/5/5/5/+LSK+NP b -",
        kinds=KINDS,
        hand_order=("L", "S", "N", "P"),
        summary="Five by five squares: every piece but the king turns over whenever it moves.",
        sources=("docs/rules/kyoto.md", "Katsuya Tamiya, 1976"),
        repetition=Repetition(4, perpetual_check_loses=True),
        about=About(
            4,
            (5, 15),
            "Katsuya Tamiya’s game of 1976. Its name is that of two of its pieces, read one after the other: 香と.",
            sample="1e1d+ 1a1b 1d1b 2a1b+ L*3d +P*3b 3d3b+ 3a3b P*3d 5a5b+ 2e2d 3b3a 3d3c+ 3a4b 2d1b+ L*1a",
        ),
    )


VARIANTS = {"kyoto": Entry(build)}
