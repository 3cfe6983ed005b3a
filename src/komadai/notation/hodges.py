"""Moves as players write them: ``P-7f``, ``Bx2b+``, ``G6i-5h``, ``CS1b-2a=D``, ``P*5e``.

This is the notation of the sections "Notation" of docs/rules, on the squares and codes of docs/rules/README.md::

    PIECE [START] (- | x | *) SQUARE [+ | = | =CODE]

The piece is named as it stands before the move, a dropped one by the face it shows. The start square is there only if
another piece of the same kind could legally do the same: go to that square and be the same kind there. At the end
stands what the move makes of the piece: ``+`` if it turns over, ``=`` if it could and does not, ``=CODE`` if it becomes
another kind, by choice or by force.
All of it follows from the legal moves of the position; no game is known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from ..board import SIDE_NAMES, Rect
from ..errors import IllegalMoveError, NotationError
from ..explain import move_strings
from ..move import Move
from ..position import Position
from .sfen import Piece, describe

_LONGEST = 40
_DIGITS_ONLY = 9  # the most files and ranks for which two digits name a square
_SHOWN = 4
_SQUARE = "[0-9]{1,2}[a-z]|[0-9]{2}"
# A name is the letters up to a square or a sign, so a longer code always goes before a shorter one. An x right before
# a square is the sign of capture, unless that square is a start and the sign follows it.
_TEXT = re.compile(
    rf"(\+?[a-z]+)({_SQUARE})?([-x*'])({_SQUARE})(\+|=(?:\+?[a-z]+)?)?(?:\s*[!?]{{1,2}})?", re.ASCII | re.IGNORECASE
)

Board = tuple[Piece | None, ...]


def _before(board: Board, move: Move) -> str:
    """The kind the move is named after: what stood on its start, or what is dropped."""
    piece = None if move.origin is None else board[move.origin]
    return piece.code if piece else move.piece


# --- Writing --------------------------------------------------------------------------------------------------------


def _result(board: Board, move: Move, legal: Iterable[Move]) -> str:
    """What stands after the target square."""
    before = _before(board, move)
    if move.piece != before:
        return "+" if move.piece == f"+{before}" else f"={move.piece}"
    turned = (move.origin, move.target, f"+{before}")
    return "=" if any((other.origin, other.target, other.piece) == turned for other in legal) else ""


def _written(position: Position, board: Board, move: Move, legal: Iterable[Move]) -> str:
    name, square = position.variant.board.name, position.variant.board.name(move.target)
    before = _before(board, move)
    if move.origin is None:
        return f"{before}*{square}"
    same = (move.target, move.piece, before)
    rival = any(
        other.origin not in (None, move.origin) and (other.target, other.piece, _before(board, other)) == same
        for other in legal
    )
    start, sign = name(move.origin) if rival else "", "x" if board[move.target] else "-"
    return f"{before}{start}{sign}{square}{_result(board, move, legal)}"


def write(position: Position, move: Move) -> str:
    """The move in its strict and shortest form; ``position`` is the one it is made in.

    Example:
        >>> from komadai import Position
        >>> position = Position("shogi")
        >>> write(position, position.parse_move("6i5h"))
        'G6i-5h'

    Raises:
        IllegalMoveError: the move is not legal there.
        NotationError: it is a move of another game.
    """
    legal = position.legal_moves()
    own = next((other for other in legal if other.text == move.text), None)
    if own is None:
        raise IllegalMoveError(position.explain(move))
    return _written(position, position.board, own, legal)


# --- Reading --------------------------------------------------------------------------------------------------------


class _Clues(NamedTuple):
    """What a text says of its move.

    Attributes:
        text: the text itself, for messages.
        kind: the piece it names.
        origin: where it starts; ``None`` if the text does not say.
        drops: whether it comes from the hand.
        target: where it ends.
        result: what it is afterwards; ``None`` if the text does not say.
    """

    text: str
    kind: str
    origin: int | None
    drops: bool
    target: int
    result: str | None

    def fit(self, board: Board, move: Move) -> bool:
        """Whether the move is as told. ``-`` and ``x`` tell nothing the board does not, and are not compared."""
        return (
            (move.is_drop, move.target, _before(board, move)) == (self.drops, self.target, self.kind)
            and self.origin in (None, move.origin)
            and self.result in (None, move.piece)
        )


def _point(board: Rect, name: str, defects: list[str]) -> int:
    """The point of a square as written, where the board is small enough also with two digits (``76`` for ``7f``).

    A name that is none adds a defect, and the point returned means nothing.
    """
    small = max(board.width, board.height) <= _DIGITS_ONLY
    square = f"{name[0]}{chr(ord('a') + int(name[1]) - 1)}" if small and name.isdigit() else name.lower()
    point = board.find(square)
    if point is None:
        first, last = board.name(0), board.name(len(board) - 1)
        defects.append(f"{name} is no square of this board, which goes from {first} to {last}")
    return point or 0


def _clues(position: Position, text: str) -> _Clues:
    """Take the text apart.

    Raises:
        NotationError: it is no notation, or names a piece or square that does not exist; every defect at once.
    """
    variant, text = position.variant, text.strip()
    if len(text) > _LONGEST:
        raise NotationError(f"move {text[: _LONGEST - 3] + '...'!r}", [f"is longer than {_LONGEST} characters"])
    match = _TEXT.fullmatch(text)
    if match is None:
        legal = position.legal_moves()
        model = _written(position, position.board, min(legal, key=str), legal) if legal else "P-7f"
        raise NotationError(
            f"move {text!r}", [f"is no move; expected a piece, then -, x or *, and a square, as in {model}"]
        )
    name, start, sign, end, said = match.groups()
    kind, drops, defects = name.upper(), sign in "*'", list[str]()
    result = None if said is None else f"+{kind}" if said == "+" else said[1:].upper() or kind
    known = [kind.code for kind in variant.kinds]
    for code in (kind, *([result] if result and said != "+" and result != kind else [])):
        if code not in known:
            defects.append(f"{variant.id} has no piece {code}; its codes are {' '.join(known)}")
    if drops and (start or said):
        defects.append("a drop has no start square and nothing after its square")
    origin = _point(variant.board, start, defects) if start else None
    target = _point(variant.board, end, defects)
    if defects:
        raise NotationError(f"move {text!r}", defects)
    return _Clues(text, kind, origin, drops, target, result)


def _fault(position: Position, board: Board, clues: _Clues, legal: Iterable[Move]) -> str:
    """Why no legal move fits."""
    variant, mover = position.variant, SIDE_NAMES[position.turn]
    name, square = variant.kind(clues.kind).name, variant.board.name
    all_starts = [point for point, piece in enumerate(board) if piece == (position.turn, clues.kind)]
    starts = [point for point in all_starts if clues.origin in (None, point)]
    able = {move.origin for move in legal if clues._replace(result=None).fit(board, move)}
    starts = [point for point in starts if point in able] or starts
    if clues.drops:
        string = f"{clues.kind}*{square(clues.target)}"
    elif clues.origin is not None and not starts:
        there = board[clues.origin]
        return f"{square(clues.origin)} " + (f"holds {describe(there, variant)}" if there else "is empty")
    elif not starts:
        return f"{mover} has no {name} on the board"
    elif len(starts) > 1:
        return f"none of {mover}'s {len(all_starts)} pieces {clues.kind} can go to {square(clues.target)} like that"
    else:
        strings = move_strings(position, starts[0], clues.target)
        if clues.result not in (None, *strings) and able:
            return f"the {name} cannot end as {clues.result} there"
        string = strings.get(clues.result or clues.kind) or next(iter(strings.values()))
    return position.explain(string).removeprefix(f"{string} is not legal: ")


def _nearest(position: Position, board: Board, clues: _Clues, legal: list[Move]) -> str:
    """The piece's legal moves that come nearest to the text, for the end of a message."""
    xy = position.variant.board.xy

    def distance(move: Move) -> tuple[bool, int, int, str]:
        (x, y), (u, v) = xy(move.target), xy(clues.target)
        away = sorted((abs(x - u), abs(y - v)))
        return clues.origin not in (None, move.origin), away[1], away[0], move.text

    near = sorted((move for move in legal if _before(board, move) == clues.kind), key=distance)[:_SHOWN]
    return "; nearest legal: " + ", ".join(_written(position, board, move, legal) for move in near) if near else ""


