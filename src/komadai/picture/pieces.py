"""Pieces as SVG, each drawn around (0, 0) in a box of 100 by 100, as in the browser."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import NotationError
from ..spec.board import SIDES, Side
from ..spec.kinds import Kind
from ..spec.names import kanji_on
from ..spec.variant import Variant
from .svg import element, has_outlines, width, writing

LEAST_SIZE, MOST_SIZE = 64, 4096

STONE = 47  # radius
KOMA = "0,-46 25,-36 37,44 -37,44 -25,-36"
_LETTERS = (1, 0.8, 0.62, 0.5)  # how much smaller writing of so many letters is
_ROOM = 1.3  # how wide letters may be, in the size of a single one
INK, TURNED = "#1b1009", "#b3200f"


@dataclass(frozen=True, slots=True)
class Look:
    """The options of a picture.

    Attributes:
        letters: codes on the pieces instead of kanji.
        flipped: White sits below.
        dark: for a dark page.
        coordinates: files and ranks are named at the rim; a field without edges has no such names.
        size: the width in pixels, :data:`LEAST_SIZE` to :data:`MOST_SIZE`; the height follows.
    """

    letters: bool = False
    flipped: bool = False
    dark: bool = False
    coordinates: bool = True
    size: int = 640

    def __post_init__(self) -> None:
        """Make sure that there is such a picture.

        Raises:
            NotationError: its size is out of range.
        """
        if not LEAST_SIZE <= self.size <= MOST_SIZE:
            raise NotationError("picture", [f"{self.size} pixels is no width; expected {LEAST_SIZE} to {MOST_SIZE}"])

    @property
    def below(self) -> Side:
        """The side that sits at the bottom edge."""
        return "w" if self.flipped else "b"

    def has_letters(self, kind: Kind) -> bool:
        """True if a kind's pieces bear letters; also where its kanji has no outline, as may be in a variant file."""
        return self.letters or not all(has_outlines(kanji_on(kind, side)) for side in SIDES)

    def text(self, kind: Kind, side: Side) -> str:
        """The text on a piece."""
        return kind.code if self.has_letters(kind) else kanji_on(kind, side)


def inscription(text: str, size: float, x: float, y: float, fill: str, *, letters: bool, upside_down: bool) -> str:
    """The writing on a piece. Kanji turn with the piece and stand one below the other, letters stay upright."""
    stacked = not letters and len(text) > 1
    if letters:
        size *= min(_LETTERS[min(len(text), len(_LETTERS)) - 1], _ROOM / width(text))
    elif stacked:
        size *= 0.72
    lines = list(text) if stacked else [text]
    drop = 0.35 if letters else 0.37
    rows = [
        writing(line, size, 0, (row - (len(lines) - 1) / 2) * size + size * drop, fill)
        for row, line in enumerate(lines)
    ]
    turn = " rotate(180)" if letters and upside_down else ""
    return element("g", *rows, transform=f"translate({x} {y}){turn}")


def _koma(kind: Kind, side: Side, look: Look, upside_down: bool) -> list[str]:
    """A five-sided wooden piece."""
    body, shade, shine = ("#e6b873", "#9d6f31", "#f9dca7") if side == "b" else ("#f0d19b", "#b98d4c", "#fff3d6")
    ink = TURNED if kind.code.startswith("+") else INK
    letters = look.has_letters(kind)
    size = 41 if letters else 48

    def edge(points: str, ink: str, wide: float) -> str:
        return element("polyline", points=points, fill="none", stroke=ink, stroke_width=wide, stroke_linejoin="round")

    return [
        element("polygon", points=KOMA, fill=body),
        edge("-35,42 -23.5,-34.5 0,-43.8 23.5,-34.5", shine, 2.4),
        edge("-36,42.6 36,42.6 24.6,-34", shade, 3),
        inscription(look.text(kind, side), size, 0, 6, ink, letters=letters, upside_down=upside_down),
    ]


