"""Training targets: the points expected in each position of a game, from the scores of searches and from the result.

It needs NumPy (the extra ``learn``)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...engine.chances import RATE
from ...game.position import Position
from ...spec.board import SIDES
from ...spec.variant import Variant
from .data import Played, total

HELD_OUT = 20
"""One game in so many is kept out of training, to measure by."""

_LIMIT = 10 * RATE  # scores beyond count as this one: one game that was lost against them would outweigh all others
_STEPS = 100  # of Newton's method, which needs some ten

Numbers = NDArray[Any]


def quiet(game: Played) -> Numbers:
    """For each position of a game whether it is quiet."""
    return np.frombuffer(game.quiet, np.uint8).astype(bool)


def targets(variant: Variant, game: Played, odds: float, trace: float) -> Numbers:
    """The points that the side to move is taken to expect in each position of a game, 0 to 1.

    It is the return of TD(λ) (Sutton, *Learning to predict by the methods of temporal differences*, 1988): the share
    that the search's score stands for, mixed with that of the next ply, and at the end with the result.

    Args:
        odds: the score at which the odds to win are e to 1.
        trace: λ, the weight of what follows: with 0 the score alone counts, with 1 the result alone.
    """
    black = _black_to_move(variant, game)
    shares = _of_side(0.5 + 0.5 * np.tanh(np.array(game.scores, np.float64) / (2 * odds)), black)
    worth = _result(game, "b")
    for ply in range(len(shares) - 1, -1, -1):
        worth = shares[ply] = (1 - trace) * shares[ply] + trace * worth
    return _of_side(shares, black)


def measured_odds(variant: Variant, paths: Sequence[Path]) -> float:
    """The score at which the odds to win are e to 1, in the games of files that are not held out.

    Raises:
        LearnError: a file is unsound.
    """
    scores, shares = [np.empty(0, np.int16)], [np.empty(0)]
    for _path, game in total(paths, variant):
        if game.number % HELD_OUT:
            keep, black = quiet(game), _black_to_move(variant, game)
            scores.append(np.array(game.scores, np.int16)[keep])
            shares.append(np.where(black, _result(game, "b"), _result(game, "w"))[keep])
    return fitted_rate(np.concatenate(scores), np.concatenate(shares))


def fitted_rate(score: Numbers, share: Numbers) -> float:
    """The score at which the odds to win were e to 1 in these games, by logistic regression of results on scores.

    It differs from game to game: a pawn's worth decides a game of Nana, and hardly matters in Chu Shogi. It is
    :data:`~komadai.engine.chances.RATE` where scores say nothing about results, and in any case between a hundredth and
    a hundred times that.

    Args:
        score: of the search. ``share``: the points of the side to move in the end, 0 to 1.
    """
    scores = np.clip(np.asarray(score, np.float64), -_LIMIT, _LIMIT)
    shares = np.asarray(share, np.float64)
    if not len(scores):
        return RATE
    slope, least, most = 1 / RATE, 0.01 / RATE, 100 / RATE
    for _step in range(_STEPS):
        expected = 1 / (1 + np.exp(-slope * scores))
        bend = float(np.mean(expected * (1 - expected) * scores**2))
        if bend == 0:
            return RATE
        step = float(np.mean((shares - expected) * scores)) / bend
        before, slope = slope, float(np.clip(slope + step, max(slope / 2, least), min(2 * slope, most)))
        if abs(slope - before) <= 1e-9 * slope:
            break
    return RATE if slope == least else 1 / slope


def _black_to_move(variant: Variant, game: Played) -> Numbers:
    first = SIDES.index(Position(variant, game.start).turn)
    found: Numbers = (np.arange(len(game.moves)) + first) % 2 == 0
    return found


def _of_side(shares: Numbers, black: Numbers) -> Numbers:
    """Shares of Black as those of the side to move, or back."""
    found: Numbers = np.where(black, shares, 1 - shares)
    return found


def _result(game: Played, side: str) -> float:
    """The points of a side in the end, 0 to 1."""
    return 0.5 if game.winner is None else float(game.winner == side)
