"""The rules of docs/rules/cannon.md by their numbers, each on a position of its own."""

from __future__ import annotations

from helpers.shelf import NEVER, assert_mates, assert_perpetual_check_loses, assert_refused, assert_repeats
from helpers.support import legal, play, ways
from komadai.game.position import Position


def test_rule_1_checkmate_wins() -> None:
    assert_mates("cannon", "4k4/9/4S4/9/9/9/9/9/4K4 b G", "G*5b")


LINES = "k8/4p4/9/4p4/1p1PX1P2/9/9/4P4/8K b -"
CORNERS = "k8/7p1/6P2/9/4X4/9/2p6/1p7/8K b -"


def reached(board: str, code: str) -> set[str]:
    return {way.rstrip("+") for way in ways("cannon", board.replace("X", code), "5e")}


def test_rule_2_gold_and_copper_cannons_slide_and_capture_by_a_hop() -> None:
    assert reached(LINES, "U") == {"4e", "5f", "5g", "5b", "8e"}
    assert reached(CORNERS, "C") == {"4d", "6d", "7c", "8b", "4f", "3g", "2h", "6f", "2b", "8h"}


def test_rule_3_silver_and_iron_cannons_only_hop() -> None:
    assert reached(LINES, "A") == {"5c", "5b", "7e", "8e", "2e", "1e", "5i"}
    assert reached(CORNERS, "I") == {"2b", "8h"}


def test_a_hop_is_explained_as_it_is_played() -> None:
    at = Position("cannon", LINES.replace("X", "U"))
    assert at.explain("5e8e") == "5e8e is legal"
    assert at.explain("5e1e").endswith("something stands in the way of the gold cannon from 5e to 1e")


def test_rule_3_a_cannon_attacks_over_a_screen() -> None:
    assert play("cannon", "U*5h", start="4k4/9/9/9/4p4/9/9/9/4K4 b U").is_check()
    assert not play("cannon", "U*5h", start="4k4/9/9/9/9/9/9/9/4K4 b U").is_check()
    assert_refused("cannon", "4k4/4u4/9/9/4P4/9/9/9/4K4 b -", {"5i5h": "does not parry"})


def test_rule_4_dead_ends_and_free_soldiers() -> None:
    assert_refused("cannon", "8k/9/9/9/9/9/9/9/K8 b NL", {"L*9a": NEVER, "N*9b": NEVER})
    assert {"P*9a", "P*9e"} <= legal(Position("cannon", "8k/9/9/9/9/9/P8/9/K8 b P"))
    assert_mates("cannon", "7pk/9/8G/9/9/9/9/9/K8 b P", "P*1b")
    assert ways("cannon", "8k/9/9/9/4P4/9/9/9/K8 b -", "5e") == {"5d", "4e", "6e"}


def test_rule_5_flying_cannons() -> None:
    straight = {"4e", "5f", "5g", "5c", "5b", "7e", "8e", "2e", "1e", "5i"}
    assert reached(LINES, "+U") == reached(LINES, "+A") == straight | {"4d", "6d", "4f", "6f"}
    around = "k8/9/9/5p3/4X4/3Pp4/9/9/8K b -"
    assert {"3c", "7g"} <= reached(around, "+U"), "over a neighbour to the second square"
    assert {"4d", "5f"}.isdisjoint(reached(around, "+U"))
    assert (
        reached(around, "+C")
        == reached(around, "+I")
        == {*("3c", "2b", "1a", "6d", "7c", "8b", "7g", "8h", "9i", "4f", "3g", "2h"), *("5d", "4e", "6e", "5g")}
    )


def test_rule_6_captured_pieces_come_to_hand_unpromoted() -> None:
    assert play("cannon", "9b9a", start="+u8/G7k/9/9/9/9/9/9/K8 b -").hand("b") == {"U": 1}


def test_rule_7_the_fourth_occurrence_is_a_draw() -> None:
    assert_repeats("cannon", "k8/9/9/9/9/9/9/9/8K b -", ("1i1h", "9a9b", "1h1i", "9b9a"), None, "repetition")


def test_rule_7_perpetual_check_loses() -> None:
    assert_perpetual_check_loses("cannon", "k8/9/9/9/9/9/9/9/1R6K b -", ("8i9i", "9a8a", "9i8i", "8a9a"))
