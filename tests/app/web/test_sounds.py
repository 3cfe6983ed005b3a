"""The sounds that the client plays."""

from __future__ import annotations

import wave
from pathlib import Path

import pytest

from helpers.support import ROOT

np = pytest.importorskip("numpy")

SOUNDS = ROOT / "src/komadai/app/web/static/sounds"
FILES = sorted(SOUNDS.glob("*.wav"))
FULL = 32768


def samples(path: Path) -> tuple[int, np.ndarray]:
    """The rate of a sound, and its samples."""
    with wave.open(str(path)) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
        return file.getframerate(), np.frombuffer(file.readframes(file.getnframes()), "<i2") / FULL


def test_there_are_four() -> None:
    assert [path.stem for path in FILES] == ["capture", "drop", "end", "move"]
    assert sum(path.stat().st_size for path in FILES) < 100_000


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_sound_is_soft_sudden_and_no_tone(path: Path) -> None:
    rate, sound = samples(path)
    loud = np.abs(sound)
    assert 20 * np.log10(loud.max()) == pytest.approx(-12, abs=0.05)
    begins = np.argmax(loud > 0.1 * loud.max())
    onset = loud[begins : begins + rate // 20]
    assert np.argmax(onset) < 0.01 * rate, "within 50 ms it is loudest in the first 10"
    assert begins < 0.01 * rate
    power = np.abs(np.fft.rfft(sound)) ** 2
    assert power.max() / power.sum() < 0.2
    assert loud[-10:].max() < 0.001, "it ends in silence"
