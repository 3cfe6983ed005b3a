"""The established names of openings, a data file a game; other games' lines are named by their first moves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ...errors import NotationError
from ...game.position import Position
from ...i18n import _
from ...spec.board import SIDES
from ...spec.variant import Variant
from ...toml_table import Defect, TomlTable, parsed
from ...variants import own_options

FOLDER = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Name:
    """The established name of an opening.

    Attributes:
        name: in English; :func:`komadai.i18n._` translates it.
        pieces: what a position must have to bear it, from the side that plays the opening: each a code, capital for its
            own pieces, and a point, empty for the hand.
        line: moves by which it is usually reached; none where the engine need not play it.
        source: where it is written down.
    """

    name: str
    pieces: tuple[tuple[str, str], ...]
    line: tuple[str, ...]
    source: str

    def of(self, position: Position) -> bool:
        """True if the position bears it, whichever side plays the opening."""
        return any(all(_has(position, *piece, turned=turned) for piece in self.pieces) for turned in (False, True))


def _has(position: Position, code: str, point: str, *, turned: bool) -> bool:
    """True if the piece is there, or with the board ``turned`` round."""
    variant, setup = position.variant, position.setup()
    side = 0 if code.isupper() != turned else 1
    if not point:
        return setup.hands[side][variant.hand_order.index(code.upper())] > 0
    at = variant.board.find(point)
    assert at is not None, f"{point} is a point of the board"
    piece = setup.board[-1 - at if turned else at]
    return piece is not None and piece.side == SIDES[side] and piece.code == code.upper()


@cache
def names_of(variant: Variant) -> tuple[Name, ...]:
    """The established names of a game's openings; none where there is no file of them.

    Raises:
        NotationError: the file has defects.
    """
    path = FOLDER / f"{variant.id}.toml"
    if own_options(variant) or not path.is_file():
        return ()
    defects: list[Defect] = []
    table = TomlTable(parsed(path.read_text(encoding="utf-8")), "", defects)
    source = table.text("source")
    found = tuple(
        Name(one.text("name"), tuple(map(_piece, one.texts("pieces"))), one.texts("line"), source)
        for one in table.tables("names", 1)
    )
    if defects:
        raise NotationError(path.name, [*map(str, defects)])
    return found


def _piece(text: str) -> tuple[str, str]:
    """The code and the point of ``S7g``; ``+B`` is a piece in hand."""
    return (text[1:], "") if text.startswith("+") else (text[0], text[1:])


def name_of(positions: Iterable[Position]) -> str:
    """The name of the opening that leads through these positions, translated; empty if none of them bears one."""
    last = -1
    for position in positions:
        names = names_of(position.variant)
        last = next((at for at in range(len(names) - 1, last, -1) if names[at].of(position)), last)
    return _(names[last].name) if last >= 0 else ""
