"""A variant as XBoard shows it: single letters for kinds, a torus for an unbounded field, and the set-up commands.

XBoard draws boards of up to 12 files with pieces in hand and of up to 16 without. A field without edges is shown on a
torus on which what lies off one edge comes in at the other: all pieces keep close together, so no two of their places
ever fall on one square, and squares keep their names while the window of the position string moves along.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import copy
from functools import lru_cache
from string import ascii_uppercase

from ..errors import NotationError
from ..game.position import Position
from ..spec.betza import betza_text
from ..spec.board import Unbounded
from ..spec.geometry import movement_of, window_shift
from ..spec.move import Move
from ..spec.promotion import faces
from ..spec.setup import Piece
from ..spec.sfen import code_text, row_text
from ..spec.variant import CACHED_VARIANTS, Variant
from .fen import Fen, path_of

MOST_FILES = 12  # the widest board that XBoard draws with hands
MOST_FILES_BARE = 16
_LEAST_TABLE = 6  # entries for each side
_LONGEST_LINE = 24  # moves; XBoard has room for 500 characters
_SUFFIXES = ("", "'", "!")  # XBoard's own suffixes for more kinds than there are letters
_LETTERS = ascii_uppercase.replace("X", "")  # x at the end of a move means nothing to XBoard
_CELL = re.compile(r"\+?(?:\[[A-Za-z]+\]|[A-Za-z]['!]?)|[0-9]+|[^/]")
_SQUARE = re.compile(r"([a-y])([0-9]{1,2})")


def _joined(cells: Sequence[str]) -> str:
    """A row of cells, of which each empty one is a ``1``, with runs of these counted."""
    return re.sub("1+", lambda run: str(len(run[0])), "".join(cells))


@lru_cache(maxsize=CACHED_VARIANTS)
def letters(variant: Variant) -> Mapping[str, str]:
    """A letter for each kind's code; a promoted kind has ``+`` and the letter of its base kind.

    A one-letter code keeps its letter; others take the first free letter of their code or name, or any. Where there are
    more kinds than signs the rest keep their codes.

    Example:
        >>> import komadai
        >>> [f"{code} {letter}" for code, letter in letters(komadai.variant("nana")).items() if code != letter]
        ['SW S', 'GB G', 'TG T', 'CS A']
    """
    codes = [kind.code for kind in variant.kinds]
    turned = {code for code in codes if code[0] == "+" and code[1:] in codes}
    base = [code for code in codes if code not in turned]
    free = [letter + mark for mark in _SUFFIXES for letter in _LETTERS]
    chosen = {code: code for code in base if code in free}
    for code in base:
        if code not in chosen:
            wanted = code + variant.kind(code).name.upper()
            unused = [letter for letter in free if letter not in chosen.values()]
            chosen[code] = next((letter for letter in (*wanted, *unused) if letter in unused), code)
    return {code: f"+{chosen[code[1:]]}" if code in turned else chosen[code] for code in codes}


class XboardView(Fen):
    """The XBoard view of a variant.

    Attributes:
        files, ranks: the size of the board that XBoard draws.
    """

    def __init__(self, variant: Variant) -> None:
        super().__init__(variant)
        self._letters = letters(variant)
        self._codes = {letter: code for code, letter in self._letters.items()}
        board = variant.board
        self._wraps = isinstance(board, Unbounded)
        self.files, self.ranks = (
            max(size, MOST_FILES) if self._wraps else size for size in (board.width, board.height)
        )
        self.restart()

    @property
    def showable(self) -> bool:
        """True if XBoard can draw the board, and has signs enough for the pieces."""
        signs = all(len(letter.strip("+'!")) == 1 for letter in self._letters.values())
        return signs and max(self.files, self.ranks) <= (MOST_FILES if self.variant.hand_order else MOST_FILES_BARE)

    # --- The window of the position string on the torus ---

    def restart(self) -> None:
        """Before the first move of a game from its start."""
        board = self.variant.board
        self._shift = (self.files - board.width) // 2, (self.ranks - board.height) // 2
        self._shifts: list[tuple[int, int]] = []

    def follow(self, position: Position, move: Move) -> None:
        """A move is about to be made in the position."""
        self._shifts.append(self._shift)
        piece = move.piece and Piece(position.turn, move.piece)
        if piece:
            right, down = window_shift(self.variant.board, piece, move.target_point)
            self._shift = self._shift[0] - right, self._shift[1] - down

    @property
    def made(self) -> int:
        """The number of moves made."""
        return len(self._shifts)

    def back(self) -> None:
        """The last move that was followed is taken back."""
        self._shift = self._shifts.pop()

    def twin(self) -> XboardView:
        """A view of its own of the same place."""
        twin = copy(self)
        twin._shifts = list(self._shifts)
        return twin

    def _cell(self, point: int) -> tuple[int, int]:
        """Column and row of a point, from 0 and from the top left."""
        x, y = self.variant.board.xy(point)
        return (x + self._shift[0]) % self.files, (y + self._shift[1]) % self.ranks

    # --- Names ---

    def square(self, point: int) -> str:
        column, row = self._cell(point)
        return f"{chr(ord('a') + column)}{self.ranks - row - self._from_zero}"

    @property
    def _from_zero(self) -> int:
        """XBoard counts ten ranks from 0; it draws as many as kinds in hand need."""
        return int(max(self.ranks, len(self.variant.hand_order)) == 10)

    def point(self, name: str) -> int:
        found, board = _SQUARE.fullmatch(name), self.variant.board
        if found:
            column, row = ord(found[1]) - ord("a"), self.ranks - int(found[2]) - self._from_zero
            x, y = (column - self._shift[0]) % self.files, (row - self._shift[1]) % self.ranks
            if column < self.files and 0 <= row < self.ranks and x < board.width and y < board.height:
                return y * board.width + x
        raise NotationError(f"square {name[:12]!r}", ["there is none of that name, or nothing can ever stand there"])

    def kind(self, code: str) -> str:
        return self._letters[code]

    def code(self, text: str) -> str | None:
        return self._codes.get(text.upper())

    def piece(self, piece: Piece) -> str:
        letter = self._letters[piece.code]
        return letter if piece.side == "b" else letter.lower()

    def position_token(self, text: str) -> str:
        code = self.code(text)
        return code_text(code, "b" if text.isupper() else "w") if code else text

    def suffix(self, position: Position, move: Move) -> str:
        """Whatever the piece becomes, since XBoard does not know the rules by which it does."""
        before = position.board[move.origin_point] if move.origin_point is not None else None
        if before is None or move.piece == before.code:
            return ""
        if move.piece is None:
            return self.choice_text(move)
        return "+" if move.piece == f"+{before.code}" else self.kind(move.piece or "").lower()

    def steps(self, position: Position, move: Move) -> list[str]:
        """The move as the lines that tell it, one for each leg; those that others follow end with a comma."""
        *legs, last = self.write_move(position, move).split(",")
        return [*(f"{leg}," for leg in legs), last]

    def line(self, position: Position, moves: Sequence[Move]) -> str:
        """Moves that follow each other, not too many of them."""
        position, view, texts = position.copy(), self.twin(), []
        for move in moves[:_LONGEST_LINE]:
            texts.append(view.write_move(position, move))
            view.follow(position, move)
            position.push(move)
        return " ".join(texts)

    # --- Positions ---

    def board_text(self, board: Sequence[Piece | None]) -> str:
        rows: list[list[Piece | None]] = [[None] * self.files for _ in range(self.ranks)]
        for point, piece in enumerate(board):
            if piece:
                column, row = self._cell(point)
                rows[row][column] = piece
        return "/".join(row_text(tuple(row), self.piece) for row in rows)

    def board_field(self, text: str) -> str:
        rows = [self._cells(row) for row in super().board_field(text).split("/")]
        if self._wraps:
            rows = self._windowed(rows)
        return "/".join(map(_joined, rows))

    def _cells(self, row: str) -> list[str]:
        """The cells of a row as a position string writes them, a ``1`` for each that is empty."""
        cells: list[str] = []
        for token in _CELL.findall(row[: 8 * self.files]):
            cells += ["1"] * min(int(token[:3]), 2 * self.files) if token.isdigit() else [self.position_token(token)]
        return cells

    def _windowed(self, rows: list[list[str]]) -> list[list[str]]:
        """The part of the torus that a position string shows, which the anchor is in the middle of; found from there.

        Raises:
            NotationError: the number or length of the ranks is wrong, or a piece lies outside.
        """
        board = self.variant.board
        assert isinstance(board, Unbounded)
        if [len(row) for row in rows] != [self.files] * self.ranks:
            raise NotationError("board", [f"expected {self.ranks} ranks of {self.files} squares each"])
        self.restart()
        places = {token: (x, y) for y, row in enumerate(rows) for x, token in enumerate(row) if token != "1"}
        if anchor := places.get(board.anchor):
            middle = board.xy(board.middle)
            self._shift = anchor[0] - middle[0], anchor[1] - middle[1]
        window = [["1"] * board.width for _ in range(board.height)]
        for point in board.points:
            (x, y), (column, row) = board.xy(point), self._cell(point)
            window[y][x] = rows[row][column]
        if sum(cell != "1" for row in window for cell in row) != sum(cell != "1" for row in rows for cell in row):
            raise NotationError("board", [f"a piece stands too far from {board.anchor}"])
        return window

    # --- Set-up commands ---

    def setup(self) -> list[str]:
        """The lines that tell XBoard the board, its pieces and how they move; only so far as Betza can say that."""
        order, royal = self.variant.hand_order, [kind.code for kind in self.variant.kinds if kind.royal]
        # Only kinds in the first places can be held in hand. The first of all would promote like a
        # pawn, and the last is the king's.
        last = next((code for code in royal if code not in order), None)
        others = [kind.code for kind in self.variant.kinds if kind.code not in (*order, last)]
        entries = [".", *(self._letters[code].replace("+", "^") for code in (*order, *others))]
        entries += ["."] * (_LEAST_TABLE - 1 - len(entries))
        table = "".join([*entries, self._letters[last] if last else "."])
        parent = "fairy" if not order else "crazyhouse" if self._keeps_letters else "bughouse"
        size = f"{self.files}x{self.ranks}+{len(order)}_{parent}"
        start = self.twin()
        start.restart()
        lines = [f"setup ({table}{table.lower()}) {size} {start.write(Position(self.variant))}"]
        for kind in self.variant.kinds:
            moves = betza_text(movement_of(kind))
            if moves and not kind.cannot_capture:
                lines.append(f"piece {self._letters[kind.code]}& {moves}")
        return lines

    @property
    def _keeps_letters(self) -> bool:
        """True if a captured piece can be dropped again by its own letter, and by no other.

        Otherwise XBoard would refuse legal drops, unless it believes that hands are filled by other means.
        """
        order = self.variant.hand_order
        taken = {kind.code: kind.becomes.captured for kind in self.variant.kinds if not kind.royal}
        return all(held == code.removeprefix("+") for code, held in taken.items()) and all(
            faces(self.variant, code) == (code,) for code in order
        )

    def highlight(self, position: Position, path: Sequence[int]) -> str | None:
        """The targets of the piece lifted at the path's start and moved along it, as colours.

        Yellow: it may go there; red: it captures there; magenta: the mover chooses what it becomes; blue: it becomes
        something; cyan: the move continues from there. ``None``: nowhere.
        """
        colours: dict[int, str] = {}
        for point, moves in self._onward(position, path).items():
            whole = [move for move in moves if len(path_of(move)) == len(path) + 1]
            before = position.board[path[0]]
            kinds = {move.piece for move in whole}
            captures = position.board[point] is not None and point not in path
            changes = any(kind not in (None, before and before.code) for kind in kinds)
            colours[point] = (
                "C" if not whole else "M" if len(kinds) > 1 else "B" if changes else "R" if captures else "Y"
            )
        if not colours:
            return None
        rows = [["1"] * self.files for _ in range(self.ranks)]
        for point, colour in colours.items():
            column, row = self._cell(point)
            rows[row][column] = colour
        return "/".join(map(_joined, rows))

    def choice(self, position: Position, path: Sequence[int]) -> str | None:
        """The letters of what the piece may become at the path's end, in the variant's order; ``None`` if nothing."""
        before = position.board[path[0]]
        kinds = {
            move.piece
            for move in position.legal_moves()
            if move.origin_point is not None and path_of(move) == tuple(path)
        }
        if not kinds - {None, before and before.code}:
            return None
        found = [self._letters[kind.code] for kind in self.variant.kinds if kind.code in kinds]
        return None if any("+" in letter for letter in found) else "".join(found)

    @staticmethod
    def _onward(position: Position, path: Sequence[int]) -> dict[int, list[Move]]:
        """By the next point: the legal moves that begin with the path."""
        found: dict[int, list[Move]] = {}
        for move in position.legal_moves():
            points = path_of(move)
            if move.origin_point is not None and len(points) > len(path) and points[: len(path)] == tuple(path):
                found.setdefault(points[len(path)], []).append(move)
        return found
