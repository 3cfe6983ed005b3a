"""The guide: its remarks in known positions, and what it calls a gain against the definition, in random play."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import komadai
from helpers import ko
from helpers.support import random_play
from helpers.volume import EXAMPLES, volume
from komadai import Position
from komadai.i18n import LANGUAGES, speaking
from komadai.spec.board import Side
from komadai.spec.logic import is_compound
from komadai.spec.material import piece_values
from komadai.view import guide

NAMES = komadai.variants(shelf=False)


def said(position: Position, topic: guide.Topic | None = None) -> list[str]:
    return [
        guide.words(remark, position, str)
        for remark in guide.remarks(position)
        if topic is None or remark.topic == topic
    ]


# --- Known positions ------------------------------------------------------------------------------------------------


def test_an_attack_on_the_king_comes_first_and_the_reach_is_what_the_opponent_attacks() -> None:
    position = Position("shogi", "4k4/9/9/9/4r4/9/9/1B7/4K4 b -")
    assert said(position) == [
        "Your king is attacked by the rook on 5e.",
        "You can take the rook on 5e with your bishop on 8h.",
    ]
    reach = guide.reach(position)
    assert "5i" in reach["5e"]
    assert reach["5a"] == ["6a", "4a", "6b", "5b", "4b"]


def test_a_piece_that_nothing_protects_hangs() -> None:
    position = Position("shogi", "4k4/9/9/9/9/3r2B2/9/9/4K4 b -")
    assert said(position, "hangs") == ["Your bishop on 3f hangs: it can be taken by the rook on 6f."]
    (remark,) = (remark for remark in guide.remarks(position) if remark.topic == "hangs")
    assert (remark.at, remark.by) == (("3f",), ("6f",))


def test_a_protected_piece_hangs_only_if_the_taker_is_worth_less() -> None:
    protected = "4k4/9/9/9/9/3r2P2/6G2/9/4K4 b -"
    assert said(Position("shogi", protected), "hangs") == []
    dear = "4k4/9/9/9/6p2/6B2/6G2/9/4K4 b -"
    assert said(Position("shogi", dear), "hangs") == [
        "Your bishop on 3f is attacked by the pawn on 3e, which gains even if you take back."
    ]


def test_what_the_opponent_leaves_hanging_is_a_chance() -> None:
    position = Position("shogi", "4k4/9/9/9/9/3r2B2/4P4/5R3/4K4 w - 2")
    assert "You can take the bishop on 3f with your rook on 6f." in said(position, "chance")


def test_the_most_valuable_piece_comes_first() -> None:
    position = Position("shogi", "4k4/9/9/9/9/9/9/1+r7/LNS1K4 b -")
    assert [remark.topic for remark in guide.remarks(position)] == ["chance", "hangs", "hangs", "hangs"]
    assert said(position)[0] == "You can take the dragon king on 8h with your silver general on 7i."


def test_a_threat_of_mate_names_the_move() -> None:
    position = Position("shogi", "4k4/9/9/9/9/9/3ppp3/9/4K4 b Pg")
    assert said(position, "threat") == ["Your opponent threatens to win with G*5h."]


def test_a_win_at_once_comes_before_everything() -> None:
    position = Position("shogi", "4k4/9/4P4/9/9/9/9/9/4K4 b G")
    assert said(position)[0] == "You can win with your next move."


@pytest.mark.parametrize(("name", "piece"), [("nana", "king"), ("ki", "Gyoku"), ("ki-unicorn", "Gyoku")])
def test_the_only_piece_to_drop_is_named(name: str, piece: str) -> None:
    position = Position(name)
    assert said(position) == [f"Drop your {piece}: nothing else is possible now."]
    position.push(position.legal_moves()[0])
    assert f"Drop your {piece}: nothing else is possible now." in said(position)


def test_the_only_piece_that_can_move_is_named() -> None:
    position = Position("shogi", "4k4/9/9/9/9/9/9/r8/1r2K4 b P")
    assert "Only your king can move." not in said(position)  # the pawn can be dropped between
    position = Position("shogi", "4k4/9/9/9/9/9/9/9/r3K4 b -")
    assert said(position)[1] == "Only your king can move."


def test_a_cube_that_will_be_stranded() -> None:
    stranded = Position("ki", "9/9/4k4/9/4K4/9/4[HI]4/9/9 b -")
    assert said(stranded, "stranded") == [
        "You lose your flying at 5g at the end of this turn, unless your move prevents it."
    ]


def test_a_cube_that_only_one_piece_keeps_from_being_stranded() -> None:
    position = Position("ki", "9/9/4k4/9/4K4/4[CHO]4/9/9/9 b -")
    assert said(position, "ties") == []  # the king may step so that the cube stays beside it
    position = Position("ki", "9/9/9/3[KEN]1[HAN]3/3[GA]K4/5[SHU]3/3k5/9/9 b -")
    assert said(position) == ["If your Gyoku moves, you lose your dog at 6d, tile at 6e."]


def test_a_shooter_aims() -> None:
    position = ko.board("P 10j, lb 11h")
    assert "Your pawn on 10j can be shot by the longbow on 11h." in said(position, "hangs")


def test_a_flame_burns() -> None:
    position = ko.board("CU 10i, +en 10g")
    assert "Your chariot unit on 10i can be burnt by the poison flame on 10g." in said(position, "hangs")


def test_the_last_commander_is_threatened() -> None:
    position = ko.board("G 10s, cu 10g")
    (words,) = said(position, "threat")
    assert words.startswith("Your opponent threatens to win: ")
    assert words.endswith(" takes your general on 10s.")


def test_a_start_without_danger_is_calm() -> None:
    assert said(Position("ko")) == ["None of your pieces is in danger now."]
    held = Position("dobutsu", "1l1/3/3/1L1 b C")
    assert said(held) == ["None of your pieces is in danger now, and you have pieces in hand."]


@pytest.mark.parametrize(
    ("position", "plan"),
    [
        ("4k4/9/9/9/9/9/3r5/1PP6/LNK6 b -", "Your king has no place to go to: give it room."),
        ("4k4/9/4P4/9/9/9/9/9/4K4 b -", "Bring a second attacker to 5b: the king on 5a alone guards it."),
        (
            "4k4/1r7/9/1p7/9/9/9/1L7/4K4 b -",
            "One more attacker would win the pawn on 8d: it is guarded as often as you attack it.",
        ),
        ("4k4/9/9/9/9/4p4/9/9/R3K4 b -", "From 9b your rook on 9i would attack a place beside the king on 5a."),
        ("4k4/9/9/9/9/9/9/9/4K4 b P", "From 6c a dropped pawn would attack a place beside the king on 5a."),
        (
            "4k4/9/9/9/9/9/2N6/9/4K4 b -",
            "None of your pieces attacks a place beside the king on 5a yet: bring one nearer.",
        ),
    ],
)
def test_where_nothing_is_urgent_there_is_a_plan(position: str, plan: str) -> None:
    assert said(Position("shogi", position)) == [plan]


def test_a_game_that_is_over_needs_no_guide() -> None:
    mated = Position("shogi", "4k4/4G4/4P4/9/9/9/9/9/4K4 w -")
    assert mated.is_game_over()
    assert guide.remarks(mated) == []


# --- Random play ----------------------------------------------------------------------------------------------------


def material(position: Position, side: Side) -> int:
    """The values of one side's pieces less those of the other's, from the position string's contents."""
    worth, held = piece_values(position.variant), position.setup().hands
    total = sum(
        worth[piece.code][0] * (1 if piece.side == side else -1) for piece in position.board if piece is not None
    )
    for owner, counts in zip("bw", held, strict=True):
        sign = 1 if owner == side else -1
        total += sign * sum(
            worth[code][1] * count for code, count in zip(position.variant.hand_order, counts, strict=True)
        )
    return total


