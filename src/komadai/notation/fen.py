"""Positions and moves as chess programs write them: FEN with hands in brackets, and coordinate moves (UCI, CECP).

A FEN is ``BOARD[HANDS] TURN 0 NUMBER``, for example ``3/3/3[KRBkrb] w 0 1``. The board field is that of position
strings (docs/rules/README.md), and so are the letters; what differs is around them:

- the first player, our Black, is ``w``; the second is ``b``;
- in hand each piece is written as often as it is held (``[PPp]``), ``[-]`` where both hands are empty;
- the number counts the first player's moves; half-moves since something or other are not counted and stand as ``0``.

A move is ``FROM TO`` or ``KIND@SQUARE``. Files are letters from the first player's left, ranks numbers from the first
player's side, so ``a1`` is the first player's lower left corner. ``+`` at the end turns the piece over; where the mover
has a choice of kinds its code follows in lower case (``e8d9s``). A turn of several landings and shots is a row of such
legs joined with commas, each beginning where the one before ended; a shot goes to its target and back
(``e5e6,e6e5``), or has a star, where a walk could go there and back too (``e5*e6``).

:class:`Fen` is the way of writing; its subclasses call squares or kinds otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, pairwise, product
from typing import NamedTuple

from ..errors import IllegalMoveError, NotationError
from ..game.position import Position
from ..spec.board import SIDES, Rect
from ..spec.geometry import movement_of
from ..spec.kinds import Kind
from ..spec.logic import is_compound
from ..spec.move import Move
from ..spec.numbers import whole_number
from ..spec.setup import Piece, Setup
from ..spec.sfen import code_text, parse, row_text
from ..spec.variant import CACHED_VARIANTS, Variant
from ..typed import typed
from .landings import chosen

_LONGEST = 400
_LAST_MOVE = 499_999
_TURNS = {"w": "b", "b": "w"}
_SQUARE = re.compile(r"([a-y])([1-9][0-9]?)")
_HAND = re.compile(r"\[[A-Za-z]+\]|[A-Za-z]['!]?")
_PIECE = r"\+?(?:\[[A-Za-z]+\]|[A-Za-z]+['!]?)"
_DROP = re.compile(rf"({_PIECE})[@*]([a-y][0-9]+)")
_TURN = re.compile(rf"([a-y][0-9]+\*?[a-y][0-9]+(?:,[a-y][0-9]+\*?[a-y][0-9]+)*)(=|\+|=?{_PIECE})?")
_LEG = re.compile(r"([a-y][0-9]+)(\*?)([a-y][0-9]+)")


@typed
def square_name(board: Rect, point: int) -> str:
    """The name of a square as in chess.

    Example:
        >>> square_name(Rect(9, 9), 0), square_name(Rect(9, 9), 80)
        ('a9', 'i1')
    """
    x, y = board.xy(point)
    return f"{chr(ord('a') + x)}{board.height - y}"


@typed
def parse_square(board: Rect, text: str) -> int:
    """The point of a square named as in chess.

    Raises:
        NotationError: the board has no such square.
    """
    found = _SQUARE.fullmatch(text)
    x, y = (ord(found[1]) - ord("a"), board.height - int(found[2])) if found else (-1, -1)
    if not (0 <= x < board.width and 0 <= y < board.height):
        first, last = square_name(board, len(board) - board.width), square_name(board, board.width - 1)
        raise NotationError(
            f"square {text[:12]!r}", [f"this board has none of that name; it goes from {first} to {last}"]
        )
    return y * board.width + x


class Leg(NamedTuple):
    """A leg of a move: where it begins and ends, and whether it is a shot, which comes back."""

    start: int
    end: int
    shoots: bool


class _Parts(NamedTuple):
    """The parts of the text of a move: the kind dropped, the squares in order, the suffix, and the legs."""

    drop: str | None
    squares: tuple[int, ...]
    suffix: str
    legs: tuple[Leg, ...] = ()


def _split_hands(text: str) -> tuple[str, str]:
    """Board and hands of a FEN's first field; the hands stand in the last brackets, which may hold others."""
    if not text.endswith("]"):
        return text, "-"
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += {"]": 1, "[": -1}.get(text[at], 0)
        if not depth:
            return text[:at], text[at + 1 : -1] or "-"
    return text, "-"


