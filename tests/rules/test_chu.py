"""The rules of docs/rules/chu.md by their numbers, each on a position of its own."""

from __future__ import annotations

import pytest

import komadai
from helpers.shelf import assert_perpetual_check_loses, assert_refused, assert_repeats
from helpers.support import by_reference, generic, legal, play, ways
from komadai.errors import IllegalPositionError, NotationError
from komadai.game.outcome import Outcome
from komadai.game.position import Piece, Position
from komadai.spec.variant import Variant

JCSA = komadai.variant("chu", rules="jcsa")
LISHOGI = komadai.variant("chu")
ALONE = "k10s/12/12/12/12/12/5N6/12/12/12/12/K10P b -"
"""A lion with nothing near it."""


def may(position: str, move: str, variant: Variant = LISHOGI) -> bool:
    """True if the move is legal, by the core's both paths and by the reference."""
    at = Position(variant, position)
    found = {move in moves for moves in (legal(at), generic(at), by_reference(at))}
    assert len(found) == 1, "the paths disagree"
    return found.pop()


def test_rule_1_captured_pieces_leave_the_game() -> None:
    after = play("chu", "6g6c", start="11k/12/6p5/12/12/11p/6R5/12/12/12/12/P10K b -")
    assert after.piece_at("6c") == Piece("b", "R")
    assert after.hand("b") == {}
    assert not any("*" in move for move in legal(after))


def test_rule_2_a_lion_captures_two_or_one_and_comes_back() -> None:
    position = "k11/12/12/12/6s5/5p6/5N6/12/12/12/12/K11 b -"
    two = play("chu", "7g7f6e", start=position)
    assert [two.piece_at(square) for square in ("7g", "7f", "6e")] == [None, None, Piece("b", "N")]
    back = play("chu", "7g7f7g", start=position)
    assert [back.piece_at(square) for square in ("7g", "7f")] == [Piece("b", "N"), None]
    moves = ways("chu", position, "7g")
    assert {"6e", "7e", "7f", "9i", "6i"} <= moves, "it jumps over what stands between"
    assert "7f7g6g" not in moves, "three steps are too many"


def test_rule_2_a_lion_alone_reaches_twenty_four_squares() -> None:
    assert len(ways("chu", ALONE, "7g")) == 24 + 1


def test_rule_3_a_lion_may_step_out_and_back() -> None:
    position = Position("chu", ALONE)
    passes = [move for move in position.legal_moves() if move.origin == move.target]
    assert len(passes) == 1, "whichever square it steps to"
    before = position.board
    position.push(passes[0])
    assert position.board == before
    assert position.turn == "w"
    crowded = "k10s/12/12/12/12/4PPP5/4PNP5/4PPP5/12/12/12/K11 b -"
    assert not any(move.endswith("7g") for move in ways("chu", crowded, "7g")), "no square beside it is free"


def test_rule_4_falcon_and_eagle_on_their_lines() -> None:
    falcon = ways("chu", "k11/12/12/12/5s6/5p6/5+H6/12/12/12/12/K9PP b -", "7g")
    assert {"7f", "7f7e", "7f7g", "7e"} <= falcon
    assert not any(move.startswith("7f") and move[2:] not in ("", "7e", "7g") for move in falcon)
    eagle = ways("chu", "k11/12/12/12/7s4/6p5/5+D6/12/12/12/12/K9PP b -", "7g")
    assert {"6f", "6f5e", "6f7g", "5e", "8f", "9e"} <= eagle
    assert not any(move.startswith("6f") and move[2:] not in ("", "5e", "7g") for move in eagle)
    assert "7f" in eagle, "it slides as a rook"


def test_rule_5_turns_to_the_same_position_are_one() -> None:
    position = "k11/12/12/12/12/5p6/5N6/12/12/12/12/K9PP b -"
    assert "7e" in ways("chu", position, "7g")
    assert_refused("chu", position, {"7g6f7e": "it has the same effect as 7g7e; write that instead"})


def test_rule_6_promotion_on_entering_the_zone() -> None:
    assert ways("chu", "k10s/12/12/12/4G7/12/12/12/12/12/12/K10P b -", "8e") == {
        *("8d", "8d+", "9d", "9d+", "7d", "7d+", "9e", "7e", "8f")
    }


