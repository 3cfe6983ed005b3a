"""Boards and pieces drawn by the program, and the rules in Japanese made from the rulebook.

A figure is a fenced block whose text is its caption; all else stands in the first line, which other viewers hide::

    ```{board} GAME [POSITION] [moves MOVE ...] [refused MOVE ...]
    ```{pieces} GAME [CODE ...]

It needs no Sphinx, so that the tests can look at what it makes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import komadai
from komadai import rulebook
from komadai.i18n import _, speaking
from komadai.picture import Look
from komadai.picture.board import CELL, View, view_of
from komadai.picture.move_diagram import move_diagram
from komadai.picture.pieces import piece
from komadai.picture.svg import element
from komadai.picture.whole import drawn
from komadai.spec.board import SIDES
from komadai.spec.kinds import Kind
from komadai.spec.names import kind_name, side_name
from komadai.spec.variant import Variant

FIGURE = re.compile(r"^ *```\{(board|pieces)\} (.+)\n((?:.*\n)*?) *```$", re.MULTILINE)
Part = tuple[float, float, float, float]
"""The left and upper edge, width and height of what is shown of a board."""

FIRST = ("hand", "ki", "ki-unicorn", "ko", "mortal", "nana", "nana-1998", "shogi")

_LARGE = 13  # files of a board of which only a part is shown where moves are
_SAID = 12  # pieces of a position that are named one by one
_HALF = 340  # pixels of a picture of which two stand side by side
_SMALL = 5  # files of a board whose points are large enough for several pieces
_ROUND = 4  # points shown around the moves there
_BLUE, _RED, _LIGHT = "#1d63c4", "#b3200f", "#fffdf6"
_CLEAR = 32  # how far from the middles of points arrows begin and end


class FigureError(ValueError):
    """A figure names what there is not, or moves that the rules judge otherwise."""


# --- Boards -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Board:
    """A position with moves that the rules allow and moves that they refuse."""

    position: komadai.Position
    moves: tuple[str, ...]
    refused: tuple[str, ...]

    @property
    def alternative(self) -> str:
        """The alternative text: the game, its pieces if they are few, and the moves; refused ones in brackets."""
        at, parts = self.position, [_(self.position.variant.name)]
        stones = list(at.piece_map().items())
        for side in SIDES:
            own = [f"{kind_name(at.variant.kind(one.code))} {square}" for square, one in stones if one.side == side]
            if own and len(stones) <= _SAID:
                parts.append(f"{side_name(side)}: {', '.join(own)}")
        moves = " ".join((*self.moves, *(f"({move})" for move in self.refused)))
        return "; ".join([*parts, moves] if moves else parts)

    @property
    def width(self) -> int:
        """In pixels, where there is room."""
        view = self._view
        columns = (self._part or (0, 0, view.width))[2] / CELL
        return min(_HALF, round(140 + 21 * columns)) if self._shown else round(180 + 26 * columns)

    @property
    def _shown(self) -> tuple[str, ...]:
        return *self.moves, *self.refused

    @property
    def _view(self) -> View:
        return view_of(self.position, "b", True)

    @property
    def _part(self) -> Part | None:
        """The part of the board that is drawn; ``None``: the whole board with the hands."""
        view = self._view
        if not self._shown:
            return None
        if view.width >= _LARGE * CELL:
            return _part(view, [spot for move in self._shown for spot in _spots(view, move)])
        return None if any(self.position.hand(side) for side in SIDES) else _bare(view)

    def svg(self) -> str:
        """The picture: arrows for allowed moves, crosses for refused ones."""
        marks = _marks(self._view, self.position, self.moves, self.refused)
        return drawn(self.position, Look(size=self.width), over=marks, part=self._part)


def board(argument: str) -> Board:
    """The board that the first line of a figure describes.

    Raises:
        FigureError: there is no such game or position, or a move is not as it says.
    """
    game, *rest = argument.split()
    parts: dict[str, list[str]] = {"position": [], "moves": [], "refused": []}
    at = "position"
    for word in rest:
        if word in parts:
            at = word
        else:
            parts[at].append(word)
    try:
        position = (
            komadai.Position.problem(game, " ".join(parts["position"])) if parts["position"] else komadai.Position(game)
        )
    except komadai.KomadaiError as error:
        raise FigureError(str(error)) from None
    legal = position.legal_moves()
    for move in parts["moves"]:
        if move not in legal:
            raise FigureError(position.explain(move))
    for move in parts["refused"]:
        if move in legal:
            raise FigureError(f"{move} is legal")
        if any(position.variant.board.find(square) is None for square, _shots in rulebook.path(move)):
            raise FigureError(f"{move} is no move")
    return Board(position, tuple(parts["moves"]), tuple(parts["refused"]))


def _spot(view: View, square: str) -> tuple[float, float]:
    point = view.variant.board.find(square)
    if point is None:
        raise FigureError(f"there is no {square}")
    return view.centre(*view.variant.board.xy(point))


def _spots(view: View, move: str) -> Iterator[tuple[float, float]]:
    for square, shots in rulebook.path(move):
        yield from (_spot(view, one) for one in (square, *shots))


def _bare(view: View) -> Part:
    """The board without the places of the hands."""
    far, near = view.margins
    return -near, -far, view.width + far + near, view.height + far + near


def _part(view: View, spots: Sequence[tuple[float, float]]) -> Part:
    """The square part of a board around some points, within it."""
    spans = [(min(at), max(at)) for at in zip(*spots, strict=True)]
    size = min(view.width, max(last - first for first, last in spans) + 2 * _ROUND * CELL + CELL)
    left, top = (max(0.0, min(view.width - size, (first + last - size) / 2)) for first, last in spans)
    return left, top, size, size


# --- Marks of moves ---------------------------------------------------------------------------------------------------


def _marks(view: View, position: komadai.Position, moves: Iterable[str], refused: Iterable[str]) -> Iterator[str]:
    """Arrows of moves, crosses of refused ones, and the pieces that drops and choices bring to a point."""
    shown: dict[tuple[float, float], list[tuple[str, bool]]] = {}
    for move, allowed in (*((one, False) for one in refused), *((one, True) for one in moves)):
        way = rulebook.path(move)
        stops = [_spot(view, square) for square, _shots in way]
        if len(stops) > 1:
            yield _arrow(stops, _BLUE if allowed else _RED)
        for square, shots in way:
            yield from (_shot(_spot(view, square), _spot(view, one)) for one in shots)
        shown.setdefault(stops[-1], []).append((move, allowed))
    for spot, ends in shown.items():
        puts = len(ends) > 1 or _puts(ends[0][0])
        places = _places(len(ends), view) if puts else [(0.0, 0.0, 1.0)]
        for (move, allowed), (x, y, scale) in zip(sorted(ends, key=lambda end: not end[1]), places, strict=False):
            inside = [_ghost(view, position, move)] if puts else []
            if not allowed:
                inside.append(_cross())
            elif puts:
                inside.append(_ring())
            yield element("g", *inside, transform=f"translate({spot[0] + x:g} {spot[1] + y:g}) scale({scale:g})")


def _puts(move: str) -> bool:
    """True if a move brings a piece or a face of choice to its point."""
    return "=" in move or re.match(r"\+?[A-Z]+\*", move) is not None


def _places(count: int, view: View) -> list[tuple[float, float, float]]:
    """Where so many pieces lie on one point, and how small: larger than the point where points are small."""
    if count == 1:
        return [(0, 0, 0.86)]
    apart, scale = (36, 0.72) if view.width > _SMALL * CELL else (29, 0.56)
    return [(x, y, scale) for y in ((0,) if count == 2 else (-apart, apart)) for x in (-apart, apart)]


def _ghost(view: View, position: komadai.Position, move: str) -> str:
    """The piece as it would lie there."""
    kind = position.variant.kind(_code(position, move))
    return element("g", piece(view.variant, kind, position.turn, Look()), opacity=0.88)


def _code(position: komadai.Position, move: str) -> str:
    """The code that a move puts down."""
    if found := re.match(r"(\+?[A-Z]+)\*", move):
        return found[1]
    if found := re.search(r"=(\+?[A-Z]+)$", move):
        return found[1]
    point = position.variant.board.find(rulebook.path(move)[0][0])
    stands = None if point is None else position.board[point]
    if stands is None:
        raise FigureError(f"{move} moves nothing")
    return f"+{stands.code}" if move.endswith("+") else stands.code


def _arrow(stops: Sequence[tuple[float, float]], ink: str) -> str:
    """A line through points, with a head at its end; it leaves the first free."""
    (x0, y0), (x1, y1) = stops[-2], stops[-1]
    far = math.dist(stops[-2], stops[-1]) or 1
    ux, uy = (x1 - x0) / far, (y1 - y0) / far
    tip, neck = (x1 - ux * 8, y1 - uy * 8), (x1 - ux * 34, y1 - uy * 34)
    first, second = stops[0], stops[1]
    near = math.dist(first, second) or 1
    begin = tuple(a + (b - a) / near * _CLEAR for a, b in zip(first, second, strict=True))
    line = "L".join(f"{x:.0f} {y:.0f}" for x, y in (begin, *stops[1:-1], neck))
    head = " ".join(
        f"{x:.0f},{y:.0f}"
        for x, y in (tip, (neck[0] - uy * 17, neck[1] + ux * 17), (neck[0] + uy * 17, neck[1] - ux * 17))
    )
    round_: dict[str, str | float] = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
    return element(
        "g",
        element("path", d=f"M{line}", stroke=_LIGHT, stroke_width=15, **round_),
        element("polygon", points=head, fill=ink, stroke=_LIGHT, stroke_width=3),
        element("path", d=f"M{line}", stroke=ink, stroke_width=9, **round_),
        opacity=0.9,
    )


def _shot(begin: tuple[float, float], end: tuple[float, float]) -> str:
    (x1, y1), (x2, y2) = begin, end
    sight = f"M{x2 - 34:g} {y2:g}h68M{x2:g} {y2 - 34:g}v68"
    red: dict[str, str | float] = {"stroke": _RED, "stroke_width": 8, "fill": "none"}
    return element(
        "g",
        element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke_dasharray="16 12", **red),
        element("path", d=sight, stroke=_LIGHT, stroke_width=12),
        element("path", d=sight, **red),
        element("circle", cx=x2, cy=y2, r=24, **red),
    )


def _ring() -> str:
    return element("circle", r=48, fill="none", stroke=_BLUE, stroke_width=8)


def _cross() -> str:
    d = "M-28 -28L28 28M28 -28L-28 28"
    ends: dict[str, str | float] = {"fill": "none", "stroke_linecap": "round"}
    return element(
        "g",
        element("path", d=d, stroke=_LIGHT, stroke_width=19, **ends),
        element("path", d=d, stroke=_RED, stroke_width=11, **ends),
    )


# --- Pieces -----------------------------------------------------------------------------------------------------------


def pieces(argument: str) -> tuple[Variant, list[Kind]]:
    """The kinds that the first line of a figure names; all of the game if it names none.

    Raises:
        FigureError: there is no such game or kind.
    """
    game, *codes = argument.split()
    try:
        variant = komadai.variant(game)
    except komadai.KomadaiError as error:
        raise FigureError(str(error)) from None
    known = {kind.code: kind for kind in variant.kinds}
    if unknown := [code for code in codes if code not in known]:
        raise FigureError(f"{variant.name} has no {', '.join(unknown)}")
    return variant, [known[code] for code in codes] or list(variant.kinds)


def kind_svg(variant: Variant, kind: Kind) -> str:
    """A piece, and beside it how it moves."""
    diagram = re.sub(r"^<svg ", '<svg x="106" y="6" width="108" height="108" ', move_diagram(kind))
    return element(
        "svg",
        element("rect", width=220, height=120, rx=8, fill="#fbf8f1"),
        element("g", piece(variant, kind, "b", Look()), transform="translate(54 60)"),
        diagram,
        xmlns="http://www.w3.org/2000/svg",
        viewBox="0 0 220 120",
        width=220,
        height=120,
    )


def legend() -> str:
    """What the signs of the diagrams mean, as the pages of the rules say it in the browser."""
    return _(
        "Dots: one step or a jump. Lines: any distance, as far as the way is free, thin where nothing can be captured"
        " so. Arcs over a square: a hop over one piece, to the points behind it. Rings: where later steps of the same"
        " turn lead. Dashes with a cross-hair: shots."
    )


# --- The rules in Japanese --------------------------------------------------------------------------------------------


def games() -> list[str]:
    """The games whose rules are written for players, those of the project first."""
    return sorted(rulebook.written(), key=lambda game: (FIRST.index(game) if game in FIRST else len(FIRST), game))


def page(game: str, language: str) -> str:
    """The rules of a game for players, as Markdown."""
    with speaking(language):
        variant = komadai.variant(game)
        parts = [f"# {_(variant.name)}", _(variant.summary)]
        for section in rulebook.sections(game):
            parts += [f"## {section.heading}", _prose(section.text)]
            if section.shows == "start":
                parts.append(_block("board", game, section.heading))
            elif section.shows == "pieces":
                parts.append(_block("pieces", game, legend()))
            for one in section.examples:
                lists = (("moves", one.moves), ("refused", one.refused))
                argument = [game, one.position, *(" ".join((name, *moves)) for name, moves in lists if moves)]
                parts.append(_block("board", " ".join(argument), one.text))
    return "\n\n".join(parts) + "\n"


def _block(name: str, argument: str, caption: str) -> str:
    option = "\n:words:" if name == "pieces" else ""
    return f"```{{{name}}} {argument}{option}\n{caption}\n```"


def _prose(text: str) -> str:
    """Paragraphs and lists as Markdown."""
    parts = [text.split("\n")[0]]
    for before, line in pairwise(text.split("\n")):
        parts += ["\n" if before.startswith("- ") and line.startswith("- ") else "\n\n", line]
    return "".join(parts)


def write_pages(folder: Path, language: str) -> None:
    """Write the pages of all games into a folder, where they differ from what is there; remove others."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {folder / f"{game}.md": page(game, language) for game in games()}
    for path in folder.glob("*.md"):
        if path not in made:
            path.unlink()
    for path, text in made.items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
