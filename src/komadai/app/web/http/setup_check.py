"""Validate a position that somebody sets up; report every defect."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....errors import IllegalPositionError, NotationError
from ....game.outcome import game_over
from ....game.position import Position
from ....i18n import _
from ....spec.board import SIDES, Side
from ....spec.logic import memory
from ....spec.setup import Piece, Setup
from ....spec.sfen import parse, print_setup
from ....spec.variant import Variant
from ..presenter import encode
from ..schema.answers import CheckedPosition
from ..schema.requests import PlacedPieces

MOST_BYTES = 32 * 1024


def check(v: Variant, asked: str | PlacedPieces) -> CheckedPosition:
    """Check whether a game, or else a problem, can start from a position string, or from these pieces."""
    try:
        setup = parse(v, asked) if isinstance(asked, str) else _setup(v, asked)
    except NotationError as error:
        return CheckedPosition(None, None, "b", None, error.defects, False)
    defects = _defects(Position, v, setup)
    problem = bool(defects) and not _defects(Position.problem, v, setup)
    taken_on = None if setup.taken_on is None else v.board.name(setup.taken_on)
    return CheckedPosition(print_setup(v, setup), encode.pieces(v, setup), setup.turn, taken_on, defects, problem)


def _defects(begin: Callable[[Variant, Setup], Position], v: Variant, setup: Setup) -> Sequence[str]:
    """Why nothing can begin there; nothing if it can."""
    try:
        outcome = begin(v, setup).outcome()
    except IllegalPositionError as error:
        return error.defects
    return [] if outcome is None else [game_over(outcome)]


def _setup(v: Variant, placed: PlacedPieces) -> Setup:
    """Build a setup.

    Raises:
        NotationError: unknown squares or kinds, all at once.
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
    taken_on = None if placed.taken_on is None else v.board.find(placed.taken_on)
    if placed.taken_on is not None and taken_on is None:
        defects.append(_("{square} is not a square of this board", square=repr(placed.taken_on)))
    elif placed.taken_on is not None and memory(v) is None:
        defects.append(_("this game remembers no capture, so none can have been on {square}", square=placed.taken_on))
    if defects:
        raise NotationError(_("position"), defects)
    black, white = (tuple(hands[side].get(code, 0) for code in v.hand_order) for side in SIDES)
    return Setup(tuple(board), (black, white), placed.turn, taken_on=taken_on)
