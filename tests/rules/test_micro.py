"""The rules of docs/rules/micro.md by their numbers, each on a position of its own."""

from __future__ import annotations

from helpers.shelf import assert_mates, assert_perpetual_check_loses, assert_repeats, assert_turns
from helpers.support import dropped, legal, play, ways
from komadai.game.position import Position


def test_rule_1_checkmate_wins() -> None:
    assert_mates("micro", "2k1/4/2P1/4/2K1 b R", "+R*2b")


def test_rule_2_a_piece_turns_over_as_it_captures() -> None:
    assert_turns("micro", "3k/4/p3/P3/K3 b -", {"4d4c+": "+P"})
    assert_turns("micro", "3k/4/p3/+L3/K3 b -", {"4d4c": "L"})
    assert ways("micro", "3k/4/p3/P3/K3 b -", "4d") == {"4c+"}, "there is no choice"


def test_rule_2_a_piece_that_captures_nothing_stays_as_it_is() -> None:
    assert_turns("micro", "k3/4/4/+LBRL/3K b -", {"4d4c": "+L", "3d4c": "B", "2d2c": "R", "1d1c": "L"})


def test_rule_3_pieces_are_dropped_with_either_side_up() -> None:
    assert play("micro", "4d4c", start="3k/4/+r3/+L3/K3 b -").hand("b") == {"R": 1}
    drops = {move for move in legal(Position("micro", "3k/4/4/4/K3 b B")) if "*" in move}
    assert drops == {f"{code}*{at}" for code in ("B", "+B") for at in dropped("micro", "3k/4/4/4/K3 b B", "B")}
    assert len(drops) == 36


def test_rule_4_drops_and_moves_are_free() -> None:
    free = legal(Position("micro", "3k/4/4/P3/K3 b LP"))
    assert {"P*4a", "L*4a", "+P*4a", "+P*4b", "P*4c"} <= free
    assert ways("micro", "3k/P3/4/4/K3 b -", "4b") == {"4a"}
    assert_mates("micro", "2pk/4/3+R/4/K3 b P", "P*1b")


def test_rule_5_the_fourth_occurrence_is_a_draw() -> None:
    assert_repeats("micro", "k3/4/4/4/3K b -", ("1e1d", "4a4b", "1d1e", "4b4a"), None, "repetition")


def test_rule_5_perpetual_check_loses() -> None:
    assert_perpetual_check_loses("micro", "3R/2k1/4/K3/4 b -", ("1a2a", "2b1b", "2a1a", "1b2b"))
