"""Ki Shogi, rule by rule of docs/rules/ki.md, without and with the unicorn cube: rules 4 to 8."""

from __future__ import annotations

from helpers.ki import KAKU, lost_by, refusal, stranded, turns, ways
from helpers.support import by_reference, legal, play
from komadai.game.game import Game
from komadai.game.outcome import Outcome
from komadai.game.position import Position

# --- Rule 4: where a piece must land --------------------------------------------------------------------------------


def test_rule_4_a_piece_lands_next_to_either_gyoku() -> None:
    position = "9/9/4k4/9/4K[HI]3/9/9/9/9 b -"
    assert ways(position, "4e") == {"4b", "4c", "4d", "4f"}
    for away in ("3e", "1e", "4g", "4i", "4a"):
        assert "must land next to one of the two Gyoku [ki.md 4]" in refusal(position, f"4e{away}")


def test_rule_4_captures_must_land_there_too() -> None:
    assert "must land next to" in refusal("9/9/4k4/9/4K[HI]1[cho]1/9/9/9/9 b -", "4e2e")


def test_rule_4_does_not_bind_the_gyoku() -> None:
    # It keeps to the orbit; no square of the orbit is next to the other Gyoku.
    assert ways("9/9/4k4/9/4K4/9/9/9/9 b -", "5e") == {"4e", "6e"}


# --- Rule 5: stranded pieces ----------------------------------------------------------------------------------------


def test_rule_5_the_mover_s_own_stranded_pieces_are_taken_at_once() -> None:
    start = "9/9/4k4/9/4K4/3[CHO]5/9/9/9 b -"
    assert lost_by(Position("ki", start), "5e4e") == {"6f"}
    assert lost_by(Position("ki", start), "5e6e") == set()
    turns("ki", start, "5e4e", "9/9/3k5/9/4K4/9/9/9/9 w [hi]")


def test_rule_5_all_of_them_whatever_their_face() -> None:
    start = "9/9/4k4/9/3[KEN]K4/3[CHO]5/9/9/9 b -"
    assert lost_by(Position("ki", start), "5e4e") == {"6e", "6f"}
    turns("ki", start, "5e4e", "9/9/3k5/9/4K4/9/9/9/9 w [hi][kaku]")


def test_rule_5_what_stands_next_to_the_other_gyoku_stays() -> None:
    turns("ki", "9/9/4k4/3[CHO]5/4K4/9/9/9/9 b -", "5e4e", "9/9/3k5/2[CHO]6/4K4/9/9/9/9 w -")


# White's cat stands next to Black's Gyoku, which leaves it behind.
LEFT = "9/9/9/9/2k1K4/4[myou]4/9/9/9 b -"
LEFT_BEHIND = "9/9/9/9/4K4/2k6/4[myou]4/9/9 w -"


def test_rule_5_the_opponent_s_stranded_pieces_stay_one_turn() -> None:
    position = Position("ki", LEFT)
    assert lost_by(position, "5e5d") == set()
    turns("ki", LEFT, "5e5d", LEFT_BEHIND)
    assert stranded(Position("ki", LEFT_BEHIND)) == {"5g"}
    assert stranded(Position("ki", LEFT)) == set()


def test_rule_5_they_are_brought_back_by_moving_them() -> None:
    assert lost_by(Position("ki", LEFT_BEHIND), "5g4f") == set()
    turns("ki", LEFT_BEHIND, "5g4f", "9/9/9/9/4K4/2k2[kaku]3/9/9/9 b -")


def test_rule_5_they_are_brought_back_by_moving_the_gyoku() -> None:
    assert lost_by(Position("ki", LEFT_BEHIND), "7f6g") == set()
    turns("ki", LEFT_BEHIND, "7f6g", "9/9/9/9/4K4/9/3k[myou]4/9/9 b -")


def test_rule_5_what_is_not_brought_back_is_taken() -> None:
    assert lost_by(Position("ki", LEFT_BEHIND), "7f7e") == {"5g"}
    turns("ki", LEFT_BEHIND, "7f7e", "9/9/9/9/2k1K4/9/9/9/9 b [KAKU]")
    # A drop does not bring it back either.
    turns("ki", "9/9/9/9/4K4/2k6/4[myou]4/9/9 w [hi]", "CHO*8g", "9/9/9/9/4K4/2k6/1[cho]7/9/9 b [KAKU]")


def test_rule_5_a_gyoku_may_strand_pieces_of_both_sides() -> None:
    turns(
        "ki",
        "9/9/9/9/2k1K4/3[CHO][myou]4/9/9/9 b -",
        "5e5d",
        "9/9/9/9/4K4/2k6/3[CHO][myou]4/9/9 w -",
        "7f7e",
        "9/9/9/9/2k1K4/9/3[CHO]5/9/9 b [KAKU]",
    )


def test_rule_5_stranded_pieces_still_capture_and_check() -> None:
    position = Position("ki", "9/9/9/9/4K4/2k6/4[shu]4/9/9 b -")
    assert position.is_check()
    # White's cat left on 5g takes the boar on 4f and stands next to Black's Gyoku again.
    position = play("ki", "5g4f", start="9/9/9/9/4K4/2k2[CHO]3/4[myou]4/9/9 w -")
    assert position.sfen() == "9/9/9/9/4K4/2k2[kaku]3/9/9/9 b [hi]"


# --- Rule 6: attack -------------------------------------------------------------------------------------------------


