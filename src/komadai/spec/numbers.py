"""Whole numbers in untrusted text."""

from __future__ import annotations


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
