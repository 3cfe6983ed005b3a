"""Positions to learn from as arrays: the features of both views, the hand-made score, and what search and game say.

It needs NumPy (the extra ``learn``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..compiler import compile_variant
from ..engine.chances import RATE
from ..errors import LearnError
from ..game.position import Position
from ..i18n import _
from ..spec.board import SIDES
from ..spec.variant import Variant
from .data import Played, replayed, total

HELD_OUT = 20
"""One game in so many is kept out of training, to measure by."""

_LIMIT = 10 * RATE  # scores beyond count as this one: one game that was lost against them would outweigh all others
_STEPS = 100  # of Newton's method, which needs some ten

Numbers = NDArray[Any]

_COLUMNS = {
    "mine": "<u2",
    "theirs": "<u2",
    "counts": "<u2",
    "phase": "u1",
    "static": "<i4",
    "score": "<i2",
    "points": "u1",
    "game": "<u4",
}


@dataclass(frozen=True)
class Samples:
    """Positions as columns.

    Attributes:
        mine, theirs: the features of all positions one behind the other, of the view of the side to move and of the
            other; ``counts``, of shape (positions, 2), says how many each view has.
        phase: of the game, which chooses the output. ``static``: the hand-made score for the side to move.
        score: that of the search. ``points``: half points of the side to move in the end. ``game``: its number.
        features: how many features there are. ``phases``: likewise.
    """

    mine: Numbers
    theirs: Numbers
    counts: Numbers
    phase: Numbers
    static: Numbers
    score: Numbers
    points: Numbers
    game: Numbers
    features: int
    phases: int

    def __len__(self) -> int:
        return len(self.phase)

    @property
    def held_out(self) -> Numbers:
        """For each position whether its game is kept out of training."""
        found: Numbers = self.game % HELD_OUT == 0
        return found

    def views(self, rows: Numbers) -> tuple[Numbers, Numbers]:
        """The features of some positions one behind the other, first all views of the sides to move, then all others,
        and where each view begins."""
        parts = [self._ragged(view, side, rows) for side, view in enumerate((self.mine, self.theirs))]
        lengths = np.concatenate([self.counts[rows, side] for side in (0, 1)]).astype(np.int64)
        return np.concatenate(parts), np.cumsum(lengths) - lengths

    def _ragged(self, view: Numbers, side: int, rows: Numbers) -> Numbers:
        lengths = self.counts[rows, side].astype(np.int64)
        first = np.repeat(self._starts[side][rows] - (np.cumsum(lengths) - lengths), lengths)
        found: Numbers = view[first + np.arange(len(first))]
        return found

    def __post_init__(self) -> None:
        lengths = self.counts.astype(np.int64)
        object.__setattr__(self, "_starts", [np.cumsum(lengths[:, side]) - lengths[:, side] for side in (0, 1)])

    _starts: Any = None  # by side, where the features of each position begin


def gather(
    variant: Variant,
    paths: Sequence[Path],
    folder: Path,
    evaluation: _core.Evaluation,
) -> Samples:
    """The quiet positions of files of games, in arrays that are kept in files of a folder and read as needed.

    Args:
        folder: where; files of earlier times are replaced. ``evaluation``: the hand-made one.

    Raises:
        LearnError: a file of games is unsound, or the folder cannot be written.
    """
    shape, count = _core.NetShape(compile_variant(variant).rules), 0
    if shape.features >= np.iinfo(np.uint16).max:
        raise LearnError(_("a net of {game} would have too many features", game=variant.id))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            files = {name: stack.enter_context((folder / f"{name}.bin").open("wb")) for name in _COLUMNS}
            for path, game in total(paths, variant):
                count += _add(files, shape, evaluation, variant, game, path)
        if not count:
            raise LearnError(_("the files hold no quiet position; there is nothing to learn from"))
        columns = {name: np.memmap(folder / f"{name}.bin", kind, "r") for name, kind in _COLUMNS.items()}
    except OSError as error:
        raise LearnError(_("{path} cannot be written: {why}", path=folder, why=error.strerror)) from None
    arrays = {**columns, "counts": columns["counts"].reshape(-1, 2)}
    return Samples(**arrays, features=shape.features, phases=shape.phases)


def _add(
    files: Mapping[str, BinaryIO],
    shape: _core.NetShape,
    evaluation: _core.Evaluation,
    variant: Variant,
    game: Played,
    path: Path,
) -> int:
    """Write the columns of a game's quiet positions; how many there are."""
    keep = np.frombuffer(game.quiet, np.uint8).astype(bool)
    if not keep.any():
        return 0
    words = np.frombuffer(replayed(game, variant, path)._native.played().words(), "<u8").reshape(-1, 2)
    start = Position(variant, game.start)
    codes, trails = np.ascontiguousarray(words[:, 0]), np.ascontiguousarray(words[:, 1])
    mine, theirs, phase, static = shape.of_game(evaluation, start._native, codes, trails, keep)
    plies = np.flatnonzero(keep)
    ours = (plies + SIDES.index(start.turn)) % 2  # the side to move
    black = {"b": 2, None: 1, "w": 0}[game.winner]
    columns = {
        "mine": mine[mine >= 0],
        "theirs": theirs[theirs >= 0],
        "counts": np.stack([(mine >= 0).sum(1), (theirs >= 0).sum(1)], 1),
        "phase": phase,
        "static": static,
        "score": np.array(game.scores, np.int16)[plies],
        "points": np.where(ours == 0, black, 2 - black),
        "game": np.full(len(plies), game.number),
    }
    for name, column in columns.items():
        files[name].write(column.astype(_COLUMNS[name]).tobytes())
    return len(plies)


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


def batches(rows: Numbers, size: int) -> Iterator[Numbers]:
    """Rows in parts of that size; the last may be smaller."""
    return (rows[at : at + size] for at in range(0, len(rows), size))
