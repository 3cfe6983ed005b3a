"""Kō Shōgi: how every face moves and shoots (docs/rules/ko.md, section 3), each on a board of its own."""

from __future__ import annotations

import re

import pytest

from helpers.ko import KO, after, away, board, moves_of, shortest, text, to
from komadai.spec.board import Side

NEVER_TURN = ("G", "SW", "E")

# --- Faces of one leg -----------------------------------------------------------------------------------------------

KING = "N NE E SE S SW W NW"
DIAGONALS = "NE SE SW NW"
LEAPS = "NN EE SS WW NNEE SSEE SSWW NNWW"
KNIGHT = "NNE NNW SSE SSW EEN EES WWN WWS"
ROOK_5 = "N5 E5 S5 W5"
ROOK = "N* E* S* W*"
BISHOP = "NE* SE* SW* NW*"
QUARTERMASTER = f"{ROOK} {DIAGONALS}"
CENTURIA = f"{BISHOP} N E S W"
PATROL_UNIT = "N* S* E W"
SHIELD_UNIT = f"E* W* {DIAGONALS}"
COMMISSAR = f"{BISHOP} N* S*"

# As the owner looks: N ahead, E to the right; a star slides as far as it can, a number that far at most.
ONE_LEG = {
    "G": KING,
    "CL": f"{DIAGONALS} NN EE SS WW",
    "SO": "N E S W NNEE SSEE SSWW NNWW",
    "AC": "N NE E SE SW W NW",
    "A": "N E S W NE NW",
    "ST": f"{DIAGONALS} N",
    "CS": f"{DIAGONALS} N S",
    "EN": "N S NE NW",
    "TP": LEAPS,
    "SM": LEAPS,
    "AG": "N* S",
    "MA": KING,
    "D": f"{DIAGONALS} E W",
    "B": f"{DIAGONALS} E W",
    "SE": "NE E SE S SW W NW",
    "MI": f"{ROOK} {BISHOP}",
    "Q": QUARTERMASTER,
    "CE": CENTURIA,
    "RG": "S* N",
    "FC": DIAGONALS,
    "E": BISHOP,
    "LB": DIAGONALS,
    "CB": DIAGONALS,
    "C": DIAGONALS,
    "CM": KNIGHT,
    "P": "N E S W",
    "PU": PATROL_UNIT,
    "SH": DIAGONALS,
    "SU": SHIELD_UNIT,
    "CH": ROOK_5,
    "CU": ROOK,
    "V": "N5",
    "+AC": QUARTERMASTER,
    "+A": f"{PATROL_UNIT} {DIAGONALS}",
    "+ST": f"E* W* N S {DIAGONALS}",
    "+CS": f"{BISHOP} N*",
    "+EN": "N S NE NW",
    "+AG": "NE* NW* E* W* S",
    "+MA": KING,
    "+SE": CENTURIA,
    "+RG": "SE* SW* E* W* N",
    "+FC": ROOK_5,
    "+LB": KNIGHT,
    "+CB": KNIGHT,
    "+C": ROOK_5,
    "+P": PATROL_UNIT,
    "+PU": COMMISSAR,
    "+SH": SHIELD_UNIT,
    "+SU": f"{BISHOP} E* W*",
    "+CH": ROOK,
    "+CU": f"{ROOK} {BISHOP}",
    "+V": COMMISSAR,
}
SEVERAL_LEGS = ("SW", "CY", "+CL", "+SO", "+TP", "+SM", "+D", "+B", "+MI", "+Q", "+CE", "+CM", "+CY")


def test_the_two_tables_have_every_face() -> None:
    assert sorted([*ONE_LEG, *SEVERAL_LEGS]) == sorted(kind.code for kind in KO.kinds)


