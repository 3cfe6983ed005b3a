"""Random variants, as Csmith makes random programs: games that nobody would think of, and what must hold for each.

``python -m helpers.random_variants --count 100000 --state FILE`` judges many, and goes on where it was ended.
"""

from __future__ import annotations

from .judge import Rejected, judge
from .maker import made

__all__ = ["Rejected", "judge", "made"]
