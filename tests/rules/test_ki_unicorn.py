"""Ki Shogi, rule by rule of docs/rules/ki.md, without and with the unicorn cube: rules 9 to 11."""

from __future__ import annotations

from helpers import support
from helpers.ki import KI, lost_by, stranded, turns, unicorn, wide, wide_refusal
from komadai.game.position import Position

# --- Rule 9: drops with the unicorn cube ----------------------------------------------------------------------------

# White's Gyoku stands two north of Black's: these are within two points of Black's and not next to White's.
WITHIN_TWO = {
    "12h", "8h", "12i", "8i", "12j", "11j", "9j", "8j", "12k", "11k", "10k", "9k", "8k",
    "12l", "11l", "10l", "9l", "8l",
}  # fmt: skip


def places(middle: str, rest: str, *faces: str) -> set[str]:
    return set().union(*(support.dropped("ki-unicorn", wide(middle, rest), face) for face in faces))


def test_rule_9_each_player_starts_with_a_ki_cube() -> None:
    position = Position("ki-unicorn")
    assert position.hand("b") == position.hand("w") == {"K": 1, "HI": 1, "KAKU": 1, "KI": 1}
    assert position.sfen() == "/".join(["19"] * 19) + " b K[HI][KAKU][KI]k[hi][kaku][ki]"


def test_rule_9_a_ki_cube_is_dropped_at_distance_one_or_two() -> None:
    field = "9k9/19/9K9/19/19"
    assert places(field, "b [KI]", "RO") == WITHIN_TWO
    assert places(field, "b [KI]", *KI) == WITHIN_TWO
    assert "within two points of your own Gyoku" in wide_refusal(field, "b [KI]", "RO*7j")
    for near in ("11i", "10i", "9i", "11h", "9h"):
        assert "next to the other Gyoku" in wide_refusal(field, "b [KI]", f"RO*{near}")


def test_rule_9_never_giving_check() -> None:
    field = "9k9/19/9K9/19/19"
    assert "a drop may not attack" in wide_refusal(field, "b [KI]", "HOU*8j")
    assert "8j" in places(field, "b [KI]", "KI")
    assert "a drop may not attack" in wide_refusal(field, "b [KI]", "RYUU*12j")
    assert WITHIN_TWO - places(field, "b [KI]", "RYUU") == {"8j", "12j"}
    # The unicorn leaps two straight ahead: from 8h it attacks 10h.
    assert WITHIN_TWO - places(field, "b [KI]", "KI") == {"8h", "12h"}


def test_rule_9_next_to_one_s_own_supported_ki() -> None:
    # Black's Ki on 8l is two points from the Gyoku; 7k to 7m, 8m and 9m are next to it alone.
    field = "19/19/9k9/19/9K9/19/11[BA]7/19/19"
    beside = {"7k", "7l", "7m", "8m", "9m"}
    assert beside <= places(field, "b [KI]", "RO")
    assert places(field, "b [HI]", "CHO") == {"11j", "9j", "11k", "10k", "9k", "8k", "9l", *beside}
    assert places(field, "b [KAKU]", "MYOU") == {"11j", "9j", "11k", "10k", "9k", "8k", "9l", *beside}
    assert "next to a supported Ki of yours [ki.md 9]" in wide_refusal(field, "b [KI]", "RO*6l")
    assert "next to a supported Ki of yours [ki.md 2, 9]" in wide_refusal(field, "b [HI]", "CHO*6l")


def test_rule_9_not_next_to_the_opponent_s_ki_or_to_an_unsupported_one() -> None:
    theirs = "19/19/9k9/19/9K9/19/11[ba]7/19/19"
    assert "supported Ki of yours" in wide_refusal(theirs, "b [HI]", "CHO*7l")
    assert "supported Ki of yours" in wide_refusal(theirs, "b [KI]", "RO*7l")
    unsupported = "19/19/9k9/19/9K9/19/12[BA]6/19/19"
    assert "supported Ki of yours" in wide_refusal(unsupported, "b [HI]", "CHO*6l")
    assert "supported Ki of yours" in wide_refusal(unsupported, "b [KI]", "RO*6l")


