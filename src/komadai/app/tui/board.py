"""The board in the terminal: a cell of three or four columns for each point, and a cursor that keys and mouse move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ...game.position import Position
from ...spec.board import Side, Unbounded
from ...spec.geometry import window_shift
from ...spec.move import Move
from ...spec.names import one_kanji
from ...spec.setup import Piece
from .glyphs import letters
from .marks import Mark

TIGHT, ROOMY = 3, 4
"""Columns of a cell: a tight one has no column for marks, which stand in that of the sign of the side."""
_LABEL = 2  # columns for the ranks' letters
_MARGIN = 1  # points shown around what matters on a field without edges
_LEAST = 7  # points shown each way of such a field

_WOOD = "#c09a5f"
_POINT = Style(color="#4a3212", bgcolor=_WOOD)
_PIECES = {
    "b": Style(color="#ffffff", bgcolor="#20242c", bold=True),
    "w": Style(color="#181410", bgcolor="#f6ecd6"),
}
_TONES = {
    "aim": Style(color="#ffffff", bgcolor="#0b5a2a", bold=True),
    "own": Style(color="#ffffff", bgcolor="#1d4f91", bold=True),
    "alarm": Style(color="#ffffff", bgcolor="#a3161f", bold=True),
    "past": Style(color="#4a3212", bgcolor="#e3c489"),
}
_EMPTY = _TONES | {"aim": Style(color="#04340f", bgcolor=_WOOD, bold=True)}  # on points where nothing stands
_CURSOR = Style(color="#ffe14d", bgcolor="#101010", bold=True, reverse=True)
_TURNED = Style(underline=True)
_EDGE = Style(dim=True)


class Board(ScrollView, can_focus=True):
    """A board that shows a position and tells which square is looked at and which is chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step(0, -1)", "Up", show=False),
        Binding("down", "step(0, 1)", "Down", show=False),
        Binding("left", "step(-1, 0)", "Left", show=False),
        Binding("right", "step(1, 0)", "Right", show=False),
        Binding("enter,space", "choose", "Choose", show=False),
    ]

    class Looked(Message):
        """Posted when the cursor enters a square."""

        def __init__(self, square: str) -> None:
            self.square = square
            super().__init__()

    class Chosen(Looked):
        """A square has been chosen, by Enter or by the mouse."""

    class Undone(Message):
        """The other button of the mouse."""

    def __init__(self, position: Position, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.position = position
        self._pieces: Sequence[Piece | None] = position.board
        self._kinds = {kind.code: kind for kind in position.variant.kinds}
        self.flipped = False
        self.letters = False
        self.cell, self.high = ROOMY, 1
        self.cursor = position.variant.board.name(len(position.variant.board) // 2)
        self._marks: Mapping[int, Mark] = {}
        self._columns, self._rows = range(0), range(0)
        self._crop()

    # --- What is shown ---

    def show(self, position: Position, pieces: Sequence[Piece | None], marks: Mapping[int, Mark]) -> None:
        """Show a position, the pieces as they stand in the middle of a move, and what is marked."""
        self.position, self._pieces, self._marks = position, pieces, marks
        self._crop()
        self.refresh()

    def _crop(self) -> None:
        """Which columns and rows of the board are shown: all, but of a field without edges only what matters."""
        board = self.position.variant.board
        self._columns, self._rows = range(board.width), range(board.height)
        if isinstance(board, Unbounded):
            points = {point for point, piece in enumerate(self._pieces) if piece} | {board.middle}
            points |= {move.target_point for move in self.position.legal_moves()} | set(self._marks)
            spots = [board.xy(point) for point in points]
            self._columns = _around([x for x, _ in spots], board.width)
            self._rows = _around([y for _, y in spots], board.height)
            x, y = board.xy(board.find(self.cursor) or board.middle)
            x, y = (min(max(at, shown[0]), shown[-1]) for at, shown in ((x, self._columns), (y, self._rows)))
            self.cursor = board.name(y * board.width + x)
        self.virtual_size = self.whole

    @property
    def whole(self) -> Size:
        """Columns and lines that all that is shown takes."""
        return self.size_with(self.cell, self.high)

    def size_with(self, cell: int, high: int = 1) -> Size:
        """Columns and lines with cells so wide and high."""
        edge = not isinstance(self.position.variant.board, Unbounded)
        return Size(len(self._columns) * cell + _LABEL * edge, len(self._rows) * high + edge)

    def space(self, cell: int, high: int) -> None:
        """Make cells so wide, and one line high or two."""
        self.cell, self.high = cell, high
        self.virtual_size = self.whole
        self.refresh()

    # --- Drawing ---

    def render_line(self, y: int) -> Strip:
        """One line of what is in view."""
        left, top = self.scroll_offset
        return Strip(self._line(y + top)).simplify().crop(left, left + self.size.width)

    def _line(self, line: int) -> list[Segment]:
        board = self.position.variant.board
        labelled = not isinstance(board, Unbounded)
        columns, rows = self._across, self._down
        if labelled:
            line -= 1
        if line < 0:
            return [Segment(f"{board.width - x:>{self.cell - 1}} ", _EDGE) for x in columns]
        if line >= len(rows) * self.high:
            return []
        if line % self.high:
            return [Segment(" " * self.cell * len(columns), _POINT)]
        y = rows[line // self.high]
        cells = [segment for x in columns for segment in self._cell(y * board.width + x)]
        return [*cells, Segment(f" {chr(ord('a') + y)}", _EDGE)] if labelled else cells

    @property
    def _across(self) -> range:
        return self._columns[::-1] if self.flipped else self._columns

    @property
    def _down(self) -> range:
        return self._rows[::-1] if self.flipped else self._rows

    def _cell(self, point: int) -> list[Segment]:
        piece, mark = self._pieces[point], self._marks.get(point)
        text, style = self._face(piece) if piece else ("", _POINT)
        if self.cursor == self.position.variant.board.name(point):
            style = _CURSOR + Style(underline=style.underline)
        shown = style.reverse  # the cursor covers the whole cell
        tone = style if mark is None or shown else (_TONES if piece else _EMPTY)[mark.tone]
        ground = style if shown else _POINT
        room = self.cell == ROOMY
        if piece is None:
            dot = Segment("." if mark is None else mark.sign, tone)
            return [Segment(" ", ground), dot, Segment(" " * (1 + room), ground)]
        sign, end = Segment(text[0], ground), Segment(" " * room, ground)
        if mark is not None and room:
            end = Segment(mark.sign, tone)
        elif mark is not None:
            sign = Segment(mark.sign, tone)
        return [sign, Segment(text[1:], style), end]

    def _face(self, piece: Piece) -> tuple[str, Style]:
        """The three columns that stand for a piece: the sign of its side or of being turned over, and what it bears."""
        variant, kind = self.position.variant, self._kinds[piece.code]
        style = _PIECES[piece.side] + (_TURNED if piece.code.startswith("+") else Style())
        if self.letters:
            return letters(variant, kind, piece.side), style
        down = (piece.side == "w") != self.flipped
        return f"{'v' if down else ' '}{one_kanji(kind, piece.side)}", style

    # --- The cursor ---

    def put(self, square: str) -> None:
        """Move the cursor to a square, into view."""
        board = self.position.variant.board
        point = board.find(square)
        if point is None:
            return
        self.cursor = square
        x, y = board.xy(point)
        if x in self._across and y in self._down:
            edge, row = not isinstance(board, Unbounded), self._down.index(y)
            top = row * self.high + edge if row else 0  # the first brings the files' numbers into view
            where = Region(self._across.index(x) * self.cell, top, self.cell, 1 + edge * (not row))
            self.scroll_to_region(where, animate=False, force=True, immediate=True)
        self.refresh()

    def follow(self, move: Move, side: Side) -> None:
        """Keep the cursor on its point if the move of a side has moved the window of a field without edges."""
        board = self.position.variant.board
        right, down = window_shift(board, Piece(side, move.piece or ""), move.target_point)
        point = board.step(board.find(self.cursor) or 0, (right, -down), "b")
        if point is not None:
            self.cursor = board.name(point)

    def action_step(self, right: int, down: int) -> None:
        """Move the cursor by a step, as seen on the screen."""
        board = self.position.variant.board
        x, y = board.xy(board.find(self.cursor) or 0)
        sign = -1 if self.flipped else 1
        x = min(max(x + right * sign, self._columns[0]), self._columns[-1])
        y = min(max(y + down * sign, self._rows[0]), self._rows[-1])
        self.look(board.name(y * board.width + x))

    def look(self, square: str) -> None:
        """Move the cursor and tell."""
        self.put(square)
        self.post_message(self.Looked(square))

    def action_choose(self) -> None:
        """Choose the square under the cursor."""
        self.post_message(self.Chosen(self.cursor))

    def on_resize(self) -> None:
        """Keep the cursor in view."""
        self.put(self.cursor)

    def on_click(self, event: events.Click) -> None:
        """Choose the square that has been clicked."""
        if event.button != 1:
            self.post_message(self.Undone())
            return
        board = self.position.variant.board
        column = (event.x + self.scroll_offset.x) // self.cell
        row = (event.y + self.scroll_offset.y - (not isinstance(board, Unbounded))) // self.high
        if 0 <= column < len(self._across) and 0 <= row < len(self._down):
            self.look(board.name(self._down[row] * board.width + self._across[column]))
            self.action_choose()


def _around(found: list[int], size: int) -> range:
    """All of a board's columns or rows that matter, with a margin and never few."""
    first, last = min(found) - _MARGIN, max(found) + _MARGIN
    short = max(0, _LEAST - (last - first + 1))
    first, last = first - short // 2, last + (short + 1) // 2
    return range(max(first, 0), min(last + 1, size))
