"""The one kanji that stands for a piece where there is no room for more."""

from __future__ import annotations

import pytest

import komadai
from komadai.spec.board import SIDES
from komadai.spec.names import kanji_on, one_kanji


@pytest.mark.parametrize("name", komadai.variants(shelf=False))
def test_pieces_of_different_names_have_different_kanji(name: str) -> None:
    for side in SIDES:
        names = {kanji_on(kind, side): one_kanji(kind, side) for kind in komadai.variant(name).kinds}
        assert all(len(short) == 1 for short in names.values())
        assert len(set(names.values())) == len(names)
