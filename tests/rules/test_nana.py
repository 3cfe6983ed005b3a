"""The rules of docs/rules/nana.md by their numbers, each on a position of its own."""

from __future__ import annotations

from functools import partial

import pytest

from helpers import support
from helpers.shelf import assert_repeats
from helpers.support import legal, play
from komadai.game.outcome import Outcome
from komadai.game.position import Piece, Position

ROOK_FACES = ("R", "C", "SW", "GB")
BISHOP_FACES = ("B", "TG", "CS", "D")
RING = {"1a", "2a", "3a", "1b", "3b", "1c", "2c", "3c"}  # every square but the centre


def drops(position: str, name: str = "nana", **options: str) -> set[str]:
    return {move for move in legal(Position(name, position, **options)) if "*" in move}


def moves_from(square: str, position: str, name: str = "nana") -> set[str]:
    return {move[2:] for move in legal(Position(name, position)) if move.startswith(square)}


refusal = partial(support.refusal, "nana")


# --- Pieces ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "square", "targets"),
    [
        ("k2/1R1/2K b -", "2b", {"2a", "1b", "3b", "2c"}),
        ("k2/1C1/2K b -", "2b", {"2a", "2c"}),
        ("2k/3/C1K b -", "3c", {"3b", "3a"}),
        ("k2/1[SW]1/2K b -", "2b", {"1b", "3b"}),
        ("2k/[SW]2/2K b -", "3b", {"2b"}),
        ("k2/1[GB]1/2K b -", "2b", {"2a", "2c"}),
        ("2k/3/[GB]1K b -", "3c", {"3b"}),
        ("3/kBK/3 b -", "2b", {"1a", "3a", "1c", "3c"}),
        ("k2/2K/B2 b -", "3c", {"2b", "1a"}),
        ("3/k[TG]K/3 b -", "2b", {"1a", "3a", "2c"}),
        ("3/k[tg]K/3 w -", "2b", {"1c", "3c", "2a"}),
        ("3/k[CS]K/3 b -", "2b", {"1a", "3a", "1c", "3c"}),
        ("3/kDK/3 b -", "2b", {"2a", "1c", "3c"}),
        ("3/kdK/3 w -", "2b", {"2c", "1a", "3a"}),
    ],
)
def test_pieces_moves(position: str, square: str, targets: set[str]) -> None:
    assert moves_from(square, position) == targets


@pytest.mark.parametrize(
    ("position", "square", "before", "since"),
    [
        ("R2/3/K1k b -", "3a", {"2a", "1a", "3b"}, {"2a", "3b"}),
        ("2k/[SW]2/1K1 b -", "3b", {"2b", "1b", "3a", "3c"}, {"2b"}),
        ("1k1/2[sw]/K2 w -", "1b", {"2b", "3b", "1a", "1c"}, {"2b"}),
        ("k2/1C1/2K b -", "2b", {"2a", "2c"}, {"2a", "2c"}),
        ("k2/1[GB]1/2K b -", "2b", {"2a", "2c"}, {"2a", "2c"}),
    ],
)
def test_nana_1998_rook_ranges_and_wings_step_ahead(
    position: str, square: str, before: set[str], since: set[str]
) -> None:
    assert moves_from(square, position, "nana-1998") == before
    assert moves_from(square, position, "nana") == since


# --- Rules ----------------------------------------------------------------------------------------------------------


def test_rule_1_black_begins_by_dropping_the_king_anywhere_but_the_centre() -> None:
    assert legal(Position("nana")) == {f"K*{square}" for square in RING}


def test_rule_1_white_answers_by_dropping_the_king_away_from_the_other() -> None:
    assert legal(play("nana", "K*1a")) == {"K*3a", "K*3b", "K*3c", "K*2c", "K*1c"}
    assert legal(play("nana", "K*2a")) == {"K*3c", "K*2c", "K*1c"}


def test_rule_1_the_king_is_not_dropped_where_any_piece_attacks_it() -> None:
    # Black's rook on 1b attacks 1c.
    assert legal(Position("nana", "2K/2R/3 w Bkrb")) == {"K*3a", "K*3b", "K*3c", "K*2c"}


