"""What is wrong with a position that somebody sets up, all of it at once."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from ...errors import IllegalPositionError, NotationError
from ...game.outcome import game_over
from ...game.position import Position
from ...i18n import _
from ...spec.board import SIDES, Side
from ...spec.setup import Piece, Setup
from ...spec.sfen import parse, print_setup
from ...spec.variant import Variant
from ..schema import encode
from .position_ref import VariantName

MOST_BYTES = 32 * 1024
Count = Annotated[int, msgspec.Meta(ge=0, le=999)]
Text = Annotated[str, msgspec.Meta(max_length=64)]


class Hands(msgspec.Struct, forbid_unknown_fields=True):
    b: dict[Text, Count] = {}
    w: dict[Text, Count] = {}


class Placed(msgspec.Struct, forbid_unknown_fields=True):
    """Pieces as :func:`komadai.web.schema.encode.pieces` tells them, and who is to move."""

    board: dict[Text, Text]
    hands: Hands
    turn: Literal["b", "w"]


class Check(msgspec.Struct, forbid_unknown_fields=True):
    """The body of ``POST /api/positions/check``: a position string, or pieces."""

    variant: VariantName
    position: Annotated[str, msgspec.Meta(max_length=2048)] | Placed
    options: Annotated[dict[str, str], msgspec.Meta(max_length=32)] = {}


def check(v: Variant, asked: str | Placed) -> dict[str, Any]:
    """The position as it is written and what stands where, both ``None`` if it cannot be read; and every ``defect``
    that keeps a game from beginning there."""
    try:
        setup = parse(v, asked) if isinstance(asked, str) else _setup(v, asked)
    except NotationError as error:
        return {"position": None, "pieces": None, "turn": "b", "defects": list(error.defects)}
    defects: list[str] = []
    try:
        outcome = Position(v, setup).outcome()
        if outcome is not None:
            defects.append(game_over(outcome))
    except IllegalPositionError as error:
        defects += error.defects
    return {
        "position": print_setup(v, setup),
        "pieces": encode.pieces(v, setup),
        "turn": setup.turn,
        "defects": defects,
    }


def _setup(v: Variant, placed: Placed) -> Setup:
    """The pieces as a setup.

    Raises:
        NotationError: every point and every kind that the variant does not have.
    """
    defects: list[str] = []
    codes = {kind.code for kind in v.kinds}
    board: list[Piece | None] = [None] * len(v.board)
    for square, piece in placed.board.items():
        point, side, code = v.board.find(square), piece[:1], piece[1:]
        if point is None:
            defects.append(_("{square} is not a square of this board", square=repr(square)))
        elif side not in SIDES or code not in codes:
            defects.append(
                _(
                    "{piece} on {square} is not a piece: expected b or w and a code, as in {model}",
                    piece=repr(piece),
                    square=square,
                    model=repr(f"b{v.kinds[0].code}"),
                )
            )
        else:
            board[point] = Piece("b" if side == "b" else "w", code)
    hands: dict[Side, dict[str, int]] = {"b": placed.hands.b, "w": placed.hands.w}
    for side in SIDES:
        unheld = [code for code in hands[side] if code not in v.hand_order]
        defects += [_("{piece} cannot be held in hand", piece=repr(code)) for code in unheld]
    if defects:
        raise NotationError(_("position"), defects)
    black, white = (tuple(hands[side].get(code, 0) for code in v.hand_order) for side in SIDES)
    return Setup(tuple(board), (black, white), placed.turn)
