"""The volume of random play in tests: a sixteenth or less, or all of it where KOMADAI_TESTS=full (``make test-all``).

KOMADAI_SEEDS and KOMADAI_EXAMPLES set the numbers of seeds and examples, for the sanitized core, which is slow.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet

FULL = os.environ.get("KOMADAI_TESTS", "fast") == "full"


def volume(number: int, least: int = 1, part: int = 16) -> int:
    """The number of games, positions or moves which this run looks at: all, or one in ``part``, ``least`` at least."""
    return number if FULL else max(least, number // part)


def one_in(part: int, cases: Iterable[ParameterSet]) -> list[ParameterSet]:
    """The cases, of which this run takes one in ``part``; the others are slow."""
    return [
        pytest.param(*case.values, id=case.id, marks=[*case.marks, *([pytest.mark.slow] if number % part else [])])
        for number, case in enumerate(cases)
    ]


SEEDS = int(os.environ.get("KOMADAI_SEEDS", volume(8)))
EXAMPLES = int(os.environ.get("KOMADAI_EXAMPLES", volume(150)))  # of Hypothesis, for each property
