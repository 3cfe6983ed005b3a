"""Kō Shōgi: R3 to R12 of docs/rules/ko.md, each rule on positions of its own."""

from __future__ import annotations

import pytest

from helpers.ko import after, board, moves_of, text, to

# --- R3 -------------------------------------------------------------------------------------------------------------


def test_r3_a_turn_that_ends_or_starts_in_the_camp_may_turn_the_piece_over() -> None:
    assert moves_of(board("SH 10g"), "10g") == to("10g", "9f 9f+ 11f 11f+ 9h 11h")
    assert moves_of(board("SH 10f"), "10f") == to("10f", "9e 9e+ 11e 11e+ 9g 9g+ 11g 11g+")
    assert moves_of(board("sh 10m", "w"), "10m") == to("10m", "9n 9n+ 11n 11n+ 9l 11l")
    assert moves_of(board("sh 10n", "w"), "10n") == to("10n", "9m 9m+ 11m 11m+ 9o 9o+ 11o 11o+")
    assert after(board("SH 10g"), "10g9f+") == text("+SH 9f", "w")
    assert after(board("SH 10g"), "10g9f") == text("SH 9f", "w")


def test_r3_the_vanguards_rank_is_outside() -> None:
    assert moves_of(board("V 10l"), "10l") == to("10l", "10k 10j 10i 10h 10g")
    assert moves_of(board("V 10k"), "10k") == to("10k", "10j 10i 10h 10g 10f 10f+")
    assert moves_of(board("v 10i", "w"), "10i") == to("10i", "10j 10k 10l 10m 10n 10n+")


def test_r3_one_leg_in_the_camp_is_enough() -> None:
    assert moves_of(board("CY 10h"), "10h") == to(
        "10h",
        "9f 9f+ 11f 11f+ 8g 12g 8i 12i 9j 11j 9f8d 9f8d+ 11f12d 11f12d+ 11f10d 11f10d+ 8g6f 8g6f+ 8i6j 8g6h"
        " 12g14f 12g14f+ 12i14j 12g14h 9j8l 11j12l 11j10l 11f10h 11f10h+",
    )


def test_r3_the_way_through_the_camp_turns_over_where_another_does_not() -> None:
    position = board("cy 10m", "w")
    assert {move for move in moves_of(position, "10m") if "6m" in move} == {"10m8l6m", "10m8n6m+"}
    assert {move for move in moves_of(position, "10m") if move.strip("+").endswith("10m")} == {
        "10m11k10m",
        "10m11o10m+",
    }
    assert after(position, "10m8n6m+") == text("+cy 6m", "b")


@pytest.mark.parametrize("code", ["SW", "E", "G", "+SH", "+V", "+P", "+CY", "+MA"])
def test_r3_some_never_turn_over(code: str) -> None:
    assert not {move for move in moves_of(board(f"{code} 10f"), "10f") if move.endswith("+")}


def test_r3_in_that_turn_it_moves_and_shoots_with_its_old_face() -> None:
    position = board("LB 10g, p 9c 9b")
    assert moves_of(position, "10g") == to("10g", "9f 9f+ 9f*9c 9f*9c+ 11f 11f+ 9h 11h")
    assert after(position, "10g9f*9c+") == text("+LB 9f, p 9b", "w")


def test_r3_declined_once_it_may_turn_over_later() -> None:
    assert after(board("SH 10g"), "10g9f", "18a18b", "9f8g+") == text("+SH 8g, g 18b", "w")


# --- R4 -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("victim", ["g", "+ma", "ma", "b", "d"])
def test_r4_whoever_can_turns_over_that_captures_one_of_the_command(victim: str) -> None:
    for code, start in (("CH", "10k"), ("CM", "9k"), ("CY", "9k"), ("SH", "9j"), ("MI", "10n"), ("CL", "10k")):
        position = board(f"{code} {start}, {victim} 10i, tp 18c")
        assert f"{start}10i+" not in moves_of(position, start)
        assert after(position, f"{start}10i") == text(f"+{code} 10i, {'g -, ' * (victim == 'g')}tp 18c", "w")


