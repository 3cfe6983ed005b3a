"""The report card of a game (:mod:`komadai.lab.arena.report`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .model import Wire


class CardGame(Wire):
    """A game: its id, name and the hash of its rules."""

    id: str
    name: str
    hash: str


class CardScore(Wire):
    """The results of the first player: counts, the share of points and the half width of its interval of 95 %."""

    wins: int
    draws: int
    losses: int
    share: float | None
    error: float | None


class CardLength(Wire):
    """The plies of the games; ``bars``: a histogram, of each bar where it begins, and how many games are in it."""

    mean: float
    median: float
    shortest: int
    longest: int
    bars: Sequence[tuple[int, int]]


class CardBranching(Wire):
    """Legal moves; ``bars``: of each group of plies where it begins, and the mean."""

    mean: float
    most: int
    bars: Sequence[tuple[int, float]]


class CardMates(Wire):
    """The number of games in which the engine saw a forced win, and of those that were won so."""

    announced: int
    won: int


class CardKind(Wire):
    """A kind."""

    code: str
    name: str


class CardRule(Wire):
    """A rule that made no difference: its number from 0, its words and its source."""

    number: int
    words: str
    source: str


class CardSolution(Wire):
    """The number of positions of a game that can be solved, the value of its start if that is known, or the reason why
    it was not tried."""

    positions: int | None
    value: str | None
    why: str | None


class ReportCard(Wire):
    """Findings of fast games of the engine with itself. ``nodes``: positions a move was searched with; ``opening``:
    random moves that the games begin with; ``wanted``: games that the card will have; ``ends``: games by the reason of
    their end; ``recurrence``: how often a position occurred in one game at most; ``unseen`` and ``unmoved``: kinds that
    never stood on the board, or never moved; ``idle``: rules that made no difference."""

    game: CardGame
    nodes: int
    seed: int
    opening: int
    games: int
    wanted: int
    first: CardScore
    length: CardLength
    branching: CardBranching
    ends: Mapping[str, int]
    recurrence: int
    mates: CardMates
    unseen: Sequence[CardKind]
    unmoved: Sequence[CardKind]
    idle: Sequence[CardRule]
    solved: CardSolution