def test_rule_7_in_the_zone_only_a_capture_promotes() -> None:
    moves = ways("chu", "k11/12/3p8/4G7/4p7/12/12/12/12/12/12/K9PP b -", "8d")
    assert {"9c", "9c+", "8c", "9d", "8e", "8e+"} <= moves
    assert not {"8c+", "9d+", "7d+"} & moves


def test_rule_8_the_last_rank_is_a_second_chance() -> None:
    pawn, lance, other = "k10s/3P8/", "k10s/2L9/", "k10s/4I7/"
    rest = "12/12/12/12/12/12/12/12/12/K10P b -"
    for variant in (LISHOGI, JCSA):
        assert may(pawn + rest, "9b9a+", variant)
        assert may(lance + rest, "10b10a", variant)
        assert not may(other + rest, "8b8a+", variant)
    assert may(lance + rest, "10b10a+", LISHOGI)
    assert not may(lance + rest, "10b10a+", JCSA)


def test_rule_9_pawns_stay_on_the_last_rank() -> None:
    after = play("chu", "9b9a", "1a1b", start="k10s/3P8/12/12/12/12/12/12/12/12/12/K10P b -")
    assert after.piece_at("9a") == Piece("b", "P")
    assert ways("chu", after.sfen(), "9a") == set()


def test_rule_10_both_royal_pieces_must_be_captured() -> None:
    assert "7d+" in ways("chu", "k10s/12/12/12/5E6/12/12/12/12/12/12/K11 b -", "7e")
    assert not any("+" in move for move in ways("chu", "k10s/12/12/12/5+I6/12/12/12/12/12/12/K10P b -", "7e"))
    left = play("chu", "12f12a", start="k9s+e/12/12/12/12/R11/12/12/12/12/12/K10P b -")
    assert left.outcome() is None, "White has a crown prince left"
    over = play("chu", "12f12a", start="k10s/12/12/12/12/R11/12/12/12/12/12/K10P b -")
    assert over.outcome() == Outcome("b", "extinction")


def test_rule_10_the_last_one_may_be_left() -> None:
    assert may("k10s/12/12/12/12/R11/12/12/12/12/12/K10P w -", "1a1b")
    assert Position("chu", "k10s/12/12/12/12/R11/12/12/12/12/12/K10P w -").is_check()


def test_rule_11_a_protected_lion_at_two_squares_is_safe_from_lions() -> None:
    position = "k10b/12/12/8n3/6N5/12/12/12/6R5/12/12/K11 {} -"
    assert not may(position.format("b"), "6e4d")
    assert not may(position.format("w"), "4d6e")
    assert_refused("chu", position.format("b"), {"6e4d": "a lion may not take a protected lion two squares away"})
    assert may("k11/12/12/8n3/6N5/12/12/12/6R5/12/12/K10b b -", "6e4d"), "nothing protects it"
    assert may("k10b/12/12/7n4/6N5/12/12/12/6R5/12/12/K11 b -", "6e5d"), "it stands beside the other"


def test_rule_11_a_hidden_protector_protects() -> None:
    position = "k9PN/12/9n2/12/12/12/{}/12/9r2/12/12/K11 w -"
    assert not may(position.format("5B6"), "3c1a"), "the bishop stood behind the lion that captures"
    assert may(position.format("12"), "3c1a")


def test_rule_11_a_piece_on_the_way_makes_it_legal_but_no_pawn_or_go_between() -> None:
    protected = "k8d1p/9n2/9{}2/9N2/12/12/12/12/12/12/12/K11 b -"
    for piece, allowed in (("s", True), ("+p", True), ("p", False), ("i", False)):
        assert may(protected.format(piece), "3d3c3b") is allowed, piece
    assert not may("k9n1/10i1/9N2/12/12/12/12/12/12/12/12/K10P b -", "3c2b2a"), "the go-between protects it still"


def test_rule_12_a_counter_strike_elsewhere_waits_a_turn() -> None:
    before = "k4r5n/12/12/12/5N5r/5GB5/12/12/12/12/12/K11 b -"
    after = play("chu", "6f1a", start=before)
    assert after.sfen().split()[2] == "1a"
    assert not may(after.sfen(), "7a7e")
    assert may(after.sfen(), "1e1a"), "the bishop that took it may be taken"
    assert_refused("chu", after.sfen(), {"7a7e": "a lion has just been taken elsewhere"})
    after.push("1e1d")
    after.push("12l12k")
    assert may(after.sfen(), "7a7e"), "a turn later it may"