@pytest.mark.parametrize("side", ["b", "w"])
@pytest.mark.parametrize("code", ONE_LEG)
def test_a_face_of_one_leg(code: str, side: Side) -> None:
    forward = 1 if side == "b" else -1
    start = "10i" if code in ("TP", "SM") else "10j"
    camp = "abcdef" if side == "b" else "nopqrs"
    expected = set()
    for word in ONE_LEG[code].split():
        compass, number = re.fullmatch(r"([NESW]+)([5*]?)", word).groups()  # type: ignore[union-attr]
        vector = compass.count("E") - compass.count("W"), compass.count("N") - compass.count("S")
        for times in range(1, {"": 1, "5": 5, "*": 18}[number] + 1):
            if end := away(start, vector, forward * times):
                expected.add(start + end)
                if code[0] != "+" and code not in NEVER_TURN and end[-1] in camp:
                    expected.add(f"{start}{end}+")
    shown = code if side == "b" else code.lower()
    drums = "D 18s, d 2a, " if code == "P" else ""
    assert moves_of(board(f"{drums}{shown} {start}", side), start) == expected


def test_slides_stop_at_the_first_piece_and_jumps_do_not() -> None:
    position = board("Q 10j, SH 10h, p 8j 7j 12l, +SH 11j, SH 9k")
    assert moves_of(position, "10j") == to("10j", "10i 9j 8j 9i 11i 11k 10k 10l 10m 10n 10o 10p 10q 10r 10s")
    assert moves_of(board("CL 10j, p 10i 9j 10h, SH 11j 12j"), "10j") == to("10j", "9i 11i 9k 11k 10h 8j 10l")


# --- Faces of several legs ------------------------------------------------------------------------------------------


def test_sumo_wrestler_takes_one_or_two_king_steps() -> None:
    first = to("10j", "9i 10i 11i 9j 11j 9k 10k 11k")
    second = to(
        "10j",
        "11i12h 10i11h 10i10h 10i9h 9i8h 11i12i 11i12j 11j12k 9i8i 9i8j 9j8k 11k12l 10k11l 10k10l 10k9l 9k8l 10i10j",
    )
    assert moves_of(board("SW 10j"), "10j") == first | second


def test_sumo_wrestler_does_not_jump_and_captures_at_each_step() -> None:
    position = board("SW 10j, SH 9i 11i 9j 11j 9k 10k 11k 10h, p 10i 11h")
    assert moves_of(position, "10j") == to("10j", "10i 10i9h 10i11h 10i10j")
    held = "SH 9i 11i 9j 11j 9k 10k 11k 10h"
    assert after(position, "10j10i10j") == text(f"SW 10j, {held}, p 11h", "w"), "igui"
    assert after(position, "10j10i11h") == text(f"SW 11h, {held}", "w")
    assert moves_of(board("SW 10j, SH 9i 10i 11i 9j 11j 9k 10k 11k, p 10h"), "10j") == set()


def test_sumo_wrestler_by_two_ways_to_one_point() -> None:
    moves = moves_of(board("SW 10j, p 9i 10i"), "10j")
    assert {"10j9i9h", "10j10i9h"} <= moves, "what they capture differs"
    assert {move for move in moves if move.endswith("10j")} == {"10j10i10j", "10j9i10j", "10j10k10j"}
    assert {move for move in moves if move.endswith("10h")} == {"10j10i10h", "10j9i10h", "10j11i10h"}


CAVALRY = "9i 11i 8j 12j 8l 12l 9m 11m 9i8g 11i12g 11i10g 8j6i 8l6m 8j6k 12j14i 12l14m 12j14k 9m8o 11m12o 11m10o 11i10k"


@pytest.mark.parametrize("code", ["CY", "+CM"])
def test_cavalry_keeps_its_long_direction_or_goes_back(code: str) -> None:
    assert moves_of(board(f"{code} 10k"), "10k") == to("10k", CAVALRY)


