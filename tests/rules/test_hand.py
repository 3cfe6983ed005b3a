"""Hand Shogi, rule by rule of docs/rules/hand.md."""

from __future__ import annotations

from functools import partial

import pytest

from helpers import support
from helpers.shelf import assert_perpetual_check_loses, assert_repeats
from komadai.errors import IllegalMoveError, NotationError
from komadai.game.game import Game
from komadai.game.match import Match
from komadai.game.outcome import Outcome

refusal = partial(support.refusal, "hand")
dropped = partial(support.dropped, "hand")
ways = partial(support.ways, "hand")

EMPTY = "4k4/9/9/9/9/9/9/9/4K4"


# --- Rule 1: only knights turn over ---------------------------------------------------------------------------------


def test_rule_1_a_knight_entering_the_zone_must_turn_over() -> None:
    assert ways("4k4/9/9/9/4N4/9/9/9/4K4 b -", "5e") == {"4c+", "6c+"}
    assert "must end" in refusal("4k4/9/9/9/4N4/9/9/9/4K4 b -", "5e4c")
    assert ways("4k4/9/9/9/9/4N4/9/9/4K4 b -", "5f") == {"4d", "6d"}


def test_rule_1_a_turned_over_knight_moves_as_a_gold_until_captured() -> None:
    assert ways("k8/9/4+N4/9/9/9/9/9/4K4 b -", "5c") == {"4b", "5b", "6b", "4c", "6c", "5d"}
    position = support.play("hand", "5b5c", start="9/4k4/4+N4/9/9/9/9/9/4K4 w -")
    assert position.hand("w") == {"N": 1}


@pytest.mark.parametrize("code", ["G", "S", "L", "[PD]", "O", "H", "T", "[SH]", "[SO]"])
def test_rule_1_nothing_else_turns_over(code: str) -> None:
    moves = ways(f"k8/9/9/4{code}4/9/9/9/9/4K4 b -", "5d")
    assert moves
    assert not any(move.endswith("+") for move in moves)


# --- How the pieces move --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "squares"),
    [
        ("[PD]", {"5c", "3c", "3e", "3g", "5g", "7g", "7e", "7c"}),
        ("O", {"5c", "3e", "5g", "7e"}),
        ("H", {"3c", "3g", "7g", "7c"}),
        ("[SO]", {"5d", "4e", "6e"}),
        ("T", {"4d", "3c", "2b", "6d", "7c", "8b", "4f", "3g", "2h", "6f", "7g", "8h"}),
        ("[SH]", {"5d", "5c", "5b", "5f", "5g", "5h", "4e", "3e", "2e", "6e", "7e", "8e"}),
    ],
)
def test_pieces_of_the_page(code: str, squares: set[str]) -> None:
    assert ways(f"k8/9/9/9/4{code}4/9/9/9/K8 b -", "5e") == squares


def test_pards_jump_and_tycoons_do_not() -> None:
    crowd = "k8/9/9/3[so][so][so]3/3[so]X[so]3/3[so][so][so]3/9/9/K8 b -"
    assert len(ways(crowd.replace("X", "[PD]"), "5e")) == 8
    assert ways(crowd.replace("X", "T"), "5e") == {"4d", "6d", "4f", "6f"}


# --- Rule 2: drops --------------------------------------------------------------------------------------------------


def test_rule_2_a_knight_is_never_dropped_in_the_promotion_zone() -> None:
    assert {square[1] for square in dropped(f"{EMPTY} b N", "N")} == set("defghi")
    assert {square[1] for square in dropped(f"{EMPTY} w n", "N")} == set("abcdef")
    assert "promotion zone" in refusal(f"{EMPTY} b N", "N*1c")


def test_rule_2_a_lance_is_never_dropped_on_the_last_rank_but_may_get_stuck_there() -> None:
    assert {square[1] for square in dropped(f"{EMPTY} b L", "L")} == set("bcdefghi")
    assert "last rank" in refusal(f"{EMPTY} b L", "L*1a")
    position = support.play("hand", "1b1a", start="4k4/8L/9/9/9/9/9/9/4K4 b -")
    assert position.piece_at("1a") == ("b", "L")
    position.push("5a5b")
    assert not any(move.startswith("1a") for move in support.legal(position)), "and there it stays"


def test_rule_2_a_soldier_is_never_dropped_on_a_file_with_another() -> None:
    position = "4k4/9/9/9/9/9/2[SO]6/9/4K4 b [SO]"
    assert {square[0] for square in dropped(position, "SO")} == set("12345689")
    assert "another soldier" in refusal(position, "SO*7d")
    theirs = "4k4/9/9/9/9/9/2[so]6/9/4K4 b [SO]"
    assert "7d" in dropped(theirs, "SO"), "the opponent's soldier does not count"


