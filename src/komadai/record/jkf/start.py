"""The words of json-kifu-format, and the start of a game in it: a name, or a drawn board."""

from __future__ import annotations

from typing import Any

from ...errors import NotationError
from ...i18n import _, located
from ...spec.board import SIDES
from ...spec.setup import Piece, Setup
from ...spec.sfen import start_of
from ...spec.variant import Variant
from ...variants import suggest
from ..csa.words import CODES, KINDS
from ..data import fields_of, kind_words, value_words
from ..kif.words import named_starts
from ..reader import MOST_DEFECTS
from ..tree import Record

FIELDS = ("header", "initial", "moves")
ENTRY_FIELDS = ("comments", "move", "time", "special", "forks")
MOVE_FIELDS = ("color", "from", "to", "piece", "same", "promote", "capture", "relative")
RELATIVE = {"左": "L", "直": "C", "右": "R", "上": "U", "寄": "M", "引": "D", "打": "H"}
SPECIALS = (
    "TORYO", "CHUDAN", "SENNICHITE", "TIME_UP", "ILLEGAL_MOVE", "+ILLEGAL_ACTION", "-ILLEGAL_ACTION", "JISHOGI",
    "KACHI", "HIKIWAKE", "MATTA", "TSUMI", "FUZUMI", "ERROR",
)  # fmt: skip
"""The ends that the format's schema allows."""
OTHER = "OTHER"
_MOST_HELD = 81
_PRESETS = {
    "HIRATE": "平手", "KY": "香落ち", "KY_R": "右香落ち", "KA": "角落ち", "HI": "飛車落ち", "HIKY": "飛香落ち",
    "2": "二枚落ち", "3": "三枚落ち", "4": "四枚落ち", "5": "五枚落ち", "5_L": "左五枚落ち", "6": "六枚落ち",
    "7_L": "左七枚落ち", "7_R": "右七枚落ち", "8": "八枚落ち", "10": "十枚落ち",
}  # fmt: skip


def presets(variant: Variant) -> dict[str, str | None]:
    """Starts by their names: ``None`` for the variant's own, else a position string."""
    starts = named_starts(variant)
    return {name: starts[kanji] for name, kanji in _PRESETS.items() if kanji in starts}


def write(record: Record) -> dict[str, Any]:
    """The start as data."""
    preset = next((name for name, start in presets(record.variant).items() if start == record.start), OTHER)
    return {"preset": preset} | ({"data": _data(record)} if preset == OTHER else {})


def _data(record: Record) -> dict[str, Any]:
    position = record.position(0)
    board, width = position.board, position.variant.board.width
    held, hands = position.variant.hand_order, [position.hand(side) for side in SIDES]
    columns = [[board[rank * width + width - file] for rank in range(9)] for file in range(1, width + 1)]
    return {
        "color": SIDES.index(position.turn),
        "board": [
            [{} if piece is None else {"color": SIDES.index(piece.side), "kind": CODES[piece.code]} for piece in column]
            for column in columns
        ],
        "hands": [{CODES[code]: hand.get(code, 0) for code in CODES if code in held} for hand in hands],
    }


def read(variant: Variant, initial: object) -> str | Setup | None:
    """The start that ``initial`` describes.

    Raises:
        NotationError: it describes none.
    """
    if initial is None:
        return None
    defects = list[str]()
    fields = fields_of(initial, ("preset", "data"), "initial", defects)
    preset, data, known = fields.get("preset"), fields.get("data"), presets(variant)
    if defects:
        raise NotationError("initial", defects)
    if data is not None and preset in (OTHER, "HIRATE"):  # iPhone programs have written HIRATE with data
        return _drawn(variant, data)
    if preset == OTHER or data is not None:
        raise NotationError("initial", [_("data belong to the preset OTHER, and to no other")])
    if not isinstance(preset, str) or preset not in known:
        shown = value_words(preset)
        words = _(
            "there is no preset {name}; {suggestion}", name=shown, suggestion=suggest(str(preset)[:40], (*known, OTHER))
        )
        raise NotationError("initial", [words])
    return known[preset]


def _drawn(variant: Variant, data: object) -> Setup:
    """The start that ``initial.data`` draws."""
    defects = list[str]()
    fields = fields_of(data, ("color", "board", "hands"), "data", defects)
    color, columns, hands = fields.get("color"), fields.get("board"), fields.get("hands")
    if color not in (0, 1) or isinstance(color, bool):
        defects.append(_("{name} is {kind}; expected 0 or 1", name="color", kind=kind_words(color)))
    width = variant.board.width
    board: list[Piece | None] = [None] * len(start_of(variant).board)
    if columns == {}:  # the schema allows it for an empty board
        columns = [[{}] * width] * width
    if not isinstance(columns, list) or [isinstance(one, list) and len(one) for one in columns] != [width] * width:
        defects.append(_("board is not a list of nine lists of nine squares"))
        columns = []
    for x, column in enumerate(columns):
        for y, square in enumerate(column):
            board[y * width + width - 1 - x] = _piece(square, f"board[{x}][{y}]", defects)
    held = _held(variant, hands, defects)
    if defects:
        raise NotationError("data", defects[:MOST_DEFECTS])
    return Setup(tuple(board), held, SIDES[int(color or 0)])


def _piece(square: object, place: str, defects: list[str]) -> Piece | None:
    fields = fields_of(square, ("color", "kind"), place, defects)
    code, color = fields.get("kind"), fields.get("color")
    if code is None:
        return None
    if not isinstance(code, str) or code not in KINDS or color not in (0, 1) or isinstance(color, bool):
        defects.append(located(place, _("is no piece; expected a kind, such as FU, and a color, 0 or 1")))
        return None
    return Piece(SIDES[color], KINDS[code])


def _held(variant: Variant, hands: object, defects: list[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if not isinstance(hands, list) or len(hands) != 2:
        defects.append(located("hands", _("is {kind}; expected a list of two objects", kind=kind_words(hands))))
        hands = [{}, {}]
    counts = [dict.fromkeys(variant.hand_order, 0) for _side in SIDES]
    for number, hand in enumerate(hands):
        for code, count in fields_of(hand, tuple(KINDS), f"hands[{number}]", defects).items():
            if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= _MOST_HELD:
                defects.append(located(f"hands[{number}]", _("{name} is no number of pieces", name=code)))
            elif KINDS[code] in counts[number]:
                counts[number][KINDS[code]] = count
            elif count:
                defects.append(located(f"hands[{number}]", _("{name} cannot be held", name=code)))
    black, white = (tuple(held.values()) for held in counts)
    return black, white
