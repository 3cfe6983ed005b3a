"""Whole numbers in text that strangers write."""

from __future__ import annotations


def whole_number(text: str, least: int, most: int) -> int | None:
    """The number that ASCII digits say, leading zeros or not; ``None`` if it is none or not in ``least`` to ``most``.

    Cheap however long the text is.
    """
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0") or "0"
    if len(digits) > len(str(most)):
        return None
    number = int(digits)
    return number if least <= number <= most else None