@pytest.mark.parametrize("code", ["CY", "+CM"])
def test_cavalry_captures_with_each_jump(code: str) -> None:
    position = board(f"{code} 10k, p 9i 8g, SH 11i 8j 12j 8l 12l 9m 11m 10j 9j")
    assert moves_of(position, "10k") == to("10k", "9i 9i8g 9i10g 9i10k")
    rest = "SH 11i 8j 12j 8l 12l 9m 11m 10j 9j"
    assert after(position, "10k9i8g") == text(f"{code} 8g, {rest}", "w")
    assert after(position, "10k9i10k") == text(f"{code} 10k, p 8g, {rest}", "w")


def test_winged_horse_jumps_twice_in_any_directions() -> None:
    knight = [(1, 2), (-1, 2), (1, -2), (-1, -2), (2, 1), (-2, 1), (2, -1), (-2, -1)]
    moves = moves_of(board("+CY 10j"), "10j")
    assert moves == shortest("10j", knight, least=1, most=2)
    assert len(moves) == 8 + 32 + 1
    assert {"10j9h", "10j11h10j", "10j8i7g", "10j11h10f", "10j9h8f", "10j11l10n"} <= moves


def test_winged_horse_captures_with_each_jump() -> None:
    position = board("+CY 10j, sh 9h 7g, CH 11h 8i 12i 8k 12k 9l 11l 8f 10f 7i 8j 11g 11i")
    assert moves_of(position, "10j") == to("10j", "9h 9h7g 9h10j")


def test_master_at_arms_makes_one_or_two_clerk_moves() -> None:
    first = to("10j", "9i 11i 9k 11k 8j 12j 10h 10l")
    second = to(
        "10j",
        "10h8h 10h12h 10l8l 10l12l 8j7i 8j7k 11i13i 11k13k 10h9g 10h11g 10l9m 10l11m 8j6j 12j14j 10h10f 10l10n 10h10j",
    )
    assert moves_of(board("+CL 10j"), "10j") == first | second


def test_master_at_arms_captures_with_each_move() -> None:
    position = board("+CL 10j, p 10i 10h 10g 10f, SH 9i 11i 9k 11k 8j 12j 10l 9g 11g 8h 12h")
    assert moves_of(position, "10j") == to("10j", "10h 10h10f 10h10j")
    rest = "SH 9i 11i 9k 11k 8j 12j 10l 9g 11g 8h 12h"
    assert after(position, "10j10h10f") == text(f"+CL 10f, p 10i 10g, {rest}", "w")


def test_banner_and_drums_makes_one_or_two_staff_officer_moves() -> None:
    first = to("10j", "9j 11j 10i 10k 8h 12h 8l 12l")
    second = to(
        "10j",
        "9j8j 11j12j 10i10h 10k10l 10i9i 10i11i 10k9k 10k11k"
        " 8h7h 11j9h 10i8g 10k8i 11j13h 12h11h 10i12g 10k12i"
        " 8l7l 11j9l 10k8m 10i8k 11j13l 12l11l 10k12m 10i12k"
        " 8h6f 12h14f 8l6n 12l14n 8h6j 12h14j 12h10f 12l10n 10i10j",
    )
    assert moves_of(board("+SO 10j"), "10j") == first | second


def test_banner_and_drums_captures_with_each_move() -> None:
    position = board("+SO 10j, p 8h 8g, CH 9j 11j 10i 10k 12h 8l 12l 7h 9h 8i 6f 10f 6j")
    assert moves_of(position, "10j") == to("10j", "8h 8h8g 8h10j")


@pytest.mark.parametrize("code", ["+TP", "+SM"])
def test_five_li_fog_and_immaculate_light_shoot_after_each_jump(code: str) -> None:
    rest = "SH 8g 12g 8i 12i 8k 10k 12k 8e 12e"
    position = board(f"{code} 10i, p 9h 10f, {rest}")
    assert moves_of(position, "10i") == to(
        "10i", "10g 10g*9h 10g*10f 10g10e 10g*10f10e 10g*9h10e 10g*9h10e*10f 10g10i 10g*9h10i 10g*10f10i 10g*10f10i*9h"
    )
    assert after(position, "10i10g*10f10i*9h") == text(f"{code} 10i, {rest}", "w")
    assert after(position, "10i10g*9h10e") == text(f"{code} 10e, p 10f, {rest}", "w")
    assert after(position, "10i10g10i") == text(f"{code} 10i, p 9h 10f, {rest}", "w")
    jumps = [(x, y) for x in (-2, 0, 2) for y in (-2, 0, 2) if (x, y) != (0, 0)]
    assert moves_of(board(f"{code} 10i"), "10i") == shortest("10i", jumps, least=1, most=2)


