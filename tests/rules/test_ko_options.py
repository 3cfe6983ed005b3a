"""Kō Shōgi: every value of every option of docs/rules/ko.md, section 6."""

from __future__ import annotations

from functools import partial

import pytest

from helpers.ko import after, board, moves_of, played, shortest, text, to
from komadai.errors import IllegalMoveError
from komadai.game.game import Game
from komadai.game.outcome import Outcome
from komadai.game.position import Position

# --- shoot_mode -----------------------------------------------------------------------------------------------------

moving = partial(board, shoot_mode="move_then_shoot")
staying = partial(board, shoot_mode="stay_and_shoot")
either = partial(board, shoot_mode="either")

BOW = "LB 10k, p 10h 9h 7k"
STEPS = to("10k", "9j 11j 9l 11l")


def test_shoot_mode_of_a_bow() -> None:
    after_moving, standing = to("10k", "9j*9h 11j*9h"), to("10k", "*10h *7k")
    assert moves_of(moving(BOW), "10k") == moves_of(board(BOW), "10k") == STEPS | after_moving
    assert moves_of(staying(BOW), "10k") == STEPS | standing
    assert moves_of(either(BOW), "10k") == STEPS | after_moving | standing
    assert after(staying(BOW), "10k*10h") == text("LB 10k, p 9h 7k", "w")


def test_shoot_mode_of_a_gun() -> None:
    pieces = "FC 10k, p 10h 10e 7k, SH 9j 11j 9l 11l"
    for mode in (staying, either):
        assert moves_of(mode(pieces), "10k") == to("10k", "*10h *7k *10h*10e *10h*7k")
    assert moves_of(moving(pieces), "10k") == set()
    over = "C 10k, SH 10j 9j 11j 9l 11l, p 10i"
    assert moves_of(staying(over), "10k") == moves_of(either(over), "10k") == {"10k*10i"}


FOG = "p 9h 10h, SH 8g 12g 8i 12i 8k 10k 12k 8e 10e 12e"


@pytest.mark.parametrize("code", ["+TP", "+SM"])
def test_shoot_mode_of_fog_and_light(code: str) -> None:
    pieces = f"{code} 10i, {FOG}"
    assert moves_of(staying(pieces), "10i") == to("10i", "10g 10g10i *9h *10h")
    # There and back with one shot is the same as the shot alone, which has fewer points.
    both = "10g 10g*9h 10g*10h 10g10i 10g*10h10i*9h *9h *10h"
    assert moves_of(either(pieces), "10i") == to("10i", both)
    plain = "10g 10g*9h 10g*10h 10g10i 10g*10h10i*9h 10g*9h10i 10g*10h10i"
    assert moves_of(moving(pieces), "10i") == to("10i", plain)


@pytest.mark.parametrize("code", ["TP", "SM"])
def test_shoot_mode_of_priest_and_monk(code: str) -> None:
    pieces = f"{code} 10i, {FOG}"
    assert moves_of(staying(pieces), "10i") == to("10i", "10g *9h *10h")
    assert moves_of(either(pieces), "10i") == to("10i", "10g 10g*9h 10g*10h *9h *10h")


@pytest.mark.parametrize("mode", [staying, either])
def test_shoot_mode_standing_gives_no_zone_promotion_but_captures_do(mode: partial[object]) -> None:
    position = board("LB 10f, p 10d", **mode.keywords)
    assert {move for move in moves_of(position, "10f") if "*" in move} & to("10f", "*10d *10d+") == {"10f*10d"}
    assert "10f" not in moves_of(position, "10f"), "to stand still without a shot is no turn"
    assert {"10f9e", "10f9e+", "10f9g", "10f9g+"} <= moves_of(position, "10f")
    assert after(board("LB 10k, d 10h", **mode.keywords), "10k*10h") == text("+LB 10k", "w")
    if mode is staying:
        assert after(staying("LB 10f, p 10d", zone_promotion="forced"), "10f*10d") == text("LB 10f", "w")


@pytest.mark.parametrize("mode", [staying, either])
def test_shoot_mode_standing_is_subject_to_the_other_rules(mode: partial[object]) -> None:
    # R8, R11; no landing, so R10 has nothing to say.
    assert moves_of(board("LB 10k, p 10h, +tp 10g", **mode.keywords), "10k") == STEPS
    assert moves_of(board("+ag 10c, LB 7f, p 7e", **mode.keywords), "7f") == set()
    position = board("LB 10k, +en 10j, p 8k, SH 9j 11j 9l 11l", **mode.keywords)
    assert moves_of(position, "10k") == to("10k", "*10j *8k")
    assert after(position, "10k*8k") == text("LB 10k, +en 10j, SH 9j 11j 9l 11l", "w")


