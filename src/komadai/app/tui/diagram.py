"""Move diagrams: a kind's moves and shots on an empty board, drawn with letters from its owner's side."""

from __future__ import annotations

from ...spec.board import Vector
from ...spec.geometry import movement_of
from ...spec.kinds import Kind
from ...spec.movement import Walk

LEGEND = "@ it stands here · o step or jump · lines: slides · digits: landings of one turn · * may be shot from @"
_SLIDES = {(0, 1): "|", (1, 0): "-", (1, 1): "/", (1, -1): "\\"}


def _far(vectors: tuple[Vector, ...], times: int) -> int:
    return max((max(abs(right), abs(ahead)) * times for right, ahead in vectors), default=0)


def _landings(walk: Walk) -> dict[Vector, int]:
    """The points that a walk reaches and where it may end, each with the fewest landings that takes."""
    ahead: set[tuple[Vector, Vector | None]] = {((0, 0), None)}
    found: dict[Vector, int] = {}
    for leg in range(1, walk.most + 1):
        ahead = {
            ((x + vector[0], y + vector[1]), vector)
            for (x, y), before in ahead
            for vector in (walk.vectors if before is None else walk.after(before))
        }
        for point, _ in ahead if leg >= walk.least else ():
            found.setdefault(point, leg)
    return found


def diagram(kind: Kind, most: int = 5) -> list[str]:
    """The rows of the diagram; it shows up to ``most`` points each way, two columns a point."""
    movement = movement_of(kind)
    reach = [_far(leg.vectors, leg.reach or most) for leg in movement.legs]
    reach += [_far(walk.vectors, walk.most) for walk in movement.walks]
    reach += [_far(movement.shot.vectors, movement.shot.reach)] if movement.shot else []
    radius = min(most, max(2, *reach, 0))
    signs: dict[Vector, str] = {}
    if movement.shot:
        for right, ahead in movement.shot.vectors:
            signs |= {(right * times, ahead * times): "*" for times in range(1, movement.shot.reach + 1)}
    for walk in movement.walks:
        signs |= {point: str(leg) for point, leg in _landings(walk).items()}
    for leg in movement.legs:
        for right, ahead in leg.vectors:
            line = _SLIDES.get((right, ahead)) or _SLIDES.get((-right, -ahead), "o")
            times = leg.reach or 2 * radius
            signs |= {(right * far, ahead * far): line if times > 1 else "o" for far in range(1, times + 1)}
    signs[0, 0] = "@"
    span = range(-radius, radius + 1)
    return [" ".join(signs.get((right, ahead), ".") for right in span) for ahead in reversed(span)]
