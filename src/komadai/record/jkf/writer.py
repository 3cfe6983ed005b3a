"""Records as json-kifu-format."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

from ...errors import NotationError
from ...game.position import Position
from ...i18n import _, safely
from ...notation.japanese import move_text
from ...spec.board import SIDES
from ...spec.move import Move
from ...spec.variant import Variant
from ..csa.words import CODES, OPEN, end_seconds, end_word, meaning
from ..kif.words import HANDICAP, HEADERS, TAKEN
from ..results import header_for
from ..scores import said_lines
from ..shogi import told
from ..tree import END_SECONDS, END_WORD, Record, Result, require_standard
from . import start
from .start import OTHER, RELATIVE, SPECIALS


def write(records: Sequence[Record]) -> str:
    """A record as json-kifu-format, with one entry of the main line per line.

    Raises:
        NotationError: it is of another game than standard shogi, there is not exactly one, or its variations are nested
            too deeply.
        KomadaiError: a move is not legal; only of records put together by hand.
    """
    if len(records) != 1:
        raise NotationError("JKF", [_("can hold one game per file only; there are {count}", count=len(records))])
    dump = partial(json.dumps, ensure_ascii=False)
    data = to_data(records[0])
    try:
        moves = ",\n  ".join(map(dump, data["moves"]))
    except RecursionError:
        raise NotationError("JKF", [_("its variations are nested too deeply")]) from None
    header, initial = dump(data["header"]), dump(data["initial"])
    return f'{{\n "header": {header},\n "initial": {initial},\n "moves": [\n  {moves}\n ]\n}}\n'


def to_data(record: Record) -> dict[str, Any]:
    """The record as data that JSON can hold.

    Raises:
        NotationError: it is of another game than standard shogi.
    """
    require_standard(record, "JKF")
    initial = start.write(record)
    entries, totals = _entries(record, initial["preset"])
    lines: dict[int, list[dict[str, Any]]] = {}
    waiting = [0]
    while waiting:
        first = at = waiting.pop()
        line = lines.setdefault(first, [])
        while True:
            line.append(entries[at])
            if not (children := record.children(at)):
                break
            at, *others = children
            if others:
                entries[at]["forks"] = [lines.setdefault(other, []) for other in others]
                waiting += others
    turn = record.position(record.main[-1]).turn
    word = end_word(record, turn)
    return {
        "header": _header(record, initial["preset"], word, meaning(word, turn)),
        "initial": initial,
        "moves": lines[0] + ([_special(record, word, totals)] if word else []),
    }


def _header(record: Record, preset: str, word: str, read_as: Result | None) -> dict[str, str]:
    """The headers but those that other fields say, and the word for the end that the schema does not know."""
    players = ("先手", "後手") if preset in ("HIRATE", OTHER) else ("下手", "上手")
    names = {ours: theirs for theirs, ours in HEADERS.items()} | dict(zip(("Black", "White"), players, strict=True))
    said = {END_WORD: word, END_SECONDS: _end_seconds(record)} if word else {}
    headers = {name: value for name, value in record.headers if not _taken(name, preset) and said.get(name) != value}
    headers = ({} if word in ("", *SPECIALS) else {END_WORD: word}) | headers | header_for(record, read_as)
    return {names.get(name, name): value for name, value in headers.items()}


def _taken(name: str, preset: str) -> bool:
    """True if a header of that name would be read as something else; a start without a name may have one there."""
    return name in TAKEN and (name != HANDICAP or preset != OTHER)


def _end_seconds(record: Record) -> str:
    """The seconds that the end took, where they are whole."""
    seconds = end_seconds(record)
    return "" if "." in seconds else seconds


def _special(record: Record, word: str, totals: Sequence[float]) -> dict[str, Any]:
    """The entry for the end. The schema knows the words of CSA 2 alone; others stand in the header."""
    said: dict[str, Any] = {"special": word if word in SPECIALS else OPEN}
    if kept := _end_seconds(record):
        seconds = float(kept)
        said["time"] = _time(seconds, seconds + (totals[record.main[-2]] if len(record.main) > 1 else 0.0))
    return said


def _entries(record: Record, preset: str) -> tuple[list[dict[str, Any]], list[float]]:
    """The entries of the nodes, without their variations, and the time that the mover has used until then."""
    apart = (f"{name}：{value}" for name, value in record.headers if _taken(name, preset))
    start = _comments("\n".join(filter(None, (*apart, record.nodes[0].comment))))
    moves = told(record, _move, dict[str, Any]())
    entries = [start]
    for node, one in zip(record.nodes[1:], moves[1:], strict=True):
        entry = {"move": one.said}
        if node.seconds is not None:
            entry["time"] = _time(node.seconds, one.total)
        entries.append(entry | _comments(node.comment, said_lines(node, one.side)))
    return entries, [one.total for one in moves]


def _comments(comment: str, said: Sequence[str] = ()) -> dict[str, Any]:
    lines = [*said, *(comment.split("\n") if comment else ())]
    return {"comments": lines} if lines else {}


def _move(position: Position, move: Move, last: int) -> dict[str, Any]:
    """A move with all that is written of it; ``last`` is the point on which the move before it ended.

    Where Japanese notation fails, what it says of the move stands in no field.
    """
    variant, stands = position.variant, None if move.origin_point is None else position.board[move.origin_point]
    text = safely("", move_text, position, move, variant.board.name(last) if last >= 0 else None)
    code = move.piece or "" if stands is None else stands.code
    said: dict[str, Any] = {"color": SIDES.index(position.turn)}
    if move.origin_point is not None:
        said["from"] = _place(variant, move.origin_point)
    said |= {"to": _place(variant, move.target_point), "piece": CODES[code]}
    if stands is not None and move.target_point == last:
        said["same"] = True
    if code != move.piece or text.endswith("不成"):
        said["promote"] = code != move.piece
    if (taken := position.board[move.target_point]) is not None:
        said["capture"] = CODES[taken.code]
    if relative := "".join(RELATIVE[sign] for sign in text if sign in RELATIVE):
        said["relative"] = relative
    return said


def _place(variant: Variant, point: int) -> dict[str, int]:
    return {"x": variant.board.file(point), "y": point // variant.board.width + 1}


def _time(seconds: float, total: float) -> dict[str, Any]:
    now, whole = round(seconds), round(total)
    return {
        "now": {"m": now // 60, "s": now % 60},
        "total": {"h": whole // 3600, "m": whole // 60 % 60, "s": whole % 60},
    }
