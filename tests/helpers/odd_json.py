"""Plain data with one value replaced by an odd one, for readers of files whose checksums are right."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

GONE = object()
ODD: tuple[Any, ...] = (
    *(GONE, None, True, False, 0, 1, -1, 7, 2**31, 2**64, -(10**30), 0.5, float("nan"), float("inf")),
    *("", "x", "b", "é\x00\n\ud800", "9" * 5_000, [], [[]], [1, 2], {}, {"a": {"b": []}}),
)


def _places(data: Any) -> Iterator[tuple[Any, ...]]:
    yield ()
    inner = data.items() if isinstance(data, dict) else enumerate(data[:3]) if isinstance(data, list) else ()
    for name, value in inner:
        yield from ((name, *place) for place in _places(value))


def bent(data: Any, odd: tuple[Any, ...] = ODD) -> Iterator[tuple[str, Any]]:
    """The data with each value, of lists the first three, replaced by each odd value or taken out; and how."""
    for place in _places(data):
        for value in odd:
            if not place:
                if value is not GONE:
                    yield f"all = {value!r:.40}", deepcopy(value)
                continue
            changed = deepcopy(data)
            holder = changed
            for name in place[:-1]:
                holder = holder[name]
            if value is GONE:
                del holder[place[-1]]
            else:
                holder[place[-1]] = deepcopy(value)
            yield f"{'.'.join(map(str, place))} = {'gone' if value is GONE else f'{value!r:.40}'}", changed
