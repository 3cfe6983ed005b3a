"""Kō Shōgi: how a game ends, R1, R2, R13 and R14 of docs/rules/ko.md."""

from __future__ import annotations

import pytest

from helpers.ko import after, board, moves_of, played, text, to
from helpers.support import ended
from komadai.errors import IllegalMoveError
from komadai.game.game import Game
from komadai.game.outcome import Outcome
from komadai.game.position import Position
from komadai.spec.board import Side


def winner(position: Position, *moves: str) -> Side | None:
    """The winner after the moves; ``None`` while the game goes on. It must not have ended before."""
    for move in moves:
        assert position.outcome() is None, move
        position = played(position, move)
    outcome = position.outcome()
    assert outcome is None or outcome.winner is not None
    return outcome.winner if outcome else None


# --- R1 -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("white", "won"),
    [
        ("g 10j", True),
        ("g 10j, +ma 5e", False),
        ("g 10j, ma 5e, b 3e", False),
        ("g 10j, ma 5e", True),
        ("g 10j, b 5e", True),
        ("g 10j, d 5e, b 3e", True),
        ("g 10j, ma 5e, d 3e", True),
        ("g 10j, ma 5e, +so 3e", True),  # banner and drums is no banner
        ("g 10j, ma 5e, +b 3e, tp 18c", False),  # a flag waver is one
        ("ma 10j", False),
        ("+ma 10j", False),
        ("b 10j, ma 5e", False),
        ("g -, +ma 10j", True),
        ("g -, +ma 10j, ma 5e, b 3e", False),
        ("g -, ma 10j, b 3e", True),
        ("g -, b 10j, ma 5e", True),
        ("g -, b 10j 3e, ma 5e", False),
        ("g -, +ma 5e, ma 10j, b 3e", False),
        ("g -, tp 10i, +b 3e, ma 5e", False),
    ],
)
def test_r1_a_side_is_alive_while_it_has_a_commander(white: str, won: bool) -> None:
    target = "10i" if "10i" in white else "10j"
    assert winner(board(f"CH 10k, {white}"), f"10k{target}") == ("b" if won else None)
    assert winner(board(f"CH 10k, {white}, SH 14m"), "14m13l") is None


def test_r1_white_loses_and_wins_by_the_same() -> None:
    assert winner(board("ch 10i, G 10j", "w"), "10i10j") == "w"
    assert winner(board("ch 10i, G 10j, MA 15p, B 5p", "w"), "10i10j") is None


def test_r1_the_opponent_is_asked_before_the_mover() -> None:
    assert winner(board("+EN 5k, G 4i, g 6i"), "5k5j") == "b"
    assert winner(board("+EN 5k, G 4i"), "5k5j") == "w"
    assert winner(board("+EN 5k, G 4i, MA 16p, B 3p"), "5k5j") is None
    assert winner(board("+en 5i, G 4k, g 6k", "w"), "5i5j") == "w"


def test_r1_a_commander_that_dies_by_its_own_step_is_lost() -> None:
    position = board("G 5k, +en 5i")
    assert winner(position, "5k4j") == "w"
    assert after(position, "5k4j") == text("G -, +en 5i", "w")
    assert winner(board("G 5k, +MA 8p, +en 5i"), "5k4j") is None
    # Both at once: the general takes the last of the enemy and falls beside the flame.
    assert winner(board("G 5k, g 5j, +en 5i"), "5k5j") == "b"


def test_r1_the_order_in_which_pieces_fall_does_not_matter() -> None:
    position = board("FC 10k, g -, ma 9h, b 6g")
    assert {"10k9j*9h*6g", "10k9j*6g*9h"} & moves_of(position, "10k") == {"10k9j*6g*9h"}
    assert winner(position, "10k9j*6g*9h") == "b"


def test_r1_resigning_ends_the_game() -> None:
    game = Game("ko")
    game.push("10m10l")
    game.resign("w")
    assert game.outcome() == Outcome("b", "resign")


# --- R2 -------------------------------------------------------------------------------------------------------------


def test_r2_no_duty_to_answer_a_threat_and_one_may_move_into_it() -> None:
    position = board("SH 10j, cu 2a")
    assert moves_of(position, "10j") == to("10j", "9i 11i 9k 11k")
    assert moves_of(position, "2s") == to("2s", "1s 3s 1r 2r 3r")
    assert moves_of(board("G 5k, cu 4a"), "5k4") == to("5k", "4j 4k 4l")
    assert winner(position, "10j9i", "2a2s") == "w"