def test_rule_9_a_ki_supported_through_another_will_do() -> None:
    # Black's Ki on 7l hangs on White's on 8l.
    assert "6k" in places("19/19/9k9/19/9K9/19/11[ba][RO]6/19/19", "b [HI]", "CHO")
    assert "supported Ki of yours" in wide_refusal("19/19/9k9/19/9K9/19/12[RO]6/19/19", "b [HI]", "CHO*6k")


def test_rule_9_not_next_to_the_other_gyoku_even_next_to_one_s_own_ki() -> None:
    field = "19/9k1[RO]7/19/9K9/19/19/19"
    assert "next to the other Gyoku" in wide_refusal(field, "b [HI]", "CHO*9h")
    assert "7g" in places(field, "b [HI]", "CHO")


def test_rule_9_ki_cubes_of_both_sides() -> None:
    field = "9k9/19/9K9/19/19"
    assert places(field, "w [ki]", "RO") == {
        "12f", "11f", "10f", "9f", "8f", "12g", "11g", "10g", "9g", "8g",
        "12h", "11h", "9h", "8h", "12i", "8i", "12j", "8j",
    }  # fmt: skip


# --- Rule 10: support -----------------------------------------------------------------------------------------------


def test_rule_10_a_ki_is_supported_within_two_points_of_either_gyoku() -> None:
    position = unicorn("19/9k9/19/9K9/19/19/19", "b -")
    held = position.support("KI")
    assert held == {
        *(f"{file}{rank}" for file in range(8, 13) for rank in "fghijkl")
    }  # the two Gyoku stand two ranks apart, on 10h and 10j


def test_rule_10_any_other_piece_next_to_either_gyoku() -> None:
    position = unicorn("19/9k9/19/9K9/19/19/19", "b -")
    around = {f"{file}{rank}" for file in (9, 10, 11) for rank in "ghijk"}
    assert position.support("CHO") - {"10h", "10j"} == around - {"10h", "10j"}


def test_rule_10_support_runs_through_ki_cubes_of_either_side() -> None:
    # White's Ki on 8l, Black's on 7m, White's boar on 6n.
    chain = "19/19/9k9/19/9K9/19/11[ro]7/12[ba]6/13[cho]5"
    assert stranded(unicorn(chain, "w -")) == set()
    assert stranded(unicorn(chain.replace("[ba]", "[BA]"), "w -")) == set()
    assert stranded(unicorn(chain.replace("[ro]", "[RO]"), "w -")) == set()
    # With a gap nothing holds them.
    gap = "19/19/9k9/19/9K9/19/19/12[ba]6/13[cho]5"
    assert stranded(unicorn(gap, "w -")) == {"7m", "6n"}


def test_rule_10_two_ki_cubes_do_not_hold_each_other() -> None:
    assert stranded(unicorn("19/19/9k9/19/9K9/19/19/12[BA][RO]5/19", "b -")) == {"7m", "6m"}


def test_rule_10_other_cubes_hand_nothing_on() -> None:
    assert stranded(unicorn("19/9k9/19/9K9/10[HI]8/11[KAKU]7/19", "b -")) == {"8l"}


def test_rule_10_what_is_not_supported_is_taken() -> None:
    # The Gyoku goes west: the Ki on 8l is three points away, and with it goes the boar.
    start = wide("19/19/9k9/19/9K9/19/11[RO]7/12[CHO]6/19", "b -")
    assert lost_by(Position("ki-unicorn", start), "10j11j") == {"8l", "7m"}
    turns("ki-unicorn", start, "10j11j", wide("10k8/19/9K9/19/19", "w [hi][ki]"))


