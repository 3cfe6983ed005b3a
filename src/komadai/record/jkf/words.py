"""The words of json-kifu-format: its fields, and the names of starts."""

from __future__ import annotations

from ...spec.board import Side
from ...spec.variant import Variant
from ..kif.words import named_starts

FIELDS = ("header", "initial", "moves")
ENTRY_FIELDS = ("comments", "move", "time", "special", "forks")
MOVE_FIELDS = ("color", "from", "to", "piece", "same", "promote", "capture", "relative")
SIDES: tuple[Side, ...] = ("b", "w")  # by colour
RELATIVE = {"左": "L", "直": "C", "右": "R", "上": "U", "寄": "M", "引": "D", "打": "H"}
SPECIALS = (
    "TORYO",
    "CHUDAN",
    "SENNICHITE",
    "TIME_UP",
    "ILLEGAL_MOVE",
    "+ILLEGAL_ACTION",
    "-ILLEGAL_ACTION",
    "JISHOGI",
    "KACHI",
    "HIKIWAKE",
    "MATTA",
    "TSUMI",
    "FUZUMI",
    "ERROR",
)
"""The ends that the format's schema allows."""
OTHER = "OTHER"
_PRESETS = {
    "HIRATE": "平手",
    "KY": "香落ち",
    "KY_R": "右香落ち",
    "KA": "角落ち",
    "HI": "飛車落ち",
    "HIKY": "飛香落ち",
    "2": "二枚落ち",
    "3": "三枚落ち",
    "4": "四枚落ち",
    "5": "五枚落ち",
    "5_L": "左五枚落ち",
    "6": "六枚落ち",
    "7_L": "左七枚落ち",
    "7_R": "右七枚落ち",
    "8": "八枚落ち",
    "10": "十枚落ち",
}


def presets(variant: Variant) -> dict[str, str | None]:
    """Starts by their names: ``None`` for the variant's own, else a position string."""
    starts = named_starts(variant)
    return {name: starts[kanji] for name, kanji in _PRESETS.items() if kanji in starts}