# --- fog_blinds -----------------------------------------------------------------------------------------------------


def test_fog_blinds() -> None:
    pieces = "LB 10k, p 9h, +tp 10e"
    assert moves_of(board(pieces), "10k9j") == moves_of(board(pieces, fog_blinds="within5"), "10k9j") == {"10k9j"}
    assert moves_of(board(pieces, fog_blinds="off"), "10k9j") == {"10k9j", "10k9j*9h"}
    near = "FC 11k, +tp 10e 10q, p 7j"
    assert moves_of(board(near), "11k10j") == {"11k10j"}
    seen = {"11k10j"} | to("11k10j", "*7j *10q *10q*7j")
    assert moves_of(board(near, fog_blinds="off"), "11k10j") == seen, "a fog nearer than six points is safe"
    for code in ("LB", "CB", "C"):
        assert moves_of(board(f"{code} 10k, +tp 6g", fog_blinds="off"), "10k9j") == {"10k9j"}


# --- burn_allies and passive_burn -----------------------------------------------------------------------------------


def test_burn_allies() -> None:
    pieces = "+EN 10k, P 9i, p 10i, +EN 11i, AC 9k, sh 11k"
    for options in ({}, {"burn_allies": "True"}):
        assert after(board(pieces, **options), "10k10j") == text("+EN 10j", "w")
    spared = text("+EN 10j 11i, P 9i, AC 9k", "w")
    assert after(board(pieces, burn_allies="False"), "10k10j") == spared


def test_passive_burn() -> None:
    for value, beside_theirs, beside_its_own in (
        ("enemy", "+en 8i", "SH 9j, +EN 8i"),
        ("none", "SH 9j, +en 8i", "SH 9j, +EN 8i"),
        ("any", "+en 8i", "+EN 8i"),
    ):
        assert after(board("SH 10k, +en 8i", passive_burn=value), "10k9j") == text(beside_theirs, "w")
        assert after(board("SH 10k, +EN 8i", passive_burn=value), "10k9j") == text(beside_its_own, "w")
        # What a flame burns by coming does not depend on it, and flames do not die so.
        assert after(board("+EN 10l, p 9j", passive_burn=value), "10l10k") == text("+EN 10k", "w")
    two = board("+EN 10l 10j, +en 9j", passive_burn="any", burn_allies="False")
    assert after(two, "10l10k") == text("+EN 10k 10j", "w")


def test_passive_burn_and_null_moves() -> None:
    position = board("SW 10j, +en 10i, SH 9i 11i 9j 11j 9k 11k 9l 10l 11l", passive_burn="none")
    assert {"10j10k10j"} == {move for move in moves_of(position, "10j10k") if move.endswith("10j")}
    assert after(position, "10j10k10j") == text("SW 10j, +en 10i, SH 9i 11i 9j 11j 9k 11k 9l 10l 11l", "w")


# --- net_reach ------------------------------------------------------------------------------------------------------


def test_net_reach() -> None:
    pieces = "+ag 10c, p 9d, SH 7f 5h 12e 14g 10e"
    free = to("5h", "4g 6g 4i 6i")
    for options in ({}, {"net_reach": "first"}):
        position = board(pieces, **options)
        assert moves_of(position, "5h") == free
        assert moves_of(position, "7f") != set(), "shielded by the pawn"
        assert moves_of(position, "12e") == set()
        assert moves_of(position, "14g") == to("14g", "13f 13f+ 15f 15f+ 13h 15h")
    position = board(pieces, net_reach="through")
    for held in ("7f", "5h", "12e", "14g"):
        assert moves_of(position, held) == set()
    assert len(moves_of(position, "10e")) == 8


# --- pawn_needs_drum ------------------------------------------------------------------------------------------------


def test_pawn_needs_drum() -> None:
    rest = to("10j", "9j 11j 10k")
    assert moves_of(board("P 10j"), "10j") == moves_of(board("P 10j", pawn_needs_drum="True"), "10j") == rest
    assert moves_of(board("P 10j", pawn_needs_drum="False"), "10j") == rest | {"10j10i"}


