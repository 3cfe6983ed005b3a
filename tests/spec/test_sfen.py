"""Position strings as other programs write them."""

from __future__ import annotations

import pytest

from komadai.game.position import Position

KINGS = "4k4/9/9/9/9/9/9/9/4K4 b"


# As tsshogi 2.2.0 reads and prints them.
@pytest.mark.parametrize(
    ("hands", "printed"),
    [
        ("b2P3P", "5Pb"),
        ("3P2P", "5P"),
        ("PPP", "3P"),
        ("G2Gg", "3Gg"),
        ("BNPPPbpp", "BN3Pb2p"),
        ("ppBG9ppppP", "BGP14p"),
        ("pPbB", "BPbp"),
    ],
)
def test_hands_are_read_in_any_order_and_counts_of_a_kind_added_up(hands: str, printed: str) -> None:
    assert Position("shogi", f"{KINGS} {hands}").sfen() == f"{KINGS} {printed}"


def test_in_hands_of_long_codes_too() -> None:
    position = Position("hand", f"{KINGS} [SO]2[SO][so]")
    assert (position.hand("b"), position.hand("w")) == ({"SO": 3}, {"SO": 1})
