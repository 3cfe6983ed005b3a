"""Hand Shogi (docs/rules/hand.md): armies dropped from the hand."""

from __future__ import annotations

from ..spec.board import FarRanks, Rect
from ..spec.conditions import At, GivesCheck, Is, OnFile, Stuck
from ..spec.kinds import Becomes, Kind
from ..spec.rules import Forbid, Rule
from ..spec.variant import About, Agreement, Repetition, Variant
from . import Entry
from .shogi import GOLD_MOVE

# The source lost its kanji table; these are the rules page's, and this is the one place in the code that holds them.
# In hand an onager or a hasty is worth less than on the board, because it can seldom be dropped; the others more.
KINDS = (
    Kind("K", "king", "玉", "gyoku", "K", royal=True, kanji_white="王"),
    Kind("T", "tycoon", "君", "kimi", "B3", Becomes(captured="T"), value=575, hand_value=630),
    Kind("SH", "shogun", "軍", "gun", "R3", Becomes(captured="SH"), value=705, hand_value=775),
    Kind("PD", "pard", "豹", "hyō", "DA", Becomes(captured="PD"), value=555, hand_value=610),
    Kind("G", "gold general", "金", "kinshō", GOLD_MOVE, Becomes(captured="G"), value=515, hand_value=565),
    Kind("S", "silver general", "銀", "ginshō", "FfW", Becomes(captured="S"), value=405, hand_value=445),
    Kind("O", "onager", "驢", "ro", "D", Becomes(captured="O"), value=310, hand_value=250),
    Kind("H", "hasty", "疾", "shitsu", "A", Becomes(captured="H"), value=240, hand_value=195),
    Kind("N", "knight", "桂", "keima", "ffN", Becomes(zone=("+N",), captured="N"), value=140, hand_value=185),
    Kind("L", "lance", "香", "kyōsha", "fR", Becomes(captured="L"), value=215, hand_value=235),
    Kind("SO", "soldier", "兵", "hei", "frlW", Becomes(captured="SO"), value=265, hand_value=265),
    Kind("+N", "promoted knight", "圭", "narikei", GOLD_MOVE, Becomes(captured="N"), value=515),
)

RULES = (
    Rule(
        "drops", Is(("N",)) & At(FarRanks(3)), Forbid("a knight may not be dropped in the promotion zone"), "hand.md 2"
    ),
    Rule("drops", Is(("L",)) & Stuck(), Forbid("a lance may not be dropped on the last rank"), "hand.md 2"),
    Rule(
        "always", Is(("SO",)) & OnFile(("SO",)), Forbid("another soldier of yours stands on that file"), "hand.md 2, 3"
    ),
    # A drop discovers no check, so the check is always that very piece's.
    Rule(
        "drops",
        Is(("O", "H")) & ~GivesCheck(),
        Forbid("an onager or a hasty may be dropped only where it gives check"),
        "hand.md 2",
    ),
)


def build() -> Variant:
    return Variant(
        id="hand",
        name="Hand Shogi",
        version="1",
        board=Rect(9, 9),
        start=(
            "2g1k1g2/2[so]1[pd]1[so]2/3[so][so][so]3/9/9/9/3[SO][SO][SO]3/2[SO]1[PD]1[SO]2/2G1K1G2"
            " b T[SH]2SOH2N2Lt[sh]2soh2n2l"
        ),
        kinds=KINDS,
        hand_order=("T", "SH", "PD", "G", "S", "O", "H", "N", "L", "SO"),
        summary="Nine pieces a side on the board, ten more dropped from the hand; a match takes two wins in a row.",
        sources=("docs/rules/hand.md", "John William Brown, 1997"),
        zone=FarRanks(3),
        about=About(
            4,
            (20, 40),
            "John William Brown’s game of 1997: half of each army waits in the hand.",
            sample="N*6e N*7d S*7g N*3d T*9c L*8b L*8h T*5e L*5f SH*9i N*8i 5e6d 8h8b 7b8b",
        ),
        rules=RULES,
        repetition=Repetition(4, perpetual_check_loses=True),
        agreement=Agreement(FarRanks(3), "hand.md 7"),
        match_wins=2,
    )


VARIANTS = {"hand": Entry(build)}
