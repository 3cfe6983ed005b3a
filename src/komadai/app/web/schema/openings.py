"""Openings, and the answers to those who train them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ....spec.board import Side
from .answers import WrongMove
from .model import PlayedMove, RecordedMove, ShownPosition, Variant, Wire


class OpeningGame(Wire):
    """A game with openings, and how many there are."""

    game: str
    name: str
    count: int


class OpeningGames(Wire):
    """All games with openings, the easiest first."""

    games: Sequence[OpeningGame]


class BesideLine(WrongMove):
    """A wrong move beside a line, after ``ply`` moves of it."""

    ply: int
    side: Side


class Opening(Wire):
    """A line of moves. ``name``: its established name, or ''; ``first``: how many of its moves no other line has, by
    which it can be told. ``games``: in how many games of the engine it was played to its end; ``score``: the mean of
    its scores there for Black, in hundredths of the least piece. ``b``, ``w``: the trainings of single moves of a side,
    which lines share where they share a position."""

    id: str
    name: str
    first: int
    moves: Sequence[PlayedMove]
    games: int
    score: int | None
    wrong: Sequence[BesideLine]
    b: Sequence[str]
    w: Sequence[str]


class OpeningList(Wire):
    """The openings of a game, from ``games`` games of the engine, which looked at ``nodes`` positions for each of these
    moves. ``source``: where their names are written down, or ''."""

    variant: Variant
    games: int
    nodes: int
    source: str
    openings: Sequence[Opening]


class OpeningAnswer(Wire):
    """The answer to a move in the training of an opening, or to the question how it goes on.

    ``plies``: those of the line after which the training ends; ``side``: whose moves it asks for. ``moves``: those that
    stand, to be sent with the next one; ``made``: those of them that are new, the reply included; ``position``: after
    them. ``refutation``: of a wrong move, that move and its punishment; ``show``: the move asked for as a hint.
    """

    state: Literal["going", "right", "wrong", "done"]
    text: str
    side: Side
    plies: int
    moves: Sequence[str]
    made: Sequence[RecordedMove]
    position: ShownPosition
    refutation: Sequence[RecordedMove]
    show: PlayedMove | None
