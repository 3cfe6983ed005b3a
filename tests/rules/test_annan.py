"""The rules of docs/rules/annan.md by their numbers, each on a position of its own."""

from __future__ import annotations

from helpers.shelf import (
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
    assert_mates("annan", "4k4/9/4G4/9/9/9/9/9/4K4 b G", "G*5b")


def test_rule_2_a_piece_moves_as_the_one_behind_it() -> None:
    def reached(board: str) -> set[str]:
        return {way.rstrip("+") for way in ways("annan", board, "5e")}

    assert reached("k8/9/9/9/4P4/4N4/9/9/8K b -") == {"4c", "6c"}, "not its own step"
    assert reached("k8/9/9/9/4R4/4P4/9/9/8K b -") == {"5d"}
    assert reached("k8/9/9/9/4P4/4n4/9/9/8K b -") == {"5d"}, "not as an opponent's piece"
    by_itself = reached("k8/9/9/9/4P4/4G4/4R4/9/8K b -")
    assert by_itself == {"5d", "4d", "6d", "4e", "6e"}, "as its neighbour by itself, not as that one moves"


def test_rule_2_kings_borrow_and_attacks_are_borrowed() -> None:
    assert "5h5c" in legal(Position("annan", "k8/9/9/9/9/9/9/4K4/4R4 b -"))
    assert play("annan", "R*5f", start="4k4/9/9/9/4P4/9/9/9/4K4 b R").is_check()
    assert_refused("annan", "4k4/9/4r4/4p4/9/9/9/9/4K4 b -", {"5i5h": "it does not parry"})


def test_rule_3_promotion_is_never_compulsory() -> None:
    assert {"P*9a", "N*9b", "L*9a"} <= legal(Position("annan", "8k/9/9/9/9/9/9/9/K8 b NLP"))
    assert ways("annan", "8k/P8/9/9/9/9/9/9/K8 b -", "9b") == {"9a", "9a+"}


def test_rule_4_no_second_pawn_on_a_file() -> None:
    assert_refused("annan", "8k/9/9/9/9/9/P8/9/K8 b P", {"P*9e": TWO_PAWNS})


def test_rule_5_a_dropped_pawn_may_give_check_but_not_mate() -> None:
    assert_refused("annan", "7pk/9/7G1/9/9/9/9/9/K8 b P", {"P*1b": PAWN_MATE})
    assert "P*1b" in legal(Position("annan", "8k/9/7G1/9/9/9/9/9/K8 b P"))


def test_rule_6_the_fourth_occurrence_is_a_draw() -> None:
    assert_repeats("annan", "k8/9/9/9/9/9/9/9/8K b -", ("1i1h", "9a9b", "1h1i", "9b9a"), None, "repetition")


def test_rule_6_perpetual_check_loses() -> None:
    assert_perpetual_check_loses("annan", "k8/9/9/9/9/9/9/9/1R6K b -", ("8i9i", "9a8a", "9i8i", "8a9a"))
