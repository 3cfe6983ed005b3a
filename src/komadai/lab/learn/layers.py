"""A net in whole numbers, worked out as in the engine (``native/net.hpp``), for many positions at once (with NumPy)."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...engine.evaluation import handmade
from ...engine.net import Net
from ...spec.variant import Variant
from .samples import Samples

UNIT = 255
"""The unit of the sums of the hidden layer."""
WEIGHT = 64
"""The unit of the weights of the output."""
SCALE = 400
"""An output of 1 in hundredths of the least piece."""
HEAVIEST = 127
"""The largest weight of the output, without its sign."""

_LARGEST = 1 << 20
"""Bytes from which on feature weights are kept as one byte each."""

Numbers = NDArray[Any]


def heaviest_feature(features: int, hidden: int, most: int) -> float:
    """The largest weight that a feature may have in training, so that no sum overflows and large tables fit in bytes.

    Args:
        most: features of a view at once.
    """
    kept = np.int8 if 2 * features * hidden > _LARGEST else np.int16
    return min(np.iinfo(kept).max, np.iinfo(np.int16).max / (most + 1)) / UNIT


@dataclass(frozen=True)
class Layers:
    """The numbers of a net.

    Attributes:
        feature_weights: int16, by feature and hidden unit. ``feature_bias``: int16, by unit.
        output_weights: int16, by phase and unit, those of the view of the side to move first.
        output_bias: int32, by phase.
    """

    feature_weights: Numbers
    feature_bias: Numbers
    output_weights: Numbers
    output_bias: Numbers

    @classmethod
    def rounded(
        cls, feature_weights: Numbers, feature_bias: Numbers, output_weights: Numbers, output_bias: Numbers
    ) -> Layers:
        """The whole numbers nearest to those of training."""
        return cls(
            _whole(feature_weights * UNIT, np.int16),
            _whole(feature_bias * UNIT, np.int16),
            np.clip(_whole(output_weights * WEIGHT, np.int16), -HEAVIEST, HEAVIEST),
            _whole(output_bias * UNIT * WEIGHT, np.int32),
        )

    def net(self, variant: Variant) -> Net:
        """The net of a game as the engine has it, over the best hand-made weights."""
        weights = self.feature_weights
        if weights.nbytes > _LARGEST:
            weights = weights.astype(np.int8)  # training keeps them within
        parts = (weights, self.feature_bias, self.output_weights, self.output_bias)
        codes = ("b" if weights.dtype == np.int8 else "h", "h", "h", "i")
        arrays = [array(code, part.ravel().tolist()) for code, part in zip(codes, parts, strict=True)]
        return Net.of(variant, arrays, handmade(variant))

    def scores(self, samples: Samples, rows: Numbers) -> Numbers:
        """The numbers that the net adds to the hand-made scores of some positions, as the engine has it."""
        features, starts = samples.views(rows)
        sums = np.add.reduceat(self.feature_weights[features].astype(np.int64), starts, axis=0) + self.feature_bias
        sums = sums.astype(np.int16).astype(np.int64)  # they wrap around
        active = np.clip(sums, 0, UNIT) ** 2
        both = np.concatenate([active[: len(rows)], active[len(rows) :]], 1)
        phase = samples.phase[rows]
        totals = (both * self.output_weights[phase]).sum(1)
        out = _towards_zero(totals, UNIT) + self.output_bias[phase]
        return np.clip(_towards_zero(out * SCALE, UNIT * WEIGHT), -0x8000, 0x7FFF)


def _whole(numbers: Numbers, kind: Any) -> Numbers:
    limits = np.iinfo(kind)
    return np.clip(np.rint(numbers), limits.min, limits.max).astype(kind)


def _towards_zero(numbers: Numbers, by: int) -> Numbers:
    found: Numbers = np.sign(numbers) * (np.abs(numbers) // by)
    return found
