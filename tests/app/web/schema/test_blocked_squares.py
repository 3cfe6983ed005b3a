"""Blocked squares and explanations, compared with the rules themselves."""

from __future__ import annotations

import pytest

import komadai
from helpers.games import random_positions
from komadai.app.web.presenter.blocked_squares import blocked
from komadai.errors import NotationError
from komadai.reference.explain import why_nowhere


def drop_squares(position: komadai.Position, code: str) -> set[str]:
    """The empty squares on files that hold a piece of that kind of the side to move."""
    board, name, file = position.board, position.variant.board.name, position.variant.board.file
    own = {file(at) for at, piece in enumerate(board) if piece and piece.side == position.turn and piece.code == code}
    return {name(at) for at, piece in enumerate(board) if piece is None and file(at) in own}


@pytest.mark.parametrize(("variant", "code"), [("shogi", "P"), ("mortal", "P"), ("hand", "SO")])
def test_blocked_drops_are_the_files_that_hold_such_a_piece(variant: str, code: str) -> None:
    seen = 0
    for position in random_positions(variant, {}, games=6, plies=80):
        found = blocked(position)
        held = position.hand(position.turn).get(code, 0)
        assert set(found.get(f"{code}*", [])) == (drop_squares(position, code) if held else set())
        assert {start for start in found if start.endswith("*")} <= {f"{code}*"}
        legal = {str(move) for move in position.legal_moves()}
        assert not any(start + square in legal for start, squares in found.items() for square in squares)
        seen += held
    assert seen


def test_blocked_moves_are_those_the_rule_forbids() -> None:
    position = komadai.Position("hand")
    assert blocked(position) == {"3h": ["4h"], "4g": ["3g"], "6g": ["7g"], "7h": ["6h"]}
    assert "another soldier" in position.explain("3h4h")
    assert blocked(komadai.Position("nana")) == {}


def nowhere(game: str, code: str, position: str | None = None) -> str:
    """Why nothing of that code can be dropped, from the start or from a position."""
    at = komadai.Position(game, position)
    return why_nowhere(at.variant, at.setup(), code)


def test_why_a_piece_has_nowhere_to_go() -> None:
    onager = nowhere("hand", "O")
    assert onager.startswith("The onager cannot be dropped anywhere now: ")
    assert "gives check" in onager
    assert nowhere("hand", "H") == "H can be dropped on 2 squares."
    both = nowhere("shogi", "P", "4k4/9/9/9/9/9/PPPP1PPPP/9/4K3r b P")
    assert "does not parry the check" in both
    assert "nifu" in both
    with pytest.raises(NotationError):
        nowhere("hand", "ZZ")