@pytest.mark.parametrize(("code", "squares"), [("O", {"5c", "3a", "7a"}), ("H", {"3c", "7c"})])
def test_rule_2_onager_and_hasty_are_dropped_only_where_that_piece_gives_check(code: str, squares: set[str]) -> None:
    assert dropped(f"{EMPTY} b {code}", code) == squares
    assert "gives check" in refusal(f"{EMPTY} b {code}", f"{code}*5e")


def test_rule_2_a_pard_is_dropped_anywhere() -> None:
    assert len(dropped(f"{EMPTY} b [PD]", "PD")) == 79


# --- Rules 3 and 4: soldiers ----------------------------------------------------------------------------------------


def test_rule_3_a_soldier_may_not_move_onto_a_file_with_another() -> None:
    position = "4k4/9/9/9/9/4[SO]4/3[SO]5/9/4K4 b -"
    assert ways(position, "5f") == {"5e", "4f"}
    assert "another soldier" in refusal(position, "5f6f")


def test_rule_3_nor_capture_there() -> None:
    assert ways("4k4/9/9/9/9/3p[SO]4/3[SO]5/9/4K4 b -".replace("p", "g"), "5f") == {"5e", "4f"}


def test_rule_4_a_dropped_soldier_may_mate() -> None:
    position = support.play("hand", "SO*1b", start="7nk/9/7G1/9/9/9/9/9/4K4 b [SO]")
    assert position.outcome() == Outcome("b", "checkmate")


# --- Rules 5 to 7: ends ---------------------------------------------------------------------------------------------


def test_rule_5_the_own_king_may_not_be_left_attacked() -> None:
    assert "leave your king attacked" in refusal("4k4/9/9/9/4[sh]4/9/4G4/4K4/9 b -", "5g4g")


def test_rule_5_a_side_without_a_legal_move_loses() -> None:
    position = support.play("hand", "4b3b", start="8k/5G3/8G/9/9/9/9/9/4K4 b -")
    assert position.outcome() == Outcome("b", "stalemate")


def test_rule_6_fourfold_repetition_is_a_draw() -> None:
    assert_repeats("hand", None, ("5i4i", "5a6a", "4i5i", "6a5a"), None, "repetition")


def test_rule_6_the_perpetual_checker_loses() -> None:
    start = "4k4/2[SH]6/9/9/9/9/9/9/4K4 b -"
    assert_perpetual_check_loses("hand", start, ("7b7a", "5a5b", "7a7b", "5b5a"))


def test_rule_7_impasse_is_offered_only_with_both_kings_in_their_zones() -> None:
    assert not Game("hand").can_agree_draw()
    with pytest.raises(IllegalMoveError, match="the king of each side"):
        Game("hand").agree_draw()
    assert Game("hand", "9/9/4K4/9/9/9/9/9/4k4 b -").can_agree_draw()
    assert Game("hand", "9/9/4K4/9/9/9/9/9/4k4 b -").outcome() is None, "never imposed"


# --- Rule 8: the match ----------------------------------------------------------------------------------------------


def test_rule_8_two_wins_in_a_row_take_the_match_with_colours_alternating() -> None:
    match = Match("hand")
    assert match.colours == ("b", "w")
    match.game.resign("w")
    assert match.run == (0, 1)
    assert match.winner is None
    match.next_game()
    assert match.colours == ("w", "b")
    match.game.resign("w")  # player 0 loses as White
    assert match.run == (1, 1)
    match.next_game().resign("b")  # player 0 is Black again
    assert match.winner == 1
    with pytest.raises(IllegalMoveError, match="Player 2 has won"):
        match.next_game()


def test_rule_8_a_drawn_hand_breaks_a_run() -> None:
    match = Match("hand")
    match.game.resign("w")
    match.next_game()
    for _ in range(3):
        for move in ("5i4i", "5a6a", "4i5i", "6a5a"):
            match.game.push(move)
    assert match.run == (None, 0)
    match.next_game().resign("w")
    assert (match.run, match.winner) == ((0, 1), None)


def test_a_match_goes_on_only_after_its_game() -> None:
    with pytest.raises(IllegalMoveError, match="not over"):
        Match("hand").next_game()


def test_games_whose_rules_know_no_matches_are_refused() -> None:
    with pytest.raises(NotationError, match="no matches"):
        Match("shogi")


def test_a_match_record_plays_again() -> None:
    match = Match("hand")
    match.game.push("5i4i")
    match.game.resign("w")
    match.next_game().push("5i4i")
    again = Match.from_record(match.record())
    assert again.record() == match.record()
    assert again.state() == "game 2 · Player 1 needs 1 more in a row"
    for broken in ({}, {"games": []}, {"games": [Game("hand").record(), Game("hand").record()]}):
        with pytest.raises(NotationError, match=r"^match"):
            Match.from_record(broken)
