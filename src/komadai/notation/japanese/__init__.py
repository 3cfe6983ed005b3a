"""Moves as Japanese players write them: ``☗７六歩``, ``☖同　銀``, ``☗５八金右``, ``☗２二角成``, ``☖５五銀打``.

The form of a text::

    [MARK] (PLACE | 同) PIECE [打 | WORDS | （PLACE）] [成 | 不成 | ＝PIECE]

- The mark is ``☗`` for Black and ``☖`` for White. A place is a square, or, in a game without squares, a compass
  direction from the mover's own king (``北北東``, ``南西２``, ``北３東１``). ``同`` is where the move before ended.
- The piece is named as it stands before the move, a dropped one by the face it shows: by its kanji, or by its code
  where pieces share their kanji and the text would leave a doubt, or where kanji are none or look like another part of
  it. ``打`` marks a drop where a piece of that name on the board could go there too.
- The words (``右``, ``左``, ``直``, ``上``, ``寄``, ``引``) tell the piece from others of its name that could go there,
  to capture if the move captures, without a capture if it does not. Whether they could is asked of their movement
  alone: pinned pieces count, as other programs and printed games have it. Where no words can tell two pieces from each
  other, the start follows in parentheses.
- At the end stands what the move makes of the piece: ``成`` if it promotes to the one kind it can promote to, ``＝``
  and the kind if it becomes another by choice or by force, ``不成`` if it could have become another and does not. What
  it chose stands there instead where rules make the same of it whatever it chooses.

A turn of several landings or with shots has more than one place::

    [MARK] LANDING [・LANDING]... PIECE [WORDS | （PLACE）] [成 | 不成 | ＝PIECE] [射 PLACE...]

- Landings are written in order: ``６十五・７十六軍師``. Left out are those on the way that neither capture nor shoot,
  as in Hodges notation, unless only the whole way tells one move from another.
- ``射`` goes before the squares shot at, behind the landing they are shot from, those of the last landing at the end:
  ``８十一弓射８八``, ``６九射６八・６七五里霧射５六``.
- ``居`` is the start, come back to or never left: ``居力士`` changes nothing, ``居弓射８八`` shoots where it stands.
  ``居喰`` behind a square is a capture there and the way back: ``８八居喰力士``.

All of it follows from the legal moves of the position and the kanji of its pieces; no game is known here.
"""

from __future__ import annotations

from ...game.position import Position
from ...spec.board import Side, other
from ...spec.geometry import window_shift
from ...spec.move import Move
from ...spec.setup import Piece
from ...typed import typed
from .reading import find
from .scene import Scene
from .writing import text_of

MARKS: dict[Side, str] = {"b": "☗", "w": "☖"}


@typed
def last_square(position: Position) -> str | None:
    """The square, by its present name, on which the last move ended; ``None`` if there is none."""
    if not position.move_stack:
        return None
    move, board = position.move_stack[-1], position.variant.board
    right, down = window_shift(board, Piece(other(position.turn), move.piece or ""), move.target_point)
    return board.name(move.target_point + right + down * board.width)


@typed
def move_text(position: Position, move: Move, last: str | None) -> str:
    """The move without the mark of its side.

    Args:
        position: the position in which it is made.
        last: the square on which the move before ended, ``None`` if there was none; see :func:`last_square`.

    Example:
        >>> position = Position("shogi")
        >>> move_text(position, position.parse_move("6i5h"), None)
        '５八金左'

    Raises:
        IllegalMoveError: the move is not legal there.
        NotationError: it is a move of another game.
    """
    return text_of(Scene(position, last), position.parse_move(move.text))


@typed
def write(position: Position, move: Move) -> str:
    """The move with the mark of its side; ``position``, with its history, is the one it is made in.

    Example:
        >>> position = Position("shogi")
        >>> write(position, position.parse_move("7g7f"))
        '☗７六歩'

    Raises:
        IllegalMoveError: the move is not legal there.
        NotationError: it is a move of another game.
    """
    return MARKS[position.turn] + move_text(position, move, last_square(position))


@typed
def parse_move(position: Position, text: str, last: str | None) -> Move:
    """The one legal move of the position that fits the text, with or without the mark of its side.

    Read leniently: half-width and full-width digits and kanji for files and ranks, spaces or none, ``同`` with or
    without the square, other names of pieces (``竜``, ``王``, ``全``), words that need not be there if they are true,
    ``行`` and ``入`` for ``上``, a start square in parentheses, ``＝`` for ``成``. A piece of whose change nothing is
    said stays what it is if it can; without ``打`` a piece on the board goes before one in hand.

    Args:
        position: the position in which it is made.
        text: the move.
        last: the square on which the move before ended, ``None`` if there was none; see :func:`last_square`.

    Example:
        >>> str(parse_move(Position("shogi"), "▲58金右", None))
        '4i5h'

    Raises:
        NotationError: the text is no notation, names what does not exist, or fits several moves, which are listed.
        IllegalMoveError: no legal move fits; the message says why, and what would be legal.
    """
    return find(Scene(position, last), text)


@typed
def read(position: Position, text: str) -> Move:
    """The one legal move that fits the text, as :func:`parse_move`, with ``同`` after the position's own history.

    Example:
        >>> str(read(Position("shogi"), "☗７六歩"))
        '7g7f'

    Raises:
        NotationError: the text is no notation, names what does not exist, or fits several moves.
        IllegalMoveError: no legal move fits; the message says why, and what would be legal.
    """
    return parse_move(position, text, last_square(position))
