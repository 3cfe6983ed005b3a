"""The rules of docs/rules/yari.md by their numbers, each on a position of its own."""

from __future__ import annotations

from helpers.shelf import NEVER, TWO_PAWNS, assert_mates, assert_perpetual_check_loses, assert_refused, assert_repeats
from helpers.support import legal, play, ways
from komadai.game.position import Position


def test_rule_1_checkmate_wins() -> None:
    assert_mates("yari", "k6/7/1+P5/7/7/7/7/7/6K b R", "R*1a")


def test_rule_2_promotion_on_the_last_three_ranks() -> None:
    assert ways("yari", "6k/7/7/P6/7/7/7/7/K6 b -", "7d") == {"7c", "7c+"}
    assert ways("yari", "6k/7/7/7/P6/7/7/7/K6 b -", "7e") == {"7d"}


def test_rule_3_no_piece_goes_where_it_could_never_move_again() -> None:
    assert_refused("yari", "6k/7/7/7/7/7/7/7/K6 b BNP", {"P*7a": NEVER, "N*7a": NEVER, "B*7a": NEVER})
    assert ways("yari", "6k/P6/7/7/7/7/7/7/K6 b -", "7b") == {"7a+"}
    assert "R*7a" in legal(Position("yari", "6k/7/7/7/7/7/7/7/K6 b R"))


def test_rule_4_no_second_pawn_on_a_file() -> None:
    assert_refused("yari", "6k/7/7/P6/7/7/7/7/K6 b P", {"P*7e": TWO_PAWNS})


def test_rule_5_a_dropped_pawn_may_give_mate() -> None:
    assert_mates("yari", "5pk/7/6+N/7/7/7/7/7/K6 b P", "P*1b")


def test_rule_6_captured_pieces_come_to_hand_unpromoted() -> None:
    assert play("yari", "7i7a", start="+n6/7/6k/7/7/7/7/7/R5K b -").hand("b") == {"N": 1}


def test_the_spears() -> None:
    def reached(piece: str) -> set[str]:
        return {way.rstrip("+") for way in ways("yari", f"k6/7/7/7/3{piece}3/7/7/7/6K b -", "4e")}

    ahead = {"4d", "4c", "4b", "4a"}
    behind = {"4f", "4g", "4h", "4i"}
    beside = {"1e", "2e", "3e", "5e", "6e", "7e"}
    assert reached("R") == ahead | beside
    assert reached("+R") == ahead | beside | behind
    assert reached("B") == ahead | {"3d", "5d"}
    assert reached("N") == ahead | {"3c", "5c"}
    assert reached("+B") == reached("+N") == behind | {"3d", "4d", "5d", "3e", "5e"}
    assert reached("+P") == behind | {"3d", "4d", "5d"}


def test_rule_7_the_fourth_occurrence_is_a_draw() -> None:
    assert_repeats("yari", "k6/7/7/7/7/7/7/7/6K b -", ("1i1h", "7a7b", "1h1i", "7b7a"), None, "repetition")


def test_rule_7_perpetual_check_loses() -> None:
    assert_perpetual_check_loses("yari", "k6/7/7/7/7/7/7/7/1R4K b -", ("6i7i", "7a6a", "7i6i", "6a7a"))
