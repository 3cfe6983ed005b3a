"""Puzzles, and the answers to their solvers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ....spec.board import Side
from ...puzzles import Theme
from .model import PlayedMove, RecordedMove, ShownPosition, Variant, Wire


class PuzzleGame(Wire):
    """A game with puzzles: how many there are, and the id of that of today (UTC)."""

    game: str
    name: str
    count: int
    daily: str


class PuzzleGames(Wire):
    """All games with puzzles, the easiest first."""

    games: Sequence[PuzzleGame]


class PuzzleEntry(Wire):
    """A puzzle in a list: its id and its rating."""

    id: str
    rating: int


class PuzzleSet(Wire):
    """The puzzles of one theme and length, the easiest first; ``task``: what they ask for."""

    theme: Theme
    plies: int
    task: str
    puzzles: Sequence[PuzzleEntry]


class PuzzleList(Wire):
    """The puzzles of a game; ``daily``: the id of that of today (UTC)."""

    variant: Variant
    daily: str
    sets: Sequence[PuzzleSet]


class Puzzle(PuzzleEntry):
    """A puzzle: what it asks for, and of which ``side``."""

    theme: Theme
    plies: int
    task: str
    side: Side


class PuzzleAnswer(Wire):
    """The answer to a move in a puzzle, to the question how it goes on, or to a call for help.

    ``moves``: those that stand, to be sent with the next one; ``made``: those of them that are new, the opponent's
    reply included; ``position``: after them. ``refutation``: of a wrong move, that move and the line that shows why;
    ``show``: the move asked for as a hint, if one that wins is known.
    """

    puzzle: Puzzle
    state: Literal["going", "right", "wrong", "done"]
    text: str
    moves: Sequence[str]
    made: Sequence[RecordedMove]
    position: ShownPosition
    refutation: Sequence[RecordedMove]
    show: PlayedMove | None
