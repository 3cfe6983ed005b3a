"""Positions to learn from as arrays: the features of both views, the hand-made score, and the training target.

It needs NumPy (the extra ``learn``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...engine.net import shape_of
from ...errors import LearnError
from ...game.position import Position
from ...i18n import _
from ...spec.variant import Variant
from .data import Played, replayed, total, written
from .targets import HELD_OUT, measured_odds, quiet, targets

Numbers = NDArray[Any]

_COLUMNS = {
    "mine": "<u2",
    "theirs": "<u2",
    "counts": "<u2",
    "phase": "u1",
    "static": "<i4",
    "target": "<f4",
    "game": "<u4",
}


@dataclass(frozen=True)
class Samples:
    """Positions as columns.

    Attributes:
        mine, theirs: the features of all positions one behind the other, of the view of the side to move and of the
            other; ``counts``, of shape (positions, 2), says how many each view has.
        phase: of the game, which chooses the output. ``static``: the hand-made score for the side to move.
        target: the points that the side to move is taken to expect, 0 to 1 (:func:`.targets.targets`). ``game``: its
            number.
        odds: the score at which the odds to win are e to 1 in these games.
        features: how many features there are. ``phases``: likewise.
    """

    mine: Numbers
    theirs: Numbers
    counts: Numbers
    phase: Numbers
    static: Numbers
    target: Numbers
    game: Numbers
    odds: float
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
    trace: float,
) -> Samples:
    """The quiet positions of files of games, in arrays that are kept in files of a folder and read as needed.

    Args:
        folder: where; files of earlier times are replaced. ``evaluation``: the hand-made one.
        trace: as :func:`.targets.targets`.

    Raises:
        LearnError: a file of games is unsound, or the folder cannot be written.
    """
    shape, count = shape_of(variant), 0
    if shape.features >= np.iinfo(np.uint16).max:
        raise LearnError(_("a net of {game} would have too many features", game=variant.id))
    odds = measured_odds(variant, paths)
    with written(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            files = {name: stack.enter_context((folder / f"{name}.bin").open("wb")) for name in _COLUMNS}
            for path, game in total(paths, variant):
                columns = _columns(shape, evaluation, variant, game, path, targets(variant, game, odds, trace))
                for name, column in columns.items():
                    files[name].write(column.astype(_COLUMNS[name]).tobytes())
                count += int(quiet(game).sum())
        if not count:
            raise LearnError(_("the files hold no quiet position; there is nothing to learn from"))
        arrays: dict[str, Numbers] = {
            name: np.memmap(folder / f"{name}.bin", kind, "r") for name, kind in _COLUMNS.items()
        }
    arrays["counts"] = arrays["counts"].reshape(-1, 2)
    return Samples(**arrays, odds=odds, features=shape.features, phases=shape.phases)


def _columns(
    shape: _core.NetShape,
    evaluation: _core.Evaluation,
    variant: Variant,
    game: Played,
    path: Path,
    target: Numbers,
) -> dict[str, Numbers]:
    """The columns of a game's quiet positions; none if it has none.

    Args:
        target: of all its positions.
    """
    keep = quiet(game)
    if not keep.any():
        return {}
    words = np.frombuffer(replayed(game, variant, path)._native.played().words(), "<u8").reshape(-1, 2)
    start = Position(variant, game.start)
    codes, trails = np.ascontiguousarray(words[:, 0]), np.ascontiguousarray(words[:, 1])
    mine, theirs, phase, static = shape.of_game(evaluation, start._native, codes, trails, keep)
    return {
        "mine": mine[mine >= 0],
        "theirs": theirs[theirs >= 0],
        "counts": np.stack([(mine >= 0).sum(1), (theirs >= 0).sum(1)], 1),
        "phase": phase,
        "static": static,
        "target": target[keep],
        "game": np.full(len(phase), game.number),
    }


def batches(rows: Numbers, size: int) -> Iterator[Numbers]:
    """Rows in parts of that size; the last may be smaller."""
    return (rows[at : at + size] for at in range(0, len(rows), size))
