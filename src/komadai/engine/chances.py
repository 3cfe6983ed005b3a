"""Winning chances from scores, and the marks of moves that lose them."""

from __future__ import annotations

import math

RATE = 600.0
"""The score at which the odds to win are e to 1, as measured in shogi. Learning measures it in each game
(:func:`komadai.lab.learn.targets.fitted_rate`)."""

MARKS = ((0.30, "??"), (0.20, "?"), (0.10, "?!"))
"""The marks of mistakes: each from that loss on, in shares of the points that a game is worth."""


def chance(score: int, mate: int | None = None) -> float:
    """The share of points, 0 to 1, that the side to move may expect from the score of a :class:`~komadai.engine.Line`.

    It is the logistic function of the score, and 0 or 1 where an end is forced.
    """
    if mate is not None:
        return 1.0 if mate > 0 else 0.0
    return 1 / (1 + math.exp(-score / RATE))


def mark(loss: float) -> str:
    """The mark of a move that lost so much of its side's chances, empty if that was little."""
    return next((sign for least, sign in MARKS if loss >= least), "")