def test_priests_capture_priests_by_landing_and_nothing_else() -> None:
    pieces = "p 10h 10g 8j, +sm 12g, SH 12i"
    for code in ("TP", "SM"):
        position = board(f"{code} 10i, {pieces}")
        assert moves_of(position, "10i") == to("10i", "12g 8g 8i 8i*8j 8k 8k*8j 10k 12k")
        assert after(position, "10i12g") == text(f"{code} 12g, p 10h 10g 8j, SH 12i", "w")
        assert after(position, "10i8k*8j") == text(f"{code} 8k, p 10h 10g, +sm 12g, SH 12i", "w")


@pytest.mark.parametrize("victim", ["tp", "+tp", "sm", "+sm"])
def test_taoist_priest_and_spiritual_monk_do_not_shoot_after_a_capture(victim: str) -> None:
    for code in ("TP", "SM"):
        position = board(f"{code} 10i, {victim} 10g, p 9h")
        assert moves_of(position, "10i10g") == {"10i10g"}
        assert moves_of(position, "10i8i") == {"10i8i", "10i8i*9h"}


@pytest.mark.parametrize("victim", ["tp", "sm"])
@pytest.mark.parametrize("code", ["+TP", "+SM"])
def test_five_li_fog_and_immaculate_light_shoot_after_a_capture(code: str, victim: str) -> None:
    position = board(f"{code} 10i, {victim} 10g, p 9h, SH 8g 12g 8i 12i 8k 10k 12k 8e 10e 12e")
    assert moves_of(position, "10i") == to("10i", "10g 10g*9h 10g10i 10g*9h10i")
    assert after(position, "10i10g*9h10i") == text(f"{code} 10i, SH 8g 12g 8i 12i 8k 10k 12k 8e 10e 12e", "w")


@pytest.mark.parametrize("code", ["TP", "SM"])
def test_taoist_priest_and_spiritual_monk_shoot_one_neighbour(code: str) -> None:
    around = "9f 10f 11f 9g 11g 9h 10h 11h"
    position = board(f"{code} 10i, ch {around}, SH 8g 12g 8i 12i 8k 10k 12k")
    assert moves_of(position, "10i") == {"10i10g"} | {f"10i10g*{point}" for point in around.split()}


def test_thunderclap_takes_exactly_five_steps() -> None:
    orthogonal = [(0, 1), (1, 0), (0, -1), (-1, 0)]
    moves = moves_of(board("+D 10j, TP 2q"), "10j")
    assert moves == shortest("10j", orthogonal, least=5, most=5)
    assert len(moves) == 4 + 12 + 20
    assert {"10j10i10h10g10f10e", "10j10i10h10g10f9f"} <= moves


def test_thunderclap_in_a_dead_end_goes_to_and_fro() -> None:
    walls = "SH 9j 11j 10k 9i 11i 9h 11h 10g, TP 2q"
    position = board(f"+D 10j, {walls}")
    assert moves_of(position, "10j") == {"10j10i10h10i10h10i"}
    assert after(position, "10j10i10h10i10h10i") == text(f"+D 10i, {walls}", "w")
    position = board(f"+D 10j, p 10h, {walls}")
    assert moves_of(position, "10j") == {"10j10i10h10i10h10i", "10j10i10j10i10j10i"}
    assert after(position, "10j10i10h10i10h10i") == text(f"+D 10i, {walls}", "w")
    assert after(position, "10j10i10j10i10j10i") == text(f"+D 10i, p 10h, {walls}", "w")
    assert moves_of(board("+D 10j, TP 2q, SH 10i 9j 11j 10k"), "10j") == set()


