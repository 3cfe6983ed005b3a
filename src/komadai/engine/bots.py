"""Opponents with a name: ten bots, each of which plays at a level and in a style.

A style tilts the hand-made weights of the evaluation, block by block; what a net adds stays as it is. ``bots.toml``
holds the figures, ``docs/reference/strength.md`` says how strong the bots are, ``bench/LOG.md`` how their play differs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from math import prod
from typing import Any

from .. import _core
from ..errors import NotationError
from ..variants import suggest

_LATE = "late_"  # before the name of a block: the weights added with many pieces in hand
_WHOLE = 100  # percent
_BY_PLACE = ("square", "own_king", "foe_king")
"""Blocks of a weight for each kind and place. Only how much the place matters is tilted, not what the kind is worth."""


@dataclass(frozen=True, slots=True)
class Bot:
    """An opponent.

    Attributes:
        id: its name in lower case.
        level: 1 to 10.
        style: one of :data:`STYLES`.
    """

    id: str
    level: int
    style: str


_DATA: dict[str, Any] = tomllib.loads((files(__package__) / "bots.toml").read_text(encoding="utf-8"))

STYLES: Mapping[str, Mapping[str, int]] = _DATA["styles"]
"""By the name of a style, the percentages of the blocks of weights that it tilts."""

BALANCED = "balanced"
"""The style that tilts nothing."""

BOTS: Mapping[str, Bot] = {data["id"]: Bot(**data) for data in _DATA["bots"]}
"""The bots by their ids, the weakest first."""


def known_style(style: str) -> str:
    """The style, if it is one of :data:`STYLES`.

    Raises:
        NotationError: it is none.
    """
    if style not in STYLES:
        raise NotationError("engine", [f"{style!r:.40} is no style; {suggest(str(style)[:40], tuple(STYLES))}"])
    return style


def tilted(blocks: Sequence[_core.Block], weights: Sequence[int], style: str) -> list[int]:
    """The weights of an evaluation in a style, one of :data:`STYLES`.

    Args:
        blocks: the blocks of weights, in order. ``weights``: all of them, one block after the other.
    """
    percents, result, at = STYLES[known_style(style)], list(weights), 0
    for block in blocks:
        name, size = block.name.removeprefix(_LATE), prod(block.shape)
        rows = block.shape[0] if name in _BY_PLACE else 1
        for start in range(at, at + size, max(size // rows, 1)) if name in percents and size else ():
            its = weights[start : start + size // rows]
            kept = sum(its) / len(its) if name in _BY_PLACE else 0
            result[start : start + len(its)] = [round(kept + (one - kept) * percents[name] / _WHOLE) for one in its]
        at += size
    return result
