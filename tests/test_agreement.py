"""The native core and the reference agree, move for move, on random play."""

from __future__ import annotations

import os

import pytest
from support import EVERY_SETTING, assert_agreement, random_play

from komadai.spec import Variant
from komadai.variants import build

SEEDS = int(os.environ.get("KOMADAI_SEEDS", "8"))  # fewer only where the suite runs a second time, sanitized
POSITIONS = 2_500  # a seed: 20 000 positions a variant
POSITIONS_OF_OTHER_OPTIONS = 300


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("variant", EVERY_SETTING)
def test_reference_and_native_agree_on_random_play(variant: Variant, seed: int) -> None:
    count = POSITIONS if variant == build(variant.id) else POSITIONS_OF_OTHER_OPTIONS
    for position, chance in random_play(variant, seed, count):
        assert_agreement(position, chance)
