"""The words of KIF: headers, starts known by name, and how games end."""

from __future__ import annotations

import re
from functools import lru_cache

from ...spec.board import Side
from ...spec.sfen import parse, print_setup
from ...spec.variant import CACHED_VARIANTS, Variant
from .. import results
from ..bod import HAND_NAMES
from ..results import How
from ..tree import Result

EVEN = "平手"
OTHER = "その他"
HANDICAP = "手合割"
TURN = "手番"
BRANCH = "変化"
HEADERS = {
    "先手": "Black", "下手": "Black", "後手": "White", "上手": "White", "棋戦": "Event", "場所": "Site",
    "開始日時": "Date",
}  # fmt: skip
TAKEN = frozenset({*HEADERS, *HAND_NAMES, HANDICAP, TURN, BRANCH})
"""The names of headers that mean something to the format itself."""
_LIKE_NO_HEADER = ("まで", "同", "手数--")


def is_header_name(name: str) -> bool:
    """True if a line with that name and a colon is read as a header of the name, not as an end or a move."""
    return name not in TAKEN and not name.startswith(_LIKE_NO_HEADER)


INTERRUPTED = "中断"
ENDS: dict[str, tuple[How, str]] = {
    "投了": ("loses", "resign"),
    "詰み": ("loses", "checkmate"),
    "切れ負け": ("loses", "time"),
    "反則負け": ("loses", "illegal"),
    "不戦敗": ("loses", "forfeit"),
    "反則勝ち": ("wins", "illegal"),
    "入玉勝ち": ("wins", "declaration"),
    "不戦勝": ("wins", "forfeit"),
    "千日手": ("draw", "repetition"),
    "持将棋": ("draw", "agreement"),
    INTERRUPTED: ("open", ""),
    # Read, but not written:
    "詰": ("loses", "checkmate"),
    "時間切れ": ("loses", "time"),
    "反則": ("loses", "illegal"),
    "勝ち宣言": ("wins", "declaration"),
    "入玉宣言": ("wins", "declaration"),
    "引き分け": ("draw", "agreement"),
    "引分け": ("draw", "agreement"),
}
REASONS = {
    "入玉": "declaration", "宣言": "declaration", "反則": "illegal", "時間切れ": "time", "切れ": "time",
    "不戦": "forfeit", "投了": "resign", "詰み": "checkmate",
}  # fmt: skip
"""The reasons that a line in words names, the first that occurs in it."""
_FOUL = re.compile("反則|二歩|二手指し|王手放置|王手無視|打ち?歩詰|行き所|連続王手")
LOSES = {"stalemate": "詰み", "perpetual_check": "反則負け"} | {
    reason: word for word, (how, reason) in reversed(ENDS.items()) if how == "loses"
}
WINS = {"perpetual_check": "反則勝ち", "illegal": "反則勝ち", "declaration": "入玉勝ち", "forfeit": "不戦勝"}

READ_STARTS: dict[str, str | None] = {
    "トンボ": "4k4/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "歩三兵": "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 3p 1",
    "裸玉": "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
}
"""Starts that Lishogi names. Others draw them, and so they are written."""

_UNKNOWN = re.compile(r"[^\s\W\d同][^\s(（）:：０-９]*(?<![+。])")


def result_of(word: str, turn: Side) -> Result | None:
    """The result that an end by that word is while ``turn`` is to move; ``None`` where the game is left open."""
    return results.result_of(ENDS.get(word, ("open", "")), turn)


def names_a_foul(text: str) -> bool:
    """True if a word or a comment speaks of a foul."""
    return _FOUL.search(text) is not None


def is_open_end(word: str) -> bool:
    """True if a line may say by that word that a game ended, though not with what result."""
    return word not in ENDS and not word.endswith(("勝ち", "負け")) and _UNKNOWN.fullmatch(word) is not None


@lru_cache(maxsize=CACHED_VARIANTS)
def named_starts(variant: Variant) -> dict[str, str | None]:
    """Starts by the names of KIF: ``None`` for the variant's own, else a position string."""
    return {EVEN: None} | {
        one.kanji: print_setup(variant, parse(variant, one.start), ply=True) for one in variant.handicaps
    }
