"""Numbers of positions and epochs that fit in some hours."""

from __future__ import annotations

import pytest

import komadai
from komadai.lab.learn.measuring import choose
from komadai.lab.learn.self_play import Settings

NANA = komadai.variant("nana")


def test_more_hours_and_workers_give_more_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="pip install 'komadai[learn]'")
    monkeypatch.setattr("komadai.lab.learn.measuring._GAMES", 0.3)
    monkeypatch.setattr("komadai.lab.learn.measuring._STEPS", 0.1)
    log: list[str] = []

    def chosen(hours: float, workers: int) -> tuple[int, int]:
        return choose(NANA, Settings.of(NANA, nodes=20), hours, workers, hidden=32, batch=64, threads=1, log=log.append)

    few, some = chosen(0.1, 1), chosen(1000.0, 4)
    assert 1000 <= few[0] < some[0]
    assert all(5 <= epochs <= 40 for _, epochs in (few, some))
    assert log[-1].endswith(f"{some[0]:,} positions, {some[1]} epochs")