def _cube(kind: Kind, following: Kind | None, side: Side, look: Look, upside_down: bool) -> list[str]:
    """A cube from above: rim, top face, an arrowhead that shows its direction, and the face that comes up next."""
    rim, edge, body, front, ink = (
        ("#33231a", "#1d130d", "#553c2c", "#f0cf94", "#fdf1d8")
        if side == "b"
        else ("#cdb98f", "#a08c60", "#fbf4e2", "#6d5a33", "#2a1a0e")
    )
    letters = look.has_letters(kind)
    x, y = (0, 3) if not following else (-1, -9) if letters else (-4, -1)
    parts = [
        element("rect", x=-43, y=-43, width=86, height=86, rx=15, fill=rim, stroke=edge, stroke_width=1.5),
        element("rect", x=-34, y=-30, width=68, height=66, rx=10, fill=body),
        element("path", d="M-10 -33.5L0 -41L10 -33.5Z", fill=front),
        inscription(look.text(kind, side), 48, x, y, ink, letters=letters, upside_down=upside_down),
    ]
    if following:
        letters = look.has_letters(following)
        parts += [
            element("rect", x=8, y=10, width=26, height=26, rx=8, fill=rim),
            inscription(look.text(following, side), 20, 21, 23, ink, letters=letters, upside_down=upside_down),
        ]
    return parts


def stone_size(text: str) -> float:
    """The size of the kanji on a stone, which stand one below the other."""
    return {1: 58, 2: 56, 3: 41}.get(len(text), 36)


def _stone(kind: Kind, side: Side, look: Look) -> list[str]:
    """A round stone. Its writing stays upright, since the colour says whose it is; a second rim that it is turned."""
    black, turned = side == "b", kind.code.startswith("+")
    body, edge, shine = ("#2d2825", "#0c0a09", "#6d6560") if black else ("#fbf8f1", "#a99f8d", "#ffffff")
    rim, ink = ("#ff9f6b", "#f7efe2") if black else (TURNED, "#17110c")
    if turned:
        ink = "#ffb58a" if black else TURNED
    text, letters = look.text(kind, side), look.has_letters(kind)
    size = 48 if letters else stone_size(text)
    return [
        element("circle", r=STONE, fill=body, stroke=edge, stroke_width=2),
        element(
            "path", d="M-34 -22A41 41 0 0 1 4 -40.5", fill="none", stroke=shine, stroke_width=4, stroke_linecap="round"
        ),
        *([element("circle", r=STONE - 4.5, fill="none", stroke=rim, stroke_width=3)] if turned else []),
        inscription(text, size, 0, 0, ink, letters=letters, upside_down=False),
    ]


def piece(variant: Variant, kind: Kind, side: Side, look: Look, *, lies: bool = True) -> str:
    """A piece, on the board or, where it does not lie there, in the hand: there cubes do not show what comes next."""
    upside_down = side != look.below
    shadow: dict[str, str | float] = {"fill": "#2a1600", "opacity": 0.3}
    if variant.look == "stones":
        return element("g", element("circle", cy=3.5, r=STONE, **shadow), *_stone(kind, side, look))
    turn = "rotate(180)" if upside_down else None
    if variant.look == "cubes":
        next_face = variant.kind(kind.becomes.quiet[0]) if lies and len(kind.becomes.quiet) == 1 else None
        parts = _cube(kind, next_face, side, look, upside_down)
        below = element("rect", x=-43, y=-39, width=86, height=86, rx=15, **shadow)
        return element("g", below, element("g", *parts, transform=turn))
    parts = _koma(kind, side, look, upside_down)
    below = element("polygon", points=KOMA, transform=f"translate(0 4){' rotate(180)' if turn else ''}", **shadow)
    return element("g", below, element("g", *parts, transform=turn), transform=None if kind.royal else "scale(.95)")
