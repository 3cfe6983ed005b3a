"""Time limits in XBoard's protocol: ``level``, ``st``, ``sd`` and ``time``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..engine import MAX_DEPTH
from ..engine.clock import Clock
from ..errors import NotationError
from ..spec.move import Move
from ..spec.numbers import whole_number
from .session import GoLimits

_OVERHEAD = 0.03  # seconds reserved for communication delay
_LEAST = 0.01  # seconds of a search when the clock has run out


@dataclass
class Pace:
    """The time control in force; at first 40 moves in five minutes.

    Attributes:
        moves: to be made in each ``base`` seconds; 0: the whole game.
        increment: seconds added after every move.
        fixed: seconds for each move instead.
        depth: greatest depth, in plies.
        left: seconds on the engine's clock, once the program has sent them.
    """

    moves: int = 40
    base: float = 300.0
    increment: float = 0.0
    fixed: float | None = None
    depth: int | None = None
    left: float | None = None

    def begin(self) -> None:
        """A new game: the clock is not known, and the depth unlimited."""
        self.depth = self.left = None

    def limits(self, ply: int, searchmoves: tuple[Move, ...] = (), *, ponder: bool = False) -> GoLimits:
        """The limits of the search for the move of that number."""
        if self.fixed is not None:
            time = max(self.fixed - _OVERHEAD, _LEAST)
            return GoLimits(time=time, depth=self.depth, searchmoves=searchmoves, ponder=ponder)
        left = self.base if self.left is None else self.left
        to_go = self.moves - (ply - 1) // 2 % self.moves if self.moves else None
        clock = Clock(max(left - _OVERHEAD, _LEAST), self.increment, moves_to_go=to_go)
        return GoLimits(clock=clock, depth=self.depth, searchmoves=searchmoves, ponder=ponder)

    def read_level(self, words: Sequence[str]) -> None:
        """``level MOVES BASE INCREMENT``: minutes, or minutes and seconds, and seconds.

        Raises:
            NotationError: the text has another form; likewise in the other readers.
        """
        if len(words) != 3:
            raise NotationError("level", ["expected 'level MOVES BASE INCREMENT'"])
        moves = whole_number(words[0], 0, 10**6)
        minutes, _, seconds = words[1].partition(":")
        base, more, increment = _number(minutes), _number(seconds or "0"), _number(words[2])
        if moves is None or base is None or more is None or increment is None:
            raise NotationError("level", ["expected 'level MOVES BASE INCREMENT', as in 'level 40 5:30 0'"])
        self.moves, self.base, self.increment = moves, 60 * base + more, increment
        self.fixed = self.left = None

    def read_seconds(self, words: Sequence[str]) -> None:
        """``st SECONDS`` for each move."""
        seconds = _number("".join(words))
        if seconds is None:
            raise NotationError("st", ["expected 'st SECONDS'"])
        self.fixed = seconds

    def read_depth(self, words: Sequence[str]) -> None:
        """``sd PLIES``, beside whatever the clock says."""
        depth = whole_number("".join(words), 1, 10**6)
        if depth is None:
            raise NotationError("sd", ["expected 'sd PLIES', 1 or more"])
        self.depth = min(depth, MAX_DEPTH)

    def read_clock(self, words: Sequence[str]) -> None:
        """``time CENTISECONDS`` left, below 0 when the flag has fallen."""
        text = "".join(words)
        centiseconds = _number(text.removeprefix("-"))
        if centiseconds is None:
            raise NotationError("time", ["expected 'time CENTISECONDS'"])
        self.left = 0.0 if text.startswith("-") else centiseconds / 100


def _number(text: str) -> float | None:
    """The number of 0 or more that digits, with a point or without, say; ``None`` if they say none."""
    return float(text) if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text, re.ASCII) else None
