"""Random variants, as Csmith makes random programs: games that nobody would think of, and what must hold for each.

``python -m helpers.random_variants --count 100000 --state FILE`` judges many, and goes on where it was ended.
"""

from __future__ import annotations

from komadai.spec import Variant

from .judge import Rejected, judge
from .maker import Maker
from .wider import Wider

__all__ = ["WIDER", "Rejected", "judge", "made"]

WIDER = 16_000
"""The first seed whose variant is made of all words; those before it were judged when there were not as many."""


def made(seed: int) -> Variant:
    """The variant of a seed."""
    return (Wider if seed >= WIDER else Maker)(seed).variant()
