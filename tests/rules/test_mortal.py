"""Mortal Shogi, rule by rule of docs/rules/mortal.md."""

from __future__ import annotations

from functools import partial

import pytest

from helpers import support
from helpers.shelf import assert_mates, assert_perpetual_check_loses, assert_repeats
from komadai.game.game import Game
from komadai.game.outcome import Outcome
from komadai.game.position import Position

refusal = partial(support.refusal, "mortal")
dropped = partial(support.dropped, "mortal")
ways = partial(support.ways, "mortal")


# --- Rule 1: promotion to any listed piece --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "start", "moves"),
    [
        # A pawn moving into the zone and within it.
        ("4k4/9/9/4P4/9/9/9/9/4K4 b -", "5d", {"5c", "5c=N", "5c=L", "5c=S", "5c=G"}),
        ("3k5/9/4P4/9/9/9/9/9/4K4 b -", "5c", {"5b", "5b=L", "5b=S", "5b=G"}),
        # White's zone is at the other end.
        ("4k4/9/9/9/9/4p4/9/9/4K4 w -", "5f", {"5g", "5g=N", "5g=L", "5g=S", "5g=G"}),
        # Lance and knight.
        ("4k4/9/2p6/2L6/9/9/9/9/4K4 b -", "7d", {"7c", "7c=S", "7c=G"}),
        ("4k4/9/9/9/2N6/9/9/9/4K4 b -", "7e", {f"{to}{end}" for to in ("6c", "8c") for end in ("", "=L", "=S", "=G")}),
        # A silver also out of the zone.
        (
            "4k4/9/4S4/9/9/9/9/9/4K4 b -",
            "5c",
            {f"{to}{end}" for to in ("4b", "5b", "6b", "4d", "6d") for end in ("", "=G")},
        ),
        # Gold, and the highest pieces, never promote.
        ("4k4/9/9/4G4/9/9/9/9/4K4 b -", "5d", {"4c", "5c", "6c", "4d", "6d", "5e"}),
    ],
)
def test_rule_1_promotion_to_any_listed_piece(position: str, start: str, moves: set[str]) -> None:
    assert ways(position, start) == moves


def test_rule_1_rook_and_bishop_promote_into_within_and_out_of_the_zone() -> None:
    rook = ways("3k5/9/1R7/9/9/9/9/9/4K4 b -", "8c")
    assert {"8b", "8b=DK", "8d", "8d=DK", "1c", "1c=DK"} <= rook
    bishop = ways("3k5/9/9/9/9/9/9/1B7/4K4 b -", "8h")
    assert {"3c", "3c=DH", "4d"} <= bishop
    assert "4d=DH" not in bishop


def test_rule_1_a_promoted_piece_is_the_real_one_and_may_promote_again() -> None:
    position = support.play("mortal", "5d5c=N", "5a5b", start="4k4/9/9/4P4/9/9/9/9/4K4 b -")
    assert position.piece_at("5c") == ("b", "N")
    assert "5c4a=G" in support.legal(position)


# --- Rules 2 and 3: pieces that could never move again --------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "start", "moves"),
    [
        ("3k5/4P4/9/9/9/9/9/9/4K4 b -", "5b", {"5a=S", "5a=G"}),
        ("3k5/9/4L4/9/9/9/9/9/4K4 b -", "5c", {"5b", "5b=S", "5b=G", "5a=S", "5a=G"}),
        ("8k/9/4N4/9/9/9/9/9/4K4 b -", "5c", {"4a=S", "4a=G", "6a=S", "6a=G"}),
        ("3k5/9/9/4N4/9/9/9/9/4K4 b -", "5d", {f"{to}={end}" for to in ("4b", "6b") for end in "LSG"}),
        ("3k5/9/9/9/9/9/4n4/9/K8 w -", "5g", {"4i=S", "4i=G", "6i=S", "6i=G"}),
    ],
)
def test_rule_3_promotion_is_compulsory_where_it_could_never_move(position: str, start: str, moves: set[str]) -> None:
    assert ways(position, start) == moves