class Fen:
    """A way to write positions and moves of a variant for chess programs.

    Attributes:
        variant: the variant.
    """

    def __init__(self, variant: Variant) -> None:
        self.variant = variant

    # --- Names, which subclasses may change ---

    def square(self, point: int) -> str:
        """The name of a point."""
        return square_name(self.variant.board, point)

    def point(self, name: str) -> int:
        """The point of that name.

        Raises:
            NotationError: there is none.
        """
        return parse_square(self.variant.board, name)

    def kind(self, code: str) -> str:
        """The text for a kind in moves."""
        return code

    def code(self, text: str) -> str | None:
        """The code of a kind written so, in any case, in brackets or not; ``None`` if there is none."""
        code = text.upper().replace("[", "").replace("]", "")
        return code if any(kind.code == code for kind in self.variant.kinds) else None

    def piece(self, piece: Piece) -> str:
        """The text for a piece in a FEN."""
        return code_text(piece.code, piece.side)

    def position_token(self, text: str) -> str:
        """The text of a position string for a piece of a FEN."""
        return text

    def suffix(self, position: Position, move: Move) -> str:
        """The suffix of a move: the kind that the piece becomes."""
        return self.choice_text(move)

    def choice_text(self, move: Move) -> str:
        """The suffix for what the mover chose."""
        said = chosen(move)
        return self.kind(said[1:]).lower() if said[:1] == "=" else said

    # --- Positions ---

    def write(self, position: Position) -> str:
        """The FEN of a position."""
        setup = position.setup()
        return f"{self.board_text(setup.board)}[{self._hands(setup)}] {_TURNS[setup.turn]} 0 {(setup.ply + 1) // 2}"

    def board_text(self, board: Sequence[Piece | None]) -> str:
        """The board of a FEN."""
        width = self.variant.board.width
        return "/".join(row_text(board[start : start + width], self.piece) for start in range(0, len(board), width))

    def _hands(self, setup: Setup) -> str:
        order = self.variant.hand_order
        return (
            "".join(
                self.piece(Piece(side, code)) * count
                for side, hand in zip(SIDES, setup.hands, strict=True)
                for code, count in zip(order, hand, strict=True)
            )
            or "-"
        )

    def read(self, text: str) -> Setup:
        """The position that a FEN tells. Fields after the turn may be left out, and ``-`` may stand among them.

        Raises:
            NotationError: it is none; every defect at once.
        """
        fields = text.split()
        defects: list[str] = []
        if not 2 <= len(fields) <= 6 or len(text) > 10 * _LONGEST:
            shown = text if len(text) <= 80 else text[:77] + "..."
            model = self.write(Position(self.variant))
            raise NotationError(
                f"FEN {shown!r}", [f"has {len(fields)} fields; expected BOARD[HANDS] TURN 0 NUMBER, as in {model!r}"]
            )
        if fields[1] not in _TURNS:
            defects.append(f"turn: {fields[1][:12]!r} is none; expected w (who begins) or b")
        numbers = [whole_number(field, 0, _LAST_MOVE) for field in fields[2:] if field != "-"]
        if None in numbers or len(numbers) > 2:
            defects.append(f"after the turn: expected '0 NUMBER', found {' '.join(fields[2:])[:40]!r}")
        board, hands = _split_hands(fields[0])
        counted = self._counted(hands, defects)
        ply = 2 * max((numbers or [1])[-1] or 1, 1) - (fields[1] == "w")
        try:
            setup = parse(self.variant, f"{self.board_field(board)} {_TURNS.get(fields[1], 'b')} {counted} {ply}")
        except NotationError as error:
            defects += error.defects
        if defects:
            raise NotationError(f"FEN {text[:80]!r}", defects)
        return setup

    def board_field(self, text: str) -> str:
        """The board field of a position string, from that of a FEN."""
        return text.replace("~", "")

    def _counted(self, text: str, defects: list[str]) -> str:
        """The hands field of a position string, from the pieces in a FEN's brackets."""
        held: dict[str, int] = {}
        at = 0
        while at < len(text) and text != "-":
            token = _HAND.match(text, at)
            if token is None:
                defects.append(f"hands: cannot read {text[at : at + 12]!r}; expected piece codes, or - for none")
                break
            at = token.end()
            piece = self.position_token(token[0])
            held[piece] = held.get(piece, 0) + 1
        return "".join(f"{count}{piece}" for piece, count in held.items()) or "-"

    # --- Moves ---

    def write_move(self, position: Position, move: Move) -> str:
        """The text of a legal move of the position."""
        if move.origin_point is None:
            return f"{self.kind(move.piece or '')}@{self.square(move.target_point)}"
        text = self.legs(move) + self.suffix(position, move)
        if is_compound(self.variant) and self._doubtful(position, move):
            legal = position.legal_moves()
            for legs, suffix in product((self.legs(move), self._full_legs(move)), (self.suffix, self._choice)):
                text = legs + suffix(position, move)
                if self._fitting(position, legal, self._parts(text)) == [move]:
                    break
        return text

    def _doubtful(self, position: Position, move: Move) -> bool:
        """True if another move might have the same usual text."""
        piece = None if move.origin_point is None else position.board[move.origin_point]
        changed = piece is not None and move.piece not in (None, piece.code)
        return any(landing.shots for landing in move.way) or (changed and not chosen(move))

    def _choice(self, _position: Position, move: Move) -> str:
        return self.choice_text(move) or "="

    def legs(self, move: Move) -> str:
        """The legs of a move that is no drop, joined with commas."""
        squares = [self.square(point) for point in path_of(move)]
        return ",".join(map("".join, pairwise(squares)))

    def _full_legs(self, move: Move) -> str:
        """The same with a star for each shot."""
        return ",".join(f"{self.square(leg.start)}{'*' * leg.shoots}{self.square(leg.end)}" for leg in legs_of(move))

    def read_move(self, position: Position, text: str) -> Move:
        """The legal move that the text names; ``=`` at the end says that the piece does not turn over.

        Raises:
            NotationError: it is no move.
            IllegalMoveError: it is not legal here; the message says why.
        """
        parts = self._parts(text)
        legal = position.legal_moves()
        fitting = self._fitting(position, legal, parts)
        if len(fitting) != 1:
            raise IllegalMoveError(self._fault(position, text, parts))
        return fitting[0]

    def _fitting(self, position: Position, legal: Iterable[Move], parts: _Parts) -> list[Move]:
        """The moves that fit best."""
        start, end = parts.squares[0], parts.squares[-1]
        if parts.drop is not None:
            return [move for move in legal if move.is_drop and (move.piece, move.target_point) == (parts.drop, start)]
        piece = position.board[start]
        code = f"+{piece.code}" if piece and parts.suffix == "+" else parts.suffix.removeprefix("=")
        said = "" if not code else "+" if piece and code == f"+{piece.code}" else f"={code}"
        fitting = [
            move
            for move in legal
            if (move.origin_point, move.target_point) == (start, end) and path_of(move) == parts.squares
            if chosen(move) == said or (said and move.piece == code)
        ]
        fitting = [move for move in fitting if legs_of(move) == parts.legs] or fitting
        return [move for move in fitting if chosen(move) == said] or fitting

    def _parts(self, text: str) -> _Parts:
        """Take the text of a move apart.

        Raises:
            NotationError: it is no move.
        """
        shown = text if len(text) <= 40 else text[:37] + "..."
        if len(text) <= _LONGEST:
            if drop := _DROP.fullmatch(text):
                return _Parts(self._kind_of(drop[1], shown), (self.point(drop[2]),), "")
            if turn := _TURN.fullmatch(text):
                legs = tuple(
                    Leg(self.point(start), self.point(end), bool(star)) for start, star, end in _LEG.findall(turn[1])
                )
                if any(after.start != (leg.start if leg.shoots else leg.end) for leg, after in pairwise(legs)):
                    raise NotationError(f"move {shown!r}", ["each leg must begin where the one before ended"])
                suffix = turn[2] or ""
                result = suffix if suffix in ("", "=", "+") else self._kind_of(suffix.removeprefix("="), shown)
                return _Parts(None, _squares(legs), result, legs)
        raise NotationError(
            f"move {shown!r}", ["is no move; expected FROM TO, KIND@SQUARE, or legs joined with commas"]
        )

    def _kind_of(self, text: str, shown: str) -> str:
        code = self.code(text)
        if code is None:
            codes = " ".join(self.kind(kind.code) for kind in self.variant.kinds)
            raise NotationError(
                f"move {shown!r}", [f"{self.variant.id} has no piece {text[:12]!r}; its pieces are {codes}"]
            )
        return code

    def _fault(self, position: Position, text: str, parts: _Parts) -> str:
        """The reason why no legal move fits, with squares named as here."""
        board = self.variant.board
        piece = None if parts.drop else position.board[parts.squares[0]]
        if parts.drop is not None:
            string = f"{parts.drop}*{board.name(parts.squares[0])}"
        else:
            kind = self.variant.kind(piece.code) if piece else None
            before, after = piece.code if piece else "", parts.suffix.removeprefix("=")
            turned = "" if after in ("", before) else "+" if after in ("+", f"+{before}") else f"={after}"
            string = _house_string(self.variant, kind, parts.squares) + turned
        reason = position.explain(string)
        if reason == f"{string} is legal":  # then only what is said of the piece's kind is wrong
            return f"{text} is not legal: the piece cannot end as that"
        reason = reason.removeprefix(f"{string} is not legal: ")
        return f"{text} is not legal: {_HOUSE.sub(lambda found: self._renamed(found[0]), reason)}"

    def _renamed(self, text: str) -> str:
        """A square or the squares of a move string, as they are written here."""
        points = [(star, self.variant.board.find(name)) for star, name in _HOUSE_ITEM.findall(text)]
        path: list[int] = []
        for star, point in points:
            if point is None:
                return text
            path += [point, path[-1]] if star and path else [point]
        return ",".join(map("".join, pairwise(map(self.square, path)))) or self.square(path[0])


