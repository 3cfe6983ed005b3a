"""Lines of moves as a page shows them."""

from __future__ import annotations

from collections.abc import Iterable

from ....game.game import Game
from ..schema.model import RecordedMove
from ..schema.position_ref import PositionRef, numbered_move
from .encode import recorded_move


def replay(reference: PositionRef, known: int) -> tuple[Game, list[RecordedMove]]:
    """The game after the moves of a reference, and the moves after the first ``known``.

    Raises:
        KomadaiError: as :meth:`PositionRef.game`.
    """
    game = reference.start()
    return game, play_on(game, reference.moves, known)


def play_on(game: Game, moves: Iterable[str], known: int) -> list[RecordedMove]:
    """Make moves in a game; those after the first ``known``.

    Raises:
        KomadaiError: an illegal move, which the message names.
    """
    new = []
    for number, text in enumerate(moves, 1):
        move = numbered_move(game, text, number)
        if number > known:
            new.append(recorded_move(game.position, move))
        game.push(move)
    return new