@pytest.mark.parametrize("move", ["R*1b", "B*3c", "TG*2c"])
def test_rule_1_nothing_is_dropped_before_the_king(move: str) -> None:
    assert "the first move must drop the king" in refusal("3/3/3 b KRBkrb", move)


def test_rule_2_a_turn_is_a_move_or_a_drop() -> None:
    moves = legal(Position("nana", "2K/3/k2 b RBrb"))
    assert {"1a1b", "1a2a"} <= moves, "moves"
    assert {"R*2a", "B*3a"} <= moves, "drops"


@pytest.mark.parametrize(
    ("position", "move", "shows"),
    [
        ("k2/1R1/2K b -", "2b2c", "C"),
        ("k2/1C1/2K b -", "2b2c", "SW"),
        ("k2/1[SW]1/2K b -", "2b1b", "GB"),
        ("k2/1[GB]1/2K b -", "2b2c", "R"),
        ("3/kBK/3 b -", "2b1c", "TG"),
        ("3/k[TG]K/3 b -", "2b2c", "CS"),
        ("3/k[CS]K/3 b -", "2b1c", "D"),
        ("3/kDK/3 b -", "2b1c", "B"),
        ("k2/1Rb/1K1 b -", "2b1b", "C"),
        ("3/k[CS]K/2[gb] b -", "2b1c", "D"),
    ],
)
def test_rule_3_a_piece_rolls_to_its_next_face_moving_or_capturing(position: str, move: str, shows: str) -> None:
    assert play("nana", move, start=position).piece_at(move[2:]) == Piece("b", shows)


def test_rule_3_the_king_does_not_roll() -> None:
    assert play("nana", "1c1b", start="k2/1R1/2K b -").piece_at("1b") == Piece("b", "K")


def test_rule_3_check_is_judged_with_the_new_face() -> None:
    # The wings would not attack 2a from 2b; the go-between they become does.
    assert play("nana", "1b2b", start="1k1/2[SW]/K2 b -").is_check()
    # The rook would attack 3b from 2b; the chariot it becomes does not.
    assert not play("nana", "1b2b", start="3/k1R/2K b -").is_check()


@pytest.mark.parametrize(
    ("position", "move", "hand"),
    [
        ("k[tg]1/1R1/2K b -", "2b2a", {"B": 1}),
        ("k[gb]1/1R1/2K b B", "2b2a", {"R": 1, "B": 1}),
        ("k[sw]1/1R1/2K b -", "2b2a", {"R": 1}),
    ],
)
def test_rule_4_a_captured_cube_goes_to_hand(position: str, move: str, hand: dict[str, int]) -> None:
    assert play("nana", move, start=position).hand("b") == hand


def test_rule_5_any_face_is_dropped_on_empty_squares_but_the_centre() -> None:
    # White's king stands on 3c, which no face attacks from 1b.
    assert {move for move in drops("2K/3/k2 b R") if move.endswith("1b")} == {f"{face}*1b" for face in ROOK_FACES}
    assert {move for move in drops("2K/3/k2 b B") if move.endswith("1b")} == {f"{face}*1b" for face in BISHOP_FACES}


def test_rule_5_only_front_faces_are_dropped_under_that_option() -> None:
    moves = drops("2K/3/k2 b RBrb", drop_faces="front")
    assert moves == {"R*2a", "R*3a", "R*1b", "R*1c", "B*2a", "B*3a", "B*1b", "B*3b", "B*2c", "B*1c"}


@pytest.mark.parametrize("move", ["R*2b", "SW*2b", "D*2b"])
def test_rule_5_nothing_is_dropped_on_the_centre(move: str) -> None:
    assert "centre 2b" in refusal("2K/3/k2 b RBrb", move)


@pytest.mark.parametrize("move", ["R*3c", "R*1a"])
def test_rule_5_nothing_is_dropped_on_a_piece(move: str) -> None:
    assert "is not empty" in refusal("2K/3/k2 b RBrb", move)


@pytest.mark.parametrize("move", ["R*3b", "R*2c", "C*3a", "C*3b", "SW*2c", "GB*3b", "TG*3b"])
def test_rule_5_a_drop_may_not_give_check(move: str) -> None:
    assert "may not give check" in refusal("2K/3/k2 b RBrb", move)


