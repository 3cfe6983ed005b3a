"""The rules of docs/rules/minishogi.md by their numbers, each on a position of its own."""

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
from helpers.support import dropped, legal, play, ways
from komadai.game.position import Position


def test_rule_1_checkmate_wins() -> None:
    assert_mates("minishogi", "2k2/5/2P2/5/2K2 b G", "G*3b")


def test_rule_2_promotion_on_the_last_rank() -> None:
    assert ways("minishogi", "4k/S4/5/5/K4 b -", "5b") == {"5a", "5a+", "4a", "4a+", "4c"}
    assert ways("minishogi", "S3k/5/5/5/K4 b -", "5a") == {"4b", "4b+"}
    assert ways("minishogi", "4k/5/S4/5/K4 b -", "5c") == {"5b", "4b", "4d"}


def test_rule_3_no_pawn_on_the_last_rank() -> None:
    assert_refused("minishogi", "4k/5/5/5/K4 b P", {"P*5a": NEVER})
    assert ways("minishogi", "4k/P4/5/5/K4 b -", "5b") == {"5a+"}


def test_rule_4_no_second_pawn_on_a_file() -> None:
    assert_refused("minishogi", "4k/5/5/P4/K4 b P", {"P*5c": TWO_PAWNS})
    assert "P*5c" in legal(Position("minishogi", "4k/5/5/+P4/K4 b P"))


def test_rule_5_a_dropped_pawn_may_give_check_but_not_mate() -> None:
    assert_refused("minishogi", "3pk/5/4G/5/K4 b P", {"P*1b": PAWN_MATE})
    assert "P*1b" in legal(Position("minishogi", "4k/5/4G/5/K4 b P"))


def test_rule_6_captured_pieces_come_to_hand_unpromoted() -> None:
    taken = play("minishogi", "5e5a", start="+r4/5/4k/5/R3K b -")
    assert taken.hand("b") == {"R": 1}
    assert len(dropped("minishogi", "k4/5/5/5/3KR b S", "S")) == 22


def test_rule_7_the_fourth_occurrence_loses_for_black() -> None:
    assert_repeats("minishogi", "k4/5/5/5/4K b -", ("1e1d", "5a5b", "1d1e", "5b5a"), "w", "repetition")


def test_rule_7_perpetual_check_loses() -> None:
    assert_perpetual_check_loses("minishogi", "k4/5/5/5/1R2K b -", ("4e5e", "5a4a", "5e4e", "4a5a"))


def test_rule_7_white_alone_giving_check_loses_all_the_same() -> None:
    assert_perpetual_check_loses("minishogi", "k2r1/5/5/5/4K w -", ("2a1a", "1e2e", "1a2a", "2e1e"))