def test_rule_10_a_ki_still_supports_while_the_mover_s_own_gyoku_takes_over() -> None:
    # The Ki on 8l stays within two points of the Gyoku as it goes east, and the boar with it.
    start = wide("19/19/9k9/19/9K9/19/11[RO]7/12[CHO]6/19", "b -")
    assert lost_by(Position("ki-unicorn", start), "10j9j") == set()


# In all three White's Gyoku holds a Ki on 8g, and with it what stands next to that; going west to 11h it lets them go.
def test_rule_10_example_1_one_s_own_stranded_ki_is_taken_and_the_other_s_piece_may_be_saved() -> None:
    start = wide("11[ki][HI]6/9k9/19/9K9/19/19/19", "w -")
    assert lost_by(Position("ki-unicorn", start), "10h11h") == {"8g"}
    left = wide("12[HI]6/8k10/19/9K9/19/19/19", "b [KI]")
    turns("ki-unicorn", start, "10h11h", left, "7g10g", wide("9[CHO]9/8k10/19/9K9/19/19/19", "w [KI]"))
    assert stranded(Position("ki-unicorn", left)) == {"7g"}
    assert lost_by(Position("ki-unicorn", left), "BA*9k") == {"7g"}
    turns("ki-unicorn", left, "BA*9k", wide("8k10/19/9K9/10[BA]8/19", "w [hi]"))


def test_rule_10_example_2_a_ki_and_the_piece_it_alone_supports_are_both_taken() -> None:
    start = wide("12[kaku]6/11[ki]7/9k9/19/9K9/19/19/19/19", "w -")
    assert lost_by(Position("ki-unicorn", start), "10h11h") == {"8g", "7f"}
    turns("ki-unicorn", start, "10h11h", wide("8k10/19/9K9/19/19", "b [KAKU][KI]"))


def test_rule_10_example_3_the_opponent_s_ki_that_the_move_strands_still_supports() -> None:
    start = wide("12[hi]6/11[KI]7/9k9/19/9K9/19/19/19/19", "w -")
    assert lost_by(Position("ki-unicorn", start), "10h11h") == set()
    left = wide("12[hi]6/11[KI]7/8k10/19/9K9/19/19/19/19", "b -")
    turns("ki-unicorn", start, "10h11h", left)
    assert stranded(Position("ki-unicorn", left)) == {"8g"}
    # Black brings the Ki back, away from White's flying cube; White has the next turn to save that.
    rescued = wide("12[hi]6/9[HOU]9/8k10/19/9K9/19/19/19/19", "w -")
    turns("ki-unicorn", left, "8g10g", rescued, "7f9f", wide("10[cho]8/9[HOU]9/8k10/19/9K9/19/19/19/19", "b -"))
    assert stranded(Position("ki-unicorn", rescued)) == {"7f"}
    turns("ki-unicorn", rescued, "11h12h", wide("9[HOU]9/7k11/19/9K9/19/19/19", "b [HI]"))
    # Black leaves the Ki to White: then White's flying cube is left as well, and White has a turn to save it.
    turns("ki-unicorn", left, "10j11j", wide("13[hi]5/19/9k9/19/9K9/19/19/19/19", "w [ki]"))


def test_rule_10_a_captured_ki_supports_no_more() -> None:
    # Black's horns take White's Ki on 8l, which held Black's boar on 7m; nothing holds what they become there.
    start = wide("19/19/9k9/19/9K9/10[KAKU]8/11[ro]7/12[CHO]6/19", "b -")
    assert lost_by(Position("ki-unicorn", start), "9k8l=GA") == {"8l", "7m"}
    turns("ki-unicorn", start, "9k8l=GA", wide("9k9/19/9K9/19/19", "w [KI][hi][kaku]"))
    # The Gyoku that takes one holds what stands next to itself.
    assert lost_by(unicorn("19/19/9k9/19/9K[ja]8/11[GA]7/19/19/19", "b -"), "10j9j") == set()


def test_rule_10_a_ki_that_moves_away_leaves_what_it_held() -> None:
    start = wide("19/19/9k9/19/9K9/19/11[RO]7/12[CHO]6/19", "b -")
    assert lost_by(Position("ki-unicorn", start), "8l8j") == {"7m"}
    turns("ki-unicorn", start, "8l8j", wide("9k9/19/9K1[JA]7/19/19", "w [hi]"))