def test_flag_waver_goes_onward_one_to_five_steps() -> None:
    expected = to("10j", "10i 10i10h 10i10h10g 10i10h10g10f 10i10h10g10f10e")
    expected |= to("10j", "10k 10k10l 10k10l10m 10k10l10m10n 10k10l10m10n10o")
    expected |= to("10j", "9j 9j8j 9j8j7j 9j8j7j6j 9j8j7j6j5j")
    expected |= to("10j", "11j 11j12j 11j12j13j 11j12j13j14j 11j12j13j14j15j")
    assert moves_of(board("+B 10j, TP 2q"), "10j") == expected


def test_flag_waver_captures_all_on_its_way() -> None:
    position = board("+B 10j, TP 2q, p 10i 10h 10d, SH 10f 9j 11j, ch 10k 10m, SH 10n")
    assert moves_of(position, "10j") == to("10j", "10i 10i10h 10i10h10g 10k 10k10l 10k10l10m")
    assert after(position, "10j10i10h10g") == text("+B 10g, TP 2q, p 10d, SH 10f 9j 11j 10n, ch 10k 10m", "w")


def test_dragon_ascending_slides_or_steps_twice() -> None:
    slides = set()
    for vector in [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]:
        slides |= {"10j" + str(away("10j", vector, times)) for times in range(1, 10)}
    second = to("10j", "10i11h 10i9h 11i12i 11j12k 10k11l 10k9l 9i8i 9j8k 10i10j")
    assert moves_of(board("+MI 10j"), "10j") == slides | second


def test_dragon_ascending_does_not_combine_slide_and_step() -> None:
    position = board("+MI 10j, p 10i")
    assert moves_of(position, "10j10i") == to("10j10i", " 9h 10h 11h 9i 11i 9j 11j 10j") | {"10j10i"}
    assert {move for move in moves_of(position, "10j") if move.endswith("10h")} == {"10j10i10h", "10j11i10h"}
    assert not {move for move in moves_of(position, "10j") if move.endswith("10g")}
    assert after(position, "10j10i10j") == text("+MI 10j", "w")


def test_tiger_wing_slides_orthogonally_or_steps_twice_diagonally() -> None:
    slides = {f"10j{file}j" for file in range(1, 20) if file != 10} | to("10j", " ".join(f"10{r}" for r in ALL_BUT_J))
    second = to("10j", "9i 11i 9k 11k 11i12h 9i8h 11k12l 9k8l 11i10j")
    assert moves_of(board("+Q 10j"), "10j") == slides | second


def test_tiger_wing_igui_and_double_capture() -> None:
    position = board("+Q 10j, p 9i 8h, SH 10i 9j 10k 11j 11i 9k 11k 10h")
    assert moves_of(position, "10j") == to("10j", "9i 9i8h 9i8j 9i10j")
    assert after(position, "10j9i8h") == text("+Q 8h, SH 10i 9j 10k 11j 11i 9k 11k 10h", "w")


def test_war_hawk_slides_diagonally_or_steps_twice_orthogonally() -> None:
    slides = set()
    for vector in [(1, 1), (1, -1), (-1, 1), (-1, -1)]:
        slides |= {"10j" + str(away("10j", vector, times)) for times in range(1, 10)}
    second = to("10j", "10i 9j 11j 10k 10i10h 9j8j 11j12j 10k10l 10i10j")
    assert moves_of(board("+CE 10j"), "10j") == slides | second


def test_war_hawk_igui_and_double_capture() -> None:
    position = board("+CE 10j, p 10i 10h, SH 9i 11i 9k 11k 9j 11j 10k")
    assert moves_of(position, "10j") == to("10j", "10i 10i10h 10i10j")
    assert after(position, "10j10i10j") == text("+CE 10j, p 10h, SH 9i 11i 9k 11k 9j 11j 10k", "w")


