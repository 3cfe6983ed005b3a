"""A game: a position with its history, its players' agreements, and its result."""

from __future__ import annotations

from importlib import import_module  # records and pictures stand above games, and are loaded when asked for
from typing import Any

from ..errors import IllegalMoveError, NotationError
from ..notation import of as notation_of
from ..spec.board import SIDES, Side, other
from ..spec.move import Move
from ..spec.setup import Setup
from ..spec.variant import Variant
from .outcome import BY_RULE, Outcome, game_over
from .position import Position


class Game:
    """A game of a variant, from a position to its result.

    Example:
        >>> import komadai
        >>> game = komadai.Game("shogi")
        >>> game.push("7g7f")
        >>> game.outcome() is None
        True
        >>> game.resign("w")
        >>> str(game.outcome())
        'Black wins: White resigned'
    """

    def __init__(self, variant: str | Variant, position: str | Setup | None = None, **options: str) -> None:
        """Start a game; arguments and errors are those of :class:`Position`."""
        self.position = Position(variant, position, **options)
        self._start = self.position.copy()
        self._moves: list[Move] = []
        self._claimed: Outcome | None = None

    @property
    def variant(self) -> Variant:
        """The variant, with its rule options."""
        return self.position.variant

    @property
    def turn(self) -> Side:
        """The side to move."""
        return self.position.turn

    @property
    def start(self) -> Position:
        """The position the game began from, as an object of its own."""
        return self._start.copy()

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves made so far."""
        return tuple(self._moves)

    def outcome(self) -> Outcome | None:
        """The result, or ``None`` while the game goes on."""
        return self._claimed or self.position.outcome()

    def push(self, move: Move | str) -> None:
        """Make a move.

        With the rule option ``illegal_move="loses"`` a well-formed illegal move is not refused: it loses the game.

        Raises:
            IllegalMoveError: the move is not legal, or the game is over; nothing changes.
            NotationError: the text is no move string.
        """
        self._require_open()
        try:
            made = move if isinstance(move, Move) else self.position.parse_move(move)
            self.position.push(made)
        except IllegalMoveError:
            if self.variant.option("illegal_move") != "loses":
                raise
            self._claimed = Outcome(other(self.turn), "illegal")
        else:
            self._moves.append(made)

    def pop(self) -> Move | None:
        """Take back the last move and return it; a claimed result (resignation, agreement) is withdrawn instead.

        Raises:
            IndexError: nothing has been played.
        """
        if self._claimed is not None:
            self._claimed = None
            return None
        self.position.pop()
        return self._moves.pop()

    def resign(self, side: Side) -> None:
        """The side gives up.

        Raises:
            NotationError: there is no such side.
            IllegalMoveError: the game is over.
        """
        if side not in SIDES:
            raise NotationError("resign", [f"{side!r} is no side; expected b (Black) or w (White)"])
        self._require_open()
        self._claimed = Outcome(other(side), "resign")

    def can_agree_draw(self) -> bool:
        """Whether the rules let the players agree a draw now (the impasse of entering kings)."""
        return self.outcome() is None and self.position.can_agree_draw()

    def agree_draw(self) -> None:
        """The players agree a draw.

        Raises:
            IllegalMoveError: the rules do not offer it now.
        """
        if not self.can_agree_draw():
            raise IllegalMoveError(
                "a draw can be agreed only in a running game, once both kings are in their promotion zones"
            )
        self._claimed = Outcome(None, "agreement")

    def claim(self, outcome: Outcome) -> None:
        """The game ends by what the rules do not bring about by themselves: somebody's time is up, say.

        Raises:
            NotationError: the rules alone decide on such an end.
            IllegalMoveError: the game is over.
        """
        if outcome.reason in BY_RULE:
            raise NotationError("claim", [f"the moves do not end in {outcome.reason}"])
        self._require_open()
        self._claimed = outcome

    def _require_open(self) -> None:
        outcome = self.outcome()
        if outcome is not None:
            raise IllegalMoveError(game_over(outcome))

    def notation(self) -> list[str]:
        """The moves as people write them."""
        position, notation = self._start.copy(), notation_of(self.variant)
        written = []
        for move in self._moves:
            written.append(notation.write(position, move))
            position.push(move)
        return written

    def record(self) -> dict[str, Any]:
        """The game as plain data that JSON can hold: enough to play it again, with the rule options in force."""
        record = import_module("komadai.record")
        data: dict[str, Any] = record.to_data(record.Record.of(self))
        return data

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Game:
        """The game of a record's main line; its claimed result, if any, stands again.

        Raises:
            NotationError: the record lacks or garbles something, is of another version of the rules, or has moves that
                are not legal; every defect at once, with its place.
        """
        game: Game = import_module("komadai.record").from_data(record).game()
        return game
