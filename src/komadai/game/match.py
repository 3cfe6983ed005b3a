"""A match: games of one variant until somebody has won it, where the rules page says how."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from ..errors import IllegalMoveError, NotationError
from ..i18n import _
from ..spec.board import SIDES, Side
from ..spec.variant import Variant
from ..typed import typed
from ..variants import variant_of
from .game import Game
from .outcome import CALLED_OFF, Outcome


class Match:
    """Games between two players, 0 and 1, until one has won the match.

    Colours alternate from game to game, player 0 beginning as Black; a drawn game breaks a run of wins
    (docs/rules/hand.md, rule 8).

    Attributes:
        needed: the number of wins in a row that take the match.
        games: those begun so far, in order.

    Example:
        >>> import komadai
        >>> match = komadai.Match("hand")
        >>> match.game.resign("w")
        >>> match.next_game().turn, match.colours
        ('b', ('w', 'b'))
        >>> match.game.resign("b")
        >>> match.winner, match.state()
        (0, 'Player 1 has won the match')
    """

    def __init__(self, variant: str | Variant, **options: str) -> None:
        """Start a match and its first game.

        Raises:
            NotationError: unknown variant or option, or the variant's rules know no matches.
        """
        self.variant = variant_of(variant, options)
        if self.variant.match_wins is None:
            raise NotationError("match", [f"the rules of {self.variant.id} know no matches; play single games"])
        self.needed = self.variant.match_wins
        self.games: list[Game] = [Game(self.variant)]

    @property
    def game(self) -> Game:
        """The game being played, or the last one."""
        return self.games[-1]

    @property
    def colours(self) -> tuple[Side, Side]:
        """The sides of players 0 and 1 in the present game."""
        return self._colours(len(self.games) - 1)

    @staticmethod
    def _colours(number: int) -> tuple[Side, Side]:
        return SIDES if number % 2 == 0 else (SIDES[1], SIDES[0])

    def _victor(self, number: int, outcome: Outcome) -> int | None:
        return None if outcome.winner is None else self._colours(number).index(outcome.winner)

    @property
    def run(self) -> tuple[int | None, int]:
        """The winner of the latest games in a row, and their number; ``(None, 0)`` after a draw or before a win."""
        player, length = None, 0
        for number, game in enumerate(self.games):
            outcome = game.outcome()
            if outcome is not None:
                victor = self._victor(number, outcome)
                length = 0 if victor is None else length + 1 if victor == player else 1
                player = victor
        return player, length

    @property
    def winner(self) -> int | None:
        """The player who has won the match, or ``None`` while it goes on."""
        player, length = self.run
        return player if length >= self.needed else None

    @property
    def over(self) -> bool:
        """True if no other game follows: the match is won, or its game was called off."""
        outcome = self.game.outcome()
        return self.winner is not None or (outcome is not None and outcome.reason == CALLED_OFF)

    def require_next(self) -> None:
        """Make sure that another game may begin.

        Raises:
            IllegalMoveError: the present game is not over, or the match is.
        """
        if self.over:
            raise IllegalMoveError(_("the match is over: {state}", state=self.state()))
        if self.game.outcome() is None:
            raise IllegalMoveError(_("game {number} of the match is not over yet", number=len(self.games)))

    def next_game(self) -> Game:
        """Start the next game, with colours changed.

        Raises:
            IllegalMoveError: the present game is not over, or the match is.
        """
        self.require_next()
        self.games.append(Game(self.variant))
        return self.game

    def state(self, names: tuple[str, str] | None = None) -> str:
        """The state of the match, in words.

        Args:
            names: the names of players 0 and 1; ``Player 1`` and ``Player 2`` by default.
        """
        player, length = self.run
        if self.over and player is None:
            return _("called off")
        number = len(self.games)
        if player is None:
            return _("game {number} · {needs} wins in a row take the match", number=number, needs=self.needed)
        name = (names or (_("Player 1"), _("Player 2")))[player]
        if length >= self.needed:
            return _("{side} has won the match", side=name)
        needs = self.needed - length
        return _("game {number} · {side} needs {needs} more in a row", number=number, side=name, needs=needs)

    def __copy__(self) -> Match:
        return deepcopy(self)

    def __repr__(self) -> str:
        return f"<Match {self.variant.id}, {self.state()}>"

    def record(self) -> dict[str, Any]:
        """The match as plain data: the records of its games in order."""
        return {"schema": "komadai-match/1", "games": [game.record() for game in self.games]}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Match:
        """The match of a record.

        Raises:
            NotationError: the record is no match of one variant, or one of its games' records is none.
        """
        games = record.get("games") if isinstance(record, dict) else None
        if not isinstance(games, list) or not games:
            raise NotationError("match record", ["has no list of games"])
        return cls.of([Game.from_record(game) for game in games])

    @classmethod
    @typed
    def of(cls, games: Sequence[Game]) -> Match:
        """The match of games that have been begun already, in order. The games stay the caller's: what is played in
        them is seen here.

        Raises:
            NotationError: they are of different variants or options, or one follows where the match was not open.
        """
        games = list(games)
        if not games:
            raise NotationError("match", ["has no games; expected one or more"])
        match = cls(games[0].variant)
        if any(game.variant != match.variant for game in games):
            raise NotationError("match", ["mixes games of different variants or options"])
        match.games = []
        for number, game in enumerate(games, 1):
            if match.games and (match.over or match.game.outcome() is None):
                raise NotationError("match", [f"game {number} cannot follow: {match.state()}"])
            match.games.append(game)
        return match
