"""Which moves of a game mattered: plain arithmetic over the expected scores of its positions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ....engine.chances import MARKS
from ....spec.board import SIDES, Side

SHOWN = 3
"""Moments of a game that are shown."""

LEAST = MARKS[-1][0]
"""The loss from which on a move is a moment: where the review begins to see a mistake."""


def loss(mover: Side, was: float, now: float) -> float:
    """The share of points that a move lost, from Black's expected score before and after it; 0 if it gained."""
    return max(was - now if mover == "b" else now - was, 0.0)


def accuracy(movers: Sequence[Side], losses: Sequence[float]) -> dict[Side, float | None]:
    """Of each side the share of expected points that its moves kept on average; ``None``: it has made no move."""
    own = {side: [lost for mover, lost in zip(movers, losses, strict=True) if mover == side] for side in SIDES}
    return {side: 1 - sum(lost) / len(lost) if lost else None for side, lost in own.items()}


def worst(movers: Sequence[Side], losses: Sequence[float], side: Side | None, most: int = SHOWN) -> list[int]:
    """The numbers, from 0, of the moves that lost most, each at least :data:`LEAST`.

    Those of ``side`` come first, those of its opponent only where they leave room; ``None``: both count alike.
    """
    found = [number for number, lost in enumerate(losses) if lost >= LEAST]
    return sorted(found, key=lambda number: (side not in (None, movers[number]), -losses[number], number))[:most]


def decisive(
    movers: Sequence[Side], chances: Sequence[float], losses: Sequence[float], winner: Side | None
) -> list[int]:
    """The moves that may be the turning point, the likeliest first.

    They are the loser's moves since it last stood level or better, as they lost most; where nobody won, all moves.

    Args:
        chances: Black's expected score in every position, the last included. ``losses``: of every move.
    """
    numbers: Iterable[int] = range(len(movers))
    if winner is not None:
        loser: Side = "w" if winner == "b" else "b"
        own = [share if loser == "b" else 1 - share for share in chances]
        level = max((number for number, share in enumerate(own) if share >= 0.5), default=0)
        numbers = [number for number in range(level, len(movers)) if movers[number] == loser]
    return sorted((number for number in numbers if losses[number] >= LEAST), key=lambda one: (-losses[one], one))


def doubtful(
    movers: Sequence[Side], chances: Sequence[float], losses: Sequence[float], side: Side | None, winner: Side | None
) -> list[int]:
    """The moves to be looked at again before any is shown."""
    some = worst(movers, losses, side, 2 * SHOWN)
    return sorted({*some, *decisive(movers, chances, losses, winner)[:2]})
