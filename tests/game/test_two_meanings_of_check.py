"""Games that know both meanings of check: a royal piece attacked, and survival threatened."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import komadai
from komadai import Game, IllegalPositionError, Position, Variant
from komadai.app.tui.marks import CHECK, standing
from komadai.spec import Extinction, Has


def precious(game: str, **more: Any) -> Variant:
    """A game that is lost with the last rook, too."""
    return replace(komadai.variant(game), id=f"precious-{game}", survives_if=Has(("R", "+R")), **more)


def test_survival_may_be_threatened_by_the_side_to_move() -> None:
    game = precious("minishogi")
    position = Position(game, "4k/5/r4/5/R3K b -")  # each rook attacks the other
    assert position.is_check()
    assert Position(game, position.sfen()).legal_moves() == position.legal_moves()
    passed = position.passed()
    assert passed.is_check()
    assert Position(game, passed.sfen()).sfen() == passed.sfen()
    for move in position.legal_moves():
        after = position.copy()
        after.push(move)
        assert Position(game, after.sfen()).sfen() == after.sfen(), move


def test_a_royal_piece_may_not_be_attacked_by_the_side_to_move() -> None:
    with pytest.raises(IllegalPositionError, match="White's king is attacked although Black is to move"):
        Position(precious("minishogi"), "4k/4R/r4/5/4K b -")
    with pytest.raises(IllegalPositionError, match="the side to move is in check"):
        Position(precious("minishogi"), "4k/4R/r4/5/4K w -").passed()


def test_survival_that_has_to_be_guarded_may_not_either() -> None:
    with pytest.raises(IllegalPositionError, match="is attacked although Black is to move"):
        Position(precious("minishogi", extinction=Extinction(guarded=True)), "4k/5/r4/5/R3K b -")


def test_only_a_king_that_is_attacked_is_marked() -> None:
    game = precious("minishogi")
    for sfen, marked in (("4k/5/r4/5/R3K b -", set()), ("4k/4R/r4/5/4K w -", {4})):
        assert {at for at, mark in standing(Position(game, sfen), None, check=True).items() if mark is CHECK} == marked


def test_a_threat_to_survival_is_no_check_to_a_king_that_declares() -> None:
    rule = komadai.variant("shogi", entering_king="27").declaration
    entered = "+P+P+P+PK+P+P+P+P/+R+B7/9/9/9/r8/9/9/4k4 b B5P"  # 28 points; White attacks the last rook
    position = Position(precious("shogi", declaration=rule), entered)
    assert position.is_check()
    assert position.can_declare()
    played = Game(position.variant, entered)
    played.declare()
    assert played.outcome() == position.declaration()
