"""Positions one can play on, over the native core."""

from __future__ import annotations

import copyreg
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from .. import _core
from ..compiler import Compiled, compile_variant
from ..errors import AmbiguousMoveError, IllegalMoveError, IllegalPositionError, NotationError
from ..i18n import _, safely
from ..spec.board import SIDE_NAMES, SIDES, Side, Unbounded, other
from ..spec.material import royals
from ..spec.move import Move
from ..spec.setup import Piece, Setup
from ..spec.sfen import code_text, parse, position_words, print_setup
from ..spec.variant import Variant
from ..variants import variant_of
from .declaration import declared
from .late import above
from .outcome import BY_RULE, Outcome, Reason

Sequence.register(_core.Moves)

_REASONS: dict[_core.End, Reason] = {_core.End[reason.upper()]: reason for reason in BY_RULE}


class Position:
    """A position of a variant, and the moves made since it was set up.

    Squares are names such as ``"7g"``, moves are :class:`Move` objects or move strings, sides are ``"b"`` (Black) and
    ``"w"`` (White). Iteration gives the names of the squares: ``"7g" in position`` is true on a board that has the
    square, and ``position["7g"]`` is what stands there. Two positions are equal if variant, board, hands
    and side to move are; as :meth:`push` changes a position it cannot be hashed: use :meth:`key` or :meth:`sfen` in a
    set or as the key of a dictionary. Positions can be copied and pickled, their moves and repetitions included.

    Example:
        >>> import komadai
        >>> position = komadai.Position("nana")
        >>> len(position.legal_moves())
        8
        >>> position.push("K*1a")
        >>> position["1a"]
        Piece(side='b', code='K')
        >>> position.sfen()
        '2K/3/3 w RBkrb'
    """

    __slots__ = ("_compiled", "_native", "_ply")

    def __init__(
        self, variant: str | Variant | Position, position: str | Setup | Position | None = None, **options: str
    ) -> None:
        """Set up a position.

        Args:
            variant: a variant or its name; a position alone is copied, with its history.
            position: a position string, a :class:`Setup`, or a position, whose history is left out; ``None`` is the
                variant's start.
            options: rule options, if ``variant`` is a name.

        Raises:
            NotationError: unknown variant or option, or a string that is no position; every defect at once.
            IllegalPositionError: the position cannot be played; every reason at once.
        """
        if not isinstance(variant, Position):
            self._set_up(variant_of(variant, options), position, problem=False)
        elif position is None and not options:
            self._take(variant._compiled, variant._native.copy(), variant._ply)
        else:
            raise NotationError("variant", [f"is a position of {variant.variant.id}; expected a variant or its name"])

    def _take(self, compiled: Compiled, native: _core.Position, ply: int) -> None:
        """Be the position of a native one, whose moves have led to it from a setup with move number ``ply``."""
        self._compiled, self._native, self._ply = compiled, native, ply

    def _set_up(self, variant: Variant, position: str | Setup | Position | None, *, problem: bool) -> None:
        compiled = compile_variant(variant)
        if isinstance(position, Position):
            if position.variant != variant:
                raise NotationError("position", [f"is one of {position.variant.id}; expected one of {variant.id}"])
            position = position.setup()
        if position is None:
            self._take(compiled, compiled.start.copy(), 1)
        else:
            setup = position if isinstance(position, Setup) else parse(variant, position)
            found, held = (len(setup.board), *map(len, setup.hands)), len(variant.hand_order)
            if found != (expected := (len(compiled.squares), held, held)):
                words = f"has {found} squares and kinds in hand; expected {expected}"
                raise NotationError("setup", [words])
            self._take(compiled, compiled.load(setup, problem=problem), setup.ply)

    @classmethod
    def problem(cls, variant: str | Variant, position: str | Setup | None = None, **options: str) -> Position:
        """Set up a position in which one side may have no king, as the attacker in most mate problems.

        Nothing attacks a side without royal pieces; all else is as in any other position. Records, studies, protocols
        and the mate search take such positions; games and matches are played from those of :class:`Position` alone.
        Where the players drop their royal pieces themselves, each side must have its own here too.

        Arguments and errors are those of :class:`Position`.

        Example:
            >>> import komadai
            >>> problem = komadai.Position.problem("shogi", "4k4/9/4P4/9/9/9/9/9/9 b G")
            >>> [str(move) for move in komadai.Engine("shogi").mate(problem).pv]
            ['G*5b']
        """
        made = object.__new__(Position)
        made._set_up(variant_of(variant, options), position, problem=True)
        return made

    @classmethod
    def _around(cls, compiled: Compiled, native: _core.Position, ply: int = 1) -> Position:
        """A position made by :meth:`_take`."""
        made = object.__new__(Position)
        made._take(compiled, native, ply)
        return made

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
        """The pieces of all squares, in reading order (``9a`` first on a 9×9 board)."""
        return tuple(map(self._compiled.pieces.__getitem__, self._native.board()))

    def piece_at(self, square: str) -> Piece | None:
        """The piece on a square such as ``7g``, or ``None`` if it is empty; ``position["7g"]`` is the same.

        Raises:
            NotationError: the board has no such square.
        """
        return self._compiled.pieces[self._native.piece_at(self._point(square))]

    __getitem__ = piece_at

    def __iter__(self) -> Iterator[str]:
        """The names of the board's squares, in the order of :attr:`board`."""
        return iter(self._compiled.squares)

    def __reversed__(self) -> Iterator[str]:
        """The names of the board's squares, the last first."""
        return reversed(self._compiled.squares)

    def __len__(self) -> int:
        """The number of the board's squares."""
        return len(self._compiled.squares)

    def __contains__(self, square: object) -> bool:
        """True if the board has a square of that name, whatever stands there."""
        return isinstance(square, str) and square in self._compiled.point_named

    def _point(self, square: str) -> int:
        """The index of a square in :attr:`board`."""
        try:
            return self._compiled.point_named[square]
        except (KeyError, TypeError):
            raise NotationError(f"square {square!r}", [_board_words(self.variant)]) from None

    def _squares(self, points: Iterable[int]) -> frozenset[str]:
        return frozenset(map(self._compiled.squares.__getitem__, points))

    def piece_map(self) -> dict[str, Piece]:
        """The pieces by the names of their squares, in the order of :attr:`board`."""
        return {square: piece for square, piece in zip(self._compiled.squares, self.board, strict=True) if piece}

    def pieces(self, code: str, side: Side) -> frozenset[str]:
        """The squares of a side's pieces of one kind.

        Raises:
            NotationError: the variant has no such kind, or there is no such side.
        """
        piece = self._compiled.piece(self.variant.kind(code).code, SIDES[_number(side)])
        return self._squares(point for point, there in enumerate(self._native.board()) if there == piece)

    def hand(self, side: Side) -> dict[str, int]:
        """The number of pieces of each hand kind that the side holds, in hand order, without those it lacks.

        Raises:
            NotationError: there is no such side.
        """
        counts = zip(self.variant.hand_order, self._native.hand(_number(side)), strict=True)
        return {code: count for code, count in counts if count}

    def royals(self, side: Side) -> frozenset[str]:
        """The squares of the side's royal pieces; none in a game without royal kinds, or before they are dropped.

        Raises:
            NotationError: there is no such side.
        """
        codes = royals(self.variant)
        pieces = {self._compiled.piece(code, SIDES[_number(side)]) for code in codes}
        return self._squares(point for point, piece in enumerate(self._native.board()) if piece in pieces)

    def setup(self) -> Setup:
        """The position as plain data."""
        black, white = (tuple(self._native.hand(side)) for side in (0, 1))
        return Setup(self.board, (black, white), self.turn, self.ply, self._native.taken_on())

    def sfen(self, *, ply: bool = False) -> str:
        """The position string of docs/rules/README.md; with ``ply`` the move number follows."""
        return print_setup(self.variant, self.setup(), ply=ply)

    def key(self) -> int:
        """A 64-bit number for board, hands and side to move, the same on every machine and in every run.

        It covers neither the variant nor the history. Equal positions of one variant have the same key; that two others
        share theirs is possible, with a probability of about 1 in 2**64 a pair. Another version of the rules
        (``variant.version``) may give other keys.
        """
        return self._native.key()

    def is_check(self) -> bool:
        """True if the side to move is in check: one of its royal pieces is attacked.

        In a game that ends by extinction also if the opponent, were it to move, could win by that at once.
        """
        return self._native.in_check()

    def checkers(self) -> frozenset[str]:
        """The squares of the opponent's pieces that attack a royal piece of the side to move (:meth:`attacks`)."""
        theirs = other(self.turn)
        return frozenset().union(*(self.attackers(square, theirs) for square in self.royals(self.turn)))

    def is_pinned(self, square: str) -> bool:
        """True if the piece on a square shields a royal piece of its side: without it, one more piece attacks that.

        False for an empty square, and for the only royal piece of a side.

        Raises:
            NotationError: the board has no such square.
        """
        from ..reference.attacks import attackers

        point, board = self._point(square), self.board
        piece = board[point]
        if piece is None:
            return False
        without = (*board[:point], None, *board[point + 1 :])
        theirs = other(piece.side)
        shielded = (self._point(royal) for royal in self.royals(piece.side) if royal != square)
        return any(
            attackers(self.variant, without, royal, theirs) - attackers(self.variant, board, royal, theirs)
            for royal in shielded
        )

    def attacks(self, square: str) -> frozenset[str]:
        """The squares attacked by the piece on a square; none if it is empty.

        A square is attacked if the piece could capture there, were its side to move and what stands there the
        opponent's. So pieces of its own side count as attacked (protected), and so does an empty square that it could
        go to. Prohibitions such as pins, support and the protection of one's own king are left aside, as
        :meth:`is_check` leaves them aside.

        In games with compound moves every landing of every move counts, those after a capture or on the way of a walk
        included, and so do the shots: a shot attacks the pieces it can hit, not empty squares. An immobilized piece
        attacks nothing.

        Raises:
            NotationError: the board has no such square.
        """
        from ..reference.attacks import attacks

        return self._squares(attacks(self.variant, self.board, self._point(square)))

    def attackers(self, square: str, side: Side) -> frozenset[str]:
        """The squares of the side's pieces that attack a square, as :meth:`attacks` defines it.

        Raises:
            NotationError: the board has no such square, or there is no such side.
        """
        from ..reference.attacks import attackers

        return self._squares(attackers(self.variant, self.board, self._point(square), SIDES[_number(side)]))

    def support(self, code: str) -> frozenset[str]:
        """The squares where a piece of that kind would have support now (:class:`~komadai.spec.variant.Support`).

        Raises:
            NotationError: the variant has no such kind.
        """
        if all(kind.code != code for kind in self.variant.kinds):
            raise NotationError("support", [f"{self.variant.id} has no piece {code!r}"])
        return self._squares(self._native.support(self._compiled.piece(code, "b")))

    def immobilized(self) -> frozenset[str]:
        """The squares of the mover's pieces that may neither move nor shoot in this turn."""
        return self._squares(self._native.immobilized())

    def stranded(self) -> frozenset[str]:
        """The squares of the mover's pieces that the end of its turn takes unless its move saves them."""
        return self._squares(self._native.stranded())

    def losses(self, move: Move | str) -> frozenset[str]:
        """The squares, in this position, of the mover's own pieces that a legal move loses by the end of the turn.

        For a piece that is lost where it has just arrived it is the move's target.

        Raises:
            NotationError: the text is no move string.
            IllegalMoveError: the move is not legal here.
        """
        if not isinstance(move, Move):
            move = self.parse_move(move)
        try:
            return self._squares(self._native.losses(move.code, move.trail))
        except ValueError:
            raise self._illegal(move) from None

    def outcome(self) -> Outcome | None:
        """The end of the game by the rules, or ``None`` while it goes on.

        Repetition counts the positions since the setup.
        """
        ended = self._native.outcome()
        if ended.end is _core.End.NONE:
            return None
        return Outcome.under(self.variant, SIDES[ended.winner] if ended.winner >= 0 else None, _REASONS[ended.end])

    def is_game_over(self) -> bool:
        """True if the game has ended by the rules (:meth:`outcome`)."""
        return self.outcome() is not None

    def is_checkmate(self) -> bool:
        """True if the game has ended by checkmate."""
        return self._has_ended("checkmate")

    def is_stalemate(self) -> bool:
        """True if the game has ended because the side to move has no legal move and is not in check."""
        return self._has_ended("stalemate")

    def _has_ended(self, reason: Reason) -> bool:
        outcome = self.outcome()
        return outcome is not None and outcome.reason == reason

    def can_agree_draw(self) -> bool:
        """True if the variant's condition for a draw by agreement holds (the impasse of entering kings)."""
        agreement = self.variant.agreement
        if agreement is None:
            return False
        royal = {kind.code for kind in self.variant.kinds if kind.royal}
        kings = [(point, piece) for point, piece in enumerate(self.board) if piece and piece.code in royal]
        entered = [agreement.region.contains(self.variant.board, point, piece.side) for point, piece in kings]
        return {piece.side for _point, piece in kings} == {*SIDES} and all(entered)

    def declaration(self) -> Outcome | None:
        """The end of the game if the side to move declares now that its king has entered; ``None`` where it may not.

        A declaration is made instead of a move (:meth:`komadai.Game.declare`). It wins or, under some rules, draws.
        """
        found = declared(self.variant, self.setup(), in_check=self._native.royal_in_check())
        return None if isinstance(found, list) or self.is_game_over() else found

    def can_declare(self) -> bool:
        """True if the side to move wins by declaring now (:meth:`declaration`)."""
        found = self.declaration()
        return found is not None and found.winner == self.turn

    def perft(self, depth: int, *, bulk: bool = True) -> int:
        """The number of legal move sequences of ``depth`` plies, 0 to 99. Releases the GIL.

        With ``bulk`` the moves of the last ply are counted, not made.

        Raises:
            NotationError: the depth is out of this range.
        """
        if not 0 <= depth <= _core.MAX_DEPTH:
            raise NotationError("perft", [f"depth {depth} is out of range; expected 0 to {_core.MAX_DEPTH}"])
        return self._native.perft(depth, bulk)

    # --- Moving ---

    @property
    def move_stack(self) -> tuple[Move, ...]:
        """The moves pushed since the position was set up, in order."""
        return tuple(self._native.played())

    def peek(self) -> Move:
        """The last move pushed.

        Raises:
            IndexError: no move has been pushed.
        """
        if not self._native.plies():
            raise IndexError("no move has been pushed")
        return self._native.played()[-1]

    def root(self) -> Position:
        """The position that was set up, before the moves pushed."""
        found = self.copy()
        while found._native.plies():
            found.pop()
        return found

    def legal_moves(self) -> _core.Moves:
        """All legal moves, in no particular order. ``"7g7f" in position.legal_moves()`` works too.

        They are a sequence that stays as it is when the position changes, and makes a :class:`Move` when it is asked
        for. It is equal to a list of the same moves; ``list(position.legal_moves())`` makes one.
        """
        return self._native.legal_moves()

    def legal_captures(self) -> tuple[Move, ...]:
        """The legal moves that capture (:meth:`is_capture`)."""
        return tuple(filter(self._captures, self.legal_moves()))

    def find_move(self, origin: str, target: str, piece: str | None = None) -> Move:
        """The legal move from a square, or of a piece in hand, to a square.

        Args:
            origin: the square, or the code of the kind in hand. ``target``: the square where the move ends.
            piece: the code of the kind that stands there afterwards, such as ``+P``, where several moves differ by it.

        Raises:
            NotationError: there is no such square or kind, or several moves fit (``AmbiguousMoveError``).
            IllegalMoveError: no legal move fits.
        """
        self._point(target)
        if origin not in self.variant.hand_order:
            self._point(origin)
        fitting = [
            move
            for move in self.legal_moves()
            if move.target == target and (move.text.startswith(f"{origin}*") if move.is_drop else move.origin == origin)
        ]
        if not fitting:
            raise IllegalMoveError(f"no legal move leads from {origin!r} to {target}")
        pieces = ", ".join(f"{move.piece!r} ({move.text})" for move in fitting[:10])
        found = [move for move in fitting if piece in (None, move.piece)]
        if not found:
            raise IllegalMoveError(f"no legal move from {origin!r} to {target} ends as {piece!r}; it may be {pieces}")
        if len(found) > 1:
            raise AmbiguousMoveError("move", [f"may be one of several; expected piece to be one of: {pieces}"])
        return found[0]

    def steps(self) -> _core.Steps:
        """The legal moves as a tree of steps, such as *select 8h · capture 2b · promote*.

        It is made of rows of numbers, without an object for each; paths that lead to the same state share nodes.
        ``numpy.frombuffer(tree.steps, "i4").reshape(-1, 6)`` is an array of the steps.
        """
        return self._native.steps()

    def is_legal(self, move: Move | str) -> bool:
        """True if a move, given as :class:`Move` or move string, is legal here."""
        return move in self.legal_moves()

    def is_capture(self, move: Move | str) -> bool:
        """True if a legal move captures, by landing on an opponent's piece or by shooting it.

        Raises:
            NotationError: the text is no move string.
            IllegalMoveError: the move is not legal here.
        """
        return self._captures(self._legal(move))

    def _captures(self, move: Move) -> bool:
        theirs = other(self.turn)
        pieces = map(self.piece_at, (*move.landings, *move.shots))
        return any(piece is not None and piece.side == theirs for piece in pieces)

    def gives_check(self, move: Move | str) -> bool:
        """True if the opponent is in check after a legal move (:meth:`is_check`).

        Raises:
            NotationError: the text is no move string.
            IllegalMoveError: the move is not legal here.
        """
        after = self.copy()
        after.push(move)
        return after.is_check()

    def push(self, move: Move | str) -> None:
        """Make a move, given as :class:`Move` or move string.

        Raises:
            NotationError: the text is no move string.
            IllegalMoveError: the move is not legal here; the message says why, and nothing changes.
        """
        if not self._native.push(move):
            raise self._illegal(move)

    def _illegal(self, move: Move | str) -> IllegalMoveError | NotationError:
        """The error for a move that is not one of this position's."""
        if isinstance(move, Move) and move.text in self.legal_moves():
            return IllegalMoveError(f"{move!r} is not a move of this position, although its move string is")
        return safely(IllegalMoveError(unexplained(str(move))), self._refusal, move)

    def _refusal(self, move: Move | str) -> IllegalMoveError | NotationError:
        try:
            return IllegalMoveError(self.explain(move))
        except NotationError as error:
            return error

    def _legal(self, move: Move | str) -> Move:
        """The move, which must be legal here."""
        if not isinstance(move, Move):
            return self.parse_move(move)
        if move not in self.legal_moves():
            raise self._illegal(move)
        return move

    def pop(self) -> Move:
        """Take back the last move pushed, and return it.

        Raises:
            IndexError: no move has been pushed.
        """
        return self._native.pop()

    def parse_move(self, text: str | Move) -> Move:
        """The legal move of a move string; :meth:`parse` reads other notations too. A move stands for itself.

        Raises:
            NotationError: the text is no move string.
            IllegalMoveError: the move is not legal here; the message says why.
        """
        if isinstance(text, Move):
            return self._legal(text)
        move = self._native.find(text)
        if move is None:
            raise self._illegal(text)
        return move

    def explain(self, move: Move | str) -> str:
        """Explain in words, with the number of the rule, why a move is not legal; or say that it is.

        Raises:
            NotationError: the text is no move string.
        """
        from ..reference.explain import explain

        return explain(self.variant, self.setup(), str(move))

    def notate(self, move: Move | str, style: str | None = None) -> str:
        """A legal move in a notation that people or programs write.

        Args:
            move: the move, or its move string.
            style: ``usi`` (the move string), ``hodges`` (``P-7f``), ``compass`` (``*Gyoku NNE``), ``japanese``
                (``☗７六歩``) or ``fen`` (coordinates as in chess, ``c3c4``); ``None`` is the notation of the variant's
                rules page.

        Raises:
            NotationError: the text is no move string, there is no such style, or the variant is not offered it.
            IllegalMoveError: the move is not legal here.
        """
        text: str = above("notation").notate(self, self._legal(move), style)
        return text

    def parse(self, text: str | Move, style: str | None = None) -> Move:
        """The legal move that a text names.

        Args:
            text: the move as people or programs write it.
            style: the notation, as in :meth:`notate`; ``None`` tries the move string first, then the notation of the
                variant's rules page, or Japanese notation if there are Japanese signs, then coordinates and the others.

        Raises:
            NotationError: the text is no move in that notation, or there is no such style.
            IllegalMoveError: the move is not legal here; the message says why.
        """
        if isinstance(text, Move):
            return self._legal(text)
        move: Move = above("notation").parse(self, text, style)
        return move

    def copy(self) -> Position:
        """An independent position with the same history."""
        return Position._around(self._compiled, self._native.copy(), self._ply)

    def passed(self) -> Position:
        """The position with the other side to move, as lessons and studies need it; no rule allows such a move.

        It begins a history of its own. What happens at the end of a turn does not happen.

        Raises:
            IllegalPositionError: the side to move is in check, so its king could be taken.
        """
        setup = replace(self.setup(), turn=other(self.turn), ply=self.ply + 1, taken_on=None)
        if royals(self.variant) and self._native.royal_in_check():
            raise IllegalPositionError(position_words(repr(self.sfen())), [_("the side to move is in check")])
        return Position._around(self._compiled, self._compiled.native(setup), setup.ply)

    # --- Python's own protocols ---

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Position:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (self.variant, self.root().setup(), tuple(self._native.played().texts()))

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

    def _repr_svg_(self) -> str:
        """The board as a picture, with the last move marked: how Jupyter shows a position."""
        text: str = above("picture").svg(self, last=self._native.played()[-1] if self._native.plies() else None)
        return text

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