# --- Rule 11: leaving the support -----------------------------------------------------------------------------------


def test_rule_11_a_departure_is_onto_the_first_unsupported_point_of_its_line() -> None:
    field, rest = "9k9/19/9K9/10[HI]8/19", "b -"
    assert support.ways("ki-unicorn", wide(field, rest), "9k") == {
        "9j", "9i", "9h", "9g", "9f", "9l", "8k", "10k", "11k", "12k",
    }  # fmt: skip
    for far in ("7k", "1k", "9m", "9e", "13k"):
        said = wide_refusal(field, rest, f"9k{far}")
        assert "no farther than the first unsupported point of its line [ki.md 11]" in said


def test_rule_11_it_is_taken_at_the_end_of_that_turn() -> None:
    start = wide("9k9/19/9K9/10[HI]8/19", "b -")
    assert lost_by(Position("ki-unicorn", start), "9k8k") == {"8k"}
    turns("ki-unicorn", start, "9k8k", wide("9k9/19/9K9/19/19", "w [hi]"))


def test_rule_11_captures_reach_any_distance() -> None:
    # A distant Ki of White's holds White's flying cube.
    field = "9k9/19/9K9/10[HI]5[ki][cho]1/19"
    start = wide(field, "b -")
    assert lost_by(Position("ki-unicorn", start), "9k3k") == {"3k"}
    assert {"8k", "3k"} <= support.ways("ki-unicorn", start, "9k")
    assert not {"7k", "4k"} & support.ways("ki-unicorn", start, "9k")
    turns("ki-unicorn", start, "9k3k", wide("9k9/19/9K9/17[cho]1/19", "w [KI][hi]"))


def test_rule_11_supported_points_beyond_a_gap_are_reached() -> None:
    # As in rule 4's test: 10h is unsupported, 9g next to White's Gyoku, 8f unsupported again.
    field = "19/11k7/8[KAKU]10/9K9/19/19/19"
    found = support.ways("ki-unicorn", wide(field, "b -"), "11i")
    assert found == {"10h", "9g", "12h", "12j"}
    assert "first unsupported point" in wide_refusal(field, "b -", "11i8f")


def test_rule_11_leapers_leave_too() -> None:
    # The Ki on 8l leaps out of the support of all: to 6n, of the dragon's four ways.
    start = wide("19/19/9k9/19/9K9/19/11[RYUU]7/19/19", "b -")
    assert support.ways("ki-unicorn", start, "8l") == {"10n", "6n", "6j"}
    assert lost_by(Position("ki-unicorn", start), "8l6n") == {"6n"}


def test_rule_11_the_gyoku_keeps_its_orbit() -> None:
    assert support.ways("ki-unicorn", wide("9k9/19/9K9/19/19", "b -"), "10j") == {"9j", "11j"}


def test_rule_11_a_departure_may_not_uncover_one_s_gyoku() -> None:
    field = "9k9/19/9K[HI]1[shu]6/19/19"
    assert "8j" in support.ways("ki-unicorn", wide(field, "b -"), "9j")
    # The pinned cube may not even go along the line: it is taken at the end of its turn, and the line is open.
    pinned = field.replace("[shu]", "[hi]")
    assert support.ways("ki-unicorn", wide(pinned, "b -"), "9j") == {"7j"}, "it may take the attacker"
    assert "would leave your Gyoku attacked" in wide_refusal(pinned, "b -", "9j8j")


def test_rule_11_a_drop_never_strands_the_dropped_cube() -> None:
    field = "9k9/19/9K9/19/19"
    position = unicorn(field, "b [HI][KAKU][KI]")
    for move in position.legal_moves():
        assert position.losses(move) == frozenset()
    assert "supported Ki of yours" in wide_refusal(field, "b [HI]", "CHO*8j")