def test_r4_chariots_do_not_turn_over_for_less() -> None:
    spared = ("p", "so", "+so", "cl", "+cl", "ac", "sw", "+mi", "mi", "+b", "+d", "fc", "+fc", "en", "+en", "se", "q")
    for victim in spared:
        position = board(f"CH 10k, {victim} 10i, tp 18c")
        assert moves_of(position, "10k10i") == {"10k10i"}
        assert after(position, "10k10i") == text("CH 10i, tp 18c", "w"), victim


STEP_MOVERS = ("AC", "A", "ST", "CS", "EN", "MA", "D", "B", "SE", "FC", "LB", "CB", "C", "P", "SH")


@pytest.mark.parametrize("victim", ["sw", "+mi", "+b", "+d"])
@pytest.mark.parametrize("code", STEP_MOVERS)
def test_r4_step_movers_turn_over_for_a_champion(code: str, victim: str) -> None:
    start, rest = ("9k", "TP 2q, D 18s, tp 18c") if code == "P" else ("10k", "TP 2q, tp 18c")
    position = board(f"{code} {start}, {victim} 9j, {rest}")
    assert moves_of(position, f"{start}9j") == {f"{start}9j"}
    assert after(position, f"{start}9j") == text(f"+{code} 9j, {rest}", "w")


@pytest.mark.parametrize("victim", ["sw", "+mi", "+b", "+d"])
def test_r4_others_do_not(victim: str) -> None:
    for starts in ("CL 10k", "SO 10j", "CM 9k", "CY 9k", "SU 9j", "PU 10k", "AG 10n", "V 10l", "CE 10j", "RG 10j"):
        code, start = starts.split()
        position = board(f"{starts}, {victim} 10i, tp 18c")
        assert after(position, f"{start}10i") == text(f"{code} 10i, tp 18c", "w"), code


@pytest.mark.parametrize(("code", "victim", "turns"), [("CM", "fc", True), ("CM", "+fc", False), ("CY", "fc", False)])
def test_r4_cavalryman_and_frankish_cannon(code: str, victim: str, turns: bool) -> None:
    assert after(board(f"{code} 9k, {victim} 10i"), "9k10i") == text(f"{'+' * turns}{code} 10i", "w")


@pytest.mark.parametrize("code", ["LB", "CB", "C", "FC"])
@pytest.mark.parametrize("victim", ["sw", "+mi", "+d", "d", "ma"])
def test_r4_shots_count(code: str, victim: str) -> None:
    position = board(f"{code} 10k, {victim} 9h, tp 18c")
    assert "10k9j*9h+" not in moves_of(position, "10k")
    assert after(position, "10k9j*9h") == text(f"+{code} 9j, tp 18c", "w")


def test_r4_either_of_two_shots_counts() -> None:
    position = board("FC 10k, p 9h, d 6g")
    assert after(position, "10k9j*6g*9h") == text("+FC 9j", "w")
    assert after(position, "10k9j*9h") == text("FC 9j, d 6g", "w")
    assert after(board("TP 10k, sw 9h"), "10k10i*9h") == text("TP 10i", "w"), "no step mover"
    assert after(board("TP 10k, b 9h"), "10k10i*9h") == text("+TP 10i", "w")


@pytest.mark.parametrize(("code", "start"), [("G", "10j"), ("SW", "10j"), ("E", "11j"), ("+SH", "11j"), ("+CM", "9k")])
def test_r4_some_never_turn_over(code: str, start: str) -> None:
    assert after(board(f"{code} {start}, d 10i"), f"{start}10i") == text(f"{code} 10i", "w")


