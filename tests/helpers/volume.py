"""The volume of random play in tests: an eighth, or all of it where KOMADAI_TESTS=full (``make test-all``).

KOMADAI_SEEDS and KOMADAI_EXAMPLES set the numbers of seeds and examples, for the sanitized core, which is slow.
"""

from __future__ import annotations

import os

FULL = os.environ.get("KOMADAI_TESTS", "fast") == "full"


def volume(number: int, least: int = 1) -> int:
    """The share of that number of games, positions or moves which this run looks at; ``least`` at least."""
    return number if FULL else max(least, number // 8)


SEEDS = int(os.environ.get("KOMADAI_SEEDS", volume(8)))
EXAMPLES = int(os.environ.get("KOMADAI_EXAMPLES", volume(150)))  # of Hypothesis, for each property
