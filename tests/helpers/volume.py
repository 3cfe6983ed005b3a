"""The volume of random play in tests: an eighth or less, or all of it where KOMADAI_TESTS=full (``make test-all``).

KOMADAI_SEEDS and KOMADAI_EXAMPLES set the numbers of seeds and examples, for the sanitized core, which is slow.
"""

from __future__ import annotations

import os

FULL = os.environ.get("KOMADAI_TESTS", "fast") == "full"


def volume(number: int, least: int = 1, part: int = 8) -> int:
    """The number of games, positions or moves which this run looks at: all, or one in ``part``, ``least`` at least."""
    return number if FULL else max(least, number // part)


SEEDS = int(os.environ.get("KOMADAI_SEEDS", volume(8)))
EXAMPLES = int(os.environ.get("KOMADAI_EXAMPLES", volume(150)))  # of Hypothesis, for each property
