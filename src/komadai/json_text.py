"""JSON that comes from files and other programs."""

from __future__ import annotations

import json
import re
from typing import Any

_DEEPEST = 100
"""Most nested lists and objects, so that code which walks through the data by recursion cannot overflow the stack."""
_NO_LEVEL = re.compile(r'"(?:[^"\\]|\\.)*"|[^][{}"]+')


def levels(text: str) -> int:
    """How deep the lists and objects of a JSON text are nested."""
    depth = most = 0
    for sign in _NO_LEVEL.sub("", text):
        depth += 1 if sign in "[{" else -1
        most = max(most, depth)
    return most


def parsed(text: str | bytes) -> Any:
    """The data of a JSON text; bytes are UTF-8.

    Raises:
        ValueError: it is no JSON, or nested too deeply.
    """
    words = text if isinstance(text, str) else text.decode()
    if (found := levels(words)) > _DEEPEST:
        raise ValueError(f"nested {found:,} levels deep; expected {_DEEPEST} at most")
    return json.loads(words)
