"""A game: a position with its history, its players' agreements, and its result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, overload

from ..errors import IllegalMoveError, NotationError
from ..i18n import _, joined, located
from ..spec.board import SIDE_NAMES, SIDES, Side, other
from ..spec.move import Move
from ..spec.names import royal_name
from ..spec.setup import Setup
from ..spec.variant import Variant
from ..typed import typed
from .declaration import declared
from .late import above
from .outcome import BY_RULE, Outcome, game_over
from .position import GamePosition, Position


class Game(Sequence[Move]):
    """A game of a variant, from a position to its result; a sequence of the moves made so far.

    Games can be copied and pickled; a copy plays on by itself.

    Example:
        >>> import komadai
        >>> game = komadai.Game("shogi")
        >>> game.push("7g7f")
        >>> game.outcome() is None
        True
        >>> len(game), game[-1], "7g7f" in game
        (1, Move('7g7f'), True)
        >>> game.resign("w")
        >>> str(game.outcome())
        'Black wins: White resigned'
    """

    def __init__(
        self, variant: str | Variant | Position, position: str | Setup | Position | None = None, **options: str
    ) -> None:
        """Start a game; arguments and errors are those of :class:`Position`.

        A position alone gives the game that has led to it: its moves are those of the game.
        """
        start = Position(variant, position, **options)
        moves = start.move_stack
        for _move in moves:
            start.pop()
        self._begin(Position(start.variant, start))
        for move in moves:
            self.push(move.text)

    @classmethod
    def problem(cls, variant: str | Variant, position: str | Setup | None = None, **options: str) -> Game:
        """Start from a position in which one side may have no king, to solve or to replay it.

        Arguments and errors are those of :meth:`Position.problem`.
        """
        return _restored(Position.problem(variant, position, **options), (), None)

    def _begin(self, start: Position) -> None:
        self._position = start
        self._shown = GamePosition(start)
        self._start = start.copy()
        self._moves: list[Move] = []
        self._claimed: Outcome | None = None

    @property
    def position(self) -> Position:
        """The present position, to look at: it follows the game, and refuses ``push`` and ``pop``.

        ``game.position.copy()`` is a position of one's own.
        """
        return self._shown

    @property
    def variant(self) -> Variant:
        """The variant, with its rule options."""
        return self._position.variant

    @property
    def turn(self) -> Side:
        """The side to move."""
        return self._position.turn

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
        return self._claimed or self._position.outcome()

    def is_game_over(self) -> bool:
        """True if the game has a result (:meth:`outcome`)."""
        return self.outcome() is not None

    def legal_moves(self) -> Sequence[Move]:
        """The moves that can be made now; none once the game is over."""
        return self._position.legal_moves() if self.outcome() is None else ()

    def push(self, move: Move | str) -> None:
        """Make a move.

        With the rule option ``illegal_move="loses"`` a well-formed illegal move is not refused: it loses the game.

        Raises:
            IllegalMoveError: the move is not legal, or the game is over; nothing changes.
            NotationError: the text is no move string.
        """
        self._require_open()
        try:
            made = move if isinstance(move, Move) else self._position.parse_move(move)
            self._position.push(made)
        except IllegalMoveError:
            if not self.variant.illegal_move_loses:
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
        self._position.pop()
        return self._moves.pop()

    def resign(self, side: Side) -> None:
        """Let a side resign.

        Raises:
            NotationError: there is no such side.
            IllegalMoveError: the game is over.
        """
        if side not in SIDES:
            raise NotationError("resign", [f"{side!r} is not a side; expected b (Black) or w (White)"])
        self._require_open()
        self._claimed = Outcome(other(side), "resign")

    def can_agree_draw(self) -> bool:
        """True if the rules let the players agree a draw now (the impasse of entering kings)."""
        return self.outcome() is None and self._position.can_agree_draw()

    def agree_draw(self) -> None:
        """Agree a draw.

        Raises:
            IllegalMoveError: the game is over, or the rules do not allow it, or not yet.
        """
        self._require_open()
        agreement = self.variant.agreement
        if agreement is None:
            raise IllegalMoveError(_("the rules of {game} know no draw by agreement", game=_(self.variant.name)))
        if not self._position.can_agree_draw():
            named = {"piece": royal_name(self.variant), "region": agreement.region.describe()}
            raise IllegalMoveError(
                _("a draw can be agreed only once the {piece} of each side stands in {region}", **named)
            )
        self._claimed = Outcome(None, "agreement")

    def declare(self) -> None:
        """Let the side to move declare that its king has entered, instead of moving (:meth:`Position.declaration`).

        With the rule option ``illegal_move="loses"`` a declaration that does not hold is not refused: it loses.

        Raises:
            IllegalMoveError: the rules know no declaration, this one does not hold, or the game is over; the message
                names all that it lacks.
        """
        self._require_open()
        found = declared(self.variant, self._position.setup(), in_check=self._position._native.royal_in_check())
        if not isinstance(found, list):
            self._claimed = found
        elif self.variant.declaration is not None and self.variant.illegal_move_loses:
            self._claimed = Outcome(other(self.turn), "illegal")
        else:
            raise IllegalMoveError(located(_("nothing to declare"), joined(found)))

    @typed
    def claim(self, outcome: Outcome) -> None:
        """End the game for a reason outside the rules of play, such as time.

        Raises:
            NotationError: the reason is one that only the rules decide.
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

    def notation(self, style: str | None = None) -> list[str]:
        """The moves in a notation, as in :meth:`Position.notate`; ``None`` is that of the variant's rules page.

        Raises:
            NotationError: there is no such style.
        """
        above("notation").known(style or self.variant.notation)
        position, written = self._start.copy(), []
        for move in self._moves:
            written.append(position.notate(move, style))
            position.push(move)
        return written

    def record(self) -> dict[str, Any]:
        """The game as plain data that JSON can hold: enough to play it again, with the rule options in force."""
        record = above("record")
        data: dict[str, Any] = record.to_data(record.Record.of(self))
        return data

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Game:
        """The game of a record's main line; its claimed result, if any, stands again.

        Raises:
            NotationError: the record lacks or garbles something, is of another version of the rules, or has moves that
                are not legal; every defect at once, with its place.
        """
        game: Game = above("record").from_data(record).game()
        return game

    # --- Python's own protocols ---

    def __len__(self) -> int:
        return len(self._moves)

    def __bool__(self) -> bool:
        """True: a game is something even before its first move."""
        return True

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Move, ...]: ...
    def __getitem__(self, index: int | slice) -> Move | tuple[Move, ...]:
        return tuple(self._moves[index]) if isinstance(index, slice) else self._moves[index]

    def __iter__(self) -> Iterator[Move]:
        return iter(self._moves)

    def __contains__(self, move: object) -> bool:
        """True if the move was made, given as :class:`Move` or move string."""
        return any(move in (made, made.text) for made in self._moves)

    def index(self, move: Move | str, start: int = 0, stop: int | None = None) -> int:
        """The place of a move, given as :class:`Move` or move string, from ``start`` on and before ``stop``.

        Raises:
            ValueError: it was not made there.
        """
        return [made.text for made in self._moves].index(str(move), start, len(self) if stop is None else stop)

    def count(self, move: Move | str) -> int:
        """How often a move was made, given as :class:`Move` or move string."""
        return sum(move in (made, made.text) for made in self._moves)

    def __eq__(self, other: object) -> bool:
        """Equal start, moves and result. As a game changes it cannot be hashed."""
        if not isinstance(other, Game):
            return NotImplemented
        return (self._start, self._moves, self.outcome()) == (other._start, other._moves, other.outcome())

    def __copy__(self) -> Game:
        return _restored(self._start, self._moves, self._claimed)

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (self._start, self.moves, self._claimed)

    def __repr__(self) -> str:
        """The variant, how many moves there are, and the side to move or the result."""
        state = self.outcome() or f"{SIDE_NAMES[self.turn]} to move"
        return f"<Game {self.variant.id}, {len(self)} move{'s' * (len(self) != 1)}, {state}>"

    def __str__(self) -> str:
        """The board as text, with the result of a game that is over."""
        outcome = self.outcome()
        return str(self._position) + (f"\n{outcome}" if outcome else "")

    def _repr_svg_(self) -> str:
        """The board as a picture: how Jupyter shows a game."""
        return self._position._repr_svg_()


def _restored(start: Position, moves: Iterable[Move], claimed: Outcome | None) -> Game:
    """A pickled or copied game."""
    game = object.__new__(Game)
    game._begin(start.copy())
    for move in moves:
        game.push(move)
    game._claimed = claimed
    return game
