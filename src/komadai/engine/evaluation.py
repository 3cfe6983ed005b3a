"""Evaluation weights: from the variant's data, from tuning, or from a file, with a net or without.

The blocks of weights, their shapes and the terms they count are defined in ``native/evaluate.hpp``.
"""

from __future__ import annotations

import json
from array import array
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Any

from .. import _core
from ..compiler import compile_variant
from ..errors import WeightsError
from ..json_text import fits, parsed
from ..spec.logic import is_compound
from ..spec.material import piece_values
from ..spec.variant import CACHED_VARIANTS, Variant
from ..storage import data_folder, shipped
from .bots import BALANCED, tilted
from .net import SUFFIX, Net

HANDMADE = "handmade"
"""Names the best hand-made weights, without a net, where a file could be named."""
WEIGHTS = Path(__file__).parent / "weights"
_FAR = 10  # king's steps from which on coming nearer counts for nothing
_HEAVIEST = 1_000_000  # of a weight in a file
_WHOLE = 100  # of the weights that are percentages


def _flat(table: Any) -> list[int]:
    """The whole numbers of nested lists; anything else is a ValueError."""
    if isinstance(table, list):
        return [number for row in table for number in _flat(row)]
    if not fits(table, float) or table != int(table):
        raise ValueError
    return [int(table)]


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
    try:
        return _weights(json.loads(path.read_text("utf-8")), variant, path.name)
    except WeightsError:
        return None  # the variant has changed since


def _weights(tables: Any, variant: Variant, path: str) -> list[int]:
    """The weights of tables by name, as a file has them; those that are left out are 0.

    Raises:
        WeightsError: they do not fit the variant.
    """
    known = blocks(variant)
    if not isinstance(tables, dict) or not set(tables) <= {entry.name for entry in known}:
        raise WeightsError(f"{path} holds no weights of an evaluation; expected tables by name")
    weights: list[int] = []
    for entry in known:
        name, shape = entry.name, entry.shape
        try:
            block = _flat(tables.get(name, [0] * prod(shape)))
        except (ValueError, OverflowError):
            block = []
        if len(block) != prod(shape) or not all(abs(weight) <= _HEAVIEST for weight in block):
            raise WeightsError(f"{path}: {name} does not fit {variant.id}; expected {prod(shape)} whole numbers")
        weights += block
    return weights


def handmade(variant: Variant) -> list[int]:
    """The best hand-made weights there are."""
    return tuned_weights(variant) or default_weights(variant)


def user_net(variant: Variant) -> Path:
    """The file of the user's own net of a game, which comes before that of the package; it may be absent."""
    return data_folder() / "nets" / f"{variant.id}{SUFFIX}"


def default_net(variant: Variant) -> Net | None:
    """The user's own net for exactly these rules, or that of the package, if there is one."""
    for path in (user_net(variant), shipped(WEIGHTS / f"{variant.id}{SUFFIX}")):
        if path.is_file():
            with suppress(WeightsError):  # of other options, or the variant has changed since
                return Net.read(path.read_bytes(), variant, path.name)
    return None


def evaluation_hash(variant: Variant) -> str:
    """The SHA-256 of the best evaluation there is here, by which machines know whether theirs is the same."""
    found = sha256(json.dumps(handmade(variant)).encode())
    net = default_net(variant)
    for numbers in () if net is None else (*net.arrays, net.handmade):
        found.update(json.dumps(numbers.tolist()).encode())
    return found.hexdigest()


def evaluation(variant: Variant, weights: str | None = None, style: str = BALANCED) -> _core.Evaluation:
    """The native evaluation of a variant; the latest ones are kept.

    Args:
        variant: the game.
        weights: a file of a net, which adds to the hand-made weights that it holds; or one of hand-made weights, which
            then stand alone; or :data:`HANDMADE`, the best of these alone. By default the best there is.
        style: tilts the hand-made weights; one of :data:`~komadai.engine.bots.STYLES`.

    Raises:
        WeightsError: the file cannot be read or is none of this game.
    """
    if weights is None or weights == HANDMADE:
        return _packaged(variant, weights is None, style)
    try:
        status = Path(weights).stat()
    except (OSError, ValueError) as error:  # which a name with a zero raises
        raise WeightsError(f"{weights} cannot be read: {getattr(error, 'strerror', error)}") from None
    return _from_file(variant, weights, style, (status.st_mtime_ns, status.st_size))


@lru_cache(maxsize=CACHED_VARIANTS)
def _packaged(variant: Variant, with_net: bool, style: str) -> _core.Evaluation:
    net = default_net(variant) if with_net else None
    return _made(variant, handmade(variant) if net is None else net, style)


@lru_cache(maxsize=8)
def _from_file(variant: Variant, path: str, style: str, stamp: tuple[int, int]) -> _core.Evaluation:
    if path.endswith(SUFFIX):
        return _made(variant, Net.load(path, variant), style)
    try:
        tables = parsed(Path(path).read_bytes())
    except OSError as error:
        raise WeightsError(f"{path} cannot be read: {error.strerror or error}") from None
    except ValueError:
        raise WeightsError(f"{path} is neither a net ({SUFFIX}) nor weights in JSON") from None
    return _made(variant, _weights(tables, variant, path), style)


def _made(variant: Variant, weights: Net | list[int], style: str) -> _core.Evaluation:
    """The native evaluation of a net or of hand-made weights, in a style."""
    if isinstance(weights, Net):
        if style == BALANCED:
            return weights.evaluation(variant)
        styled = tilted(blocks(variant), weights.handmade, style)
        return replace(weights, handmade=array("i", styled)).evaluation(variant)
    return _core.Evaluation(compile_variant(variant).rules, tilted(blocks(variant), weights, style))
