"""The rules of docs/rules/wa.md by their numbers, each on a position of its own."""

from __future__ import annotations

import komadai
from helpers.shelf import (
    NEVER,
    PAWN_MATE,
    TWO_PAWNS,
    assert_mates,
    assert_perpetual_check_loses,
    assert_refused,
    assert_repeats,
)
from helpers.support import dropped, legal, play, ways
from komadai.game.position import Piece, Position


def test_rule_1_checkmate_wins() -> None:
    assert_mates("wa", "5k5/11/5P5/11/11/11/11/11/11/11/5K5 b W", "W*6b")


def test_rule_2_promotion_on_the_last_three_ranks() -> None:
    far, near = "10k/11/11/W10/11/11/11/11/11/11/K10 b -", "10k/11/11/11/W10/11/11/11/11/11/K10 b -"
    assert {"11c", "11c+"} <= ways("wa", far, "11d")
    assert "11d+" not in ways("wa", near, "11e")
    for code in "EX":
        assert not any("+" in way for way in ways("wa", far.replace("W", code), "11d"))


def test_rule_3_no_piece_goes_where_it_could_never_move_again() -> None:
    assert_refused("wa", "10k/11/11/11/11/11/11/11/11/11/K10 b OP", {"P*11a": NEVER, "O*11a": NEVER})
    assert ways("wa", "10k/P10/11/11/11/11/11/11/11/11/K10 b -", "11b") == {"11a+"}
    assert "11a+" in ways("wa", "10k/O10/11/11/11/11/11/11/11/11/K10 b -", "11b")


def test_rule_4_captured_pieces_come_to_hand_unpromoted() -> None:
    start = "+g10/W9k/11/11/11/11/11/11/11/11/K10 b -"
    assert play("wa", "11b11a", start=start).hand("b") == {"G": 1}
    assert len(dropped("wa", "10k/11/11/11/11/11/11/11/11/11/K10 b S", "S")) == 119


def test_rule_4_without_drops_captured_pieces_leave_the_game() -> None:
    bare = play(komadai.variant("wa", drops="no"), "11b11a", start="+g10/W9k/11/11/11/11/11/11/11/11/K10 b -")
    assert bare.hand("b") == {}
    assert bare.piece_at("11a") == Piece("b", "W")


def test_rule_5_no_second_pawn_on_a_file() -> None:
    assert_refused("wa", "10k/11/11/11/11/11/P10/11/11/11/K10 b P", {"P*11e": TWO_PAWNS})


def test_rule_6_a_dropped_pawn_may_give_check_but_not_mate() -> None:
    assert_refused("wa", "9pk/11/10W/11/11/11/11/11/11/11/K10 b P", {"P*1b": PAWN_MATE})
    assert "P*1b" in legal(Position("wa", "10k/11/10W/11/11/11/11/11/11/11/K10 b P"))


def test_rule_7_the_treacherous_fox_steps_or_jumps() -> None:
    around = "10k/11/11/11/4PPP4/5X5/4PPP4/11/11/11/K10 b -"
    assert ways("wa", around, "6f") == {"6d", "4d", "8d", "6h", "4h", "8h"}
    assert ways("wa", "10k/11/11/11/11/5X5/11/11/11/11/K10 b -", "6f") == {
        *("6d", "4d", "8d", "6h", "4h", "8h"),
        *("6e", "5e", "7e", "6g", "5g", "7g"),
    }


def test_rule_7_slides_of_limited_length() -> None:
    assert ways("wa", "10k/11/11/11/11/5E5/11/11/11/11/K10 b -", "6f") == {
        *("6a", "6b", "6c", "6d", "6e", "6g", "6h", "6i", "6j", "6k"),
        *("5e", "4d", "3c", "7e", "8d", "9c", "5f", "7f", "5g", "7g"),
    }
    assert ways("wa", "10k/11/11/11/11/5H5/11/11/11/11/K10 b -", "6f") == {
        *("6e", "6d", "6c", "6c+", "6b", "6b+", "6a", "6a+", "6g", "6h")
    }


def test_rule_8_the_fourth_occurrence_is_a_draw() -> None:
    assert_repeats(
        "wa", "k10/11/11/11/11/11/11/11/11/11/10K b -", ("1k1j", "11a11b", "1j1k", "11b11a"), None, "repetition"
    )


def test_rule_8_perpetual_check_loses() -> None:
    assert_perpetual_check_loses("wa", "11/11/11/11/11/K10/11/k10/9S1/11/11 b -", ("2i2h", "11h11i", "2h2i", "11i11h"))
