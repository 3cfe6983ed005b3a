"""The coach: what moves make worse and what they do, in known positions and in random play."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import komadai
from helpers import ko
from helpers.support import random_play
from helpers.volume import EXAMPLES
from komadai import Position
from komadai.i18n import LANGUAGES, speaking
from komadai.spec.logic import is_compound
from komadai.view import coach, guide

NAMES = komadai.variants(shelf=False)


def after(position: Position, move: str) -> Position:
    made = position.copy()
    made.push(move)
    return made


def warned(position: Position, move: str) -> str:
    found = coach.warning(position, position.parse_move(move))
    made = after(position, move)
    return "" if found is None else guide.words(found, made, str, to=position.turn, before=made)


def why(position: Position, move: str) -> list[str]:
    made = after(position, move)

    def before(remark: guide.Remark) -> Position | None:
        return position.passed() if remark.topic == "stops" else None

    found = coach.reasons(position, position.parse_move(move))
    return [guide.words(remark, made, str, before=before(remark)) for remark in found]


def shogi(sfen: str) -> Position:
    return Position("shogi", sfen)


# --- What is made worse ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sfen", "move", "said"),
    [
        ("4k4/9/9/9/3p5/9/9/2N6/4K4 b -", "7h6f", "Your knight on 6f would hang: it could be taken by the pawn on 6e."),
        ("4k4/9/9/9/3p5/9/9/2N6/4K4 b -", "7h8f", ""),
        (
            "4k4/9/9/6p2/9/6G2/9/6R2/4K4 b -",
            "3f3e",
            "Your gold general on 3e could be taken by the pawn on 3d, which would gain even if you took back.",
        ),
        ("4k4/9/9/9/9/3r2P2/6G2/9/4K4 b -", "3g3h", "Your pawn on 3f would hang: it could be taken by the rook on 6f."),
        ("4k4/9/9/9/9/3r2P2/6G2/9/4K4 b -", "5i5h", ""),
    ],
)
def test_a_piece_that_would_hang(sfen: str, move: str, said: str) -> None:
    assert warned(shogi(sfen), move) == said


def test_what_hangs_already_is_the_guides_to_say() -> None:
    position = shogi("4k4/9/9/9/9/3r2B2/9/9/4K4 b -")
    assert warned(position, "5i5h") == ""
    assert warned(position, "3f6c") == "", "attacked there by the rook too, as it was before"


def test_an_exchange_that_pays_is_no_loss() -> None:
    assert warned(shogi("4k4/9/9/6p2/6r2/9/9/9/4K1R2 b -"), "3i3e") == "", "a rook for a rook"
    costs = "Your rook on 3e would hang: it could be taken by the pawn on 3d."
    assert warned(shogi("4k4/9/9/6p2/6p2/9/9/9/4K1R2 b -"), "3i3e") == costs


def test_a_capture_that_would_be_punished_by_a_win_is_no_loss() -> None:
    """The bishop that guards 5b against a dropped gold general is to be drawn away."""
    bait = "4k4/9/3bP4/9/9/9/6P2/9/4K4 b {}"
    assert warned(shogi(bait.format("G")), "3g3f") == ""
    hangs = "Your pawn on 3f would hang: it could be taken by the bishop on 6c."
    assert warned(shogi(bait.format("-")), "3g3f") == hangs


def test_a_win_that_a_move_allows_comes_first() -> None:
    position = shogi("4k4/9/9/9/9/9/3ppp3/3G5/4K4 b g")
    assert warned(position, "6h7h") == "Your opponent could win with G*5h."
    already = shogi("4k4/9/9/9/9/9/3ppp3/9/4K4 b Pg")
    assert warned(already, "P*9e") == "", "the guide has said so before"


def test_in_check_only_what_another_move_would_save_counts() -> None:
    saved = shogi("4k4/9/9/9/9/2B1r4/9/9/4K4 b -")
    assert warned(saved, "5i6i") == "Your bishop on 7f would hang: it could be taken by the rook on 5f."
    assert warned(saved, "7f5h") == ""
    lost = shogi("4k4/9/9/9/9/1B2r4/9/9/4K4 b -")
    assert [warned(lost, move.text) for move in lost.legal_moves()] == [""] * len(lost.legal_moves())


def test_the_only_move_is_not_asked_about() -> None:
    position = shogi("k8/9/9/9/9/9/9/9/1R2K4 w - 2")
    (move,) = position.legal_moves()
    assert coach.warning(position, move) is None
    assert why(position, move.text)[0] == "It was the only move."


def test_it_holds_for_shots() -> None:
    assert warned(ko.board("P 9k, lb 11h"), "9k10k") == "Your pawn on 10k could be shot by the longbow on 11h."


# --- What a move does -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sfen", "move", "said"),
    [
        (
            "4k4/4r4/9/9/9/9/9/9/K3G4 w - 2",
            "5b5i",
            ["It takes your gold general.", "It attacks your king with the rook on 5i."],
        ),
        ("4k4/9/9/9/9/9/9/9/R2K5 w r 2", "R*9a", ["It threatens to take your rook on 9i with the rook on 9a."]),
        ("4k4/9/9/9/9/3R2b2/9/9/4K4 w - 2", "3f4e", ["It brings the bishop on 4e out of danger."]),
        ("4k4/9/9/9/9/3R2b2/9/9/4K4 w p 2", "P*5f", ["It protects the bishop on 3f, which you could have taken."]),
        ("4k4/9/4P4/9/9/9/9/9/4K4 w Gr 2", "5a4a", ["It prevents G*5b, which would have won for you."]),
        ("3R1k3/9/9/9/9/9/9/9/4K4 w - 2", "4a4b", ["Its king was attacked."]),
        ("4k4/9/9/9/9/3p5/9/9/4K4 w - 2", "6f6g", ["It attacks a place beside your king with the pawn on 6g."]),
        ("4k4/9/9/9/9/9/9/9/4K4 w - 2", "5a5b", []),
    ],
)
def test_reasons_of_a_move(sfen: str, move: str, said: list[str]) -> None:
    assert why(shogi(sfen), move) == said


def test_a_move_that_wins() -> None:
    assert why(shogi("4k4/9/9/9/9/9/4p4/9/4K4 w g 2"), "G*5h") == ["It wins the game."]


# --- Random play ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=max(EXAMPLES // 15, 1), deadline=None)
@given(seed=st.integers(0, 2**20))
def test_every_move_can_be_told_of(name: str, seed: int) -> None:
    variant = komadai.variant(name)
    for position, chance in random_play(variant, seed, 4 if is_compound(variant) else 40):
        if position.is_game_over():
            continue
        move = chance.choice(position.legal_moves())
        before = position.sfen()
        made = after(position, move.text)
        warning, reasons = coach.warning(position, move), coach.reasons(position, move)
        assert position.sfen() == before
        assert len(reasons) <= coach.MOST_SAID
        if warning is not None:
            assert len(position.legal_moves()) > 1
            assert all(piece and piece.side == position.turn for piece in map(made.piece_at, warning.at))
        taken = {reason.code for reason in reasons if reason.topic == "takes"}
        side = made.turn
        gone = {code for code in taken if code and len(made.pieces(code, side)) < len(position.pieces(code, side))}
        assert taken == gone, "no piece is said to be taken that is still there"
        for language in LANGUAGES:
            with speaking(language):
                said = [guide.words(one, made, str) for one in reasons if one.topic != "stops"]
                if warning is not None:
                    said.append(guide.words(warning, made, str, to=position.turn, before=made))
                assert all(said)
                assert not {"{", "}"} & set("".join(said))
