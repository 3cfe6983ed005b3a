"""The start of a game in CSA: ``PI``, drawn ranks, single pieces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...errors import NotationError
from ...i18n import _, located
from ...spec.board import SIDES, Side
from ...spec.setup import Piece, Setup
from ...spec.sfen import start_of
from ...spec.variant import Variant
from ..tree import Record
from . import words
from .words import CODES, KINDS, SIGNS

_CELL = re.compile(r"\s*(?:([+-])([A-Z]{2})|\*)")
_PLACED = re.compile(r"([0-9]{2})([A-Z]{2})")
_REST = "AL"
_LONGEST = 40  # characters of a line that a message shows


def write(record: Record) -> Iterator[str]:
    """The lines of the start."""
    position = record.position(0)
    if record.start is None:
        yield "PI"
    else:
        board, width = position.board, position.variant.board.width
        for rank, start in enumerate(range(0, len(board), width), 1):
            yield f"P{rank}" + "".join(
                " * " if piece is None else SIGNS[piece.side] + CODES[piece.code]
                for piece in board[start : start + width]
            )
        for side in SIDES:
            held = [f"00{CODES[code]}" * count for code, count in position.hand(side).items()]
            if held:
                yield f"P{SIGNS[side]}{''.join(held)}"
    yield SIGNS[position.turn]


def read(variant: Variant, statements: Sequence[tuple[str, str]], turn: Side | None) -> Setup | None:
    """The position that statements, each with its place, describe; ``None`` for the variant's own.

    Raises:
        NotationError: they describe none; every defect at once.
    """
    own = start_of(variant)
    turn, said = turn or own.turn, [statement.strip() for statement, _place in statements]
    if said in ([], ["PI"]) and turn == own.turn:
        return None
    drawn = said and not any(statement.startswith("PI") for statement in said)
    board = [None if drawn else piece for piece in own.board]
    defects: list[str] = []
    hands: dict[Side, dict[str, int]] = {side: dict.fromkeys(variant.hand_order, 0) for side in SIDES}
    for statement, place in statements:
        defects += [located(place, defect) for defect in _placed(variant, statement, board, hands)]
    if defects:
        raise NotationError(_("start"), defects)
    black, white = (tuple(hands[side].values()) for side in SIDES)
    return Setup(tuple(board), (black, white), turn)


def square_name(square: str) -> str:
    """``77`` as ``7g``."""
    return f"{square[0]}{chr(ord('a') + int(square[1]) - 1)}"


def _placed(variant: Variant, said: str, board: list[Piece | None], hands: dict[Side, dict[str, int]]) -> Iterator[str]:
    """Place the pieces of one statement of the start; yield its defects."""
    width, what, rest = variant.board.width, said[1], said[2:]
    if what.isdigit():
        cells = _cells(rest, width)
        if cells is None or len(cells) != width:
            yield _(
                "cannot read the rank {text}; expected {wanted} squares, as in P2 * -HI * and so on",
                text=repr(said[:_LONGEST]),
                wanted=width,
            )
            return
        start = (int(what) - 1) * width
        if any(board[start : start + width]):
            yield _("rank {number} is drawn twice", number=what)
        for column, (sign, code) in enumerate(cells):
            if code and code not in KINDS:
                yield _("{piece} is not a piece; choose from {pieces}", piece=code, pieces=" ".join(KINDS))
            else:
                board[start + column] = Piece(words.SIDES[sign], KINDS[code]) if code else None
        return
    if _PLACED.sub("", rest.strip()):
        shown = repr(said[:_LONGEST])
        yield _("cannot read {text}; expected squares and pieces, as in P-00FU or PI82HI", text=shown)
        return
    for square, code in _PLACED.findall(rest):
        at = None if "0" in square else variant.board.find(square_name(square))
        if what == "I":
            stands = None if at is None else board[at]
            if at is None or stands is None or CODES[stands.code] != code:
                yield _("there is no {piece} on {at} to be taken away", piece=code, at=square)
            else:
                board[at] = None
        elif square == "00" and code == _REST:
            _hold_the_rest(variant, board, hands, words.SIDES[what])
        elif square == "00" and KINDS.get(code) in variant.hand_order:
            hands[words.SIDES[what]][KINDS[code]] += 1
        elif at is None or code not in KINDS:
            yield _("{text} is not a piece on a square or in hand", text=square + code)
        elif (stands := board[at]) is not None:
            yield _("{text} is put where {piece} stands already", text=square + code, piece=CODES[stands.code])
        else:
            board[at] = Piece(words.SIDES[what], KINDS[code])


def _cells(text: str, width: int) -> list[tuple[str, str]] | None:
    """Sign and piece of the squares of a rank, empty for none; ``None`` if it cannot be read."""
    cells, at = list[tuple[str, str]](), 0
    text = text.rstrip()
    while at < len(text):
        found = _CELL.match(text, at)
        if found is None:
            break
        cells.append((found[1] or "", found[2] or ""))
        at = found.end()
    if at == len(text) and len(cells) == width:
        return cells
    if not 3 * width - 2 <= len(text) <= 3 * width:
        return None
    fixed = [
        _CELL.fullmatch(text[start : start + 3].strip() or "*") for start in range(0, 3 * width, 3)
    ]  # three blanks
    return [(cell[1] or "", cell[2] or "") for cell in fixed if cell]


def _hold_the_rest(variant: Variant, board: list[Piece | None], hands: dict[Side, dict[str, int]], side: Side) -> None:
    """Put the pieces of the game that are neither on the board nor in a hand into a side's hand."""
    start = start_of(variant)
    for code in variant.hand_order:
        family = (code, f"+{code}")
        there, stands = (sum(piece is not None and piece.code in family for piece in at) for at in (start.board, board))
        hands[side][code] += max(there - stands - sum(held[code] for held in hands.values()), 0)
