"""Read moves, as KIF writes them and as KI2 does."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...errors import IllegalMoveError, NotationError
from ...game.position import Position
from ...i18n import _
from ...notation import parse
from ...notation.japanese import last_square, parse_move
from ...spec.move import Move
from ...spec.setup import Piece
from .. import bod
from ..bod import DIGITS

_TIMES = r"[-+]?(?:[0-9]*[:.][-0-9:.]*|[0-9]+(?=\s*/))"
SPENT = rf"(?P<spent>\(\s*(?P<time>{_TIMES})\s*(?:/[-+0-9:.\s]*)?\))(?:\s*(?P=spent))?"
"""The time for a move, and the total, which follows from the times; some programs write them twice."""

_SIGN = f"[1-9{DIGITS}]"  # of a file or a rank, in kanji as newspapers write both
_MARKED = r"\s*(?P<mark>[▲△▼▽☗☖])?\s*"
_REST = rf"\s*(?:{SPENT})?\s*[+*]?(?=[\s▲△▼▽☗☖]|$)"
_START = rf"\(\s*(?P<from>00|{_SIGN}{{2}})\s*\)"
MOVE = re.compile(
    rf"{_MARKED}(?:(?P<file>{_SIGN})(?P<rank>{_SIGN})\s?(?P<same>同\s*)?|同\s*)"
    rf"(?P<piece>成?[王玉飛龍竜角馬金銀全桂圭香杏歩と])(?P<which>[右左直中上寄引行入下]{{0,2}})"
    rf"(?P<does>打ち?(?!\s*\({_SIGN}{{2}}\))|成らず|ならず|不成|生|成[りる]?)?\s*(?:{_START})?{_REST}"
)
"""A move in digits and brackets of half width, and the time that it took."""

FOREIGN = re.compile(rf"{_MARKED}(?P<foreign>(?=\S*[0-9])[-+A-Za-z0-9*=]*[A-Za-z][-+A-Za-z0-9*=]*){_REST}")
"""A move in a notation that KIF does not know (``7g7f``, ``P-7f``), where a numbered line has one."""

LIKE_A_MOVE = re.compile(rf"[▲△▼▽☗☖]?\s*(?:同|{_SIGN}{_SIGN})")
"""The beginning of a line that is a move or is meant to be one."""

_TIME = re.compile(r"(?:(?:([0-9]{1,8}):)?([0-9]{1,8}):)?([0-9]{1,8}(?:\.[0-9]{0,9})?)")


def seconds_of(text: str) -> float:
    """``0:16``, ``1:02:03`` or ``12.5`` as seconds.

    Raises:
        NotationError: it is no time.
    """
    found = _TIME.fullmatch(text)
    if found is None:
        raise NotationError(repr(text[:20]), [_("is not a time; expected minutes and seconds, as in (0:16)")])
    hours, minutes, seconds = (float(part or 0) for part in found.groups())
    return hours * 3600 + minutes * 60 + seconds


def find_move(found: re.Match[str], last: Move | None, position: Position) -> Move:
    """The legal move of a text that :data:`MOVE` matches; ``last`` is the one before it, whose target ``同`` is.

    Raises:
        NotationError: it says what cannot be, such as a piece that the game does not have.
        IllegalMoveError: there is no such move.
    """
    if found.re is FOREIGN:
        return parse(position, found["foreign"])
    file, rank, name, does, start = found.group("file", "rank", "piece", "does", "from")
    before = last.target if last else last_square(position)
    if file is None and before is None:
        raise NotationError("同", [_("there is no move before it")])
    target = before if file is None and before else square(file, rank)
    if found["same"] and target != before:
        raise NotationError("同", [_("the move before it did not end on {at}", at=target)])
    code = bod.kanji(position.variant).get(name)
    if code is None:
        raise NotationError(name, [_("is not a piece of this game")])
    promotes = "+" if (does or "") in ("成", "成り", "成る") else ""
    if (does or "").startswith("打") or start == "00":
        return position.parse_move(f"{code}*{target}")
    if start is not None:
        origin = square(*start)
        stands = position.piece_at(origin)
        if stands != Piece(position.turn, code):
            if stands is None:
                raise IllegalMoveError(_("{piece} does not stand on {at}, which is empty", piece=name, at=origin))
            if stands.code == code:
                raise IllegalMoveError(_("{piece} on {at} is the other side's", piece=name, at=origin))
            there = position.variant.kind(stands.code).kanji
            words = _("{piece} does not stand on {at}, which holds {other}", piece=name, at=origin, other=there)
            raise IllegalMoveError(words)
        return position.parse_move(f"{origin}{target}{promotes}")
    if not found["which"]:
        board = position.board
        fitting = [move for move in position.legal_moves() if _fits(board, move, code, target, promotes)]
        fitting = [move for move in fitting if not move.is_drop] or fitting
        if len(fitting) == 1:
            return fitting[0]
    written = found[0].partition("(")[0].strip(" +*▲△▼▽☗☖")
    return parse_move(position, written, before)


def _fits(board: Sequence[Piece | None], move: Move, code: str, target: str, promotes: str) -> bool:
    piece = None if move.origin_point is None else board[move.origin_point]
    return (
        move.target == target
        and (move.piece if piece is None else piece.code) == code
        and (move.piece != code) == bool(promotes)
    )


def square(file: str, rank: str) -> str:
    """The name of a square, from digits or kanji."""
    x, y = (int(sign) if sign.isascii() else DIGITS.index(sign) + 1 for sign in (file, rank))
    return f"{x}{chr(ord('a') + y - 1)}"
