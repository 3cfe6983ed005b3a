"""TOML of lessons and rulebooks: no nesting, key or number is too much for its reader."""

from __future__ import annotations

import pytest

from komadai import rulebook
from komadai.app import lessons
from komadai.errors import KomadaiError
from komadai.toml_table import parsed

DEEP = 5_000
TEXTS = {
    "lists": "chapters = " + "[" * DEEP + "]" * DEEP,
    "open lists": "chapters = " + "[" * DEEP,
    "tables": "chapters = " + "{a = " * DEEP + "1" + "}" * DEEP,
    "a key": ".".join("a" * DEEP) + " = 1",
    "a heading": f"[{'.'.join('a' * DEEP)}]",
    "a number": "chapters = " + "9" * DEEP,
}


@pytest.mark.parametrize("name", TEXTS)
def test_files_that_are_too_much_are_refused_in_words(name: str) -> None:
    for load in (lessons.load, rulebook.load):
        with pytest.raises(KomadaiError) as caught:
            load("shogi", TEXTS[name])
        assert len(str(caught.value)) < 1_000


def test_levels_are_counted() -> None:
    assert parsed("a = " + "[" * 99 + "]" * 99)
    for text in ("a = " + "[" * 101 + "]" * 101, ".".join("a" * 102) + " = 1", TEXTS["lists"]):
        with pytest.raises(ValueError, match="nested too deeply; expected 100 levels at most"):
            parsed(text)
