"""Drawing a position: the board with both hands."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import NotationError, lacking
from ..game.position import Position
from ..spec.board import SIDE_NAMES, Side, other
from ..spec.move import Move
from ..spec.variant import Variant
from ..typed import typed
from ..view.steps import ladder
from .board import CELL, View, labels, last_move, lines, view_of
from .pieces import Look, piece
from .svg import element, words, writing

TRAY = 108  # height of a hand
BARE = 70  # the same in games without hands
GAP = 14
_SIGN = 44  # width of the sign of a side
PLAIN = Look()
_KOMA = "0,-15 9,-11 13,15 -13,15 -9,-11"


@typed
def svg(position: Position, look: Look = PLAIN, *, last: Move | None = None) -> str:
    """The position as SVG; ``last`` is the move that led to it, to be marked."""
    return drawn(position, look, last=last)


def drawn(
    position: Position,
    look: Look,
    *,
    last: Move | None = None,
    over: Iterable[str] = (),
    part: tuple[float, float, float, float] | None = None,
) -> str:
    """The same, with more elements over the pieces, in the places of :func:`view_of`.

    Args:
        part: what is shown, in the same places: left, top, width and height; otherwise the whole.
    """
    variant = position.variant
    view = view_of(position, look.below, look.coordinates)
    far, near = view.margins
    width, height = view.width + far + near, view.height + far + near
    tray = TRAY if variant.hand_order else BARE
    page, wood, stand = colours(look)
    whole_width, whole_height = width + 2 * GAP, height + 2 * tray + 4 * GAP
    used: dict[str, str] = {}
    on_board = element(
        "g",
        *ground(view, wood, "".join(last_move(view, position, last)) if last else ""),
        *_standing(position, view, look, used),
        *over,
        transform=f"translate({GAP + near:g} {2 * GAP + tray + far:g})",
    )
    hands = [
        element(
            "g",
            element("rect", width=width, height=tray, rx=8, fill=stand),
            *_held(position, side, look, width, tray, used),
            transform=f"translate({GAP} {y:g})",
        )
        for side, y in ((other(look.below), GAP), (look.below, 3 * GAP + tray + height))
    ]
    left, top, wide, high = (0.0, 0.0, whole_width, whole_height)
    if part is not None:
        left, top, wide, high = part[0] + GAP + near, part[1] + 2 * GAP + tray + far, *part[2:]
    return element(
        "svg",
        words("title", _title(position)),
        element("defs", *(element("g", drawn, id=name) for name, drawn in used.items())),
        element("rect", width=whole_width, height=whole_height, fill=page),
        on_board,
        *hands,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{left:g} {top:g} {wide:g} {high:g}",
        width=look.size,
        height=round(look.size * high / wide),
        role="img",
    )


@typed
def png(position: Position, look: Look = PLAIN, *, last: Move | None = None) -> bytes:
    """The same as PNG; needs the extra ``png``.

    Raises:
        NotationError: the extra is not installed.
    """
    return rasterized(svg(position, look, last=last), look.size)


def rasterized(text: str, width: int) -> bytes:
    """An SVG without text in a font, as PNG.

    Args:
        width: in pixels.

    Raises:
        NotationError: resvg-py is not installed.
    """
    try:
        import resvg_py
    except ModuleNotFoundError as missing:
        raise NotationError("PNG", [lacking(missing)]) from None
    return bytes(resvg_py.svg_to_bytes(svg_string=text, width=width, skip_system_fonts=True))


def colours(look: Look) -> tuple[str, str, str]:
    """The colours of the page, of the board and of the stands for pieces in hand."""
    return ("#1c1916", "#c2924f", "#94692f") if look.dark else ("#f5f0e7", "#dcae68", "#c99a58")


def ground(view: View, wood: str, marks: str) -> list[str]:
    """The board without pieces; marks of moves lie under the lines of squares, and over those of stones."""
    far, near = view.margins
    width, height = view.width + far + near, view.height + far + near
    drawn = [marks, *lines(view)]
    if view.variant.look == "stones":
        drawn = [*lines(view), marks]
    return [element("rect", x=-near, y=-far, width=width, height=height, rx=10, fill=wood), *drawn, *labels(view)]


def _title(position: Position) -> str:
    return f"{position.variant.name}, {SIDE_NAMES[position.turn]} to move: {position.sfen()}"


def _use(used: dict[str, str], variant: Variant, code: str, side: Side, look: Look, *, lies: bool, place: str) -> str:
    """A piece at its place; each is drawn only once."""
    name = f"{side}{'' if lies else 'h'}{code.replace('+', '-')}"
    if name not in used:
        used[name] = piece(variant, variant.kind(code), side, look, lies=lies)
    return element("use", href=f"#{name}", transform=place)


def _standing(position: Position, view: View, look: Look, used: dict[str, str]) -> list[str]:
    board, parts = position.variant.board, []
    for point, stands in enumerate(position.board):
        if stands is not None:
            x, y = view.centre(*board.xy(point))
            place = f"translate({x:g} {y:g})"
            parts.append(_use(used, position.variant, stands.code, stands.side, look, lies=True, place=place))
    return parts


def tray_sign(side: Side, look: Look, *, to_move: bool = False, bare: bool) -> str:
    """The sign of a side, with a dot if it is to move: below it, or beside it where there are no hands."""
    upside_down = side != look.below
    shape = element(
        "polygon",
        points=_KOMA,
        fill="#2d2825" if side == "b" else "#fbf8f1",
        stroke="#2d2825",
        stroke_width=2,
        transform="rotate(180)" if upside_down else None,
    )
    x, y = (30, 0) if bare else (0, -28 if upside_down else 28)
    dot = element("circle", cx=x, cy=y, r=7, fill="#22583f", stroke="#eef7e6", stroke_width=2.5)
    place = f"translate({BARE / 2:g} {BARE / 2:g}) scale(1.7)" if bare else f"translate({_SIGN / 2 + 2:g} {TRAY / 2:g})"
    return element("g", shape, *([dot] if to_move else []), transform=place)


def slots(variant: Variant, codes: Iterable[str], width: float) -> dict[str, tuple[float, float]]:
    """The places of kinds in a hand, by worth, and their scale."""
    held = sorted(codes, key=lambda code: -ladder(variant)[code][1])
    step = min(CELL + 20.0, (width - _SIGN - GAP) / max(len(held), 1))
    return {code: (_SIGN + step * (number + 0.5), min(0.96, step / (CELL + 4))) for number, code in enumerate(held)}


def _held(position: Position, side: Side, look: Look, width: float, tray: int, used: dict[str, str]) -> list[str]:
    """The sign of a side, and what it holds."""
    variant, middle = position.variant, tray / 2
    parts = [tray_sign(side, look, to_move=side == position.turn, bare=tray == BARE)]
    counts = position.hand(side)
    for code, (x, scale) in slots(variant, counts, width).items():
        place = f"translate({x:.1f} {middle:g}) scale({scale:.3f})"
        parts.append(_use(used, variant, code, side, look, lies=False, place=place))
        if counts[code] > 1:
            parts.append(badge(counts[code], x, middle, scale))
    return parts


def badge(count: int, x: float, y: float, scale: float) -> str:
    """The number of pieces in a slot, as text."""
    text, scale, x, y = str(count), max(scale, 0.7), x + 36 * scale, y + 34 * scale
    wide = 34 if len(text) == 1 else 46
    return element(
        "g",
        element(
            "rect", x=-wide / 2, y=-17, width=wide, height=34, rx=17, fill="#2a1a0e", stroke="#fff6e4", stroke_width=2
        ),
        writing(text, 27, 0, 9.5, "#ffffff"),
        transform=f"translate({x:.1f} {y:.1f}) scale({scale:.2f})",
    )
