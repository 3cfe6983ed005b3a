"""Complete sets of shogi's pieces."""

from __future__ import annotations

import re
from collections import Counter

_SET = Counter({"r": 2, "b": 2, "g": 4, "s": 4, "n": 4, "l": 4, "p": 18})


def with_the_rest(position: str) -> str:
    """The position with the pieces that it lacks in Black's hand: none is missing, as in a game without handicap."""
    board, side, hand, *ply = position.split()
    there = Counter(board.lower())
    for count, letter in re.findall("([0-9]*)([a-z])", hand.lower()):
        there[letter] += int(count or 1)
    rest = "".join(f"{count if count > 1 else ''}{letter.upper()}" for letter, count in (_SET - there).items())
    return " ".join([board, side, rest + hand.removeprefix("-") or "-", *ply])
