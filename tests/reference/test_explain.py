"""Why a move is not legal, in words."""

from __future__ import annotations

import pytest

from helpers import madeup
from helpers.support import legal
from komadai.game.position import Position

BARE = "4k4/9/9/9/9/9/9/9/4K4 b P"
START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -"
DUEL = "2K/3/k2 b RBrb"
FIRST = "9/9/9/9/9/9/9/9/9 b K[HI][KAKU]k[hi][kaku]"
PAIR = "9/9/4k4/9/4K4/9/9/9/9"
WIDE_PAIR = "/".join(["19"] * 7 + ["9k9", "19", "9K9"] + ["19"] * 9)

CASES = [
    ("shogi", START, "5e5d", "there is no piece on 5e"),
    ("shogi", START, "3c3d", "White's pawn stands on 3c, but Black is to move"),
    ("shogi", START, "2h2g", "Black's pawn, a piece of your own, stands on 2g"),
    ("shogi", START, "8h2b", "something stands in the way of the bishop from 8h to 2b"),
    # What other pieces lend, or must be there to jump over, does not stand in the way.
    ("annan", "4k4/9/9/9/9/2P6/2B6/9/4K4 b -", "7f7e", "as the pieces stand the pawn does not move from 7f to 7e"),
    ("cannon", "4k4/9/2r6/9/2p6/9/2U6/9/4K4 b -", "7g7e", "as the pieces stand the gold cannon does not move from 7g"),
    ("shogi", START, "7g7e", "the pawn does not move from 7g to 7e"),
    ("shogi", START, "7g7g", "the pawn does not move from 7g to 7g"),
    ("shogi", START, "P*5e", "Black has no pawn in hand"),
    ("shogi", START, "7g7f+", "the pawn cannot promote from 7g to 7f; it can only be written 7g7f"),
    ("shogi", START, "7g7f=G", "the pawn must end as one of these: 7g7f"),
    ("shogi", BARE, "P*5i", "5i is not empty; Black's king stands there"),
    ("shogi", BARE, "P*5a", "5a is not empty; White's king stands there"),
    ("shogi", BARE, "P*1a", "it could never move again from there"),
    ("shogi", BARE, "K*5e", "K cannot be dropped in shogi"),
    ("shogi", BARE, "+P*5e", "+P cannot be dropped in shogi"),
    ("shogi", "4k4/9/9/9/9/9/4P4/9/4K4 b P", "P*5e", "already an unpromoted pawn of yours on that file (nifu)"),
    ("shogi", "7nk/9/7G1/9/9/9/9/9/4K4 b P", "P*1b", "a dropped pawn may not give checkmate (uchifuzume)"),
    ("shogi", "4k4/8P/9/9/9/9/9/9/4K4 b -", "1b1a", "it could never move again from there"),
    ("shogi", "4r3k/9/9/9/9/9/9/4G4/4K4 b -", "5h4h", "it would leave your king attacked"),
    ("shogi", "4r3k/9/9/9/9/9/9/3G5/4K3P b -", "1i1h", "it does not parry the check to your king"),
    ("shogi", "4r3k/9/9/9/9/9/9/3G5/4K3P b P", "P*2e", "it does not parry the check to your king"),
    ("shogi", "4r3k/9/9/9/9/9/9/9/3K5 b -", "6i5i", "it would leave your king attacked"),
    ("nana", DUEL, "R*2b", "nothing may be dropped on the centre 2b [nana.md 1, 5]"),
    ("nana", DUEL, "R*3b", "a drop may not give check [nana.md 5]"),
    ("nana", DUEL, "K*2a", "Black has no king in hand"),
    ("nana", DUEL, "1a2b", "it would leave your king attacked"),
    ("nana", "3/3/3 b KRBkrb", "R*1a", "the first move must drop the king [nana.md 1]"),
    ("nana", "2K/2R/3 w Bkrb", "K*1c", "it would leave your king attacked"),
    (
        "nana",
        "1K1/1D[GB]/1k1 b Br",
        "1b1c",
        "it would checkmate, and you had pieces in hand when the move began [nana.md 6]",
    ),
    ("nana", "2K/2R/k2 b -", "1b1c=R", "the rook must end as one of these: 1b1c"),
    ("ki", FIRST, "K*4e", "Black's Gyoku is placed first, on 5e: only relative places matter"),
    ("ki", FIRST, "CHO*5e", "the first move must place the Gyoku [ki.md 1]"),
    ("ki", f"{PAIR} b [HI]", "5e5d", "the two Gyoku must be exactly two points from each other [ki.md 1]"),
    ("ki", f"{PAIR} b [HI]", "CHO*4d", "no cube may be dropped next to the other Gyoku [ki.md 2]"),
    ("ki", f"{PAIR} b [HI]", "CHO*5g", "a cube may only be dropped next to your own Gyoku [ki.md 2]"),
    ("ki", f"{PAIR} b [HI]", "KAKU*5f", "Black has no horns in hand"),
    ("ki", "9/9/5k3/9/4K4/9/9/9/9 b [HI]", "SHU*4f", "a drop may not attack the other Gyoku [ki.md 2]"),
    ("ki", "9/9/4k4/9/4K[HI]3/9/9/9/9 b -", "4e2e", "a cube must land next to one of the two Gyoku [ki.md 4]"),
    ("ki", "9/9/4k4/9/4K[HI]3/9/9/9/9 b -", "4e4f=HI", "the flying must end as one of these: 4e4f"),
    ("ki", "9/9/4k4/5[cho]3/4K[CHO]3/9/9/9/9 b -", "4e4d", "must end as one of these: 4e4d=OU, 4e4d=SHU"),
    # A shield that the end of the turn takes away.
    ("ki", "9/9/4k4/9/4K4/9/4[CHO]4/4[han]4/9 b [KAKU]", "GA*4f", "it would leave your Gyoku attacked"),
    ("ki", "9/9/5k3/9/4K[CHO]1[hi]1/9/9/9/9 b -", "5e6e", "it would leave your Gyoku attacked"),
    ("ki-unicorn", f"{WIDE_PAIR} b [KI]", "BA*7j", "or next to a supported Ki of yours [ki.md 9]"),
    ("ki-unicorn", f"{WIDE_PAIR} b [HI]", "CHO*8j", "or next to a supported Ki of yours [ki.md 2, 9]"),
    (
        "ki-unicorn",
        f"{WIDE_PAIR.replace('9K9', '9K[HI]8')} b -",
        "9j7j",
        "a cube that leaves the support goes no farther than the first unsupported point of its line [ki.md 11]",
    ),
]


@pytest.mark.parametrize(("name", "position", "move", "reason"), CASES)
def test_explains(name: str, position: str, move: str, reason: str) -> None:
    at = Position(name, position)
    said = at.explain(move)
    assert said.startswith(f"{move} is not legal: ")
    assert reason in said
    assert "\n" not in said


def test_says_so_of_a_legal_move() -> None:
    assert Position("shogi").explain("7g7f") == "7g7f is legal"
    assert Position("nana", DUEL).explain("CS*1b") == "CS*1b is legal"


def test_what_a_move_would_leave_outside_the_window() -> None:
    # Nothing keeps these pieces together but the window: as Black's king goes down, the top rank leaves it.
    at = Position(madeup.ADRIFT, "3r5/5k3/9/9/4K4/9/9/9/9 b -")
    assert at.explain("5e5f") == "5e5f is not legal: it would leave a piece too far away"
    assert "5e5d" in legal(at)


def test_under_an_option() -> None:
    assert "C cannot be dropped in nana" in Position("nana", DUEL, drop_faces="front").explain("C*1b")
    assert Position("nana", DUEL).explain("C*1b") == "C*1b is legal"
