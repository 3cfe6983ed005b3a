"""Boards, pieces and cubes as SVG in millimetres, in lines, to be cut out and glued."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ...game.position import Position
from ...picture.board import CELL, labels, lines, view_of
from ...picture.pieces import INK, KOMA, STONE, TURNED, Look, inscription, stone_size
from ...picture.svg import element
from ...spec.board import Side, Unbounded
from ...spec.kinds import Kind
from ...spec.variant import Variant
from .inventory import Cube, Flat

_SQUARE = {"squares": 19.5, "cubes": 30.0, "stones": 18.0}
"""The width of a square."""
_OVERLAP = 8.0  # of the parts of a board
_SCALE = {"squares": 0.21, "cubes": 0.19, "stones": 0.175}
"""The size of a hundredth of a piece's box."""
_EDGE = 19.0  # of a cube
_TAB = 4.0  # at the edges of a cube's net, for the glue
_GAP = 3.0  # between things that are cut out
_DARK = "#3a3431"
_THIN: dict[str, str | float] = {"stroke": "#222", "stroke_width": 0.25, "fill": "none"}
_FOLD: dict[str, str | float] = {
    "stroke": "#777",
    "stroke_width": 0.2,
    "stroke_dasharray": "2 1.5",
    "fill": "none",
}

Size = tuple[float, float]


def _page(size: Size, *parts: str) -> str:
    """A drawing as large as its room on the paper."""
    width, height = size
    return element(
        "svg",
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        width=f"{width:g}mm",
        height=f"{height:g}mm",
        viewBox=f"0 0 {width:g} {height:g}",
    )


# --- The board ------------------------------------------------------------------------------------------------------


def board_parts(variant: Variant, area: Size) -> list[str]:
    """The board, in parts to be glued together where it is larger than the paper; none for a field without edges."""
    if isinstance(variant.board, Unbounded):
        return []
    view = view_of(Position(variant), "b", True)
    far, near = view.margins
    scale = _SQUARE[variant.look] / CELL
    width, height = (view.width + far + near) * scale, (view.height + far + near) * scale
    drawing = element(
        "g",
        *lines(view),
        *labels(view),
        transform=f"scale({scale:g}) translate({near:g} {far:g})",
    )
    across, down = _cuts(width, area[0]), _cuts(height, area[1])
    return [_part(drawing, x, y, column, row) for row, y in enumerate(down) for column, x in enumerate(across)]


def _cuts(length: float, room: float) -> list[tuple[float, float]]:
    """The parts of a length that overlap, each with its start and end."""
    count = 1 if length <= room else math.ceil((length - _OVERLAP) / (room - _OVERLAP))
    step = (length - _OVERLAP) / count
    return [(number * step, number * step + step + _OVERLAP) for number in range(count)] if count > 1 else [(0, length)]


def _part(drawing: str, x: tuple[float, float], y: tuple[float, float], column: int, row: int) -> str:
    """A part of a board: cut at its outline, and glued over the strips at its right and lower edge."""
    width, height = x[1] - x[0], y[1] - y[0]
    inner = element(
        "svg",
        drawing,
        x=0,
        y=0,
        width=width,
        height=height,
        viewBox=f"{x[0]:g} {y[0]:g} {width:g} {height:g}",
    )
    strips = []
    if column:
        strips.append(element("path", d=f"M{_OVERLAP:g} 0V{height:g}", **_FOLD))
    if row:
        strips.append(element("path", d=f"M0 {_OVERLAP:g}H{width:g}", **_FOLD))
    return _page((width, height), inner, *strips, element("rect", width=width, height=height, **_THIN))


# --- Flat pieces ----------------------------------------------------------------------------------------------------