@pytest.mark.parametrize("code", ["D", "B"])
def test_r4_drum_and_banner_need_their_priest(code: str) -> None:
    for priest in ("TP", "+TP"):
        position = board(f"{code} 10k, {priest} 2q, b 9j")
        assert after(position, "10k9j") == text(f"+{code} 9j, {priest} 2q", "w")
    for others in ("SM 2q", "+SM 2q", "tp 18c"):
        assert after(board(f"{code} 10k, {others}, b 9j"), "10k9j") == text(f"{code} 9j, {others}", "w")


def test_r4_is_forced_in_the_camp_too_and_not_written() -> None:
    assert moves_of(board("SH 10g, d 9f"), "10g9") == to("10g", "9f 9h")
    assert moves_of(board("CY 10g, d 9e"), "10g9e") == to("10g9e", " 8c 10c 10g") | {"10g9e"}


def test_r4_comes_at_the_end_of_the_turn() -> None:
    position = board("CY 10k, d 9i, p 8g")
    assert moves_of(position, "10k9i") == to("10k9i", " 8g 10g 10k") | {"10k9i"}
    assert after(position, "10k9i8g") == text("+CY 8g", "w")
    assert after(position, "10k9i10k") == text("+CY 10k, p 8g", "w")


# --- R5 -------------------------------------------------------------------------------------------------------------

GUARDS = "AG 3m, RG 17k, +EN 16o, ag 3c, rg 17e"


def test_r5_the_clerk_turns_its_guards_over_and_removes_enemy_flames() -> None:
    position = board(f"CL 10g, {GUARDS}, +en 5p 12c, en 14c")
    turned = "+CL 9f, +AG 3m, +RG 17k, +EN 16o, ag 3c, rg 17e, en 14c"
    assert after(position, "10g9f+") == text(turned, "w")
    assert after(position, "10g9f") == text(f"CL 9f, {GUARDS}, +en 5p 12c, en 14c", "w")


def test_r5_for_whatever_reason_it_turns_over() -> None:
    position = board(f"CL 10k, {GUARDS}, +en 5p, d 9j")
    assert moves_of(position, "10k9j") == {"10k9j"}
    assert after(position, "10k9j") == text("+CL 9j, +AG 3m, +RG 17k, +EN 16o, ag 3c, rg 17e", "w")


def test_r5_for_white_as_well() -> None:
    position = board(f"cl 10m, {GUARDS}", "w")
    assert after(position, "10m9n+") == text("+cl 9n, AG 3m, RG 17k, +ag 3c, +rg 17e", "b")


def test_r5_not_when_the_clerk_dies_on_arrival() -> None:
    position = board("CL 10g, AG 3m, +en 9e")
    # 9f and 10e are beside the flame: one death, of which the first string stands.
    assert moves_of(position, "10g") == to("10g", "10e 11f 11f+ 9h 11h 8g 12g 10i")
    assert after(position, "10g10e") == text("AG 3m, +en 9e", "w")


# --- R6 -------------------------------------------------------------------------------------------------------------


def test_r6_with_its_last_priest_a_side_loses_thunderclap_and_flag_waver() -> None:
    assert after(board("CH 10k, tp 10i, +d 3e, +b 5c"), "10k10i") == text("CH 10i, d 3e, b 5c", "w")
    assert after(board("CH 10k, +tp 10i, sm 4c, +d 3e"), "10k10i") == text("CH 10i, sm 4c, d 3e", "w")
    for left in ("tp 18c", "+tp 18c"):
        position = board(f"CH 10k, tp 10i, {left}, +d 3e, +b 5c")
        assert after(position, "10k10i") == text(f"CH 10i, {left}, +d 3e, +b 5c", "w")


