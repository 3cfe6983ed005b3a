"""Openings of games from which a net is to learn: random moves from the start, or from a start whose pieces are
shuffled, so that the games differ from each other and from those that people play."""

from __future__ import annotations

import random

from ...errors import KomadaiError, LearnError
from ...game.position import Position
from ...game.random_moves import any_move
from ...i18n import _
from ...spec.board import Unbounded, other
from ...spec.setup import Piece, Setup
from ...spec.variant import Variant

_SHUFFLED = 0.25  # of the games, where the start can be shuffled
_PLIES = (2, 12)
_TRIES = 1000


def opening(variant: Variant, seed: int, number: int) -> Position:
    """The position that a game begins from, which depends on seed and number alone. The game is not over there.

    Raises:
        LearnError: whatever is tried, the game is over after two moves.
    """
    chance = random.Random(f"{seed} {number}")
    for _try in range(_TRIES):
        position = _start(variant, chance)
        for _ply in range(chance.randint(*_PLIES)):
            position.push(any_move(chance, position))
            if position.is_game_over():
                break
        else:
            return Position(variant, position.sfen(ply=True))
    raise LearnError(_("no games of {game} begin with random moves: they end too soon", game=variant.id))


def _start(variant: Variant, chance: random.Random) -> Position:
    """The start; sometimes with the pieces of each rank shuffled, for both sides alike, where that is a position."""
    start = Position(variant)
    setup = start.setup()
    if chance.random() >= _SHUFFLED or (image := _image(variant, setup)) is None:
        return start
    board = list(setup.board)
    for rank in range(variant.board.height):
        points = [
            point
            for point, piece in enumerate(setup.board)
            if piece is not None and piece.side == "b" and variant.board.xy(point)[1] == rank
        ]
        codes = [piece.code for point in points if (piece := setup.board[point]) is not None]
        chance.shuffle(codes)
        for point, code in zip(points, codes, strict=True):
            board[point], board[image[point]] = Piece("b", code), Piece("w", code)
    try:
        shuffled = Position(variant, Setup(tuple(board), setup.hands, setup.turn, setup.ply))
    except KomadaiError:
        return start
    return start if shuffled.is_game_over() or shuffled.is_check() else shuffled


def _image(variant: Variant, setup: Setup) -> tuple[int, ...] | None:
    """For each point of the board the one where the opponent has the same piece at the start: by a half turn or a
    reflection, whichever fits; ``None`` if neither does."""
    board = variant.board
    if isinstance(board, Unbounded) or not any(setup.board):
        return None
    width, height = board.width, board.height
    for turned in (True, False):
        found = []
        for point in board.points:
            x, y = board.xy(point)
            found.append((height - 1 - y) * width + (width - 1 - x if turned else x))
        theirs = [setup.board[point] for point in found]
        if all(
            (piece and (other(piece.side), piece.code)) == (foe and (foe.side, foe.code))
            for piece, foe in zip(setup.board, theirs, strict=True)
        ):
            return tuple(found)
    return None
