"""The rules of docs/rules/tori.md by their numbers, each on a position of its own."""

from __future__ import annotations

from helpers.shelf import NEVER, assert_mates, assert_refused, assert_repeats
from helpers.support import dropped, legal, play, ways
from komadai.game.position import Position


def test_rule_1_checkmate_wins() -> None:
    assert_mates("tori", "3k3/7/3S3/7/7/7/3K3 b F", "F*4b")


def test_rule_2_promotion_is_compulsory_and_for_two_kinds_alone() -> None:
    assert ways("tori", "6k/7/S6/7/7/7/K6 b -", "7c") == {"7b+"}
    assert "7b" not in ways("tori", "6k/7/F6/7/7/7/K6 b -", "7c")
    assert "7b+" in ways("tori", "6k/7/F6/7/7/7/K6 b -", "7c")
    assert ways("tori", "6k/7/7/S6/7/7/K6 b -", "7d") == {"7c"}
    for code in "CLRP":
        assert not any("+" in way for way in ways("tori", f"6k/{code}6/7/7/7/7/K6 b -", "7b"))


def test_rule_3_no_swallow_is_dropped_on_the_last_rank() -> None:
    assert_refused("tori", "6k/7/7/7/7/7/K6 b S", {"S*7a": NEVER})
    assert "2c4a" in legal(Position("tori", "k6/7/5+S1/7/7/7/K6 b -"))


def test_rule_4_two_swallows_on_a_file_but_not_three() -> None:
    one, two = "6k/7/7/S6/7/7/K6 b S", "6k/7/7/S6/S6/7/K6 b S"
    assert "S*7c" in legal(Position("tori", one))
    assert_refused("tori", two, {"S*7c": "there are already two swallows of yours on that file"})
    assert "S*7c" in legal(Position("tori", two.replace("S6/S6", "S6/+S6")))
    assert "7d7c" in legal(Position("tori", two)), "the rule is about drops"


def test_rule_5_a_dropped_swallow_may_give_check_but_not_mate() -> None:
    assert_refused("tori", "5sk/7/6C/7/7/7/K6 b S", {"S*1b": "may not give checkmate"})
    assert "S*1b" in legal(Position("tori", "6k/7/6C/7/7/7/K6 b S"))


def test_rule_6_captured_pieces_come_to_hand_unpromoted() -> None:
    assert play("tori", "7b7a", start="+s6/C5k/7/7/7/7/K6 b -").hand("b") == {"S": 1}
    assert len(dropped("tori", "6k/7/7/7/7/7/K6 b F", "F")) == 47


def test_the_birds() -> None:
    def reached(piece: str) -> set[str]:
        return {way.rstrip("+") for way in ways("tori", f"7/k6/7/3{piece}3/7/7/6K b -", "4d")}

    assert reached("C") == {"4c", "4e", "3c", "5c", "3e", "5e"}
    assert reached("P") == {"4b", "3e", "5e"}
    assert reached("L") == {"4c", "4b", "4a", "3e", "2f", "5e"}
    assert reached("R") == {"4c", "4b", "4a", "5e", "6f", "7g", "3e"}
    assert reached("+S") == {"2b", "6b", "4f"}
    assert reached("F") == {"4c", "3d", "5d", "3c", "5c", "3e", "5e"}
    assert reached("+F") == {
        *("4c", "3d", "5d", "4e", "4f", "4g"),
        *("3c", "2b", "1a", "5c", "6b", "7a", "3e", "2f", "5e", "6f"),
    }


def test_rule_7_the_fourth_occurrence_is_a_draw() -> None:
    assert_repeats("tori", "k6/7/7/7/7/7/6K b -", ("1g1f", "7a7b", "1f1g", "7b7a"), None, "repetition")