def test_r6_shot_or_burned_is_lost_too() -> None:
    assert after(board("LB 10k, tp 6g, +d 3e"), "10k9j*6g") == text("LB 9j, d 3e", "w")
    assert after(board("+EN 10k, tp 10i, +b 3e"), "10k10j") == text("+EN 10j, b 3e", "w")
    assert after(board("+EN 10k, TP 10i, +D 3p, +B 5p, tp 4c, +d 4e"), "10k10j") == text(
        "+EN 10j, D 3p, B 5p, tp 4c, +d 4e", "w"
    )


@pytest.mark.parametrize("code", ["D", "B"])
def test_r6_without_a_priest_drum_and_banner_do_not_turn_over(code: str) -> None:
    plain = to("10g", "9f 11f 9h 11h 9g 11g")
    assert moves_of(board(f"{code} 10g"), "10g") == plain
    assert moves_of(board(f"{code} 10g, SM 2q, tp 4c"), "10g") == plain
    for priest in ("TP", "+TP"):
        assert moves_of(board(f"{code} 10g, {priest} 2q"), "10g") == plain | to("10g", "9f+ 11f+")


# --- R7 -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fog", ["+tp", "+TP"])
def test_r7_a_light_disperses_any_fog_within_five_points(fog: str) -> None:
    position = board(f"+SM 10i, {fog} 10c")
    plain = fog[1:]
    assert after(position, "10i10g") == text(f"+SM 10g, {plain} 10c", "w")
    assert after(position, "10i12g") == text(f"+SM 12g, {plain} 10c", "w")
    assert after(position, "10i12i") == text(f"+SM 12i, {fog} 10c", "w")
    # On the way there and back the fog has gone, so these are two turns.
    moves = moves_of(position, "10i")
    assert {move for move in moves if move.endswith("10i")} == {"10i10g10i", "10i10k10i"}
    assert after(position, "10i10g10i") == text(f"+SM 10i, {plain} 10c", "w")
    assert after(position, "10i10k10i") == text(f"+SM 10i, {fog} 10c", "w")


@pytest.mark.parametrize("light", ["+sm", "+SM"])
def test_r7_a_fog_that_reverts_on_its_way_loses_its_second_jump_but_not_its_shot(light: str) -> None:
    position = board(f"+TP 10i, {light} 10c, p 9h")
    assert moves_of(position, "10i10g") == {"10i10g", "10i10g*9h"}
    assert moves_of(position, "10i12g") == {"10i12g"}
    assert after(position, "10i10g*9h") == text(f"TP 10g, {light} 10c", "w")
    # By 12i it keeps its second jump, and reverts only where that lands: there is a shorter way to the same.
    assert {"10i12i", "10i12i14i", "10i12i14g"} <= moves_of(position, "10i")
    assert "10i12i12g" not in moves_of(position, "10i")
    assert after(position, "10i12i14g") == text(f"TP 14g, {light} 10c, p 9h", "w")
    assert after(position, "10i12i14i") == text(f"+TP 14i, {light} 10c, p 9h", "w")


def test_r7_a_monk_that_becomes_a_light_disperses_too() -> None:
    position = board("SM 10g, +tp 14c, +TP 6c")
    assert after(position, "10g10e+") == text("+SM 10e, tp 14c, TP 6c", "w")
    assert after(position, "10g10e") == text("SM 10e, +tp 14c, +TP 6c", "w")
    assert after(board("SM 10g, +tp 16c"), "10g10e+") == text("+SM 10e, +tp 16c", "w")


def test_r7_a_reverted_fog_may_turn_over_again() -> None:
    position = board("+SM 10i, +tp 10c, g 19a")
    moves = ("10i10g", "10c10a", "10g10i", "10a8a", "10i10k", "8a6a", "10k10m", "6a6c")
    assert after(position, *moves) == text("+SM 10m, tp 6c, g 19a", "b")
    assert after(board("TP 8e, +sm 18m"), "8e8c+") == text("+TP 8c, +sm 18m", "w")