# --- zone_promotion -------------------------------------------------------------------------------------------------

forced = partial(board, zone_promotion="forced")


def test_zone_promotion() -> None:
    both = to("10g", "9f 9f+ 11f 11f+ 9h 11h")
    assert moves_of(board("SH 10g"), "10g") == moves_of(board("SH 10g", zone_promotion="optional"), "10g") == both
    assert came_to(forced("SH 10g"), "10g", "9f") == text("+SH 9f", "w")
    assert came_to(forced("SH 10g"), "10g", "9h") == text("SH 9h", "w")
    assert came_to(forced("SH 10f"), "10f", "9g") == text("+SH 9g", "w")


def came_to(position: Position, origin: str, ends: str) -> str:
    """The position after the only move of that piece with these landings, however its string ends."""
    found = {move for move in moves_of(position, origin) if move.removesuffix("+") == origin + ends}
    assert len(found) == 1, found
    return after(position, *found)


def test_zone_promotion_forced_is_not_written() -> None:
    """6a: a plus is written when the mover turns over by choice."""
    assert moves_of(forced("SH 10g"), "10g") == to("10g", "9f 11f 9h 11h")
    assert moves_of(forced("D 10g"), "10g") == to("10g", "9f 11f 9h 11h 9g 11g")
    null = {move for move in moves_of(forced("CY 10h"), "10h") if "10h" in move[3:]}
    assert null == {"10h11f10h", "10h11j10h"}


def test_zone_promotion_by_one_leg() -> None:
    position = forced("CY 10h")
    assert came_to(position, "10h", "11f10h") == text("+CY 10h", "w")
    assert came_to(position, "10h", "11j10h") == text("CY 10h", "w")


def test_zone_promotion_where_it_is_impossible() -> None:
    assert came_to(forced("D 10g"), "10g", "9f") == text("D 9f", "w"), "without a priest"
    assert came_to(forced("D 10g, TP 2q"), "10g", "9f") == text("+D 9f, TP 2q", "w")
    assert came_to(forced("TP 10g, +sm 14c"), "10g", "10e") == text("TP 10e, +sm 14c", "w"), "near a light"
    assert came_to(forced("TP 10g"), "10g", "10e") == text("+TP 10e", "w")
    assert came_to(forced("SW 10g"), "10g", "10f") == text("SW 10f", "w")
    assert came_to(forced("SH 10g, +en 8e"), "10g", "9f") == text("+en 8e", "w")


# --- thunderclap_revisit --------------------------------------------------------------------------------------------


def test_thunderclap_revisit() -> None:
    orthogonal = [(0, 1), (1, 0), (0, -1), (-1, 0)]
    for revisits in (True, False):
        position = board("+D 10j, TP 2q", thunderclap_revisit=str(revisits))
        assert moves_of(position, "10j") == shortest("10j", orthogonal, least=5, most=5, revisits=revisits)
        dead_end = board("+D 10j, SH 9j 11j 10k 9i 11i 9h 11h 10g, TP 2q", thunderclap_revisit=str(revisits))
        assert moves_of(dead_end, "10j") == ({"10j10i10h10i10h10i"} if revisits else set())


# --- flag_waver_is_banner -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("white", "value", "won"),
    [
        ("ma 5e, +b 3e, tp 18c", "True", False),
        ("ma 5e, +b 3e, tp 18c", "False", True),
        ("ma 5e, b 3e", "False", False),
        ("ma 5e, +b 3e, b 5c, tp 18c", "False", False),
    ],
)
def test_flag_waver_is_banner(white: str, value: str, won: bool) -> None:
    position = played(board(f"CH 10k, g 10j, {white}", flag_waver_is_banner=value), "10k10j")
    outcome = position.outcome()
    assert (outcome.winner if outcome else None) == ("b" if won else None)
    assert position.is_check() is False


# --- illegal_move ---------------------------------------------------------------------------------------------------


def test_illegal_move() -> None:
    for options in ({}, {"illegal_move": "refused"}):
        game = Game("ko", **options)
        with pytest.raises(IllegalMoveError):
            game.push("10m10g")
        assert game.outcome() is None
        game.push("10m10h")
    game = Game("ko", illegal_move="loses")
    game.push("10m10g")
    assert game.outcome() == Outcome("w", "illegal")
