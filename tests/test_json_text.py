"""JSON from outside: data that can be walked through, or a ValueError."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from komadai.json_text import fits, levels, parsed

DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


def depth(data: Any) -> int:
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else None
    return 0 if inner is None else 1 + max(map(depth, inner), default=0)


@given(DATA, st.booleans())
def test_data_is_read_as_written_and_its_depth_known(data: Any, ascii: bool) -> None:
    text = json.dumps(data, ensure_ascii=ascii)
    assert levels(text) == depth(data)
    assert parsed(text) == data


@pytest.mark.parametrize(
    "text", ["", "{", "[1", "]", "{}]", "NaN.", "\x00", b"\xff\xfe[", b"\xff", "[" * 100_000, "[" * 101 + "]" * 101]
)
def test_everything_else_is_a_value_error(text: str | bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        parsed(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not JSON: the text ends in the middle"),
        ('{"game": ', "not JSON: the text ends in the middle"),
        ('{"game', "not JSON: the text ends in the middle"),
        ("[1,\n 2, x]", "not JSON: 'x' is not expected in line 2, column 5"),
    ],
)
def test_what_is_wrong_is_said_in_our_words(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(why)}$"):
        parsed(text)


def test_a_hundred_levels_are_read() -> None:
    assert depth(parsed("[" * 100 + "]" * 100)) == 100
    assert parsed(json.dumps("[" * 1_000)) == "[" * 1_000, "brackets in a text are no levels"


def test_what_is_no_number_in_json_is_refused() -> None:
    for word in ("NaN", "Infinity", "-Infinity"):
        with pytest.raises(ValueError, match=f"{word} is no number in JSON"):
            parsed(f"[{word}]")


@pytest.mark.parametrize(
    ("data", "shape", "right"),
    [
        (1, int, True),
        (True, int, False),
        (1, float, True),
        (True, float, False),
        (float("inf"), float, False),
        (None, (int, None), True),
        ("x", (int, None), False),
        ([1, 2], [int], True),
        ([1, "2"], [int], False),
        ((1, 2), [int], False),
        ({"a": 1, "more": []}, {"a": int}, True),
        ({}, {"a": int}, False),
        ({}, {"a": (int, ...)}, True),
        ({"a": None}, {"a": (int, ...)}, False),
        ({"x": "y"}, {...: str}, True),
        ({"x": 1}, {...: str}, False),
        ([], {...: str}, False),
    ],
)
def test_shapes(data: object, shape: object, right: bool) -> None:
    assert fits(data, shape) == right
