"""The board under the pieces: squares, crossing lines or dots; coordinates; marks of the last move."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ..game.position import Position
from ..spec.board import Rect, Side, Unbounded
from ..spec.geometry import window_shift
from ..spec.move import Move
from ..spec.setup import Piece
from ..spec.variant import Variant
from ..view.board_marks import no_drops, zone_marks
from .svg import element, writing

CELL = 100
_ROW = 108  # the height of a row of five-sided pieces
_LABEL = 21  # size of the coordinates on a board of nine files or more
_LARGE = 13  # files or ranks from which on coordinates are larger, and boards of stones have stars
_RIM = 10
_LEAST = 7  # files and ranks of a field that are shown at least
_ROUND = 2  # points of a field that are shown round the pieces
_SHORT = 20  # how far from the middle of a point arrows end

Spot = tuple[float, float]


@dataclass(frozen=True)
class View:
    """The part of a board that is drawn: columns and rows as half-open ranges, and the side shown below."""

    variant: Variant
    columns: tuple[int, int]
    rows: tuple[int, int]
    below: Side
    labelled: bool

    @cached_property
    def row(self) -> int:
        """The height of a row."""
        return _ROW if self.variant.look == "squares" else CELL

    @property
    def width(self) -> int:
        return (self.columns[1] - self.columns[0]) * CELL

    @property
    def height(self) -> int:
        return (self.rows[1] - self.rows[0]) * self.row

    @property
    def label(self) -> float:
        """The size of the coordinates; 0 where there are none."""
        board = self.variant.board
        if not self.labelled or isinstance(board, Unbounded):
            return 0
        return _LABEL * (1.8 if max(board.width, board.height) >= _LARGE else min(1, 0.35 + board.width * 0.075))

    @property
    def margins(self) -> tuple[float, float]:
        """The margins of the wood around the board: above and right, then the other sides."""
        rim = self.label * 0.85 if self.label else _RIM
        return rim + self.label * 0.85, rim

    def centre(self, x: float, y: float) -> Spot:
        """The middle of the point in a column and a row."""
        across, down = x - self.columns[0] + 0.5, y - self.rows[0] + 0.5
        if self.below == "w":
            across, down = self.columns[1] - self.columns[0] - across, self.rows[1] - self.rows[0] - down
        return across * CELL, down * self.row


def view_of(position: Position, below: Side, labelled: bool) -> View:
    """The whole board, or of a field without edges the part where pieces stand, as nearly square as can be."""
    variant, board = position.variant, position.variant.board
    if not isinstance(board, Unbounded):
        return View(variant, (0, board.width), (0, board.height), below, labelled)
    standing = [board.xy(point) for point, piece in enumerate(position.board) if piece] or [board.xy(board.middle)]
    return field_view(variant, standing, below, labelled)


def field_view(variant: Variant, standing: Sequence[tuple[int, int]], below: Side, labelled: bool) -> View:
    """The part of a field without edges where pieces stand, as nearly square as can be."""
    spans = [(min(at) - _ROUND, max(at) + 1 + _ROUND) for at in zip(*standing, strict=True)]
    size = max(_LEAST, *(last - first for first, last in spans))
    columns, rows = ((first - (size - last + first) // 2) for first, last in spans)
    return View(variant, (columns, columns + size), (rows, rows + size), below, labelled)


# --- Lines ----------------------------------------------------------------------------------------------------------


def lines(view: View) -> list[str]:
    """The lines and dots of a board."""
    if isinstance(view.variant.board, Unbounded):
        return _dots(view)
    return _crossings(view) if view.variant.look == "stones" else _squares(view)


def _frame(x: float, y: float, width: float, height: float) -> str:
    return element("rect", x=x, y=y, width=width, height=height, fill="none", stroke="#3d260d", stroke_width=3.4)


def _squares(view: View) -> list[str]:
    board, row = view.variant.board, view.row
    across = [f"M{x * CELL} 0V{view.height}" for x in range(1, board.width)]
    down = [f"M0 {y * row}H{view.width}" for y in range(1, board.height)]
    parts = [
        element("path", d="".join(across + down), fill="none", stroke="#4a2f12", stroke_width=1.6, opacity=0.8),
        _frame(0, 0, view.width, view.height),
    ]
    parts += [element("circle", cx=x * CELL, cy=y * row, r=6.5, fill="#3d260d") for x, y in zone_marks(view.variant)]
    for name in no_drops(view.variant):
        point = board.find(name)
        if point is not None:
            x, y = view.centre(*board.xy(point))
            d = f"M{x:g} {y - 15:g}l15 15l-15 15l-15 -15Z"
            parts.append(element("path", d=d, fill="none", stroke="#6b4519", stroke_width=2.5, opacity=0.55))
    return parts


def _crossings(view: View) -> list[str]:
    board, half = view.variant.board, CELL // 2
    right, bottom = view.width - half, view.height - half
    d = [f"M{x * CELL + half} {half}V{bottom}" for x in range(board.width)]
    d += [f"M{half} {y * CELL + half}H{right}" for y in range(board.height)]
    parts = [
        element("path", d="".join(d), fill="none", stroke="#4a2f12", stroke_width=1.8, opacity=0.75),
        _frame(half, half, view.width - CELL, view.height - CELL),
    ]
    for y in sorted({y for _, y in zone_marks(view.variant)}):
        border = {"stroke": "#7a3a1a", "stroke_dasharray": "6 14", "stroke_linecap": "round"}
        d_border = f"M0 {y * CELL}H{view.width}"
        parts.append(element("path", d=d_border, stroke_width=4, opacity=0.65, **border))
    stars = [
        [at for at in (3, (count - 1) // 2, count - 4) if count >= _LARGE and count % 2]
        for count in (board.width, board.height)
    ]
    return parts + [
        element("circle", cx=x * CELL + half, cy=y * CELL + half, r=9, fill="#3d260d")
        for x in stars[0]
        for y in stars[1]
    ]


def _dots(view: View) -> list[str]:
    """The points of a field, fading outwards."""
    parts, middle = [], (view.width / 2, view.height / 2)
    for x in range(*view.columns):
        for y in range(*view.rows):
            spot = view.centre(x, y)
            light = 1 - math.dist(spot, middle) / (view.width * 0.75)
            parts.append(
                element("circle", cx=spot[0], cy=spot[1], r=2 + 3.4 * light, fill="#3d260d", fill_opacity=0.8 * light)
            )
    return parts


def labels(view: View) -> list[str]:
    """The names of files and ranks at the rim."""
    board, size = view.variant.board, view.label
    if not size:
        return []
    ink, gap = "#5a3b16", size * 0.85
    parts = []
    for x in range(board.width):
        across, _ = view.centre(x, 0)
        parts.append(writing(str(board.file(x)), size, across, size * 0.35 - gap, ink))
    for y in range(board.height):
        _, down = view.centre(0, y)
        parts.append(writing(chr(ord("a") + y), size, view.width + gap, down + size * 0.35, ink))
    return parts


# --- The move made last ---------------------------------------------------------------------------------------------


def last_move(view: View, position: Position, move: Move) -> list[str]:
    """Marks of the move that led to ``position``: origin, target, further landings and shots."""
    board: Rect = view.variant.board
    mover: Side = "w" if position.turn == "b" else "b"
    dx, dy = (0, 0) if move.piece is None else window_shift(board, Piece(mover, move.piece), move.target_point)

    def spot(point: int) -> Spot:
        x, y = board.xy(point)
        return view.centre(x + dx, y + dy)

    parts = [] if move.origin_point is None else [_cell(view, spot(move.origin_point), "#fff3b0", 0.42)]
    parts.append(_cell(view, spot(move.target_point), "#ffe98a", 0.72))
    if len(move.way) < 2 and view.variant.look != "stones" and not any(landing.shots for landing in move.way):
        return parts
    stops = [
        spot(point)
        for point in (*(() if move.origin_point is None else (move.origin_point,)), *(at for at, _ in move.way))
    ]
    gold = {"stroke": "#c8860a", "stroke_linecap": "round", "stroke_linejoin": "round"}
    d = "".join(f"{'L' if number else 'M'}{x:g} {y:g}" for number, (x, y) in enumerate(stops))
    parts.append(element("path", d=d, fill="none", stroke_width=9, opacity=0.8, **gold))
    parts += [element("circle", cx=x, cy=y, r=11, fill="#c8860a") for x, y in stops[1:-1]]
    for at, shots in move.way:
        for shot in shots:
            parts += _arrow(spot(at), spot(shot))
    return parts


def _cell(view: View, spot: Spot, fill: str, opacity: float) -> str:
    inset = 2 if view.variant.look == "squares" else 0
    width, height = CELL - 2 * inset, view.row - 2 * inset
    return element(
        "rect",
        x=spot[0] - width / 2,
        y=spot[1] - height / 2,
        width=width,
        height=height,
        rx=12 if isinstance(view.variant.board, Unbounded) else None,
        fill=fill,
        opacity=opacity,
    )


def _arrow(start: Spot, end: Spot) -> list[str]:
    """A broken arrow, for a shot."""
    length = math.dist(start, end) or 1
    step = [(b - a) / length for a, b in zip(start, end, strict=True)]
    x1, y1, x2, y2 = (
        *(a + s * _SHORT * 0.55 for a, s in zip(start, step, strict=True)),
        *(b - s * _SHORT for b, s in zip(end, step, strict=True)),
    )
    red = "#a3211a"
    angle = math.degrees(math.atan2(step[1], step[0]))
    place = f"translate({x2:.1f} {y2:.1f}) rotate({angle:.1f})"
    dashes = {"stroke": red, "stroke_dasharray": "12 10", "stroke_linecap": "round"}
    return [
        element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke_width=4.5, **dashes),
        element("path", d="M-22 -13L0 0L-22 13Z", fill=red, transform=place),
    ]
