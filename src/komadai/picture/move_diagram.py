"""Diagrams of how a piece moves, as small SVG: it stands in the middle of an empty board, its owner below."""

from __future__ import annotations

from collections.abc import Iterator

from ..spec.board import Vector
from ..spec.geometry import movement_of
from ..spec.kinds import Kind
from ..spec.movement import Leg, Shot, Walk
from .pieces import INK
from .svg import element, writing

_CELL = 10
_GREEN = "#1f6b3a"
_RED = "#b3261e"
_ROOM = 0.35  # how far beyond the last point a move goes on that does not end there, in points


def move_diagram(kind: Kind, radius: int = 3) -> str:
    """Dots are steps and jumps, lines slides; rings are where later legs lead, dashes with a cross-hair shots.

    Arcs over a square are hops over one piece. What cannot capture is thin.
    ``radius`` is the number of points shown in each direction. A number at its end is the reach of a move that goes
    farther than the diagram shows, but not as far as it likes.
    """
    movement = movement_of(kind)
    half = (radius + 0.5) * _CELL
    grid = "".join(f"M{at:g} {-half:g}V{half:g}M{-half:g} {at:g}H{half:g}" for at in _lines(radius))
    parts = [element("path", d=grid, stroke="#c9bda6", stroke_width=0.4, fill="none")]
    if movement.shot is not None:
        parts += _shots(movement.shot, radius)
    for leg in sorted(movement.legs, key=lambda leg: leg.hops):
        parts += _hop(leg, radius) if leg.hops else _leg(leg, radius)
    for walk in movement.walks:
        parts += _walk(walk, radius)
    parts.append(element("circle", r=3.2, fill=INK))
    edge = f"{-half:g} {-half:g} {2 * half:g} {2 * half:g}"
    return element("svg", *parts, xmlns="http://www.w3.org/2000/svg", viewBox=edge)


def _lines(radius: int) -> Iterator[float]:
    for number in range(2 * radius + 2):
        yield (number - radius - 0.5) * _CELL


def _spot(vector: Vector, times: float = 1) -> tuple[float, float]:
    right, ahead = vector
    return right * times * _CELL, -ahead * times * _CELL


def _longest(vector: Vector) -> int:
    return max(abs(vector[0]), abs(vector[1]))


def _dot(vector: Vector, *, ring: bool = False) -> str:
    x, y = _spot(vector)
    if ring:
        return element("circle", cx=x, cy=y, r=1.9, fill="#fff", stroke=_GREEN, stroke_width=0.9)
    return element("circle", cx=x, cy=y, r=2.2, fill=_GREEN)


def _leg(leg: Leg, radius: int) -> Iterator[str]:
    for vector in leg.vectors:
        if leg.reach != 1:
            yield from _line(leg, vector, radius, 0.55)
        elif _longest(vector) <= radius:
            yield _dot(vector)


def _line(leg: Leg, vector: Vector, radius: int, begins: float) -> Iterator[str]:
    """A line from so many steps away to the end of a leg."""
    room = radius // _longest(vector)
    farther = leg.reach is None or leg.reach > room
    steps = room if leg.reach is None else min(leg.reach, room)
    (x1, y1), (x2, y2) = _spot(vector, begins), _spot(vector, steps + _ROOM * farther)
    yield element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=_GREEN, stroke_width=_width(leg))
    if leg.reach is not None and farther:
        yield _number(leg.reach, _spot(vector, steps), _GREEN)


def _width(leg: Leg) -> float:
    return 0.6 if leg.captures == "never" else 1.3


def _hop(leg: Leg, radius: int) -> Iterator[str]:
    """Arcs over the piece in the way, and the points behind it."""
    for vector in leg.vectors:
        (x, y), (x0, y0), (x2, y2) = _spot(vector), _spot(vector, 0.5), _spot(vector, 2)
        arc = f"M{x0:g} {y0:g}Q{x - 0.8 * y:g} {y + 0.8 * x:g} {x2:g} {y2:g}"
        yield element("path", d=arc, stroke=_GREEN, stroke_width=_width(leg), fill="none")
        yield element("rect", x=x - 2, y=y - 2, width=4, height=4, stroke=INK, stroke_width=0.9, fill="#fff")
        if leg.reach == 2:
            yield element("circle", cx=x2, cy=y2, r=2.2, fill=_GREEN)
        else:
            yield from _line(leg, vector, radius, 2)


def _number(reach: int, spot: tuple[float, float], ink: str) -> str:
    x, y = spot
    return element("circle", cx=x, cy=y, r=3.2, fill="#fff") + writing(str(reach), 6, x, y + 2.1, ink)


def _walk(walk: Walk, radius: int) -> list[str]:
    """The first landings as dots, unless the piece may not stop there, and the later ones as rings."""
    first = set(walk.vectors)
    later: set[Vector] = set()
    reached = [(vector, vector) for vector in walk.vectors]
    for count in range(2, walk.most + 1):
        reached = list(
            {
                ((at[0] + vector[0], at[1] + vector[1]), vector): None
                for at, before in reached
                for vector in walk.after(before)
            }
        )
        if count >= walk.least:
            later |= {at for at, _ in reached}
    shown = [at for at in sorted(later - {(0, 0)}) if _longest(at) <= radius and (at not in first or walk.least > 1)]
    return [
        *(_dot(at, ring=True) for at in shown),
        *(_dot(at) for at in walk.vectors if walk.least == 1 and _longest(at) <= radius),
    ]


def _shots(shot: Shot, radius: int) -> Iterator[str]:
    for vector in shot.vectors:
        room = radius // _longest(vector)
        steps = min(shot.reach, room)
        (x1, y1), (x, y) = _spot(vector, 0.5), _spot(vector, steps)
        dashes: dict[str, str | float] = {"stroke": _RED, "stroke_width": 0.7, "fill": "none"}
        yield element("line", x1=x1, y1=y1, x2=x, y2=y, stroke_dasharray="1.6 1.4", **dashes)
        if shot.reach > room:
            yield _number(shot.reach, (x, y), _RED)
        else:
            yield element("path", d=f"M{x - 3:g} {y:g}h6M{x:g} {y - 3:g}v6", **dashes)
