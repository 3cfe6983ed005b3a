"""Standard shogi, docs/rules/shogi.md, rule by rule on positions of their own; rules 14 to 18 in test_shogi_ends.py."""

from __future__ import annotations

from functools import partial

import pytest

from helpers import support
from helpers.support import ended, legal, play
from komadai.errors import IllegalMoveError
from komadai.game.game import Game
from komadai.game.outcome import Outcome
from komadai.game.position import Position

refusal = partial(support.refusal, "shogi")
dropped = partial(support.dropped, "shogi")
ways = partial(support.ways, "shogi")


# --- Moves ----------------------------------------------------------------------------------------------------------

GOLD = {"5d", "4d", "6d", "4e", "6e", "5f"}
KING = GOLD | {"4f", "6f"}
LINES = {f"5{rank}" for rank in "abcdfghi"} | {f"{file}e" for file in "12346789"}
DIAGONALS = {"1a", "2b", "3c", "4d", "6f", "7g", "8h", "9i", "9a", "8b", "7c", "6d", "4f", "3g", "2h", "1i"}


@pytest.mark.parametrize(
    ("code", "squares"),
    [
        ("K", KING),
        ("R", LINES),
        ("B", DIAGONALS),
        ("G", GOLD),
        ("S", {"5d", "4d", "6d", "4f", "6f"}),
        ("N", {"4c", "6c"}),
        ("L", {"5d", "5c", "5b", "5a"}),
        ("P", {"5d"}),
        ("+R", LINES | KING),
        ("+B", DIAGONALS | KING),
        *((f"+{code}", GOLD) for code in "SNLP"),
    ],
)
def test_rule_1_how_the_pieces_move(code: str, squares: set[str]) -> None:
    kings = "k8/9/9/9/4K4/9/9/9/9" if code == "K" else f"8k/K8/9/9/4{code}4/9/9/9/9"
    if code in ("B", "+B"):
        kings = f"4k4/K8/9/9/4{code}4/9/9/9/9"
    assert {move.rstrip("+") for move in ways(f"{kings} b -", "5e")} == squares


@pytest.mark.parametrize(
    ("position", "moves"),
    [
        # The rook takes the pawn and goes no farther, and stops before its own.
        ("k8/9/9/4p4/2P1R4/9/9/9/4K4 b -", {"5d", "4e", "3e", "2e", "1e", "6e", "5f", "5g", "5h"}),
        # The knight passes over both.
        ("k8/9/3p5/3pP4/4N4/9/9/9/4K4 b -", {"4c", "4c+", "6c", "6c+"}),
    ],
)
def test_rule_1_pieces_stop_and_capture(position: str, moves: set[str]) -> None:
    assert ways(position, "5e") == moves


def test_rule_1_black_begins_and_the_sides_alternate() -> None:
    position = Position("shogi")
    assert (position.turn, len(legal(position))) == ("b", 30)
    position.push("7g7f")
    assert position.turn == "w"


# --- Drops ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "file_is_open"),
    [
        ("4k4/9/9/9/9/9/4P4/9/4K4 b P", False),
        ("4k4/9/4+P4/9/9/9/9/9/4K4 b P", True),  # a tokin is no pawn
        ("4k4/4p4/9/9/9/9/9/9/4K4 b P", True),  # nor is the opponent's
        ("4k4/4p4/9/9/9/9/9/9/4K4 w p", False),
        ("3k5/9/9/9/9/9/9/4L4/4K4 b P", True),
    ],
)
def test_rule_7_no_second_pawn_on_a_file(position: str, file_is_open: bool) -> None:
    squares = dropped(position, "P")
    assert {square[0] for square in squares} >= set("12346789")
    assert ("5" in {square[0] for square in squares}) is file_is_open
    if not file_is_open:
        assert "nifu" in refusal(position, "P*5e")


@pytest.mark.parametrize(
    ("side", "code", "dead"),
    [("b", "P", "a"), ("b", "L", "a"), ("b", "N", "ab"), ("w", "P", "i"), ("w", "L", "i"), ("w", "N", "hi")],
)
def test_rule_6_no_drop_where_the_piece_could_never_move(side: str, code: str, dead: str) -> None:
    held = code if side == "b" else code.lower()
    position = f"4k4/9/9/9/9/9/9/9/4K4 {side} {held}"
    assert {square[1] for square in dropped(position, code)} == set("abcdefghi") - set(dead)
    assert "never move again" in refusal(position, f"{code}*1{dead[0]}")


@pytest.mark.parametrize("code", ["R", "B", "G", "S"])
def test_rule_5_other_pieces_are_dropped_on_every_empty_square(code: str) -> None:
    assert len(dropped(f"4k4/9/9/9/9/9/9/9/4K4 b {code}", code)) == 79


PAWN_DROP_MATE = "7nk/9/7G1/9/9/9/9/9/4K4 b P"