def read(position: Position, text: str) -> Move:
    """The one legal move of the position that fits the text.

    Read leniently: any case, ``'`` for ``*``, ``-`` and ``x`` for each other, squares in two digits on boards of up to
    9×9, a start square or ``=`` that need not be there, ``!`` and ``?`` behind. What is not said is free, except that
    a piece of whose change nothing is said stays what it is if any that fits can.

    Example:
        >>> from komadai import Position
        >>> str(read(Position("shogi"), "p-76"))
        '7g7f'

    Raises:
        NotationError: the text is no notation, names what does not exist, or fits several moves.
        IllegalMoveError: no legal move fits; the message says why, and what would be legal.
    """
    clues = _clues(position, text)
    board, legal = position.board, position.legal_moves()
    fitting = [move for move in legal if clues.fit(board, move)]
    if clues.result is None:
        fitting = [move for move in fitting if move.piece == clues.kind] or fitting
    if not fitting:
        fault, nearest = _fault(position, board, clues, legal), _nearest(position, board, clues, legal)
        raise IllegalMoveError(f"{clues.text} is not legal: {fault}{nearest}")
    if len(fitting) > 1:
        choices = ", ".join(sorted(_written(position, board, move, legal) for move in fitting))
        raise NotationError(f"move {clues.text!r}", [f"fits several moves; choose from {choices}"])
    return fitting[0]