def test_r7_forced_over_within_reach_of_a_light_it_falls_back_at_once() -> None:
    assert after(board("TP 10k, b 9h, +sm 14i"), "10k10i*9h") == text("TP 10i, +sm 14i", "w")
    assert after(board("TP 10k, b 9h, +sm 16i"), "10k10i*9h") == text("+TP 10i, +sm 16i", "w")


# --- R8 -------------------------------------------------------------------------------------------------------------

GUNNERS = [("LB", "10k"), ("CB", "10k"), ("C", "10k"), ("FC", "10k"), ("+LB", "10l"), ("+CB", "10l")]
GUNNERS += [("+C", "9k"), ("+FC", "9k")]


@pytest.mark.parametrize(("code", "start"), GUNNERS)
def test_r8_no_bow_or_gun_shoots_within_five_points_of_an_enemy_fog(code: str, start: str) -> None:
    silent = {f"{start}9j"}
    for fog in ("10e", "14e", "14i", "4o", "8m"):
        assert moves_of(board(f"{code} {start}, sh 9m, p 9h, +tp {fog}"), f"{start}9j") == silent, fog
    for fog in ("10c", "14c", "2i", "16m", "16c"):
        shots = {move for move in moves_of(board(f"{code} {start}, p 9h, +tp {fog}"), f"{start}9j") if "9h" in move}
        assert f"{start}9j*9h" in shots, fog
    for other in ("+TP 10e", "tp 18c", "+sm 10e"):
        assert f"{start}9j*9h" in moves_of(board(f"{code} {start}, p 9h, {other}"), f"{start}9j"), other


def test_r8_the_firing_point_counts() -> None:
    for fog, shots in (("10e", {"9l10k", "9l10k*9j"}), ("16k", {"9l10k", "9l10k*9j"}), ("10g", {"9l10k"})):
        assert moves_of(board(f"LB 9l, p 9j, +tp {fog}"), "9l10k") == shots, fog
    position = board("LB 10k, +tp 10e, p 9g 8m")
    # 11j too sees 8m, but is as near the fog as 9j.
    assert moves_of(position, "10k") == to("10k", "9j 11j 9l 9l*8m 11l")


def test_r8_they_still_move_and_capture_by_landing_and_priests_shoot() -> None:
    assert moves_of(board("LB 10k, +tp 10e, p 9j"), "10k9j") == {"10k9j"}
    assert after(board("LB 10k, +tp 10e, p 9j"), "10k9j") == text("LB 9j, +tp 10e", "w")
    assert moves_of(board("TP 10k, +tp 10e, p 9h"), "10k10i") == {"10k10i", "10k10i*9h"}


# --- R9 -------------------------------------------------------------------------------------------------------------


def test_r9_an_arriving_flame_removes_all_around_it() -> None:
    position = board("+EN 10k, P 9i, p 10i, +en 11i, +CH 11j, sh 9k, AC 11k, p 10h, P 8j")
    assert after(position, "10k10j") == text("+EN 10j, p 10h, P 8j", "w")
    position = board("+EN 10k, g 10i, MA 9i, B 11i, +su 9j, +MI 11j")
    assert after(position, "10k10j") == text("+EN 10j, g -", "w")


def test_r9_what_it_lands_on_is_captured() -> None:
    position = board("+EN 10k, ma 9j, p 8i, G 10i")
    assert moves_of(position, "10k9") == {"10k9j"}
    assert after(position, "10k9j") == text("+EN 9j, G -", "w")


def test_r9_standing_or_having_just_turned_over_does_not_burn() -> None:
    position = board("+EN 10k, p 10j, SH 9k, AC 14m")
    assert after(position, "14m14l") == text("+EN 10k, p 10j, SH 9k, AC 14l", "w")
    assert after(board("EN 10g, p 9e, SH 10e"), "10g10f+") == text("+EN 10f, p 9e, SH 10e", "w")
    assert after(board("EN 10k, d 10j, p 10i"), "10k10j") == text("+EN 10j, p 10i", "w"), "by capture"
    assert after(board("EN 10k, p 10i, SH 9i"), "10k10j") == text("EN 10j, p 10i, SH 9i", "w"), "an engineer"