def test_rule_2_no_promotion_to_a_piece_that_could_never_move() -> None:
    last, last_but_one = "3k5/4P4/9/9/9/9/9/9/4K4 b -", "3k5/9/4P4/9/9/9/9/9/4K4 b -"
    assert "never move again" in refusal(last, "5b5a=L")
    assert "never move again" in refusal(last, "5b5a=N")
    assert "never move again" in refusal(last_but_one, "5c5b=N")
    assert "5b=L" in ways(last_but_one, "5c")


def test_rule_3_a_refused_staying_says_why() -> None:
    assert "never move again" in refusal("3k5/4P4/9/9/9/9/9/9/4K4 b -", "5b5a")


# --- Rule 4: demotion -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("captured", "in_hand"),
    [
        ("[dk]", {"DH": 1}),
        ("[dh]", {"R": 1}),
        ("r", {"B": 1}),
        ("b", {"G": 1}),
        ("g", {"S": 1}),
        ("s", {"L": 1}),
        ("l", {"N": 1}),
        ("n", {"P": 1}),
        ("p", {}),
    ],
)
def test_rule_4_a_captured_piece_comes_to_hand_demoted_and_a_pawn_dies(captured: str, in_hand: dict[str, int]) -> None:
    position = support.play("mortal", "5e5d", start=f"k8/9/9/4{captured}4/4G4/9/9/9/4K4 b -")
    assert position.hand("b") == in_hand
    assert position.hand("w") == {}


# --- Rule 5: drops --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "ranks"), [("P", "bcdefghi"), ("L", "bcdefghi"), ("N", "cdefghi"), ("S", "abcdefghi")]
)
def test_rule_5_no_drop_where_the_piece_could_never_move(code: str, ranks: str) -> None:
    assert {square[1] for square in dropped(f"4k4/9/9/9/9/9/9/9/4K4 b {code}", code)} == set(ranks)


@pytest.mark.parametrize("code", ["DH", "R", "B", "G", "S"])
def test_rule_5_all_but_the_dragon_king_can_be_dropped_anywhere(code: str) -> None:
    held = f"[{code}]" if len(code) > 1 else code
    assert len(dropped(f"4k4/9/9/9/9/9/9/9/4K4 b {held}", code)) == 79


def test_rule_5_no_second_pawn_on_a_file() -> None:
    assert {square[0] for square in dropped("4k4/9/9/9/9/9/4P4/9/4K4 b P", "P")} == set("12346789")
    assert "nifu" in refusal("4k4/9/9/9/9/9/4P4/9/4K4 b P", "P*5e")


def test_rule_5_no_checkmate_by_a_dropped_pawn() -> None:
    assert "uchifuzume" in refusal("7nk/9/7G1/9/9/9/9/9/4K4 b P", "P*1b")
    assert "1b" in dropped("8k/9/7G1/9/9/9/9/9/4K4 b P", "P"), "a check that can be parried is allowed"


# --- Rules 6 and 7: ends --------------------------------------------------------------------------------------------


def test_rule_6_checkmate_wins() -> None:
    assert_mates("mortal", "4k4/9/4P4/9/9/9/9/9/4K4 b G", "G*5b")


def test_rule_6_a_side_without_a_legal_move_loses() -> None:
    assert Position("mortal", "8k/9/6GS1/9/9/9/9/9/4K4 w -").outcome() is None
    assert Position("mortal", "8k/6G2/8G/9/9/9/9/9/4K4 w -").outcome() == Outcome("b", "stalemate")


def test_rule_6_fourfold_repetition_is_a_draw() -> None:
    assert_repeats("mortal", None, ("2h3h", "8b7b", "3h2h", "7b8b"), None, "repetition")


def test_rule_6_the_perpetual_checker_loses() -> None:
    start = "4k4/R8/9/9/9/9/9/9/4K4 b -"
    assert_perpetual_check_loses("mortal", start, ("9b9a", "5a5b", "9a9b", "5b5a"))


def test_rule_7_entering_kings_may_agree_a_draw() -> None:
    assert Game("mortal", "4K4/9/9/9/9/9/9/9/4k4 b -").can_agree_draw()
    assert not Game("mortal", "4K4/9/9/9/9/4k4/9/9/9 b -").can_agree_draw()
    game = Game("mortal", "4K4/9/9/9/9/9/4k4/9/9 b -")
    game.agree_draw()
    assert game.outcome() == Outcome(None, "agreement")
