"""The ladder of a game: each level against the one below it, the first against random moves."""

from __future__ import annotations

import re

from ...engine import STRONGEST
from ...errors import NotationError
from .players import Spec, parse_player

GAMES = 60  # a step, unless said otherwise
REACH = 1  # only neighbours meet


def rungs(levels: str) -> tuple[Spec, ...]:
    """The players of the steps that end at the levels of ``FIRST-LAST``; those of one step for a single number.

    Raises:
        NotationError: no such levels.
    """
    found = re.fullmatch(r"(\d{1,2})(?:-(\d{1,2}))?", levels)
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not 1 <= first <= last <= STRONGEST:
        raise NotationError(f"--levels {levels!r}", [f"expected FIRST-LAST, such as 1-{STRONGEST}"])
    return tuple(
        parse_player(f"komadai:level={level},name=level {level}" if level else "random")
        for level in range(first - 1, last + 1)
    )
