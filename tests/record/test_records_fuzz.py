"""A share of the spoilt files that ``fuzz.records`` reads by the million."""

from __future__ import annotations

from collections import Counter
from random import Random

from fuzz.records.judge import judged
from fuzz.records.processes import case
from fuzz.records.seeds import files
from helpers.volume import volume
from komadai.record import FORMATS

SEEDS = files(Random(7), 10)


def test_spoilt_files_are_refused_or_read_whole() -> None:
    counts: Counter[tuple[str, str]] = Counter()
    for number in range(volume(1600, 140)):
        seed, data, form = case(number, 7, SEEDS)
        verdict = judged(data, form)
        assert not verdict.why, f"file {number}, {seed.form}: {verdict.why}"
        counts[seed.form, verdict.outcome] += 1
    for name in FORMATS:  # else little is tested
        assert counts[name, "read"]
        assert counts[name, "refused"]


def test_files_that_are_not_spoilt_are_read() -> None:
    for seed in SEEDS:
        assert judged(seed.text.encode(), seed.form) == ("read", ""), seed
