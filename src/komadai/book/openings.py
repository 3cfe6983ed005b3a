"""Openings in a book: lines of moves from the start, with plausible wrong moves beside them and their punishment."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from ..json_text import fits

Loss = int | Literal["draw", "loss"]
"""What a wrong move gives away: so many hundredths of the least piece by the engine's search; or, by the table of a
solved game, all but a draw, or the game."""

SHAPE = {"nodes": int, "lines": [{"moves": str, "wrong": [[(int, str)]]}]}
"""The shape of openings in the description of a book file."""
MOST_LINES = 1_000
MOST_LOSS = 10_000
_LONGEST = 400  # plies
_ID_LENGTH = 10


@dataclass(frozen=True, slots=True)
class Wrong:
    """A plausible wrong move beside a line.

    Attributes:
        ply: how many moves of the line come before it.
        loss: what it gives away.
        moves: itself, and the line that punishes it, as move strings.
    """

    ply: int
    loss: Loss
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Opening:
    """A line of moves from the start of a game, as move strings, and the wrong moves beside it in their order."""

    moves: tuple[str, ...]
    wrong: tuple[Wrong, ...] = ()

    @property
    def id(self) -> str:
        """Its name: ten hexadecimal digits made from the moves, the same for ever."""
        return hashlib.sha256(" ".join(self.moves).encode()).hexdigest()[:_ID_LENGTH]


def packed(openings: Iterable[Opening], nodes: int) -> dict[str, Any]:
    """Openings as a book file keeps them; ``nodes``: of the searches that chose the moves of its games."""
    lines = [
        {"moves": " ".join(one.moves), "wrong": [[w.ply, w.loss, " ".join(w.moves)] for w in one.wrong]}
        for one in openings
    ]
    return {"nodes": nodes, "lines": lines}


def unpacked(data: Any) -> tuple[Opening, ...]:
    """The openings in the description of a book file. Their moves are not tried.

    Raises:
        ValueError: they are no openings.
    """
    if not fits(data, SHAPE) or len(data["lines"]) > MOST_LINES:
        raise ValueError("no openings")
    found = tuple(
        Opening(tuple(line["moves"].split()), tuple(_wrong(one) for one in line["wrong"])) for line in data["lines"]
    )
    sound = all(
        0 < len(one.moves) <= _LONGEST and all(wrong.ply < len(one.moves) for wrong in one.wrong) for one in found
    )
    if not sound or len({one.id for one in found}) < len(found):
        raise ValueError("no openings")
    return found


def _wrong(data: list[Any]) -> Wrong:
    """A wrong move as a book file keeps it.

    Raises:
        ValueError: it is none.
    """
    match data:
        case [int(ply), (int() | "draw" | "loss") as loss, str(moves)] if ply >= 0:
            line = tuple(moves.split())
            if 0 < len(line) <= _LONGEST and (isinstance(loss, str) or 0 < loss <= MOST_LOSS):
                return Wrong(ply, loss, line)
    raise ValueError("no wrong move beside a line")