# --- R10 ------------------------------------------------------------------------------------------------------------


def test_r10_who_lands_next_to_an_enemy_flame_is_removed() -> None:
    assert after(board("SH 10k, +en 8i"), "10k9j") == text("+en 8i", "w")
    assert after(board("SH 10k, p 9j, +en 8i"), "10k9j") == text("+en 8i", "w"), "what it captured stays captured"
    assert after(board("SH 10k, +EN 8i"), "10k9j") == text("SH 9j, +EN 8i", "w"), "its own flame does nothing"
    assert after(board("SH 10k, en 8i"), "10k9j") == text("SH 9j, en 8i", "w")
    assert after(board("SH 10k, +en 9j"), "10k9j") == text("SH 9j", "w"), "the flame itself is captured"
    assert after(board("SH 10k, +en 9j 8i"), "10k9j") == text("+en 8i", "w")


def test_r10_points_slid_or_jumped_over_do_not_count() -> None:
    position = board("CU 10l, +en 9h, SH 9l 11l 10m 10d")
    assert moves_of(position, "10l") == to("10l", "10k 10j 10g 10f 10f+ 10e 10e+"), "10g, 10h and 10i are one death"
    assert after(position, "10l10g") == text("+en 9h, SH 9l 11l 10m 10d", "w")


def test_r10_pieces_already_there_are_not_affected() -> None:
    position = board("SH 10k 4m, +en 10j")
    assert after(position, "4m3l") == text("SH 10k 3l, +en 10j", "w")
    assert after(position, "10k9l") == text("SH 9l 4m, +en 10j", "w")
    assert after(position, "10k11j") == text("SH 4m, +en 10j", "w")


def test_r10_no_further_leg_no_shot_no_promotion() -> None:
    assert moves_of(board("LB 10g, p 9c, +en 8e"), "10g") == to("10g", "9f 11f 11f+ 9h 11h 11h*8e")
    # A chariot unit takes a drum beside a flame: it is gone, not turned over.
    assert after(board("CU 10l, d 10i, +en 9h"), "10l10i") == text("+en 9h", "w")
    # The sumo wrestler's way on from 10j is over.
    position = board("SW 10k, p 10j, +en 10h 11i, SH 9j 11j 9k 11k 9l 10l 11l")
    assert moves_of(position, "10k") == {"10k10j"}
    assert after(position, "10k10j") == text("+en 10h 11i, SH 9j 11j 9k 11k 9l 10l 11l", "w")


def test_r10_a_flame_that_arrives_next_to_a_flame_burns_it() -> None:
    assert after(board("+EN 10l, +en 10j"), "10l10k") == text("+EN 10k", "w")
    assert after(board("+EN 10l, +EN 10j"), "10l10k") == text("+EN 10k", "w")


def test_r10_a_thunderclap_may_end_its_walk_in_death() -> None:
    walls = "SH 9l 11l 10m 9k 11k, TP 2q, +en 10i"
    position = board(f"+D 10l, {walls}")
    assert moves_of(position, "10l") == {"10l10k10j", "10l10k10l10k10l10k"}
    assert after(position, "10l10k10j") == text(walls, "w")
    # Even where no walk of five steps is open.
    position = board("+D 10k, SH 10l 9k 11k, TP 2q, +en 10i")
    assert moves_of(position, "10k") == {"10k10j"}


# --- R11 ------------------------------------------------------------------------------------------------------------


