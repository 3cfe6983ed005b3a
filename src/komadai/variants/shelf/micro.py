"""Micro shogi (docs/rules/micro.md): a piece turns over whenever it captures."""

from __future__ import annotations

from ...spec import About, Becomes, Kind, Rect, Repetition, Variant
from .. import Entry
from ..shogi import GOLD_MOVE


def _front(code: str) -> Becomes:
    """The side with which a piece lies in hand; it is dropped with either."""
    return Becomes(captures=(f"+{code}",), captured=code, dropped=(code, f"+{code}"))


def _back(code: str) -> Becomes:
    return Becomes(captures=(code,), captured=code)


KINDS = (
    Kind("K", "king", "玉", "gyoku", "K", royal=True, kanji_white="王"),
    Kind("B", "bishop", "角", "kakugyō", "B", _front("B")),
    Kind("+B", "tokin", "と", "tokin", GOLD_MOVE, _back("B")),
    Kind("R", "rook", "飛", "hisha", "R", _front("R")),
    Kind("+R", "gold general", "金", "kinshō", GOLD_MOVE, _back("R")),
    Kind("L", "lance", "香", "kyōsha", "fR", _front("L")),
    Kind("+L", "silver general", "銀", "ginshō", "FfW", _back("L")),
    Kind("P", "pawn", "歩", "fuhyō", "fW", _front("P")),
    Kind("+P", "knight", "桂", "keima", "ffN", _back("P")),
)


def build() -> Variant:
    return Variant(
        id="micro",
        name="Micro Shogi",
        version="1",
        board=Rect(4, 5),
        start="kb+r+l/p3/4/3P/+L+RBK b -",
        kinds=KINDS,
        hand_order=("B", "R", "L", "P"),
        summary="Four by five squares: every piece but the king turns over whenever it captures.",
        sources=("docs/rules/micro.md", "Kerry Handscomb"),
        repetition=Repetition(4, perpetual_check_loses=True),
        about=About(
            4,
            (5, 10),
            "A small game from before 1982, spread by Kerry Handscomb; who made it is not known for sure.",
            sample="2e3d 3a2b 1e2d 1a1b 4e4d 2b1a 1d1c 2a3b 3e2e 1a4d+ 1c1b+ 4a3a L*2a +L*3c 2d1e 4d4e",
        ),
    )


VARIANTS = {"micro": Entry(build)}