def flat_pages(variant: Variant, flats: Sequence[Flat], area: Size, look: Look, name: str) -> list[str]:
    """Pieces in strips: fronts above a line, backs below it, to be folded and glued before they are cut out.

    ``name`` begins the ids of what is drawn.
    """
    scale = _SCALE[variant.look]
    wide, high, below = (2 * STONE, 2 * STONE, STONE) if variant.look == "stones" else (74, 90, 44)
    column, row = wide * scale + _GAP / 2, 2 * high * scale + 2 * _GAP
    lift = below * scale + _GAP / 4
    per_row, rows = int(area[0] // column), int(area[1] // row)
    pages = []
    for start in range(0, len(flats), per_row * rows):
        faces = _Faces(variant, look, f"{name}-{start}", scale)
        parts = []
        for number, first in enumerate(range(start, min(start + per_row * rows, len(flats)), per_row)):
            fold = number * row + row / 2
            strip = flats[first : min(first + per_row, start + per_row * rows)]
            for place, flat in enumerate(strip):
                x = (place + 0.5) * column
                parts.append(faces.at(flat.front, flat.side, f"translate({x:g} {fold - lift:g})"))
                parts.append(faces.at(flat.back, flat.side, f"translate({x:g} {fold + lift:g}) rotate(180)"))
            parts.append(element("path", d=f"M0 {fold:g}H{len(strip) * column:g}", **_FOLD))
        pages.append(_page(area, element("defs", *faces.drawn.values()), *parts))
    return pages


class _Faces:
    """The sides of pieces on a page, each drawn once."""

    def __init__(self, variant: Variant, look: Look, name: str, scale: float) -> None:
        self._variant, self._look, self._name, self._scale = variant, look, name, scale
        self.drawn: dict[str, str] = {}

    def at(self, kind: Kind | None, side: Side, place: str) -> str:
        """A side of a piece at a place."""
        id = f"{self._name}-{side}-{kind.code.replace('+', 'turned-') if kind else 'blank'}"
        if id not in self.drawn:
            self.drawn[id] = element("g", *_face(self._variant, kind, side, self._look), id=id)
        return element("use", href=f"#{id}", transform=f"{place} scale({self._scale:g})")


def _face(variant: Variant, kind: Kind | None, side: Side, look: Look) -> list[str]:
    """A side of a piece; ``None``: the back of one that does not turn over."""
    stones = variant.look == "stones"
    black = stones and side == "b" and kind is not None
    outline: dict[str, str | float] = {"fill": _DARK if black else "#fff", "stroke": "#222", "stroke_width": 1.2}
    body = element("circle", r=STONE, **outline) if stones else element("polygon", points=KOMA, **outline)
    if kind is None:
        return [body]
    turned = kind.code.startswith("+")
    light, plain = ("#ffb58a", "#fff") if black else (TURNED, INK)
    ink = light if turned else plain
    ring = element("circle", r=STONE - 4.5, fill="none", stroke=ink, stroke_width=2)
    text, letters = look.text(kind, side), look.has_letters(kind)
    size = (stone_size(text) if stones else 48) if not letters else 48 if stones else 41
    sign = inscription(text, size, 0, 0 if stones else 6, ink, letters=letters, upside_down=False)
    return [body, *([ring] if stones and turned else []), sign]


# --- Cubes ----------------------------------------------------------------------------------------------------------

# The places of a net: four in a column, which roll one after the other, and two beside the second of them.
_COLUMN = ((1, 0), (1, 1), (1, 2), (1, 3))
_BESIDE = ((0, 1), (2, 1))


def net_pages(cubes: Sequence[Cube], area: Size, look: Look) -> list[str]:
    """Nets of cubes with tabs, as many on a page as it has room for."""
    wide, high = 3 * _EDGE + 2 * _TAB + _GAP, 4 * _EDGE + 2 * _TAB + _GAP
    per_row, rows = int(area[0] // wide), int(area[1] // high)
    return [
        _page(
            area,
            *(
                element(
                    "g", *_net(cube, look), transform=f"translate({at % per_row * wide:g} {at // per_row * high:g})"
                )
                for at, cube in enumerate(cubes[start : start + per_row * rows])
            ),
        )
        for start in range(0, len(cubes), per_row * rows)
    ]


def places(faces: Sequence[Kind]) -> dict[tuple[int, int], Kind]:
    """The faces on a net. Those that follow one another in a ring lie in the column; a face that turns into another
    and back lies opposite it; where there is one face, all six places show it."""
    if len(faces) == 1:
        return dict.fromkeys((*_COLUMN, *_BESIDE), faces[0])
    after = {face.code: face.becomes.quiet[0] for face in faces if len(face.becomes.quiet) == 1}
    pairs = [face for face in faces if after.get(after.get(face.code, "")) == face.code]
    order = (*_COLUMN, *_BESIDE)
    if len(pairs) == len(faces):
        kinds = {face.code: face for face in faces}
        firsts = list(dict.fromkeys(min(face.code, after[face.code]) for face in faces))
        opposite = ((_COLUMN[0], _COLUMN[2]), (_COLUMN[1], _COLUMN[3]), _BESIDE)
        return {
            place: kinds[code]
            for (one, other), first in zip(opposite, firsts, strict=False)
            for place, code in ((one, first), (other, after[first]))
        }
    return dict(zip(order, faces, strict=False))


def _net(cube: Cube, look: Look) -> Iterator[str]:
    shown = places(cube.faces)
    yield from _tabs()
    for column, row in (*_COLUMN, *_BESIDE):
        x, y = _TAB + column * _EDGE, _TAB + row * _EDGE
        yield element("rect", x=x, y=y, width=_EDGE, height=_EDGE, **_THIN)
        kind = shown.get((column, row))
        if kind is not None:
            arrow = element("path", d="M-9 -33L0 -42L9 -33Z", fill=INK)
            letters = look.has_letters(kind)
            sign = inscription(look.text(kind, cube.side), 54, 0, 5, INK, letters=letters, upside_down=False)
            place = f"translate({x + _EDGE / 2:g} {y + _EDGE / 2:g}) scale({_EDGE / 100:g})"
            yield element("g", arrow, sign, transform=place)


def _tabs() -> Iterator[str]:
    """The tabs for the glue: at every second of the edges that meet when the net is folded."""
    corner = _TAB * 0.8

    def tab(x: float, y: float, dx: float, dy: float, out: Size) -> str:
        """Along an edge from a corner of the net, by a vector, towards the outside."""
        x, y = _TAB + x * _EDGE, _TAB + y * _EDGE
        along = (dx * _EDGE, dy * _EDGE)
        inset = (dx * corner, dy * corner)
        points = (
            (x, y),
            (x + inset[0] + out[0] * _TAB, y + inset[1] + out[1] * _TAB),
            (x + along[0] - inset[0] + out[0] * _TAB, y + along[1] - inset[1] + out[1] * _TAB),
            (x + along[0], y + along[1]),
        )
        return element("polygon", points=" ".join(f"{px:g},{py:g}" for px, py in points), **(_THIN | {"fill": "#eee"}))

    yield tab(1, 0, 1, 0, (0, -1))  # above the column: to its lower end
    for right, out in ((1, -1), (2, 1)):
        yield tab(right, 0, 0, 1, (out, 0))  # the first face, to the sides
        yield tab(right, 2, 0, 1, (out, 0))
        yield tab(right, 3, 0, 1, (out, 0))
