"""The positions of games that two people are playing, on which nobody is advised meanwhile.

Positions are kept and looked up as numbers, in memory: a question costs no look into the store.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Collection, Iterable
from itertools import islice
from typing import NamedTuple

from ....game.game import Game
from ....game.position import Position
from ....i18n import _
from ....spec.variant import Variant

FREE_PLIES = 6
"""A game from a usual start has positions of its own after so many plies; those before them are anybody's."""
MOST_GAMES = 1000
"""Games that are kept; those in which nothing has happened for longest go first."""
MOST_NEXT = 1000
"""Positions one move ahead that are kept of a game."""


class UnderWayError(Exception):
    """A question about a position of a game that two people are playing; the message says so."""

    def __init__(self) -> None:
        super().__init__(
            _("Two people are playing a game with this position: there is no advice on it until that game is over.")
        )


class _Kept(NamedTuple):
    """The numbers of the positions that a game has reached, and of those that one move more would reach, each once."""

    reached: Collection[int]
    ahead: Collection[int]


class RunningGames:
    """The games of two people that are known to this server to be under way."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, _Kept] = OrderedDict()
        self._reached, self._ahead = Counter[int](), Counter[int]()

    def __len__(self) -> int:
        return len(self._games)

    def follow(self, id: str, game: Game | None, free: int = FREE_PLIES) -> None:
        """Keep the positions of a game as it stands now.

        Args:
            game: ``None``: it is over, or not between two people at two screens.
            free: the number of its first plies whose positions are anybody's.
        """
        self._drop(id)
        if game is None or len(game.moves) < free:
            return
        reached = {*line_of(game)[: len(game.moves) + 1 - free]}
        kept = self._games[id] = _Kept((*reached,), (*_ahead_of(game),))  # tuples are smaller than sets
        self._reached.update(kept.reached)
        self._ahead.update(kept.ahead)
        if len(self._games) > MOST_GAMES:
            self._drop(next(iter(self._games)))

    def _drop(self, id: str) -> None:
        kept = self._games.pop(id, None)
        if kept is None:
            return
        for counts, numbers in ((self._reached, kept.reached), (self._ahead, kept.ahead)):
            for number in numbers:
                counts[number] -= 1
                if not counts[number]:
                    del counts[number]

    def is_free(self, number: int) -> bool:
        """True if a position, as a number, is not one of a single game that is under way. One that several games have
        reached is anybody's."""
        games = self._reached.get(number, 0)
        return games != 1 and (games > 0 or number not in self._ahead)

    def require_free(self, line: Iterable[int]) -> None:
        """Check that every position of a line is free (:meth:`is_free`).

        Raises:
            UnderWayError: one is.
        """
        if not all(map(self.is_free, line)):
            raise UnderWayError


def number_of(position: Position) -> int:
    """The number of a position."""
    return position.key() ^ _salt(position.variant)


def _salt(variant: Variant) -> int:
    """What distinguishes the positions of a game from equal ones of others; its names and options do not."""
    return int(variant.play_hash[:16], 16)


def line_of(game: Game) -> list[int]:
    """The numbers of a game's positions, the latest first."""
    at, salt = game.position.copy(), _salt(game.variant)
    line = [at.key() ^ salt]
    for _move in game.moves:
        at.pop()
        line.append(at.key() ^ salt)
    return line


def _ahead_of(game: Game) -> set[int]:
    at, salt = game.position.copy(), _salt(game.variant)
    found = set[int]()
    for move in islice(game.legal_moves(), MOST_NEXT):
        at.push(move)
        found.add(at.key() ^ salt)
        at.pop()
    return found
