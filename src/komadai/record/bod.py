"""Boards as Japanese programs draw them in KIF files (BOD): ranks between bars, hands in kanji."""

from __future__ import annotations

import re
from functools import lru_cache

from ..errors import NotationError
from ..game.position import Position
from ..i18n import _, located, ngettext
from ..spec.board import SIDES, Side
from ..spec.setup import Piece, Setup
from ..spec.variant import CACHED_VARIANTS, Variant
from .reader import MOST_DEFECTS
from .tree import clean

DIGITS = "一二三四五六七八九"
_FRAME = "+---------------------------+"
_FILES = "  ９ ８ ７ ６ ５ ４ ３ ２ １"
_HANDS: dict[Side, str] = {"b": "先手の持駒", "w": "後手の持駒"}
NOTHING = "なし"
_MOST = 18
PLAYERS: dict[str, Side] = {"先手": "b", "下手": "b", "後手": "w", "上手": "w"}
HAND_NAMES = {f"{player}の{word}": side for player, side in PLAYERS.items() for word in ("持駒", "持ち駒")}
"""The headers of the hands."""

_CELL = re.compile(r"([vVｖ^]?)\s*([^\s|vVｖ^])")
_HELD = re.compile(r"([^0-9]|^(?=[0-9]))([一二三四五六七八九十]+|[0-9]+)?")


@lru_cache(maxsize=CACHED_VARIANTS)
def kanji(variant: Variant) -> dict[str, str]:
    """The codes of the kinds by every name that programs write: ``歩``, ``成銀``, ``竜``."""
    codes = {"竜": "龍"}
    names = {name: kind.code for kind in variant.kinds for name in (kind.kanji, kind.kanji_white or kind.kanji)}
    names |= {other: names[name] for other, name in codes.items() if name in names}
    promoted = {f"成{kind.kanji}": f"+{kind.code}" for kind in variant.kinds}
    known = {kind.code for kind in variant.kinds}
    return names | {name: code for name, code in promoted.items() if code in known}


def _number(text: str) -> int:
    """Read a number in kanji or digits, up to 99; 0 if it is not one."""
    if text.isascii():
        return int(text[:3])
    tens, ten, ones = text.rpartition("十")
    high = (DIGITS.find(tens) + 1 if tens else 1) if ten else 0
    return high * 10 + (DIGITS.find(ones) + 1 if ones else 0)


def _counted(count: int) -> str:
    tens, ones = divmod(count, 10)
    return ("" if tens == 0 else "十" if tens == 1 else f"{DIGITS[tens - 1]}十") + (DIGITS[ones - 1] if ones else "")


def write(position: Position) -> list[str]:
    """Draw a position of nine files and nine ranks as lines."""
    variant = position.variant

    def held(side: Side) -> str:
        counts = position.hand(side)
        words = [variant.kind(code).kanji + (_counted(count) if count > 1 else "") for code, count in counts.items()]
        return f"{_HANDS[side]}：{'　'.join(words) or NOTHING}"

    def cell(piece: Piece | None) -> str:
        return " ・" if piece is None else f"{'v' if piece.side == 'w' else ' '}{variant.kind(piece.code).kanji}"

    board, width = position.board, variant.board.width
    rows = [board[start : start + width] for start in range(0, len(board), width)]
    return [
        held("w"),
        _FILES,
        _FRAME,
        *(f"|{''.join(map(cell, row))}|{DIGITS[number]}" for number, row in enumerate(rows)),
        _FRAME,
        held("b"),
        *(["後手番"] if position.turn == "w" else []),
        *([f"手数＝{position.ply - 1}"] if position.ply > 1 else []),
    ]


def read(variant: Variant, rows: list[str], hands: dict[Side, str], turn: Side, ply: int) -> Setup:
    """Read a position from such lines; ``rows`` begin with a bar.

    Raises:
        NotationError: they draw none; every defect at once.
    """
    codes, width, defects = kanji(variant), variant.board.width, list[str]()
    board: list[Piece | None] = []
    if len(rows) != variant.board.height:
        defects.append(
            ngettext(
                "the board has {count} rank; expected {wanted}",
                "the board has {count} ranks; expected {wanted}",
                len(rows),
                wanted=variant.board.height,
            )
        )
    for number, row in enumerate(rows[: variant.board.height]):
        drawn, _bar, rest = row.lstrip("|").partition("|")
        cells = _CELL.findall(drawn)
        if rest.strip() not in ("", DIGITS[number]):
            words = _("behind rank {rank} of the board stands {text}", rank=DIGITS[number], text=repr(rest[:20]))
            defects.append(words)
        if len(cells) != width:
            defects.append(
                ngettext(
                    "rank {rank} of the board has {count} square; expected {wanted}",
                    "rank {rank} of the board has {count} squares; expected {wanted}",
                    len(cells),
                    rank=DIGITS[number],
                    wanted=width,
                )
            )
        for sign, name in cells[:width]:
            if name not in codes and name not in "・.*":
                defects.append(
                    _("rank {rank} of the board: there is no piece {name}", rank=DIGITS[number], name=repr(name)[1:-1])
                )
            board.append(Piece("w" if sign in "vVｖ" and sign else "b", codes[name]) if name in codes else None)
    counts: dict[Side, dict[str, int]] = {"b": {}, "w": {}}
    for side, text in hands.items():
        text = "".join(text.split())
        for name, count in [] if text == NOTHING else _HELD.findall(text):
            code, number = codes.get(name), _number(count) if count else 1
            if code not in variant.hand_order or not 1 <= number <= _MOST:
                defects.append(located(_HANDS[side], _("{piece} cannot be held", piece=clean(f"{name}{count}"))))
            else:
                counts[side][code] = counts[side].get(code, 0) + number
    if defects:
        raise NotationError(_("board"), defects[:MOST_DEFECTS])
    black, white = (tuple(counts[side].get(code, 0) for code in variant.hand_order) for side in SIDES)
    return Setup(tuple(board), (black, white), turn, ply)
