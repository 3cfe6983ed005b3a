"""The rules of docs/rules/check.md by their numbers, each on a position of its own."""

from __future__ import annotations

from helpers.shelf import NEVER, TWO_PAWNS, assert_refused, assert_repeats
from helpers.support import legal, play, ways
from komadai.game.outcome import Outcome
from komadai.game.position import Position


def test_rule_1_no_king_goes_where_it_is_attacked() -> None:
    assert "1a2b" not in legal(Position("check", "8k/9/9/9/8P/9/9/8K/7R1 w -"))


def test_rule_2_the_first_check_wins() -> None:
    over = play("check", "2b3c", start="4k4/7B1/9/9/9/9/9/9/4K4 b -")
    assert over.outcome() == Outcome("b", "goal")
    assert str(over.outcome()) == "Black wins: check was given"
    assert legal(over) == set()


def test_rule_2_a_drop_or_an_uncovered_line_wins_too() -> None:
    assert play("check", "R*5e", start="4k4/9/9/9/9/9/9/9/4K4 b R").outcome() == Outcome("b", "goal")
    shown = play("check", "5e6d", start="4k4/9/9/9/4S4/9/9/4R4/4K4 b -")
    assert shown.outcome() == Outcome("b", "goal")


def test_rule_3_promotion_is_as_in_shogi() -> None:
    assert ways("check", "8k/9/9/S8/9/9/9/9/K8 b -", "9d") == {"9c", "9c+", "8c", "8c+", "8e"}


def test_rule_4_no_piece_goes_where_it_could_never_move_again() -> None:
    assert_refused("check", "8k/9/9/9/9/9/9/9/K8 b NP", {"P*9a": NEVER, "N*9b": NEVER})


def test_rule_5_two_pawns_and_mate_by_a_pawn() -> None:
    assert_refused("check", "8k/9/9/9/9/9/P8/9/K8 b P", {"P*9e": TWO_PAWNS})
    won = play("check", "P*1b", start="7pk/9/8G/9/9/9/9/9/K8 b P")
    assert won.outcome() == Outcome("b", "goal")


def test_rule_6_the_fourth_occurrence_is_a_draw() -> None:
    assert_repeats("check", "k8/9/9/9/9/9/9/9/8K b -", ("1i1h", "9a9b", "1h1i", "9b9a"), None, "repetition")