_HOUSE = re.compile(r"(?<![\w*])[1-9][0-9]?[a-y](?:\*?[1-9][0-9]?[a-y])*(?!\w)")
_HOUSE_ITEM = re.compile(r"(\*?)([1-9][0-9]?[a-y])")


@typed
def legs_of(move: Move) -> tuple[Leg, ...]:
    """The legs of a move that is no drop."""
    legs, at = list[Leg](), move.origin_point or 0
    for point, shots in move.way:
        if not (shots and point == at):  # it shoots where it stands
            legs.append(Leg(at, point, False))
        legs += (Leg(point, shot, True) for shot in shots)
        at = point
    return tuple(legs)


@typed
def path_of(move: Move) -> tuple[int, ...]:
    """The points a move's legs go through, its start and the ways of its shots there and back included.

    A drop has its target alone.
    """
    return (move.target_point,) if move.origin_point is None else _squares(legs_of(move))


def _squares(legs: Sequence[Leg]) -> tuple[int, ...]:
    ends = ((leg.end, leg.start) if leg.shoots else (leg.end,) for leg in legs)
    return (*(leg.start for leg in legs[:1]), *chain.from_iterable(ends))


def _house_string(variant: Variant, kind: Kind | None, squares: tuple[int, ...]) -> str:
    """The move string of the same legs; a leg to where the kind may shoot, and back, is taken for a shot."""
    shot = movement_of(kind).shot if kind else None
    name, board = variant.board.name, variant.board
    text, at = name(squares[0]), 0
    while at + 1 < len(squares):
        here, there = squares[at : at + 2]
        back = squares[at + 2 : at + 3] == (here,)
        if shot and back and board.distance(here, there) <= shot.reach and (at or shot.standing != "never"):
            text, at = f"{text}*{name(there)}", at + 2
        else:
            text, at = text + name(there), at + 1
    return text


@lru_cache(maxsize=CACHED_VARIANTS)
def _of(variant: Variant) -> Fen:
    return Fen(variant)


@typed
def fen(position: Position) -> str:
    """The FEN of a position.

    Example:
        >>> fen(Position("nana"))
        '3/3/3[KRBkrb] w 0 1'
    """
    return _of(position.variant).write(position)


@typed
def parse_fen(variant: Variant, text: str) -> Setup:
    """The position that a FEN of the variant tells; what follows the turn may be left out.

    Raises:
        NotationError: it is no FEN; every defect at once.
    """
    return _of(variant).read(text)


@typed
def move_text(position: Position, move: Move) -> str:
    """The text of a legal move of the position.

    Example:
        >>> position = Position("shogi")
        >>> move_text(position, position.parse_move("7g7f"))
        'c3c4'
    """
    return _of(position.variant).write_move(position, move)


@typed
def parse_move(position: Position, text: str) -> Move:
    """The legal move that the text names; ``=`` at the end says that the piece does not turn over.

    Raises:
        NotationError: it is no move.
        IllegalMoveError: it is not legal here; the message says why.
    """
    return _of(position.variant).read_move(position, text)


read, write = parse_move, move_text  # as other notations call them
