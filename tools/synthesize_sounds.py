"""Write the sounds of the browser client: ``python tools/synthesize_sounds.py``; ``--spectrograms FOLDER`` draws them.

A piece that meets the board is a short noise which rings in a few damped modes of wood, of frequencies that are no
multiples of each other. Each sound is louder at first than ever after, within 10 ms, and has its peak at -12 dBFS.
Needs NumPy.
"""

from __future__ import annotations

import argparse
import struct
import wave
import zlib
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

TARGET = Path(__file__).parent.parent / "src/komadai/app/web/static/sounds"
RATE = 22_050
PEAK = 10 ** (-12 / 20)
FADE = 0.01  # seconds in which a sound ends, where it is not silent yet
LONG_FADE = 0.4  # the same of a bar

Wave = NDArray[np.float64]
Mode = tuple[float, float, float]
"""Of a struck body: frequency in hertz, strength, and the seconds in which it loses two thirds of it."""

PIECE: tuple[Mode, ...] = ((1130, 0.8, 0.016), (1790, 1.0, 0.013), (2680, 0.7, 0.010), (3910, 0.5, 0.007))
BOARD: tuple[Mode, ...] = ((187, 0.9, 0.045), (263, 0.7, 0.038), (421, 0.8, 0.028), (655, 0.6, 0.020))
BARS = (523.25, 659.26, 783.99, 1046.5)  # hertz: C, E, G, C


def silence(seconds: float) -> Wave:
    return np.zeros(int(seconds * RATE))


def struck(modes: Iterable[Mode], seconds: float, noise: Wave) -> Wave:
    """A body that is struck; ``noise`` is the shock, which also sets off the modes."""
    time = np.arange(int(seconds * RATE)) / RATE
    ringing = sum(
        (strength * np.sin(2 * np.pi * pitch * time) * np.exp(-time / decay) for pitch, strength, decay in modes),
        np.zeros_like(time),
    )
    found = np.convolve(ringing, noise)[: len(time)]
    return np.asarray(found / np.abs(found).max())


def shock(chance: np.random.Generator, seconds: float) -> Wave:
    """Noise that dies away within some time."""
    count = int(seconds * RATE)
    return np.asarray(chance.standard_normal(count) * np.exp(-np.arange(count) * 5 / count))


def added(sounds: Iterable[tuple[float, float, Wave]]) -> Wave:
    """Sounds together, each with its beginning in seconds and its loudness."""
    placed = [(int(at * RATE), loud * sound) for at, loud, sound in sounds]
    mixed = np.zeros(max(first + len(sound) for first, sound in placed))
    for first, sound in placed:
        mixed[first : first + len(sound)] += sound
    return mixed


def knock(chance: np.random.Generator, *, pitch: float = 1.0, board: float = 0.6, seconds: float = 0.2) -> Wave:
    """A piece set down; ``board``: how much of the board is heard."""
    modes = [(pitch * hertz, strength, decay) for hertz, strength, decay in PIECE]
    return added(
        [
            (0, 1.0, struck(modes, seconds, shock(chance, 0.003))),
            (0, board, struck(BOARD, seconds, shock(chance, 0.004))),
            (0, 0.25, shock(chance, 0.008) / 3),
        ]
    )


def bar(chance: np.random.Generator, hertz: float, seconds: float) -> Wave:
    """A wooden bar struck by a soft mallet: its modes are those of a free bar, tuned as a marimba's."""
    modes = [(hertz, 1.0, 0.28), (3.93 * hertz, 0.35, 0.09), (9.4 * hertz, 0.12, 0.03)]
    modes = [mode for mode in modes if mode[0] < 0.45 * RATE]
    beating = [(1.004 * pitch, 0.6 * strength, decay) for pitch, strength, decay in modes]
    ringing = faded(struck([*modes, *beating], seconds, shock(chance, 0.002)), LONG_FADE)
    return added(
        [
            (0, 1.0, ringing),
            (0, 0.3, struck(BOARD[1:], 0.15, shock(chance, 0.004))),
        ]
    )


def sounds() -> dict[str, Wave]:
    """The sounds by name, with their peaks at :data:`PEAK`."""
    chance = np.random.default_rng(9)
    made = {
        "move": knock(chance),
        # The taken piece is lifted away; then the other lands, harder.
        "capture": added(
            [
                (0, 0.5, knock(chance, pitch=1.35, board=0.15, seconds=0.1)),
                (0.075, 1.0, knock(chance, pitch=0.86, board=1.0)),
            ]
        ),
        # From the hand a piece comes down from above: brighter, and the whole board answers.
        "drop": knock(chance, pitch=1.18, board=1.3, seconds=0.26),
        "end": added([(0.11 * at, 0.8, bar(chance, hertz, 1.0)) for at, hertz in enumerate(BARS)]),
    }
    return {name: finished(sound) for name, sound in made.items()}


def faded(sound: Wave, seconds: float) -> Wave:
    """A sound that becomes silent in its last seconds."""
    count = int(seconds * RATE)
    return np.concatenate([sound[:-count], sound[-count:] * np.linspace(1, 0, count)])


def finished(sound: Wave) -> Wave:
    """A sound at its loudness, which ends in silence."""
    soft = faded(sound, FADE)
    return np.asarray(soft * (PEAK / np.abs(soft).max()))


def write(name: str, sound: Wave) -> None:
    """Write a sound as WAV of 16 bits."""
    with wave.open(str(TARGET / f"{name}.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(np.floor(sound * 32767).astype("<i2").tobytes())


def spectrogram(sound: Wave, window: int = 512, step: int = 32) -> NDArray[np.uint8]:
    """Loudness by frequency (upwards) and time, 70 dB from black to white."""
    padded = np.concatenate([np.zeros(window), sound, np.zeros(window)])
    frames = np.lib.stride_tricks.sliding_window_view(padded, window)[::step] * np.hanning(window)
    power = 20 * np.log10(np.abs(np.fft.rfft(frames, axis=1)) + 1e-9)
    return np.asarray((np.clip(power - power.max() + 70, 0, 70) / 70 * 255).astype(np.uint8).T[::-1])


def write_png(path: Path, picture: NDArray[np.uint8]) -> None:
    """Write shades of grey as PNG."""
    height, width = picture.shape
    rows = b"".join(b"\0" + row.tobytes() for row in picture)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    packed = zlib.compress(rows)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", packed) + chunk(b"IEND", b""))


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--spectrograms", type=Path, metavar="FOLDER", help="also draw each sound as PNG into a folder")
    options = asked.parse_args()
    TARGET.mkdir(exist_ok=True)
    for name, sound in sounds().items():
        write(name, sound)
        print(f"{name}: {len(sound) / RATE:.2f} s, {(TARGET / f'{name}.wav').stat().st_size:,} bytes")
        if options.spectrograms is not None:
            write_png(options.spectrograms / f"{name}.png", spectrogram(sound))


if __name__ == "__main__":
    main()
