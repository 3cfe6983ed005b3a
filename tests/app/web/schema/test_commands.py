"""Whatever arrives on the wire is either a message or a sentence that says what is wrong."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from komadai.app.web.schema.commands import MAX_BYTES, MessageError, decode

TYPES = st.sampled_from(["hello", "move", "undo", "resign", "draw", "explain", "study", "look", "ping", "", "Move"])
FIELDS = st.sampled_from(["t", "id", "game", "seq", "ply", "text", "moves", "", "no\nsuch`field"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | TYPES, st.lists, max_leaves=5
)


def reads(data: str | bytes) -> None:
    try:
        message = decode(data)
    except MessageError as error:
        sentence = str(error)
        assert sentence.startswith("The message ")
        assert sentence.endswith(".")
        assert "\n" not in sentence
        assert len(sentence) < 300
    else:
        assert type(message).__module__ == "komadai.app.web.schema.commands"


@given(st.text() | st.binary())
def test_anything(data: str | bytes) -> None:
    reads(data)


@given(st.dictionaries(FIELDS, VALUES), TYPES)
def test_nearly_a_message(fields: dict[str, Any], t: str) -> None:
    reads(json.dumps(fields | {"t": t}))


@given(st.integers(MAX_BYTES - 40, MAX_BYTES + 40))
def test_length(length: int) -> None:
    reads(json.dumps({"t": "ping", "x": "y" * length}))
