"""Kō Shōgi: the order of events, the fine points (a) to (i), and which turns are one move (ko.md, 4 and 6a)."""

from __future__ import annotations

import pytest

from helpers.ko import after, board, moves_of, played, text, to
from helpers.support import legal
from komadai.errors import IllegalPositionError

# --- The order of events --------------------------------------------------------------------------------------------


def test_order_a_flame_burns_before_anything_else_is_asked() -> None:
    """The burned light no longer disperses, the burned priest no longer keeps the thunderclap."""
    position = board("+EN 10k, p 9j, TP 10i, SM 8i, +D 3p, +tp 4c")
    assert after(position, "10k9j") == text("+EN 9j, D 3p, +tp 4c", "w")
    # A flame burns its neighbours at every arrival, the last of its own side included.
    assert after(board("+EN 10k, +en 9i, tp 10i, +b 3e"), "10k10j") == text("+EN 10j, b 3e", "w")


def test_order_reversions_come_between_the_legs() -> None:
    """The cavalry takes the last priest: what it takes next is a banner by then."""
    position = board("CY 11k, tp 10i, +b 9g")
    assert after(position, "11k10i9g") == text("+CY 9g", "w")
    position = board("CY 11k, tp 10i, +b 9g, +tp 18c")
    assert after(position, "11k10i9g") == text("CY 9g, +tp 18c", "w")


def test_order_reversions_come_between_the_shots() -> None:
    position = board("FC 10k, tp 6m, +mi 9g, +d 3e")
    assert after(position, "10k9j*6m") == text("FC 9j, +mi 9g, d 3e", "w")
    assert after(position, "10k9j*6m*9g") == text("+FC 9j, d 3e", "w")


def test_order_promotion_comes_before_the_clerk_and_before_reversions() -> None:
    # A monk disperses nothing; as a light, at the end of the turn, it does.
    assert after(board("SM 10g, +tp 10a"), "10g10e+") == text("+SM 10e, tp 10a", "w")
    # The priest turned over by force is a fog for a moment only.
    assert after(board("TP 10k, d 9h, +SM 14i, +D 3p"), "10k10i*9h") == text("TP 10i, +SM 14i, +D 3p", "w")


def test_order_shots_come_after_reversions() -> None:
    """A fog that meets a light is a priest by the time it shoots, and what it shoots may turn it over for a moment."""
    position = board("+TP 10i, +sm 10c, d 9h")
    assert after(position, "10i10g*9h") == text("TP 10g, +sm 10c", "w")


# --- Fine points ----------------------------------------------------------------------------------------------------


def test_fine_a_a_fog_that_captured_and_reverted_may_still_shoot() -> None:
    position = board("+TP 10i, +sm 10c, tp 10g, p 9h")
    assert moves_of(position, "10i10g") == {"10i10g", "10i10g*9h"}
    assert after(position, "10i10g*9h") == text("TP 10g, +sm 10c", "w")


@pytest.mark.parametrize("light", ["+sm 14c", "+SM 14c", "+sm 10i"])
def test_fine_b_a_priest_near_a_light_does_not_turn_over(light: str) -> None:
    assert moves_of(board(f"TP 10g, {light}"), "10g10e") == {"10g10e"}
    assert moves_of(board("TP 10g, +sm 16c"), "10g10e") == {"10g10e", "10g10e+"}


def test_fine_c_the_victim_s_face_counts_when_it_is_captured() -> None:
    # A fog that is a fog no more, a flag waver that is a banner: see test_order_reversions_come_between_the_legs.
    position = board("CY 11k, +tp 10i, +d 11g, sm 4c")
    assert after(position, "11k10i11g") == text("+CY 11g, sm 4c", "w")


def test_fine_d_coming_back_to_the_start_is_a_landing() -> None:
    position = board("SW 10j, +en 10i")
    # Beside the flame are 9i 11i 9j 11j and the start itself: one death, and its shortest first string is 10j11i.
    assert moves_of(position, "10j") == to(
        "10j",
        "11i 9k 10k 11k 10i 10i9h 10i10h 10i11h 10i9i 10i11i 10i9j 10i10j 10i11j"
        " 9k8j 9k8k 9k8l 10k9l 10k10l 10k11l 11k12l 11k12k 11k12j",
    )
    assert after(position, "10j11i") == text("+en 10i", "w")
    assert after(position, "10j10i10j") == text("SW 10j", "w")
    # The cavalry beside a flame, all jumps open: going there and back is its death too.
    moves = moves_of(board("+CM 10j, +en 10i"), "10j")
    assert {move for move in moves if after(board("+CM 10j, +en 10i"), move) == text("+en 10i", "w")} == {"10j11h"}


def test_fine_e_reversions_come_before_the_mover_is_removed_and_after() -> None:
    assert after(board("+SM 10i, +tp 10c, +en 9f"), "10i10g") == text("tp 10c, +en 9f", "w")
    assert after(board("TP 10k, +D 3p, +B 5p, +en 9h"), "10k10i") == text("D 3p, B 5p, +en 9h", "w")
    # Both: the fog reverts beside the light, dies beside the flame, and with it goes the thunderclap.
    assert after(board("+TP 10i, +D 3p, +sm 10c, +en 9f"), "10i10g") == text("D 3p, +sm 10c, +en 9f", "w")


