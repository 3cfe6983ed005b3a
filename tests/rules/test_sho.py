"""The rules of docs/rules/sho.md by their numbers, each on a position of its own."""

from __future__ import annotations

from helpers.shelf import assert_mates, assert_perpetual_check_loses, assert_refused, assert_repeats
from helpers.support import legal, play, ways
from komadai.game.position import Piece, Position


def test_rule_1_captured_pieces_leave_the_game() -> None:
    after = play("sho", "5i5a", start="4p4/9/8k/9/9/9/9/9/K3R4 b -")
    assert after.piece_at("5a") == Piece("b", "R")
    assert after.hand("b") == {}
    assert not any("*" in move for move in legal(after))


def test_rule_2_promotion_on_the_last_three_ranks() -> None:
    assert ways("sho", "8k/9/9/S8/9/9/9/9/K8 b -", "9d") == {"9c", "9c+", "8c", "8c+", "8e"}
    assert ways("sho", "8k/9/9/9/S8/9/9/9/K8 b -", "9e") == {"9d", "8d", "8f"}


def test_rule_3_no_piece_goes_where_it_could_never_move_again() -> None:
    assert ways("sho", "8k/P8/9/9/9/9/9/9/K8 b -", "9b") == {"9a+"}
    assert ways("sho", "8k/9/9/N8/9/9/9/9/K8 b -", "9d") == {"8b+"}


def test_rule_4_the_elephant_promotes_to_a_second_king() -> None:
    assert ways("sho", "8k/9/9/E8/9/9/9/9/K8 b -", "9d") == {"9c", "9c+", "8c", "8c+", "8d", "8e"}
    over = play("sho", "9i9a", start="k7+e/9/9/9/9/9/9/9/R7K b -")
    assert over.outcome() is None, "White has a crown prince left"


def test_rule_5_the_last_of_the_two_is_guarded_and_mated() -> None:
    both, alone = "r7k/9/9/9/9/9/9/9/K7+E b -", "r7k/9/9/9/9/9/9/9/K8 b -"
    assert "1i1h" in legal(Position("sho", both))
    assert legal(Position("sho", alone)) == {"9i8i", "9i8h"}
    assert_refused("sho", alone, {"9i9h": "it does not parry the check"})
    assert_mates("sho", "4k4/9/3GPG3/9/9/9/9/9/4K4 b -", "6c5b")


def test_rule_5_two_may_be_left_but_not_mated() -> None:
    free = play("sho", "9i9b", start="k7+e/9/9/9/9/9/9/9/R7K b -")
    assert not free.is_check()
    assert "1a2b" in legal(free)


def test_rule_6_the_fourth_occurrence_is_a_draw() -> None:
    assert_repeats("sho", "k8/9/9/9/9/9/9/9/8K b -", ("1i1h", "9a9b", "1h1i", "9b9a"), None, "repetition")


def test_rule_6_perpetual_check_loses() -> None:
    assert_perpetual_check_loses("sho", "k8/9/9/9/9/9/9/9/1R6K b -", ("8i9i", "9a8a", "9i8i", "8a9a"))