def test_rule_8_pawn_drop_mate_is_forbidden() -> None:
    assert "uchifuzume" in refusal(PAWN_DROP_MATE, "P*1b")
    assert "uchifuzume" in refusal("4k4/9/9/9/9/9/1g7/9/KN7 w p", "P*9h")


def test_rule_8_a_pinned_defender_counts_as_none() -> None:
    assert "uchifuzume" in refusal("R6gk/9/7G1/9/9/9/9/9/4K4 b P", "P*1b")


@pytest.mark.parametrize(
    "position",
    [
        "8k/9/7G1/9/9/9/9/9/4K4 b P",  # the king escapes to 2a
        "7gk/9/7G1/9/9/9/9/9/4K4 b P",  # the gold takes the pawn
        "7nk/9/9/9/9/9/9/9/4K4 b P",  # the king takes the pawn
    ],
)
def test_rule_8_pawn_drop_check_is_allowed(position: str) -> None:
    after = play("shogi", "P*1b", start=position)
    assert after.is_check()
    assert after.outcome() is None


def test_rule_8_a_pawn_on_the_board_may_mate() -> None:
    assert play("shogi", "1c1b", start="7nk/9/7GP/9/9/9/9/9/4K4 b -").outcome() == Outcome("b", "checkmate")


@pytest.mark.parametrize("code", ["G", "S", "L", "R"])
def test_rule_8_drop_mate_by_another_piece_is_allowed(code: str) -> None:
    start = PAWN_DROP_MATE.replace("b P", f"b {code}")
    assert play("shogi", f"{code}*1b", start=start).outcome() == Outcome("b", "checkmate")


# --- Promotion ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "start", "moves"),
    [
        pytest.param("4k4/9/9/6P2/9/9/9/9/4K4 b -", "3d", {"3c", "3c+"}, id="into"),
        pytest.param("4k4/9/6P2/9/9/9/9/9/4K4 b -", "3c", {"3b", "3b+"}, id="within"),
        pytest.param("4k4/8B/9/9/9/9/9/9/4K4 b -", "1b", {
            "2a", "2a+", "2c", "2c+", "3d", "3d+", "4e", "4e+", "5f", "5f+", "6g", "6g+", "7h", "7h+", "8i", "8i+",
        }, id="out-of"),
        pytest.param("4k4/9/9/9/6P2/9/9/9/4K4 b -", "3e", {"3d"}, id="outside"),
        pytest.param("4k4/9/9/9/9/2p6/9/9/4K4 w -", "7f", {"7g", "7g+"}, id="white-into"),
        pytest.param("4k4/9/9/9/2p6/9/9/9/4K4 w -", "7e", {"7f"}, id="white-outside"),
        pytest.param("4k4/9/9/9/9/9/6s2/9/4K4 w -", "3g", {
            "2f", "2f+", "4f", "4f+", "2h", "2h+", "3h", "3h+", "4h", "4h+",
        }, id="white-out-of"),
        pytest.param("4k4/9/8G/9/9/9/9/9/4K4 b -", "1c", {"1b", "2b", "2c", "1d"}, id="gold-never"),
        pytest.param("9/9/8K/9/9/9/9/9/k8 b -", "1c", {"1b", "2b", "2c", "2d", "1d"}, id="king-never"),
        pytest.param("9/9/8+P/9/9/9/9/9/k3K4 b -", "1c", {"1b", "2b", "2c", "1d"}, id="once-only"),
    ],
)  # fmt: skip
def test_rule_2_promotion_is_a_choice_when_the_move_touches_the_zone(
    position: str, start: str, moves: set[str]
) -> None:
    assert ways(position, start) == moves


@pytest.mark.parametrize(
    ("position", "start", "moves"),
    [
        ("4k4/8P/9/9/9/9/9/9/4K4 b -", "1b", {"1a+"}),
        ("4k4/9/8L/9/9/9/9/9/4K4 b -", "1c", {"1b", "1b+", "1a+"}),
        ("k8/9/9/6N2/9/9/9/9/4K4 b -", "3d", {"2b+", "4b+"}),
        ("k8/9/9/9/6N2/9/9/9/4K4 b -", "3e", {"2c", "2c+", "4c", "4c+"}),
        ("4k4/9/9/9/9/9/9/p8/4K4 w -", "9h", {"9i+"}),
        ("4k4/9/9/9/9/2n6/9/9/8K w -", "7f", {"6h+", "8h+"}),
    ],
)
def test_rule_3_promotion_is_compulsory_where_the_piece_could_never_move(
    position: str, start: str, moves: set[str]
) -> None:
    assert ways(position, start) == moves


@pytest.mark.parametrize("code", ["R", "B", "S", "N", "L", "P"])
def test_rule_4_a_captured_promoted_piece_reverts(code: str) -> None:
    position = play("shogi", "1h1g", start=f"k8/9/9/9/9/9/8+{code.lower()}/8G/K8 b -")
    assert position.hand("b") == {code: 1}
    assert position.hand("w") == {}