def after(position: Position, move: komadai.Move) -> Position:
    made = position.copy()
    made.push(move)
    return made


def touches(move: komadai.Move, square: str) -> bool:
    return not move.is_drop and square in (*move.landings, *move.shots)


def taken_with_gain(position: Position) -> tuple[set[str], int]:
    """The squares of the enemy pieces that can be taken with gain, by trying every move and every recapture; and the
    number of captures."""
    side, found, captures = position.turn, set[str](), 0
    enemies = [
        square
        for square in map(position.variant.board.name, position.variant.board.points)
        if (piece := position[square]) and piece.side != side
    ]
    for move in position.legal_moves():
        made = after(position, move)
        taken = {square for square in enemies if touches(move, square)}
        if is_compound(position.variant):
            taken |= {square for square in enemies if (piece := made[square]) is None or piece.side == side}
        if not taken:
            continue
        captures += 1
        gain = material(made, side) - material(position, side)
        losses = [0]
        if made[move.target] is not None:
            losses += [
                material(made, side) - material(after(made, reply), side)
                for reply in made.legal_moves()
                if touches(reply, move.target)
            ]
        if gain > 0 and gain > max(losses):
            found |= taken
    return found, captures


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=max(EXAMPLES // 15, 1), deadline=None)
@given(seed=st.integers(0, 2**20))
def test_gains_are_those_of_the_definition(name: str, seed: int) -> None:
    variant = komadai.variant(name)
    for position, _ in random_play(variant, seed, volume(2) if is_compound(variant) else volume(40, 15)):
        if position.is_game_over() or (not is_compound(variant) and position.is_check()):
            continue
        for at in (position, position.passed()):
            expected, captures = taken_with_gain(at)
            if captures <= guide.MOST_CAPTURES:
                assert {gain.square for gain in guide.gains(at)} == expected, at.sfen()


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=max(EXAMPLES // 15, 1), deadline=None)
@given(seed=st.integers(0, 2**20))
def test_every_position_has_a_guide(name: str, seed: int) -> None:
    variant = komadai.variant(name)
    for position, _ in random_play(variant, seed, 6 if is_compound(variant) else 60):
        before = position.sfen()
        remarks, reach = guide.remarks(position), guide.reach(position)
        assert position.sfen() == before
        assert bool(remarks) is not position.is_game_over()
        assert len(remarks) <= guide.MOST_REMARKS
        for square in reach:
            piece = position[square]
            assert piece is not None
            assert piece.side != position.turn
        for language in LANGUAGES:
            with speaking(language):
                for remark in remarks:
                    words = guide.words(remark, position, str)
                    assert words
                    assert not {"{", "}"} & set(words)


def test_the_reach_is_that_of_the_moves_after_a_pass() -> None:
    position = Position("shogi", "4k4/9/9/9/9/3r2B2/9/9/4K4 b -")
    reach = guide.reach(position)
    assert set(reach) == {"5a", "6f"}
    assert {"3f", "6i", "6a"} <= set(reach["6f"])
    assert "2f" not in reach["6f"]
