"""The rules of docs/rules/gorogoro.md by their numbers, each on a position of its own."""

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
    assert_mates("gorogoro", "2k2/5/2P2/5/5/2K2 b G", "G*3b")


def test_rule_2_promotion_on_the_last_two_ranks() -> None:
    assert ways("gorogoro", "4k/5/S4/5/5/K4 b -", "5c") == {"5b", "5b+", "4b", "4b+", "4d"}
    assert ways("gorogoro", "4k/5/5/S4/5/K4 b -", "5d") == {"5c", "4c", "4e"}


def test_rule_3_no_pawn_on_the_last_rank() -> None:
    assert_refused("gorogoro", "4k/5/5/5/5/K4 b P", {"P*5a": NEVER})
    assert ways("gorogoro", "4k/P4/5/5/5/K4 b -", "5b") == {"5a+"}


def test_rule_4_no_second_pawn_on_a_file() -> None:
    assert_refused("gorogoro", "4k/5/5/P4/5/K4 b P", {"P*5c": TWO_PAWNS})
    assert "P*5c" in legal(Position("gorogoro", "4k/5/5/+P4/5/K4 b P"))


def test_rule_5_a_dropped_pawn_may_give_check_but_not_mate() -> None:
    assert_refused("gorogoro", "3pk/5/4G/5/5/K4 b P", {"P*1b": PAWN_MATE})
    assert "P*1b" in legal(Position("gorogoro", "4k/5/4G/5/5/K4 b P"))


def test_rule_6_captured_pieces_come_to_hand_unpromoted() -> None:
    assert play("gorogoro", "5b5a", start="+s4/G4/4k/5/5/4K b -").hand("b") == {"S": 1}


def test_rule_7_the_fourth_occurrence_is_a_draw() -> None:
    assert_repeats("gorogoro", "k4/5/5/5/5/4K b -", ("1f1e", "5a5b", "1e1f", "5b5a"), None, "repetition")


def test_rule_7_perpetual_check_loses() -> None:
    assert_perpetual_check_loses("gorogoro", "5/3G1/4k/5/2K2/5 b -", ("2b1b", "1c2c", "1b2b", "2c1c"))