def test_rule_12_the_association_spares_protected_lions_alone() -> None:
    position = "k4r5B/12/12/12/5N5r/{}/12/12/12/12/12/K11 w 1a"
    for variant, ranks in ((LISHOGI, {"5G6": False, "12": False}), (JCSA, {"5G6": False, "12": True})):
        for rank, allowed in ranks.items():
            assert may(position.format(rank), "7a7e", variant) is allowed, (rank, variant)


def test_rule_12_holds_for_captures_on_the_way() -> None:
    position = "k11/12/12/12/5+d6/4N7/{}/12/12/12/10R1/K11 w {}"
    for move in ("7e8f7e", "7e8f9g"):
        for variant in (LISHOGI, JCSA):
            assert not may(position.format("3G8", "2k"), move, variant)
            assert may(position.format("3G8", "-"), move, variant)
    assert may(position.format("12", "2k"), "7e8f7e", JCSA), "nothing protects it"


def test_rule_12_binds_no_lion_and_not_the_square_itself() -> None:
    assert may("k6V3R/9n2/8S3/7N4/12/12/12/12/12/12/12/K11 w 1a", "3b4c5d"), "a lion takes it with the silver"
    kirin = play("chu", "8e8c+", start="k3r7/12/4n7/12/4O7/12/12/12/12/12/12/K10P b -")
    assert kirin.sfen().split()[2] == "8c"
    assert may(kirin.sfen(), "8a8c"), "the kirin that became a lion is taken where it took one"


def test_rule_13_the_square_stands_in_the_position_string() -> None:
    text = "k4r5B/12/12/12/5N5r/12/12/12/12/12/12/K11 w 1a"
    position = Position("chu", text)
    assert position.sfen() == text
    assert position.key() != Position("chu", text.replace("1a", "-")).key()
    assert position.copy().setup().taken_on == position.setup().taken_on == 11
    position.push("1e1d")
    assert position.sfen().endswith("b -")
    position.pop()
    assert position.sfen() == text
    with pytest.raises(NotationError, match="'13z' is not a square of the board"):
        Position("chu", text.replace("1a", "13z"))
    with pytest.raises(IllegalPositionError, match="the last capture cannot have been on 12a"):
        Position("chu", text.replace("w 1a", "w 12a"))


def test_rule_14_a_bare_king_loses() -> None:
    def ended(position: str) -> Outcome | None:
        return Position("chu", position).outcome()

    assert ended("r10k/12/12/12/12/12/12/12/12/12/12/K11 b -") == Outcome("w", "goal")
    assert ended("r10k/12/12/12/12/12/12/12/12/12/12/K11 w -") == Outcome("w", "goal")
    assert ended("p10k/12/12/12/12/12/12/12/12/12/12/K11 b -") is None, "a pawn does not count"
    assert ended("11k/12/12/12/12/12/12/12/12/12/12/K11 b -") is None
    assert ended("r9Pk/12/12/12/12/12/12/12/12/12/12/K11 b -") == Outcome("w", "goal"), "a dead pawn does not either"
    assert ended("11k/12/12/12/12/12/12/12/12/12/r11/K11 b -") is None, "it may be taken"
    assert ended("11k/12/12/12/12/12/12/12/12/12/rs10/K11 b -") == Outcome("w", "goal"), "one of them remains"
    assert ended("r11/12/12/12/12/12/12/12/12/12/1k10/K11 b -") is None, "the kings stand beside each other"


def test_rule_15_no_legal_move_loses() -> None:
    over = Position("chu", "KL10/PP10/12/12/12/12/12/12/12/10g1/12/11k b -")
    assert legal(over) == set()
    assert over.outcome() == Outcome("w", "stalemate")


def test_rule_16_the_fourth_occurrence_is_a_draw() -> None:
    position = "k10p/12/12/12/12/12/12/12/12/12/12/P10K b -"
    assert_repeats("chu", position, ("1l1k", "12a12b", "1k1l", "12b12a"), None, "repetition")


def test_rule_16_perpetual_check_loses() -> None:
    position = "k11/12/11p/12/12/12/12/12/12/12/12/1R9K b -"
    assert_perpetual_check_loses("chu", position, ("11l12l", "12a11a", "12l11l", "11a12a"))
