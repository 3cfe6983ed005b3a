"""Checks of the rules that many games share, each on a position of the game that asks for it."""

from __future__ import annotations

from helpers.support import ended, legal, play, refusal
from komadai.game.outcome import Outcome
from komadai.game.position import Position
from komadai.spec.board import Side, other


def assert_mates(game: str, position: str, move: str) -> None:
    """The move of Black's is checkmate, and wins."""
    over = play(game, move, start=position)
    assert over.outcome() == Outcome("b", "checkmate")
    assert legal(over) == set()


def assert_repeats(game: str, position: str | None, cycle: tuple[str, ...], winner: Side | None, reason: str) -> None:
    """The fourth occurrence of the position, to which the moves lead back, ends the game so, and not the third."""
    assert ended(Position(game, position), *cycle * 3) == Outcome(winner, reason)  # type: ignore[arg-type]


def assert_perpetual_check_loses(game: str, position: str, cycle: tuple[str, ...]) -> None:
    """The side to move, which gives check with each of its moves, loses by that."""
    assert_repeats(game, position, cycle, other(Position(game, position).turn), "perpetual_check")


def assert_turns(game: str, position: str, changes: dict[str, str]) -> None:
    """After each of the moves the kind named stands on its target."""
    for move, kind in changes.items():
        after = play(game, move, start=position)
        piece = after.piece_at(move.rstrip("+").partition("=")[0][-2:])
        assert piece is not None
        assert piece.code == kind, move


def assert_refused(game: str, position: str, reasons: dict[str, str]) -> None:
    """Each of the moves is refused for that reason."""
    for move, why in reasons.items():
        assert why in refusal(game, position, move), move


NEVER = "it could never move again from there"
TWO_PAWNS = "(nifu)"
PAWN_MATE = "(uchifuzume)"
