"""Position strings as other programs write them."""

from __future__ import annotations

import pytest

import komadai
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


LINKED = "ln1gk3l/6+P2/p1pp+Bpnpp/9/7P1/P8/2PPPPP1P/2S6/LN1KG+r1NL w B2Sp 40"


@pytest.mark.parametrize(
    "written",
    [
        LINKED.replace(" ", "_"),
        LINKED.replace(" ", "%20"),
        LINKED.replace("/", "%2F").replace(" ", "%20").replace("+", "%2B"),
        LINKED.replace(" ", "+"),
        f"sfen+{LINKED.replace(' ', '+')}",
        f"sfen {LINKED}",
        f"position sfen {LINKED}",
        f"\u3000{LINKED.replace('/', '／')}\n",
        LINKED.replace(" ", "%C2%A0"),
    ],
)
def test_as_links_and_commands_write_it(written: str) -> None:
    assert Position("shogi", written).sfen(ply=True) == LINKED


def test_blanks_of_links_without_a_move_number_and_in_other_games() -> None:
    assert Position("shogi", "4k4/9/9/9/9/9/9/9/4K4+w+-").sfen() == "4k4/9/9/9/9/9/9/9/4K4 w -"
    for name in komadai.variants(shelf=True):
        start = Position(name)
        assert Position(name, start.sfen(ply=True).replace(" ", "_")) == start
        assert Position(name, start.sfen(ply=True).replace(" ", "+")) == start
