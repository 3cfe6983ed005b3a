"""A net in whole numbers, worked out as in the engine (``native/net.hpp``), for many positions at once (with NumPy)."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...engine.evaluation import handmade
from ...engine.net import Arrays, Net
from ...spec.variant import Variant
from .samples import Samples

UNIT = 255
"""The unit of the sums of the hidden layer."""
WEIGHT = 64
"""The unit of the weights of the output."""
FINE = 1024
"""The unit of the weights of the small layers."""
SCALE = 400
"""An output of 1 in hundredths of the least piece."""
_WIDE, _SMALL = 256, (16, 32)  # with fewer hidden units small layers gained nothing

_PAIR = 256  # by which the product of two units is divided
_LARGEST = 1 << 20
"""Bytes from which on feature weights are kept as one byte each."""

Numbers = NDArray[Any]

_KINDS: dict[str, tuple[float, Any, int]] = {
    "feature_weights": (UNIT, np.int16, 0x7FFF),
    "feature_bias": (UNIT, np.int16, 0x7FFF),
    "output_weights": (WEIGHT, np.int16, 127),
    "output_bias": (UNIT * WEIGHT, np.int32, 0x7FFFFFFF),
    "first_weights": (FINE * _PAIR / UNIT, np.int16, 8191),
    "first_bias": (UNIT * FINE, np.int32, 1 << 28),
    "second_weights": (FINE, np.int16, 8191),
    "second_bias": (UNIT * FINE, np.int32, 1 << 28),
    "last_weights": (FINE, np.int16, 8191),
}
"""Of each array of a net: what is 1 in whole numbers, their type, and the greatest of them, without its sign."""


def small_layers(hidden: int) -> tuple[int, int]:
    """The units of the two small layers of a net that learns with so many hidden units."""
    return _SMALL if hidden >= _WIDE else (0, 0)


def heaviest(features: int, hidden: int, most: int) -> dict[str, float]:
    """The largest weights in training, without their signs, so that no sum overflows and large tables fit in bytes.

    Args:
        most: features of a view at once.
    """
    kept = np.int8 if 2 * features * hidden > _LARGEST else np.int16
    limits = {name: most / unit for name, (unit, _kind, most) in _KINDS.items() if name.endswith("weights")}
    return {**limits, "feature_weights": min(np.iinfo(kept).max, np.iinfo(np.int16).max / (most + 1)) / UNIT}


def numbers_of(net: Net) -> dict[str, Numbers]:
    """The numbers of a net as training has them, by name."""
    phases, hidden, first, second = net.phases, net.hidden, net.first, net.second
    shapes: list[tuple[int, ...]] = [(-1, hidden), (hidden,), (phases, 2 * hidden), (phases,)]
    shapes += [(phases, first, hidden), (phases, first), (phases, second, 2 * first), (phases, second)]
    shapes += [(phases, second)]
    return {
        name: np.asarray(numbers, np.float64).reshape(shape) / _KINDS[name][0]
        for (name, numbers), shape in zip(net.arrays._asdict().items(), shapes, strict=True)
    }


@dataclass(frozen=True)
class Layers:
    """The numbers of a net, as :class:`~komadai.engine.net.Arrays` has them, in arrays of their shapes.

    Attributes:
        feature_weights: int16, by feature and hidden unit. ``feature_bias``: int16, by unit.
        output_weights: int16, by phase and unit, those of the view of the side to move first.
        output_bias: int32, by phase.
        first_weights, first_bias, second_weights, second_bias, last_weights: of the small layers, by phase, unit and,
            for weights but the last, input.
    """

    feature_weights: Numbers
    feature_bias: Numbers
    output_weights: Numbers
    output_bias: Numbers
    first_weights: Numbers
    first_bias: Numbers
    second_weights: Numbers
    second_bias: Numbers
    last_weights: Numbers

    @classmethod
    def rounded(cls, numbers: Mapping[str, Numbers]) -> Layers:
        """The whole numbers nearest to those of training, by name."""
        return cls(
            **{
                name: np.clip(np.rint(numbers[name] * unit), -most - (most == np.iinfo(kind).max), most).astype(kind)
                for name, (unit, kind, most) in _KINDS.items()
            }
        )

    def net(self, variant: Variant) -> Net:
        """The net of a game as the engine has it, over the best hand-made weights."""
        parts = {name: getattr(self, name) for name in Arrays._fields}
        if parts["feature_weights"].nbytes > _LARGEST:
            parts["feature_weights"] = self.feature_weights.astype(np.int8)  # training keeps them within
        arrays = Arrays(**{name: array(part.dtype.char, part.tobytes()) for name, part in parts.items()})
        return Net.of(variant, arrays, handmade(variant))

    def scores(self, samples: Samples, rows: Numbers) -> Numbers:
        """The numbers that the net adds to the hand-made scores of some positions, as the engine has it."""
        features, starts = samples.views(rows)
        sums = np.add.reduceat(self.feature_weights[features].astype(np.int64), starts, axis=0) + self.feature_bias
        units = np.clip(sums.astype(np.int16).astype(np.int64), 0, UNIT)  # sums wrap around
        phase, half = samples.phase[rows], units.shape[1] // 2
        squares = _by_side(units**2, len(rows))
        linear = _towards_zero((squares * self.output_weights[phase]).sum(1), UNIT) + self.output_bias[phase]
        pairs = _by_side(units[:, :half] * units[:, half:] // _PAIR, len(rows))
        first = _layer(pairs, self.first_weights[phase], self.first_bias[phase], -UNIT)
        inputs = np.concatenate([np.maximum(first, 0), first * first // UNIT], 1)
        second = _layer(inputs, self.second_weights[phase], self.second_bias[phase], 0)
        small = _towards_zero((second * self.last_weights[phase]).sum(1), FINE // WEIGHT)
        return np.clip(_towards_zero((linear + small) * SCALE, UNIT * WEIGHT), -0x8000, 0x7FFF)


def _by_side(units: Numbers, count: int) -> Numbers:
    """The units of the sides to move, of so many positions, beside those of the others, which come behind them."""
    return np.concatenate([units[:count], units[count:]], 1)


def _layer(inputs: Numbers, weights: Numbers, bias: Numbers, least: int) -> Numbers:
    totals = np.einsum("ni,nji->nj", inputs, weights, dtype=np.int64) + bias
    return np.clip(_towards_zero(totals, FINE), least, UNIT)


def _towards_zero(numbers: Numbers, by: int) -> Numbers:
    found: Numbers = np.sign(numbers) * (np.abs(numbers) // by)
    return found
