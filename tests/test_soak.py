"""The verdict of ``bench/soak.py``, and the soak itself for some seconds."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from types import ModuleType

import pytest

from helpers.support import ROOT

WARM = 10.0


@pytest.fixture
def soak(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    import soak

    return soak


def judged(
    soak: ModuleType, memory: Callable[[int], float], children: Callable[[int], float], minutes: int = 100
) -> tuple[bool, str]:
    """The verdict on a soak with that memory in each minute."""
    blank = dict.fromkeys((each.name for each in fields(soak.Sample)), 0)
    samples = [
        soak.Sample(**(blank | {"minutes": float(minute), "memory": memory(minute), "children": children(minute)}))
        for minute in range(1, minutes + 1)
    ]
    return soak.verdict(samples, WARM)


def none(_minute: int) -> float:
    return 0.0


@pytest.mark.parametrize(
    ("memory", "children"),
    [
        (lambda minute: 300.0, none),
        (lambda minute: 100.0 if minute < WARM else 300.0, none),  # it fills in the first minutes
        (lambda minute: 300.0 + 0.2 * minute, none),
        (lambda minute: 300.0 + 10 * (minute % 3), none),
        (lambda minute: 300.0, lambda minute: 40.0 + 10 * (minute % 2)),
    ],
)
def test_memory_that_stays_is_flat(
    soak: ModuleType, memory: Callable[[int], float], children: Callable[[int], float]
) -> None:
    flat, words = judged(soak, memory, children)
    assert flat, words
    assert words.startswith("flat after 10 minutes")


@pytest.mark.parametrize(
    ("memory", "children"),
    [
        (lambda minute: 300.0 + 0.5 * minute, none),  # 45 MB over 90 minutes
        (lambda minute: 300.0 + (50.0 if minute == 70 else 0.0), none),  # a peak that the line hardly shows
        (lambda minute: 300.0, lambda minute: 1.0 * minute),
    ],
)
def test_memory_that_grows_is_not_flat(
    soak: ModuleType, memory: Callable[[int], float], children: Callable[[int], float]
) -> None:
    flat, words = judged(soak, memory, children)
    assert not flat
    assert words.startswith("NOT FLAT after 10 minutes")


def test_there_is_no_verdict_on_a_few_minutes(soak: ModuleType) -> None:
    flat, words = judged(soak, lambda minute: 300.0, none, minutes=13)
    assert not flat
    assert words == "no verdict: 4 samples after the first 10 minutes, where 5 are needed"


@pytest.mark.slow
def test_a_short_soak(tmp_path: Path) -> None:
    """People play, look on, analyse and study; nothing is refused, nothing fails, and the file holds every sample."""
    lines = tmp_path / "lines"
    command = [sys.executable, str(ROOT / "bench/soak.py"), "--minutes", "0.3", "--every", "3", "--warm", "0"]
    command += ["--sockets", "60", "--games", "5", "--computer", "1", "--output", str(lines)]
    shown = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "refused: 0\nfailed: 0\nthe server's log has 0 lines" in shown.stdout, shown.stdout + shown.stderr
    samples = [json.loads(text) for text in lines.read_text().splitlines()]
    assert len(samples) >= 3
    assert sum(sample["moves"] for sample in samples) > 0
    assert samples[-1]["sockets"] > 30
    again = subprocess.run(
        [*command[:2], "--read", str(lines), "--warm", "0"], capture_output=True, text=True, check=False
    )
    assert again.returncode == shown.returncode
    assert again.stdout.splitlines()[-1] == shown.stdout.splitlines()[-1]
