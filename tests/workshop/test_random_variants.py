"""Random variants: what must hold for every game holds for games that nobody would think of."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzz.variants import JOINED, PERISHABLE, WIDER, Rejected, judge, made
from helpers.volume import FULL
from komadai.workshop import loads

EACH = 50 if FULL else 12  # variants of a test
SEEDS = [first + seed for first in (0, WIDER) for seed in range(0, 400 if FULL else EACH, EACH)]
for first in (JOINED, PERISHABLE):
    SEEDS += range(first, first + (100 if FULL else EACH), EACH)

FOUND = sorted((Path(__file__).parent / "found").glob("*.toml"))
"""Variants that have found something; each says what."""


@pytest.mark.parametrize("first", SEEDS)
def test_whatever_the_check_lets_pass_can_be_played(first: int) -> None:
    judged = 0
    for seed in range(first, first + EACH):
        try:
            judged += judge(made(seed), seed) > 0
        except Rejected:
            continue
        except Exception as error:
            error.add_note(f"seed {seed}")
            raise
    assert judged >= EACH // 10


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_what_random_variants_have_found_stays_mended(path: Path) -> None:
    assert judge(loads(path.read_text(encoding="utf-8")), 42)
