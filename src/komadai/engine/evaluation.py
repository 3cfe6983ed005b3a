"""Evaluation weights: from the variant's data, or from tuning.

The blocks of weights, their shapes and the terms they count are defined in ``native/evaluate.hpp``.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from math import prod
from typing import Any

from .. import _core
from ..compiler import compile_variant
from ..spec.logic import is_compound
from ..spec.material import piece_values
from ..spec.variant import CACHED_VARIANTS, Variant

WEIGHTS = files(__package__) / "weights"
_FAR = 10  # king's steps from which on coming nearer counts for nothing
_WHOLE = 100  # of the weights that are percentages


def _flat(table: Any) -> list[int]:
    return [number for row in table for number in _flat(row)] if isinstance(table, list) else [int(table)]


def blocks(variant: Variant) -> list[_core.Block]:
    """The blocks of weights, in order."""
    return _core.Evaluation(compile_variant(variant).rules).blocks()


def default_weights(variant: Variant) -> list[int]:
    """The weights that follow from the variant alone: its pieces' values and its :class:`~komadai.spec.Evaluation`."""
    values, data = piece_values(variant), variant.evaluation
    weights: list[int] = []
    for entry in blocks(variant):
        name, shape = entry.name, entry.shape
        if name == "board":
            block = [values[kind.code][0] for kind in variant.kinds]
        elif name == "hand":
            block = [values[code][1] for code in variant.hand_order]
        elif name == "mobility" and not is_compound(variant):
            kinds, counts = shape
            block = [data.mobility * count for _ in range(kinds) for count in range(counts)]
        elif name == "ring" and not is_compound(variant):
            attacked, held = shape
            block = [data.ring * points * (2 + more) // 2 for points in range(attacked) for more in range(held)]
        elif name == "foe_king":
            kinds, rows, columns = shape
            away = [max(abs(row - rows // 2), column) for row in range(rows) for column in range(columns)]
            near = [data.approach * max(_FAR - steps, 0) for steps in away]
            block = [worth for _ in range(kinds) for worth in near]
        elif name in ("dependencies", "survival"):
            block = [_WHOLE]
        elif name == "tempo":
            block = [data.tempo]
        else:
            block = [0] * prod(shape)
        weights += block
    return weights


def tuned_weights(variant: Variant) -> list[int] | None:
    """The weights that ``tools/tune.py`` found for the game and wrote down; ``None`` if there are none."""
    path = WEIGHTS / f"{variant.id}.json"
    if not path.is_file():
        return None
    tables: dict[str, Any] = json.loads(path.read_text("utf-8"))
    weights: list[int] = []
    for entry in blocks(variant):
        name, shape = entry.name, entry.shape
        block = _flat(tables.get(name, [0] * prod(shape)))
        if len(block) != prod(shape):
            return None  # the variant has changed since
        weights += block
    return weights


@lru_cache(maxsize=CACHED_VARIANTS)
def evaluation(variant: Variant) -> _core.Evaluation:
    """The native evaluation of a variant with the best weights there are."""
    return _core.Evaluation(compile_variant(variant).rules, tuned_weights(variant) or default_weights(variant))
