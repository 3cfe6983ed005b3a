"""The history of the benchmarks: its lines, and the picture of it in the documentation."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from bench import history
from helpers.support import ROOT

HISTORY, PICTURE = ROOT / "bench/history.jsonl", ROOT / "docs/images/history.svg"


def test_each_line_is_a_run_with_ratios() -> None:
    found = list(history.runs())
    assert found
    for run in found:
        assert run.figures
        assert all(ratio > 0 for ratio in run.figures.values())
        assert (ROOT / "bench" / f"{run.bench}.py").exists()


def test_the_picture_is_of_the_present_history() -> None:
    """`python tools/plot_history.py` draws it anew."""
    digest = hashlib.sha256(HISTORY.read_bytes()).hexdigest()
    assert f"history {digest}" in PICTURE.read_text(encoding="utf-8")


def test_a_run_is_added_with_its_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "_commit", lambda folder: "0123abc")
    path = tmp_path / "history.jsonl"
    history.record("perft", {"one": 19.7342, "two": 0.81999}, path)
    history.record("perft", {"one": 20.0}, path)
    first, second = history.runs(path)
    assert (first.commit, first.bench, dict(first.figures)) == ("0123abc", "perft", {"one": 19.7, "two": 0.82})
    assert dict(second.figures) == {"one": 20.0}
    assert len(first.day) == len("2026-11-24")
    assert [json.loads(line)["figures"] for line in path.read_text().splitlines()][1] == {"one": 20.0}
