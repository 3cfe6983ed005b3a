"""Random variants, as Csmith makes random programs: games that nobody would think of, and what must hold for each.

``python -m fuzz.variants --count 100000 --state FILE`` judges many, and goes on where it was ended.
"""

from __future__ import annotations

from komadai.spec import Variant

from .joined import Joined, perishable
from .judge import Rejected, judge
from .maker import Maker
from .wider import Wider

__all__ = ["JOINED", "PERISHABLE", "WIDER", "Rejected", "judge", "made"]

WIDER = 16_000
"""The first seed whose variant is made of all words; those before it were judged when there were not as many."""

JOINED = 1_000_000
"""The first seed whose variant joins turns of several landings with hands, royal pieces and support."""

PERISHABLE = 2_000_000
"""The first seed whose variant has royal pieces and other pieces without which a side loses."""


def made(seed: int) -> Variant:
    """The variant of a seed."""
    if seed >= PERISHABLE:
        return perishable(seed)
    return (Joined if seed >= JOINED else Wider if seed >= WIDER else Maker)(seed).variant()
