"""Whole numbers and times in untrusted text."""

from __future__ import annotations

import re


def whole_number(text: str, least: int, most: int) -> int | None:
    """Read ASCII digits, with or without leading zeros; ``None`` if the number is not from ``least`` to ``most``.

    Takes little time for a text of any length.
    """
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0") or "0"
    if len(digits) > len(str(most)):
        return None
    number = int(digits)
    return number if least <= number <= most else None


_TIME = re.compile(r"(\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})(ms|s|m|h|d|)", re.ASCII)
_UNITS = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def seconds(text: str) -> float | None:
    """Read a time: a number of seconds, such as ``0.5``, or one with a unit, such as ``500ms``, ``2m`` or ``30d``.

    ``None`` if the text is no time.
    """
    found = _TIME.fullmatch(text)
    return float(found[1]) * _UNITS[found[2]] if found else None
