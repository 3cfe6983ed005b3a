"""Squares, numbers and pieces in Japanese writing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from unicodedata import normalize

from ...spec.board import Rect
from ...spec.kinds import Kind
from ...spec.variant import CACHED_VARIANTS, Variant

DIGITS = "一二三四五六七八九"
_FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")
_SHORT = {"全": "成銀", "圭": "成桂", "杏": "成香"}
"""Signs of one character that boards show, and the names in moves."""
_OTHERWISE = {"玉": "王", "と": "と金"}
_MODERN = str.maketrans("龍佛", "竜仏")

_NUMERAL = rf"[二三]?十[{DIGITS}]?|[{DIGITS}]"
SQUARE = rf"[1-9][0-9]?(?:{_NUMERAL})|[1-9{DIGITS}][1-9{DIGITS}]"
"""Pattern of a square in a text in normal form (NFKC)."""
_PARTS = re.compile(rf"([0-9]+|[{DIGITS}](?=.$))([0-9]|[{DIGITS}十]+)")


def numeral(number: int) -> str:
    """A number from 1 to 99 in kanji.

    Example:
        >>> numeral(3), numeral(10), numeral(19), numeral(25)
        ('三', '十', '十九', '二十五')
    """
    tens, ones = divmod(number, 10)
    high = "" if tens == 0 else "十" if tens == 1 else f"{DIGITS[tens - 1]}十"
    return high + (DIGITS[ones - 1] if ones else "")


def number(text: str) -> int:
    """Read a number in kanji or in digits, up to 99; 0 if it is none.

    Example:
        >>> number("十九"), number("二十"), number("7"), number("十十")
        (19, 20, 7, 0)
    """
    if text.isascii():
        return int(text) if len(text) <= 2 and text.isdigit() else 0
    tens, ten, ones = text.rpartition("十")
    if len(tens) > 1 or len(ones) > 1 or any(sign not in DIGITS for sign in tens + ones):
        return 0
    high = (DIGITS.index(tens) + 1 if tens else 1) if ten else 0
    return high * 10 + (DIGITS.index(ones) + 1 if ones else 0)


def full_width(text: str) -> str:
    """The text with its digits in full width."""
    return text.translate(_FULL_WIDTH)


def square_text(board: Rect, point: int) -> str:
    """A square as Japanese print writes it: the file in full-width digits, the rank in kanji.

    Example:
        >>> square_text(Rect(9, 9), 47), square_text(Rect(19, 19), 0)
        ('７六', '１９一')
    """
    return full_width(str(board.file(point))) + numeral(point // board.width + 1)


def find_square(board: Rect, text: str) -> int | None:
    """The point of a square in a text in normal form (NFKC); ``None`` if the board has none of that name.

    Files are digits, or kanji where one of them is enough; ranks likewise the other way about.

    Example:
        >>> [find_square(Rect(9, 9), text) for text in ("7六", "76", "七六", "0六")]
        [47, 47, 47, None]
    """
    found = _PARTS.fullmatch(text)
    file, rank = (number(found[1]), number(found[2])) if found else (0, 0)
    if not (1 <= file <= board.width and 1 <= rank <= board.height):
        return None
    return (rank - 1) * board.width + board.width - file


def plain(text: str) -> str:
    """A text in normal form (NFKC), without spaces."""
    return "".join(normalize("NFKC", text).split())


def piece_text(kind: Kind) -> str:
    """The kind's name in a move: ``歩``, ``龍``, ``成銀``; its code where its kanji are none."""
    name = _SHORT.get(kind.kanji, kind.kanji)
    return kind.code if name != plain(name) or any(map(str.isascii, name)) else name


@lru_cache(maxsize=CACHED_VARIANTS)
def piece_texts(variant: Variant) -> Mapping[str, str]:
    """The name of each kind in moves, by code."""
    return {kind.code: piece_text(kind) for kind in variant.kinds}


@lru_cache(maxsize=CACHED_VARIANTS)
def piece_names(variant: Variant) -> Mapping[str, frozenset[str]]:
    """The codes of the kinds that each name means, by every name that is read; namesakes share theirs.

    A code is a name too, of its kind alone.
    """
    names, others = dict[str, frozenset[str]](), dict[str, frozenset[str]]()

    def name(text: str, code: str, among: dict[str, frozenset[str]]) -> None:
        among[plain(text)] = among.get(plain(text), frozenset()) | {code}

    for kind in variant.kinds:
        written = piece_text(kind)
        name(written, kind.code, names)
        if written != kind.code:
            name(kind.code, kind.code, names)
            name(kind.kanji, kind.code, others)
        for text in {_OTHERWISE.get(word, word.translate(_MODERN)) for word in (kind.kanji, written)}:
            name(text, kind.code, others)
        if any(other.code == f"+{kind.code}" for other in variant.kinds):
            name(f"成{written}", f"+{kind.code}", others)
    return {text: codes for text, codes in others.items() if text} | names
