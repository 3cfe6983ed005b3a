"""The golden playthroughs: planes, masks, actions, rewards and ends stay as they are for all games."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy", reason="the extra rl is not installed")


def test_playthroughs_are_as_written() -> None:
    """A difference that is meant: write them anew (helpers/playthroughs.py), and read what has changed."""
    from helpers.playthroughs import FOLDER, texts

    made = texts()
    assert sorted(made) == sorted(path.name for path in FOLDER.glob("*.txt"))
    for name, text in made.items():
        assert text == (FOLDER / name).read_text(encoding="utf-8"), name