# --- Legality -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "moves"),
    [
        # The rook on 5a checks; the pawn cannot help, the gold can come between.
        ("4r3k/9/9/9/9/9/9/3G5/4K3P b -", {"6h5g", "6h5h", "5i4i", "5i6i", "5i4h"}),
        # Rook and knight at once: only the king may move.
        ("4r3k/9/9/9/9/9/3n5/3G5/4K3P b -", {"5i4i", "5i6i", "5i4h"}),
    ],
)
def test_rule_9_check_must_be_parried(position: str, moves: set[str]) -> None:
    assert legal(Position("shogi", position)) == moves


def test_rule_9_a_pinned_piece_stays_on_its_line() -> None:
    assert ways("4r3k/9/9/9/9/9/9/4G4/4K4 b -", "5h") == {"5g"}
    assert "would leave your king attacked" in refusal("4r3k/9/9/9/9/9/9/4G4/4K4 b -", "5h4h")


@pytest.mark.parametrize(
    ("position", "outcome"),
    [
        ("7nk/8G/7G1/9/9/9/9/9/4K4 w -", Outcome("b", "checkmate")),
        ("8k/9/6NG1/9/9/9/9/9/4K4 w -", Outcome("b", "stalemate")),
        ("4k4/9/9/9/9/9/1gn6/9/K8 b -", Outcome("w", "stalemate")),
    ],
)
def test_rule_10_no_legal_move_loses(position: str, outcome: Outcome) -> None:
    assert legal(Position("shogi", position)) == set()
    assert Position("shogi", position).outcome() == outcome


# --- Repetition -----------------------------------------------------------------------------------------------------

CHASE = ("1e2e", "2a1a", "2e1e", "1a2a")  # the rook checks with every move, and the position returns
PAUSE = ("1e1f", "2a2b", "1f1e", "2b2a")  # so it does here, without a check


def test_rule_11_fourfold_repetition_is_a_draw() -> None:
    assert ended(Position("shogi"), *("2h3h", "8b7b", "3h2h", "7b8b") * 3) == Outcome(None, "repetition")


def test_rule_11_repetition_needs_equal_hands() -> None:
    # The board comes round four times, but every round White has taken two pawns more.
    round_trip = ("P*1f", "1e1f", "5i5h", "1f1e", "P*1f", "1e1f", "5h5i", "1f1e")
    start = "4k4/9/9/9/8r/9/9/9/4K4 b 6P"
    position = play("shogi", *round_trip * 3, start=start)
    assert position.board == Position("shogi", start).board
    assert position.outcome() is None


@pytest.mark.parametrize(
    ("start", "before", "winner"),
    [
        ("7k1/9/9/9/8R/9/9/9/K8 b -", (), "w"),
        # Moves before the first occurrence do not count, though they gave no check.
        ("9/7k1/9/9/9/8R/9/9/K8 b -", ("1f1e", "2b2a"), "w"),
    ],
)
def test_rule_12_perpetual_check_loses_for_the_checker(start: str, before: tuple[str, ...], winner: str) -> None:
    assert ended(Position("shogi", start), *before, *CHASE * 3) == Outcome(winner, "perpetual_check")


def test_rule_12_perpetual_check_by_white_loses_for_white() -> None:
    chase = ("9e8e", "8i9i", "8e9e", "9i8i")
    assert ended(Position("shogi", "8k/9/9/9/r8/9/9/9/1K7 w -"), *chase * 3) == Outcome("b", "perpetual_check")


@pytest.mark.parametrize("lines", [(CHASE, PAUSE, CHASE), (PAUSE, CHASE, CHASE), (CHASE, CHASE, PAUSE)])
def test_rule_12_one_move_without_check_makes_it_a_draw(lines: tuple[tuple[str, ...], ...]) -> None:
    moves = [move for line in lines for move in line]
    assert ended(Position("shogi", "7k1/9/9/9/8R/9/9/9/K8 b -"), *moves) == Outcome(None, "repetition")


# --- Agreement ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "allowed"),
    [
        ("9/9/4K4/9/9/9/4k4/9/9 b -", True),
        ("K8/9/9/9/9/9/9/9/k8 w -", True),
        ("9/9/9/4K4/9/9/4k4/9/9 b -", False),
        ("9/9/4K4/9/9/4k4/9/9/9 b -", False),
        ("4k4/9/9/9/9/9/9/9/4K4 b -", False),
    ],
)
def test_rule_13_entering_kings_may_agree_a_draw_only_when_both_have_entered(position: str, allowed: bool) -> None:
    game = Game("shogi", position)
    assert game.can_agree_draw() is allowed
    assert game.outcome() is None, "it is never imposed"
    if allowed:
        game.agree_draw()
        assert game.outcome() == Outcome(None, "agreement")
    else:
        with pytest.raises(IllegalMoveError, match="the king of each side"):
            game.agree_draw()
