"""The rules of docs/rules/judkins.md by their numbers, each on a position of its own."""

from __future__ import annotations

from helpers.shelf import (
    NEVER,
    PAWN_MATE,
    TWO_PAWNS,
    assert_mates,
    assert_perpetual_check_loses,
    assert_refused,
    assert_repeats,
)
from helpers.support import legal, play, ways
from komadai.game.position import Position


def test_rule_1_checkmate_wins() -> None:
    assert_mates("judkins", "3k2/6/3P2/6/6/3K2 b G", "G*3b")


def test_rule_2_promotion_on_the_last_two_ranks() -> None:
    assert ways("judkins", "5k/6/S5/6/6/K5 b -", "6c") == {"6b", "6b+", "5b", "5b+", "5d"}
    assert ways("judkins", "5k/6/6/S5/6/K5 b -", "6d") == {"6c", "5c", "5e"}


def test_rule_3_no_piece_goes_where_it_could_never_move_again() -> None:
    assert_refused("judkins", "5k/6/6/6/6/K5 b NP", {"P*6a": NEVER, "N*6a": NEVER, "N*6b": NEVER})
    assert ways("judkins", "5k/6/6/N5/6/K5 b -", "6d") == {"5b+"}


def test_rule_4_no_second_pawn_on_a_file() -> None:
    assert_refused("judkins", "5k/6/6/P5/6/K5 b P", {"P*6c": TWO_PAWNS})
    assert "P*6c" in legal(Position("judkins", "5k/6/6/+P5/6/K5 b P"))


def test_rule_5_a_dropped_pawn_may_give_check_but_not_mate() -> None:
    assert_refused("judkins", "4pk/6/5G/6/6/K5 b P", {"P*1b": PAWN_MATE})
    assert "P*1b" in legal(Position("judkins", "5k/6/5G/6/6/K5 b P"))


def test_rule_6_captured_pieces_come_to_hand_unpromoted() -> None:
    assert play("judkins", "6f6a", start="+n5/6/5k/6/6/R4K b -").hand("b") == {"N": 1}


def test_rule_7_the_fourth_occurrence_is_a_draw() -> None:
    assert_repeats("judkins", "k5/6/6/6/6/5K b -", ("1f1e", "6a6b", "1e1f", "6b6a"), None, "repetition")


def test_rule_7_perpetual_check_loses() -> None:
    assert_perpetual_check_loses("judkins", "k5/6/6/6/6/1R3K b -", ("5f6f", "6a5a", "6f5f", "5a6a"))
