"""The rules of docs/rules/kyoto.md by their numbers, each on a position of its own."""

from __future__ import annotations

from helpers.shelf import assert_mates, assert_perpetual_check_loses, assert_repeats, assert_turns
from helpers.support import dropped, legal, play, ways
from komadai.game.position import Position


def test_rule_1_checkmate_wins() -> None:
    assert_mates("kyoto", "2k2/5/2S2/5/2K2 b N", "+N*3b")


def test_rule_2_every_piece_turns_over_as_it_moves() -> None:
    assert_turns("kyoto", "4k/5/L4/P4/K4 b -", {"5c5b+": "+L"})
    assert_turns(
        "kyoto", "4k/5/S4/5/+L+S+N+PK b -", {"5c4b+": "+S", "5e5d": "L", "4e5d": "S", "3e3d": "N", "2e2d": "P"}
    )
    assert ways("kyoto", "4k/5/5/P4/K4 b -", "5d") == {"5c+"}, "there is no choice"


def test_rule_2_every_piece_turns_over_as_it_captures() -> None:
    assert_turns("kyoto", "4k/5/p4/P4/K4 b -", {"5d5c+": "+P"})
    assert_turns("kyoto", "4k/5/p4/+P4/K4 b -", {"5d5c": "P"})


def test_rule_3_pieces_are_dropped_with_either_side_up() -> None:
    taken = play("kyoto", "5d5c", start="4k/5/+s4/+P4/K4 b -")
    assert taken.hand("b") == {"S": 1}
    drops = {move for move in legal(Position("kyoto", "4k/5/5/5/K4 b S")) if "*" in move}
    assert drops == {f"{code}*{at}" for code in ("S", "+S") for at in dropped("kyoto", "4k/5/5/5/K4 b S", "S")}
    assert len(drops) == 46


def test_rule_4_drops_and_moves_are_free() -> None:
    free = legal(Position("kyoto", "4k/5/5/P4/K4 b LNP"))
    assert {"P*5a", "L*5a", "N*5a", "N*5b", "P*5c"} <= free
    assert ways("kyoto", "4k/+P4/5/5/K4 b -", "5b") >= {"5a"}
    assert_mates("kyoto", "3pk/5/4+N/5/K4 b P", "P*1b")


def test_rule_5_the_fourth_occurrence_is_a_draw() -> None:
    assert_repeats("kyoto", "k4/5/5/5/4K b -", ("1e1d", "5a5b", "1d1e", "5b5a"), None, "repetition")


def test_rule_5_perpetual_check_loses() -> None:
    assert_perpetual_check_loses("kyoto", "2k2/5/2+L2/5/2K2 b -", ("3c3d", "3a4b", "3d3c+", "4b3a"))