ALL_BUT_J = "abcdefghiklmnopqrs"

# --- Landing limits -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["CH", "CU", "+CH", "+C", "+FC"])
def test_landing_limits_chariots_and_gun_carriages_cannot_take_a_fortress(code: str) -> None:
    walls = "SH 9k 11k 10l 9j 11j 9l 11l"
    assert moves_of(board(f"{code} 10k, +su 10i, {walls}"), "10k") == {"10k10j"}
    assert moves_of(board(f"{code} 10k, su 10i, {walls}"), "10k10i") == {"10k10i"}
    assert moves_of(board(f"{code} 10k, +su 10j, {walls}"), "10k") == set()


@pytest.mark.parametrize("code", ["MI", "+CU", "PU", "+MI", "Q"])
def test_landing_limits_others_take_a_fortress(code: str) -> None:
    walls = "SH 9k 11k 10l 9j 11j 9l 11l"
    assert "10k10i" in moves_of(board(f"{code} 10k, +su 10i, {walls}"), "10k")


@pytest.mark.parametrize("victim", ["g", "p", "+su", "sw", "en", "+en", "ag", "lb", "c", "+d", "+b", "+ma", "ch"])
def test_landing_limits_priest_faces_take_no_others(victim: str) -> None:
    for priest in ("TP", "SM", "+TP", "+SM"):
        position = board(f"{priest} 10i, {victim} 10g, tp 18c, SH 8g 12g 8i 12i 8k 10k 12k")
        assert moves_of(position, "10i") == set()


# --- Shooting -------------------------------------------------------------------------------------------------------

RANGE = "p 9g 9f 6m 5j 4e 12m 12j, ch 11h, su 9k, SH 11j 9l 11l"
"""Round the firing point 9j: behind 9g stands 9f, own shields stand before 12m and 12j; some never shoot ch and su."""

# Where each stands before it comes to 9j.
FROM = {"LB": "10k", "CB": "10k", "C": "10k", "FC": "10k", "+LB": "10l", "+CB": "10l", "+C": "8j", "+FC": "8j"}


def shots_of(code: str) -> set[str]:
    """The points it may shoot at from 9j in RANGE, one after the other."""
    landing = f"{FROM[code]}9j"
    moves = moves_of(board(f"{code} {FROM[code]}, {RANGE}"), landing)
    return {move.removeprefix(landing) for move in moves}


@pytest.mark.parametrize("code", ["LB", "+LB"])
def test_longbow_and_longbow_cavalryman_shoot_one_piece_up_to_three_points_away(code: str) -> None:
    assert shots_of(code) == {"", "*9g", "*6m"}
    if code == "LB":
        assert moves_of(board(f"LB 10k, {RANGE}"), "10k") == to("10k", "9j 9j*9g 9j*6m")


@pytest.mark.parametrize("code", ["CB", "+CB"])
def test_crossbow_and_crossbow_cavalryman_shoot_one_piece_up_to_five_points_away(code: str) -> None:
    assert shots_of(code) == {"", "*9g", "*6m", "*5j", "*4e"}


@pytest.mark.parametrize("code", ["C", "+C"])
def test_cannon_and_gun_carriage_shoot_over_whatever_stands_between(code: str) -> None:
    assert shots_of(code) == {"", "*9g", "*9f", "*6m", "*5j", "*4e", "*12m", "*12j", "*11h"}


TWO_SHOTS = {
    "",
    *("*11h", "*4e", "*5j", "*6m", "*9g"),
    *("*11h*4e", "*11h*5j", "*11h*6m", "*11h*9g", "*4e*5j", "*4e*6m", "*4e*9g", "*5j*6m", "*5j*9g", "*6m*9g"),
    "*9g*9f",  # through the point that the first shot has emptied
}