class GamePosition(Position):
    """The position of a game: it follows the game's moves, and only the game makes them."""

    __slots__ = ()

    def __init__(self, position: Position) -> None:
        """Show a position that somebody else moves."""
        self._take(position._compiled, position._native, position._ply)

    def push(self, move: Move | str) -> None:
        """Refused.

        Raises:
            TypeError: always; ``game.push(move)`` plays on, ``game.position.copy()`` is a position of one's own.
        """
        raise TypeError("game.position only shows the game; use game.push(move), or a copy: game.position.copy()")

    def pop(self) -> Move:
        """Refused.

        Raises:
            TypeError: always; ``game.pop()`` takes a move back, ``game.position.copy()`` is a position of one's own.
        """
        raise TypeError("game.position only shows the game; use game.pop(), or a copy: game.position.copy()")


def _restored(variant: Variant, start: Setup, moves: Iterable[str]) -> Position:
    """A pickled position."""
    compiled = compile_variant(variant)
    position = Position._around(compiled, compiled.native(start), start.ply)
    for move in moves:
        position.push(move)
    return position


def _not_pickled(steps: _core.Steps) -> str:
    raise TypeError("Steps are not pickled; pickle the position instead, whose steps() makes them anew")


copyreg.pickle(_core.Steps, _not_pickled)


def unexplained(move: object) -> str:
    """The words for a move that is not legal, where the reason cannot be found."""
    return _("{move} is not legal: {why}", move=move, why=_("the reason could not be put into words"))


def _number(side: Side) -> int:
    """The core's number of a side."""
    if side not in SIDES:
        raise NotationError(f"side {side!r}", ["expected b (Black) or w (White)"])
    return SIDES.index(side)


def _hand_words(hand: dict[str, int]) -> str:
    return " ".join(code if count == 1 else f"{count}×{code}" for code, count in hand.items()) or "-"


def _board_words(variant: Variant) -> str:
    board = variant.board
    return f"expected a square from {board.name(board.width - 1)} to {board.name(len(board) - board.width)}"