def test_fine_f_a_null_move_in_or_through_the_camp_may_promote() -> None:
    moves = moves_of(board("CY 10e"), "10e")
    assert {move for move in moves if move.strip("+").endswith("10e")} == {"10e11c10e", "10e11c10e+"}
    assert after(board("CY 10e"), "10e11c10e+") == text("+CY 10e", "w")
    assert "10h11f10h+" in moves_of(board("CY 10h"), "10h")
    assert "10i11g10i" in moves_of(board("CY 10i"), "10i")
    assert "10i11g10i+" not in moves_of(board("CY 10i"), "10i")


def test_fine_h_a_turn_goes_on_after_the_opponent_is_dead() -> None:
    position = board("SW 10j, g 10i, p 10h")
    assert {"10j10i", "10j10i10h", "10j10i10j", "10j10i9h"} <= moves_of(position, "10j")
    ended = played(position, "10j10i10h").outcome()
    assert ended
    assert ended.winner == "b"
    assert {"10k9j*9h", "10k9j*6g*9h"} <= moves_of(board("FC 10k, g 9h, p 6g"), "10k")
    # Its end counts: it kills the last commander, and falls beside a flame with its own.
    fallen = played(board("G -, +MA 5k, g 5j, +en 5i"), "5k5j").outcome()
    assert fallen
    assert fallen.winner == "b"


@pytest.mark.parametrize("pieces", ["+D 10j", "+b 10j, TP 4c", "+TP 10i, +sm 14m", "TP 9i", "+sm 10j"])
def test_fine_i_positions_that_break_r6_r7_or_the_lattice_are_refused(pieces: str) -> None:
    with pytest.raises(IllegalPositionError):
        board(pieces)


# --- One move or two: 6a --------------------------------------------------------------------------------------------


def test_6a_two_shots_in_either_order_are_one_move() -> None:
    position = board("FC 10k, p 9h, sh 11h, SH 11j 9l 11l")
    assert moves_of(position, "10k") == to("10k", "9j 9j*9h 9j*11h 9j*11h*9h")
    # By landing from two points: after the jump, or after the jump back.
    fog = board("+TP 10i, p 9h, SH 8g 12g 8i 12i 8k 10k 12k 8e 10e 12e")
    assert moves_of(fog, "10i") == to("10i", "10g 10g*9h 10g10i 10g*9h10i")


def test_6a_the_string_has_the_fewest_points_and_is_then_the_first_in_plain_order() -> None:
    moves = moves_of(board("SW 10j"), "10j")
    assert "10j10i" in moves
    assert "10j11i10i" not in moves
    assert "10j9i10i" not in moves
    assert {"10j10i9h", "10j9j9h", "10j9i9h"} & moves == {"10j10i9h"}, "1 comes before 9"
    assert {"10j9i10j", "10j10i10j", "10j10k10j", "10j11i10j"} & moves == {"10j10i10j"}
    # A star comes before a digit: the shot from the first landing is the one that is written.
    fog = moves_of(board("+TP 10i, p 10f"), "10i")
    assert "10i10g*10f10e" in fog
    assert "10i10g10e*10f" not in fog
    # Fewest points: shot and landing count alike. From 12g 11f is seen, from 10g as well.
    assert "10i10g*11f" in moves_of(board("+TP 10i, p 11f"), "10i")
    assert not {m for m in moves_of(board("+TP 10i, p 11f"), "10i8") if m.endswith("10g*11f")}


def test_6a_null_moves_of_different_pieces_are_different_moves() -> None:
    moves = legal(board("SW 10j 4j, CY 7m, +SM 16i"))
    assert {"10j10i10j", "4j3i4j", "7m5l7m", "16i14g16i"} <= moves
    assert after(board("SW 10j 4j"), "10j10i10j") == after(board("SW 10j 4j"), "4j3i4j")


def test_6a_deaths_beside_a_flame_are_one_move_where_the_position_is_the_same() -> None:
    position = board("SW 10l, +en 10i")
    dead = {move for move in moves_of(position, "10l") if after(position, move) == text("+en 10i", "w")}
    assert dead == {"10l10k10j"}
    position = board("SW 10l, p 11k, +en 10i")
    moves = moves_of(position, "10l")
    dead = {move for move in moves if "SW" not in after(position, move)}
    assert dead == {"10l10k10j", "10l11k10j"}, "with what was captured on the way, or without"
    assert after(position, "10l11k10j") == text("+en 10i", "w")


def test_6a_the_deaths_of_a_promotable_piece_in_the_camp_are_one() -> None:
    position = board("CM 10h, +en 10e")
    assert {move for move in moves_of(position, "10h") if move[3:5] in ("9f", "11")} == to("10h", "11f 11j")
    assert "10h9f" not in moves_of(position, "10h")


def test_6a_what_was_captured_makes_two_moves_of_one_way() -> None:
    position = board("+CL 10j, p 10h 9i, SH 11i 8j 12j 9k 11k 10l")
    ends = {move for move in moves_of(position, "10j") if move.endswith("10j")}
    assert ends == {"10j10h10j", "10j9i10j"}


def test_6a_no_two_moves_of_a_piece_lead_to_the_same_position() -> None:
    """As in test_white_moves_as_black_turned_round, where many walks meet."""
    position = board("+D 10m, +TP 2q, +en 11i, p 9l 10k, sh 12m, +CY 9p, SW 13k")
    for start in ("10m", "2q", "9p", "13k"):
        moves, results = moves_of(position, start), set()
        for move in position.legal_moves():
            if str(move) in moves:
                position.push(move)
                results.add(position.sfen())
                position.pop()
        assert len(results) == len(moves) > 10