def test_frankish_cannon_shoots_up_to_two_pieces() -> None:
    assert shots_of("FC") == TWO_SHOTS
    left = RANGE.replace("9g 9f ", "")
    assert after(board(f"FC 10k, {RANGE}"), "10k9j*9g*9f") == text(f"FC 9j, {left}", "w")


def test_chariot_of_the_gods_slides_and_shoots_as_the_frankish_cannon() -> None:
    assert shots_of("+FC") == TWO_SHOTS
    position = board("+FC 10j, p 5e 12g, SH 9j 11j 10k")
    assert moves_of(position, "10j") == to("10j", "10i 10i*12g 10h 10g 10g*12g 10f 10e 10e*12g 10e*5e 10e*12g*5e")


REACH = {"LB": 3, "+LB": 3, "CB": 5, "+CB": 5, "C": 5, "+C": 5, "FC": 7, "+FC": 7}


@pytest.mark.parametrize("code", REACH)
def test_shots_reach_as_far_as_the_table_says(code: str) -> None:
    origin = {"8j": "9k"}.get(FROM[code], FROM[code])
    for distance in range(1, 9):
        moves = moves_of(board(f"{code} {origin}, p {9 - distance}j"), f"{origin}9j")
        expected = {f"{origin}9j"} | ({f"{origin}9j*{9 - distance}j"} if distance <= REACH[code] else set())
        assert moves == expected, distance


BOW_PROOF = ("SH", "SU", "+SU", "+SH", "CH", "CU", "+CH", "+C", "+FC", "+TP")
GUN_PROOF = ("SU", "+SH", "+SU", "+TP")
PROOF = dict.fromkeys(("LB", "+LB", "CB", "+CB"), BOW_PROOF) | dict.fromkeys(("C", "+C", "FC", "+FC"), GUN_PROOF)


@pytest.mark.parametrize("code", PROOF)
def test_shots_hit_all_but_what_the_table_names(code: str) -> None:
    origin = {"8j": "9k"}.get(FROM[code], FROM[code])
    for kind in KO.kinds:
        moves = moves_of(board(f"{code} {origin}, {kind.code.lower()} 6m, tp 18c"), f"{origin}9j")
        expected = {f"{origin}9j"} | ({f"{origin}9j*6m"} if kind.code not in PROOF[code] else set())
        assert moves == expected, kind.code


@pytest.mark.parametrize("code", PROOF)
def test_bows_and_guns_capture_by_landing_and_then_do_not_shoot(code: str) -> None:
    origin = {"8j": "9k"}.get(FROM[code], FROM[code])
    position = board(f"{code} {origin}, sh 9j, p 9g 8j")
    assert moves_of(position, f"{origin}9j") == {f"{origin}9j"}
    assert after(position, f"{origin}9j") == text(f"{code} 9j, p 9g 8j", "w")


@pytest.mark.parametrize("code", ["FC", "+FC"])
def test_frankish_cannon_hits_a_fog_only_from_six_points_on(code: str) -> None:
    """Nearer than six it is blinded in any case; see the option fog_blinds."""
    origin, ahead = ("11k", "10j") if code == "FC" else ("10k", "10j")
    position = board(f"{code} {origin}, +tp 10c, SH 10l")
    assert moves_of(position, origin + ahead) == {origin + ahead, f"{origin}{ahead}*10c"}
    origin, ahead = ("11j", "10i") if code == "FC" else ("10j", "10i")
    position = board(f"{code} {origin}, +tp 10c 16i, SH 10l")
    assert moves_of(position, origin + ahead) == {origin + ahead} | to(origin + ahead, "*10c *16i *10c*16i")
    position = board(f"{code} {origin}, +tp 10a, SH 10l")
    assert moves_of(position, origin + ahead) == {origin + ahead}, "eight points are out of reach"


def test_shots_hit_commanders_and_no_friends() -> None:
    moves = moves_of(board("LB 10k, g 9g, D 7j, +MA 11l"), "10k")
    assert {move for move in moves if "*" in move} == {"10k9j*9g"}