def test_r11_a_skyward_net_holds_the_first_pieces_ahead_and_beside() -> None:
    position = board("+ag 10c, SH 7f 5h 14c 6c 12a 10e 13f, LB 9j")
    for held in ("7f", "14c", "6c", "13f"):
        assert moves_of(position, held) == set(), held
    assert moves_of(position, "5h") == to("5h", "4g 6g 4i 6i"), "behind the first"
    assert moves_of(position, "12a") == to("12a", "11b 11b+ 13b 13b+"), "behind the net"
    assert moves_of(position, "10e") == to("10e", "9d 9d+ 11d 11d+ 9f 9f+ 11f 11f+"), "straight ahead"


def test_r11_an_earthward_net_holds_behind_and_beside() -> None:
    position = board("+rg 10m, SH 7j 14m 6m 13p 10k 12k")
    for held in ("7j", "14m", "6m", "12k"):
        assert moves_of(position, held) == set(), held
    assert moves_of(position, "13p") == to("13p", "12o 14o 12q 14q")
    assert moves_of(position, "10k") == to("10k", "9j 11j 9l 11l")


def test_r11_black_s_nets_hold_white() -> None:
    position = board("+AG 10m, +RG 10c, sh 7j 12k 14m 6m 7f 13f 14c 6c 12a 10o", "w")
    for held in ("7j", "12k", "14m", "6m", "7f", "13f", "14c", "6c"):
        assert moves_of(position, held) == set(), held
    assert moves_of(position, "12a") == to("12a", "11b 13b")
    assert len(moves_of(position, "10o")) == 8


def test_r11_a_friend_of_the_net_shields_what_is_behind_it() -> None:
    position = board("+ag 10c, p 9d, SH 7f")
    assert moves_of(position, "7f") == to("7f", "6e 6e+ 8e 8e+ 6g 6g+ 8g 8g+")


def test_r11_only_the_start_of_the_turn_counts() -> None:
    position = board("+ag 10c, SW 6f, p 7f")
    assert {"6f7f", "6f7f8g", "6f7f6f"} <= moves_of(position, "6f")


def test_r11_held_pieces_keep_their_effects() -> None:
    net = "+ag 10c"
    assert moves_of(board(f"{net}, +SM 6g"), "6g") == set()
    # A held light disperses a fog, a held flame burns whoever comes near, a held net holds.
    assert after(board(f"{net}, +SM 6g, +tp 6m", "w"), "6m6k") == text(f"{net}, +SM 6g, tp 6k", "b")
    assert after(board(f"{net}, +EN 6g, sh 4e", "w"), "4e5f") == text(f"{net}, +EN 6g", "b")
    for turn, at in (("b", "13f"), ("w", "10c")):
        position = board("+ag 10c, +AG 13f", "b" if turn == "b" else "w")
        assert moves_of(position, at) == set()


def test_r11_held_pieces_turn_over_and_are_captured_like_others() -> None:
    assert after(board("+ag 10c, AG 7f, CL 15g"), "15g14f+") == text("+ag 10c, +AG 7f, +CL 14f", "w")
    assert after(board("+ag 10c, tp 2c, +tp 8e, SH 14c", "w"), "10c14c") == text("+ag 14c, tp 2c, +tp 8e", "b")


# --- R12 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("others", "forward"),
    [("", False), ("D 3p", True), ("+D 3p, TP 2q", True), ("d 3c", False), ("+SO 3p", False), ("B 3p", False)],
)
def test_r12_pawns_step_forward_only_with_drum_or_thunderclap(others: str, forward: bool) -> None:
    rest = f", {others}" if others else ""
    assert moves_of(board(f"P 10j{rest}"), "10j") == to("10j", "9j 11j 10k") | (to("10j", "10i") if forward else set())


def test_r12_the_drum_may_fall_and_patrol_units_do_not_care() -> None:
    position = board("P 10j, D 3p, ch 3k", "w")
    assert after(position, "3k3p") == text("P 10j, +ch 3p", "b")
    position.push("3k3p")
    assert moves_of(position, "10j") == to("10j", "9j 11j 10k")
    for code in ("PU", "+P"):
        assert "10j10i" in moves_of(board(f"{code} 10j"), "10j")
