"""What a move that gave something away had missed, in the words of the guide: for every game, without its name."""

from __future__ import annotations

from typing import NamedTuple

from ..game.position import Position
from ..spec.move import Move
from .guide import Gain, Topic, Way, gains


class Missed(NamedTuple):
    """What was missed, as a topic of :class:`~komadai.view.guide.Remark`.

    Attributes:
        topic: ``win``: a forced win; ``threat``: that the opponent can win with the next move, or by force and by none
            of what follows; ``stranded``: own pieces that the move loses at the end of its turn, and the better one
            keeps; ``chance``: a capture with gain; ``hangs``: a piece that the opponent can take with gain; ``plan``:
            none of these.
        way: how a capture of ``chance`` or ``hangs`` takes.
    """

    topic: Topic
    way: Way | None = None


def missed(
    before: Position, played: Move, best: Move | None, reply: Move | None, *, won: bool = False, lost: bool = False
) -> Missed:
    """What a move missed.

    Args:
        before: the position that it was played in. ``best``: the better move there.
        reply: the opponent's best answer to the move played.
        won: the mover had a forced win. ``lost``: the opponent has one after the move.
    """
    if won:
        return Missed("win")
    after = before.copy()
    after.push(played)
    if after.outcome() is None and after._native.winning_move() is not None:
        return Missed("threat")
    if before.losses(played) - (frozenset() if best is None else before.losses(best)):
        return Missed("stranded")
    gain, taken = _taken(before, best), _taken(before, played)
    if gain and gain.worth > (taken.worth if taken else 0):
        return Missed("chance", gain.way)
    if gain := _taken(after, reply):
        return Missed("hangs", gain.way)
    return Missed("threat" if lost else "plan")


def _taken(position: Position, move: Move | None) -> Gain | None:
    """The most valuable piece that a move takes and that can be taken with gain; ``None``: none, or no move."""
    if move is None:
        return None
    name, after = position.variant.board.name, position.copy()
    after.push(move)
    touched = {name(point) for landing in move.way for point in (landing.point, *landing.shots)}
    for gain in gains(position):
        if gain.square in touched or (gain.way == "burns" and after.piece_at(gain.square) is None):
            return gain
    return None