def test_rule_6_a_gyoku_may_not_be_left_attacked() -> None:
    pinned = "9/9/4k4/9/4K[GA]1[hi]1/9/9/9/9 b -"
    assert "would leave your Gyoku attacked" in refusal(pinned, "4e4f")
    assert "would leave your Gyoku attacked" in refusal("9/9/4k4/9/4K4/9/5[hi]3/9/9 b -", "5e4e")
    checked = "9/9/4k4/9/4K2[hi]1/9/9/9/9 b [KAKU]"
    assert Position("ki", checked).is_check()
    assert "does not parry the check" in refusal(checked, "GA*4f")
    assert {move for move in legal(Position("ki", checked)) if move.startswith("GA")} == {"GA*4e"}


def test_rule_6_a_stranded_shield_of_one_s_own_does_not_count() -> None:
    # Black's boar on 5g is stranded: after any other turn it is gone, and White's reverse on 5h attacks along the file.
    start = "9/9/4k4/9/4K4/9/4[CHO]4/4[han]4/9 b [KAKU]"
    position = Position("ki", start)
    assert not position.is_check()
    assert stranded(position) == {"5g"}
    assert "would leave your Gyoku attacked" in refusal(start, "GA*4f")
    assert {move for move in legal(position) if "*" in move} == {f"{face}*5f" for face in KAKU}
    assert legal(position) - {f"{face}*5f" for face in KAKU} == {"5g5f", "5e4e", "5e6e"}


def test_rule_6_a_shield_that_the_gyoku_strands_by_its_own_move_does_not_count() -> None:
    start = "9/9/5k3/9/4K[CHO]1[hi]1/9/9/9/9 b -"
    assert not Position("ki", start).is_check()
    assert "would leave your Gyoku attacked" in refusal(start, "5e6e")
    assert "6e" in ways("9/9/5k3/9/4K[CHO]3/9/9/9/9 b -", "5e")


def test_rule_6_the_opponent_s_stranded_shield_still_stands() -> None:
    # White's own cat, stranded on 5g, shields Black's Gyoku: it is taken only after White's turn.
    position = Position("ki", "9/9/9/9/4K4/9/2k1[myou]4/4[han]4/9 b -")
    assert not position.is_check()


def test_rule_6_a_stranded_piece_of_the_opponent_attacks() -> None:
    # Black's Gyoku could strand the vertical cube on 5g by going to 5d, but would stay on its file.
    start = "9/9/9/9/2k1K4/4[shu]4/9/9/9 b -"
    assert "does not parry the check" in refusal(start, "5e5d")


def test_rule_6_an_attack_reaches_where_the_attacker_could_not_land() -> None:
    # The reverse on 5h could not land on any square between: all are next to neither Gyoku but 5f.
    assert Position("ki", "9/9/4k4/9/4K4/9/9/4[han]4/9 b -").is_check()
    assert "would leave your Gyoku attacked" in refusal("9/9/4k4/9/4K4/9/9/5[han]3/9 b -", "5e4e")


# --- Rule 7: no legal move ------------------------------------------------------------------------------------------


def test_rule_7_checkmate() -> None:
    position = play("ki", "6e5d", start="9/9/9/9/3[ken]K4/4[ken]4/6k2/9/9 w 2[HI]")
    assert position.outcome() == Outcome("w", "checkmate")
    assert by_reference(position) == set()


def test_rule_7_a_player_without_a_legal_move_loses() -> None:
    position = play("ki", "5e4e", start="9/9/9/3[han][CHO]4/4K4/5[ZOU]3/5k3/9/9 b [KAKU]")
    assert not position.is_check()
    assert position.outcome() == Outcome("b", "stalemate")
    assert by_reference(position) == set()
    # Also by a drop, which never checks.
    position = play("ki", "HI*6d", start="9/5[KAKU]3/5k3/9/4K4/9/9/9/9 b 2[HI][KAKU]")
    assert position.outcome() == Outcome("b", "stalemate")


def test_rule_7_pieces_in_hand_do_not_forbid_checking_or_mating() -> None:
    position = Position("ki", "9/9/9/9/2k[MYOU]K4/5[HI]3/9/9/9 b [KAKU][hi]")
    position.push("4f7f")
    assert position.is_check()
    assert position.hand("b") == {"KAKU": 1}
    assert position.outcome() == Outcome("b", "checkmate")


# --- Rule 8: repetition ---------------------------------------------------------------------------------------------


def test_rule_8_fourfold_repetition_is_a_draw_also_when_the_field_has_shifted() -> None:
    # Both Gyoku go east: each time the same relative places, one point farther east.
    game = Game("ki")
    for move in ("K*5e", "K*5c"):
        game.push(move)
    first = game.position.copy()
    for _ in range(3):
        assert game.outcome() is None
        for move in ("5e4e", "6c5c"):
            game.push(move)
        assert game.position == first
        assert game.position.key() == first.key()
        assert game.position.sfen() == first.sfen()
        assert legal(game.position) == legal(first)
    assert game.outcome() == Outcome(None, "repetition")


def test_rule_8_the_hash_follows_the_shift_with_cubes_about() -> None:
    # Both Gyoku go east, and the boar follows.
    position = play("ki", "5e4e", "6c5c", "6f5f", start="9/9/4k4/9/4K4/4[CHO]4/9/9/9 b -")
    followed = Position("ki", "9/9/4k4/9/4K4/4[HI]4/9/9/9 w -")
    assert position == followed
    assert position.key() == followed.key()
    assert position._native.key() == position._native.key_from_scratch()


def test_rule_8_perpetual_check_is_a_draw_too() -> None:
    position = Position("ki", "9/9/5k3/5[hi]3/4K4/9/9/9/9 w [hi]2[kaku]")
    first = position.sfen()
    for _ in range(3):
        assert position.outcome() is None
        for number, move in enumerate(("4d4e", "5e6d", "3f3e", "5e4f")):
            position.push(move)
            assert position.is_check() is (number % 2 == 0), "every move of White's checks"
        assert position.sfen() == first
    assert position.outcome() == Outcome(None, "repetition")