def test_rule_5_a_face_that_does_not_check_may_be_dropped_next_to_the_king() -> None:
    moves = drops("2K/3/k2 b RBrb")
    assert {"SW*3b", "GB*2c", "C*2c", "B*3b", "TG*2c", "D*3b"} <= moves


def test_rule_5_the_dropped_piece_does_not_roll() -> None:
    assert play("nana", "CS*1b", start="2K/3/k2 b RBrb").piece_at("1b") == Piece("b", "CS")


MATE_BY_ROOK = "1K1/1D[GB]/1k1 b {hands}"  # 1b1c rolls to a rook beside the king; the dog guards it


def test_rule_6_no_mate_with_pieces_in_hand() -> None:
    assert "checkmate" in refusal(MATE_BY_ROOK.format(hands="Br"), "1b1c")
    mirrored = "1K1/[gb]d1/1k1 w Rb"
    assert "checkmate" in Position("nana", mirrored).explain("3b3a")


def test_rule_6_mate_with_an_empty_hand() -> None:
    position = play("nana", "1b1c", start=MATE_BY_ROOK.format(hands="br"))
    assert position.outcome() == Outcome("b", "checkmate")


def test_rule_6_only_the_hand_when_the_move_began_counts() -> None:
    # The rook takes the chariot, so the hand is no longer empty when mate stands on the board.
    position = play("nana", "2a1a", start="drC/3/kDK w -")
    assert position.hand("w") == {"R": 1}
    assert position.outcome() == Outcome("w", "checkmate")


def test_rule_6_check_with_pieces_in_hand_if_the_king_can_go() -> None:
    position = play("nana", "1b2b", start="1k1/2[SW]/K2 b RB")
    assert position.is_check()
    assert position.outcome() is None


def test_rule_6_drops_count_among_the_replies() -> None:
    # The chariot on 1a checks 1c; the squares around are Black's, so only a piece put on 1b parries.
    parried = play("nana", "2a1a", start="1R1/K2/2k b Brb")
    assert parried.is_check()
    assert legal(parried) == {f"{face}*1b" for face in ROOK_FACES + BISHOP_FACES}
    assert "checkmate" in refusal("1R1/K2/2k b RB", "2a1a"), "with nothing to drop it is mate"


def test_rule_6_replies_obey_rule_5() -> None:
    # Black's chariot checks from 1a. On 1b every face of the bishop cube but the tile general's checks 2a.
    assert legal(play("nana", "1b2b", start="1KC/2[SW]/2k b Bb")) == {"TG*1b"}
    front = Position("nana", "1KC/2[SW]/2k b Bb", drop_faces="front")
    assert "checkmate" in front.explain("1b2b"), "the bishop, the only face to drop, would check and is no reply"


def test_rule_6_stalemate_with_pieces_in_hand() -> None:
    position = play("nana", "3c2c", start="2k/1C1/K2 b R2B")
    assert not position.is_check()
    assert position.outcome() == Outcome("b", "stalemate")


def test_rule_7_the_king_may_walk_onto_the_centre() -> None:
    # With both kings on the board every square is next to the centre, so the other one must still be in hand.
    assert "1a2b" in legal(Position("nana", "2K/3/3 b k"))


def test_rule_8_checkmate_loses() -> None:
    position = Position("nana", "1K1/1D1/1kR w br")
    assert position.is_check()
    assert position.outcome() == Outcome("b", "checkmate")


def test_rule_8_stalemate_loses() -> None:
    position = Position("nana", "2k/1C1/1K1 w R")
    assert not position.is_check()
    assert position.outcome() == Outcome("b", "stalemate")


def test_rule_9_fourfold_repetition_is_no_contest() -> None:
    assert_repeats("nana", "2K/3/k2 b RBrb", ("1a1b", "3c3b", "1b1a", "3b3c"), None, "repetition")


def test_rule_9_perpetual_check_is_no_contest_too() -> None:
    position = Position("nana", "kc1/[TG]1[GB]/d1K w -")
    # White's dog goes round the centre and shows its four faces; every one of its moves checks.
    cycle = ["3c2b", "1c2c", "2b1a", "2c1c", "1a2b", "1c2c", "2b3c", "2c1c"]
    for number, move in enumerate(cycle * 3):
        assert position.outcome() is None
        position.push(move)
        assert position.is_check() is (number % 2 == 0)
    assert position.outcome() == Outcome(None, "repetition")