@pytest.mark.parametrize(
    ("pieces", "check"),
    [
        ("cu 2a", True),
        ("cu 2a, SH 2j", False),
        ("cu 2a, +MA 10j", False),  # it would still be alive
        ("cu 2a, MA 10j, B 12j", False),
        ("cu 2a, MA 10j", True),
        ("cu 3a", False),
        ("cu 2a, +AG 10a", False),  # held: no legal turn takes the general
        ("lb 4n, G 2q", False),
        ("lb 4n, G 2r", True),  # by 3o and a shot at three points
        ("+en 5i, G 5k", True),  # by coming next to it
        ("+en 5i, G 5l", False),
        ("+en 5i, en 6k, G 5k", True),
        ("sw 4j, G 5k, +MA 6k", True),  # both in one turn
        ("sw 4j, G 5k, +MA 7k", False),
        ("G -, MA 5k, B 7k, cm 6i", True),
        ("G -, MA 5k, B 7k 9o, cm 8i", False),
        ("G -, MA 5k, B 9o, cm 6i", True),
        ("p 2r", False),  # pawns without a drum
        ("p 2r, d 5c", True),
    ],
)
def test_r2_check_is_the_threat_of_a_turn_that_leaves_a_side_dead(pieces: str, check: bool) -> None:
    assert board(pieces).is_check() is check


# --- R13 ------------------------------------------------------------------------------------------------------------


def repeated(pieces: str, turn: Side, *cycle: str) -> Outcome | None:
    """The end of the game when the same moves are repeated, which must come on the fourth occurrence."""
    return ended(board(pieces, turn), *cycle * 3)


def test_r13_the_fourth_occurrence_is_a_draw() -> None:
    quiet = repeated("SH 10j", "b", "2s2r", "18a18b", "2r2s", "18b18a")
    assert quiet == Outcome(None, "repetition")
    assert repeated("SW 10j, sw 10c", "b", "10j10i10j", "10c10b10c") == Outcome(None, "repetition")


def test_r13_faces_count() -> None:
    # With the shield turned over this is another position.
    moves = ("10g9f", "18a18b", "9f10g+", *("18b18a", "2s2r", "18a18b", "2r2s") * 3)
    assert ended(board("SH 10g, SH 4p"), *moves) == Outcome(None, "repetition")


CHASE = ("18a18b", "10a10b", "18b18a", "10b10a")


@pytest.mark.parametrize("chaser", ["CU", "MI", "+CU"])
def test_r13_perpetual_check_to_the_only_commander_loses(chaser: str) -> None:
    assert repeated(f"{chaser} 10a", "w", *CHASE) == Outcome("w", "perpetual_check")


def test_r13_perpetual_check_by_white_loses() -> None:
    assert repeated("cu 10s", "b", "2s2r", "10s10r", "2r2s", "10r10s") == Outcome("b", "perpetual_check")


def test_r13_only_a_governor_or_only_the_pair_is_one_way_too() -> None:
    assert repeated("CU 10a, g -, +ma 18a", "w", *CHASE) == Outcome("w", "perpetual_check")
    pair = repeated("CU 10a, g -, ma 5p, b 18a", "w", "18a17a", "10a11a", "17a18a", "11a10a")
    assert pair == Outcome("w", "perpetual_check")


@pytest.mark.parametrize("more", ["+ma 5p", "ma 5p, b 7p"])
def test_r13_a_side_with_two_ways_is_not_checked(more: str) -> None:
    assert repeated(f"CU 10a, {more}", "w", *CHASE) == Outcome(None, "repetition")


def test_r13_half_a_pair_is_no_way() -> None:
    assert repeated("CU 10a, ma 5p", "w", *CHASE) == Outcome("w", "perpetual_check")
    assert repeated("CU 10a, b 5p", "w", *CHASE) == Outcome("w", "perpetual_check")


def test_r13_a_threat_to_two_commanders_at_once_is_not_check() -> None:
    position = "SW 17b, +ma 17a, sh 5m"
    assert board(position, "w").is_check(), "a turn could take both"
    assert repeated(position, "w", "5m4l", "17b18b", "4l5m", "18b17b") == Outcome(None, "repetition")


def test_r13_every_move_must_have_given_check() -> None:
    assert repeated("CU 10a", "w", "18a18b", "10a10c", "18b18a", "10c10a") == Outcome(None, "repetition")
    # A check before the first occurrence does not count, and neither does its lack.
    moves = ("11c10c", "18a17a", "10c10a", *("17a17b", "10a10b", "17b17a", "10b10a") * 3)
    assert ended(board("CU 11c", "b"), *moves) == Outcome("w", "perpetual_check")


def test_r13_both_checking_is_a_draw() -> None:
    assert repeated("CU 10a, cu 10s", "b", "10a9a", "10s9s", "9a10a", "9s10s") == Outcome(None, "repetition")


# --- R14 ------------------------------------------------------------------------------------------------------------


def test_r14_the_side_without_a_legal_turn_loses() -> None:
    position = board("+AG 12c")
    assert winner(position, "12c10a") == "b", "the net holds the only piece that White has"
    position.push("12c10a")
    assert moves_of(position, "") == set()
    assert winner(board("+AG 12c, v 4s"), "12c10a") == "b", "a vanguard on the last rank cannot move"
    assert winner(board("+AG 12c, v 4r"), "12c10a") is None


def test_r14_illegal_moves_are_refused() -> None:
    position = board("SH 10j, p 10i")
    for move in ("10j10i", "10j8h", "10i10j", "9j9i", "10j9i+", "10j9i*10i", "10j9i8h"):
        with pytest.raises(IllegalMoveError):
            position.push(move)
    assert position.sfen() == text("SH 10j, p 10i")
