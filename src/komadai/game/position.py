"""Positions one can play on, over the native core."""

from __future__ import annotations

from .. import _core
from ..compiler import Compiled, compile_variant
from ..errors import IllegalMoveError, NotationError
from ..spec.board import SIDE_NAMES, SIDES, Side, Unbounded
from ..spec.move import Move
from ..spec.setup import Piece, Setup
from ..spec.sfen import code_text, parse, print_setup
from ..spec.variant import Variant
from ..variants import build
from .outcome import BY_RULE, Outcome, Reason

_REASONS: dict[_core.End, Reason] = dict(
    zip((end for end in _core.End if end is not _core.End.NONE), BY_RULE, strict=True)
)


class Position:
    """A position of a variant, and the moves made since it was set up.

    Example:
        >>> import komadai
        >>> position = komadai.Position("nana")
        >>> len(position.legal_moves())
        8
        >>> position.push("K*1a")
        >>> position.sfen()
        '2K/3/3 w RBkrb'
    """

    __slots__ = ("_compiled", "_native", "_ply")

    def __init__(self, variant: str | Variant, position: str | Setup | None = None, **options: str) -> None:
        """Set up a position.

        Args:
            variant: a variant or its name.
            position: a position string or :class:`Setup`; ``None`` is the variant's start.
            options: rule options, if ``variant`` is a name.

        Raises:
            NotationError: unknown variant or option, or a string that is no position; every defect at once.
            IllegalPositionError: the position cannot be played; every reason at once.
        """
        if isinstance(variant, Variant):
            if options:
                raise NotationError("options", ["give options to komadai.variant(), not with a finished variant"])
        else:
            variant = build(variant, **options)
        self._compiled: Compiled = compile_variant(variant)
        if position is None:
            self._ply, self._native = 1, self._compiled.start.copy()
        else:
            setup = position if isinstance(position, Setup) else parse(variant, position)
            self._ply, self._native = setup.ply, self._compiled.load(setup)

    # --- Looking ---

    @property
    def variant(self) -> Variant:
        """The variant, with its rule options."""
        return self._compiled.variant

    @property
    def turn(self) -> Side:
        """The side to move: ``"b"`` or ``"w"``."""
        return SIDES[self._native.side_to_move()]

    @property
    def ply(self) -> int:
        """The number of the move to come; 1 at the start."""
        return self._ply + self._native.plies()

    @property
    def board(self) -> tuple[Piece | None, ...]:
        """The pieces by point, in reading order (``9a`` first on a 9×9 board)."""
        compiled = self._compiled
        return tuple(
            Piece(SIDES[(piece & 3) - 1], compiled.code(piece)) if piece else None for piece in self._native.board()
        )

    def piece_at(self, square: str) -> Piece | None:
        """The piece on a square such as ``7g``, or ``None`` if it is empty.

        Raises:
            NotationError: the board has no such square.
        """
        point = self.variant.board.find(square)
        if point is None:
            raise NotationError(f"square {square!r}", [_board_words(self.variant)])
        return self.board[point]

    def hand(self, side: Side) -> dict[str, int]:
        """How many pieces of each hand kind the side holds, in hand order; kinds it lacks are left out."""
        counts = zip(self.variant.hand_order, self._native.hand(SIDES.index(side)), strict=True)
        return {code: count for code, count in counts if count}

    def setup(self) -> Setup:
        """The position as plain data."""
        black, white = (tuple(self._native.hand(side)) for side in (0, 1))
        return Setup(self.board, (black, white), self.turn, self.ply)

    def sfen(self, *, ply: bool = False) -> str:
        """The position string of docs/rules/README.md; with ``ply`` the move number follows."""
        return print_setup(self.variant, self.setup(), ply=ply)

    def is_check(self) -> bool:
        """Whether the side to move has its king attacked.

        In a game without kings: whether some turn of the opponent, were it to move, would lose the side the game.
        """
        return self._native.in_check()

    def support(self, code: str) -> frozenset[int]:
        """The points where a piece of that kind would have support now (:class:`~komadai.spec.variant.Support`).

        Raises:
            NotationError: the variant has no such kind.
        """
        if all(kind.code != code for kind in self.variant.kinds):
            raise NotationError("support", [f"{self.variant.id} has no piece {code!r}"])
        return frozenset(self._native.support(self._compiled.piece(code, "b")))

    def immobilized(self) -> frozenset[int]:
        """The points of the mover's pieces that may neither move nor shoot in this turn."""
        return frozenset(self._native.immobilized())

    def stranded(self) -> frozenset[int]:
        """The points of the mover's pieces that the end of its turn takes unless it brings them back."""
        return frozenset(self._native.stranded())

    def losses(self, move: Move) -> frozenset[int]:
        """The points, in this position, of the mover's own pieces that a legal move costs it by the turn's end.

        The point of a piece that is lost where it has just arrived is the move's target.

        Raises:
            IllegalMoveError: the move is not legal here.
        """
        try:
            return frozenset(self._native.losses(move.code, move.trail))
        except ValueError:
            raise IllegalMoveError(self.explain(move)) from None

    def outcome(self) -> Outcome | None:
        """How the game has ended by the rules, or ``None``. Repetition looks at the moves pushed here."""
        ended = self._native.outcome()
        if ended.end is _core.End.NONE:
            return None
        return Outcome(SIDES[ended.winner] if ended.winner >= 0 else None, _REASONS[ended.end])

    def can_agree_draw(self) -> bool:
        """Whether the variant's condition for a draw by agreement holds (the impasse of entering kings)."""
        agreement = self.variant.agreement
        if agreement is None:
            return False
        royal = {kind.code for kind in self.variant.kinds if kind.royal}
        kings = [(point, piece) for point, piece in enumerate(self.board) if piece and piece.code in royal]
        entered = [agreement.region.contains(self.variant.board, point, piece.side) for point, piece in kings]
        return len(kings) == len(SIDES) and all(entered)

    def perft(self, depth: int, *, bulk: bool = True) -> int:
        """The number of legal move sequences of ``depth`` plies (0 or more). Releases the GIL.

        With ``bulk`` the moves of the last ply are counted, not made.
        """
        if depth < 0:
            raise NotationError("perft", [f"depth {depth} is negative; expected 0 or more"])
        return self._native.perft(depth, bulk)

    # --- Moving ---

    def legal_moves(self) -> list[Move]:
        """All legal moves, in no particular order."""
        return self._native.legal_moves()

    def push(self, move: Move | str) -> None:
        """Make a move, given as :class:`Move` or move string.

        Raises:
            NotationError: the text is no move string.
            IllegalMoveError: the move is not legal here; the message says why, and nothing changes.
        """
        if not isinstance(move, Move):
            move = self.parse_move(move)
        if not self._native.push(move.code, move.trail):
            if any(legal.text == move.text for legal in self.legal_moves()):
                raise IllegalMoveError(f"{move!r} is not a move of this position, although its move string is")
            raise IllegalMoveError(self.explain(move.text))

    def pop(self) -> None:
        """Take back the last move pushed.

        Raises:
            IndexError: no move has been pushed.
        """
        self._native.pop()

    def parse_move(self, text: str) -> Move:
        """The legal move that a move string names.

        Raises:
            NotationError: the text is no move string.
            IllegalMoveError: the move is not legal here; the message says why.
        """
        for move in self.legal_moves():
            if move.text == text:
                return move
        raise IllegalMoveError(self.explain(text))

    def explain(self, move: Move | str) -> str:
        """Why a move is not legal, in words; for a legal move, that it is.

        Raises:
            NotationError: the text is no move string.
        """
        from ..reference.explain import explain

        return explain(self.variant, self.setup(), str(move))

    def copy(self) -> Position:
        """An independent position with the same history."""
        twin = object.__new__(Position)
        twin._compiled, twin._ply, twin._native = self._compiled, self._ply, self._native.copy()
        return twin

    # --- Python's own protocols ---

    def __hash__(self) -> int:
        return self._native.key()

    def __eq__(self, other: object) -> bool:
        """Equal variant, board, hands and side to move; the history does not count."""
        if not isinstance(other, Position):
            return NotImplemented
        return (
            self.variant == other.variant
            and self._native.key() == other._native.key()
            and self._native.board() == other._native.board()
            and all(self._native.hand(side) == other._native.hand(side) for side in (0, 1))
        )

    def __repr__(self) -> str:
        return f"Position({self.variant.id!r}, {self.sfen()!r})"

    def __str__(self) -> str:
        """The board as text, White above; of a field without edges only the part where pieces stand."""
        board = self.variant.board
        cells = [code_text(piece.code, piece.side) if piece else "." for piece in self.board]
        shown = [board.xy(point) for point in board.points]
        if isinstance(board, Unbounded):
            shown = [board.xy(point) for point in board.points if self.board[point]] or [board.xy(board.middle)]
        columns, rows = (
            range(max(min(of) - 1, 0), min(max(of) + 2, size))
            for of, size in zip(zip(*shown, strict=True), (board.width, board.height), strict=True)
        )
        width = max(map(len, (*cells, *(str(board.width - column) for column in columns)))) + 1
        lines = [f"White: {_hand_words(self.hand('w'))}"]
        for row in rows:
            line = "".join(cells[row * board.width + column].rjust(width) for column in columns)
            lines.append(f"{line}  {chr(ord('a') + row)}")
        lines.append("".join(str(board.width - column).rjust(width) for column in columns))
        lines.append(f"Black: {_hand_words(self.hand('b'))}")
        lines.append(f"{SIDE_NAMES[self.turn]} to move")
        return "\n".join(lines)


def _hand_words(hand: dict[str, int]) -> str:
    return " ".join(code if count == 1 else f"{count}×{code}" for code, count in hand.items()) or "-"


def _board_words(variant: Variant) -> str:
    board = variant.board
    return f"expected a square from {board.name(board.width - 1)} to {board.name(len(board) - board.width)}"
