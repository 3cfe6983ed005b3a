"""Write KIF."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from ...game.position import Position
from ...spec.move import Move
from .. import bod
from ..bod import DIGITS
from ..results import header_for
from ..scores import said_lines
from ..tree import END_SECONDS, END_WORD, Node, Record, Result, require_standard
from .words import (
    EVEN,
    HANDICAP,
    HEADERS,
    INTERRUPTED,
    LOSES,
    WINS,
    is_header_name,
    is_open_end,
    named_starts,
    result_of,
)

_SQUARES = "１２３４５６７８９"
_LONG_NAMES = {"+S": "成銀", "+N": "成桂", "+L": "成香"}
_COLUMNS = 14
_SECONDS = re.compile(r"[1-9][0-9]{0,7}")


def write(record: Record) -> str:
    """The record as KIF.

    Raises:
        NotationError: it is of another game than standard shogi.
        KomadaiError: a move is not legal; only of records put together by hand.
    """
    require_standard(record, "KIF")
    lines = ["#KIF version=2.0 encoding=UTF-8", *head_lines(record, _end_headers(record))]
    lines += ["手数----指手---------消費時間--", *remark_lines(record.nodes[0], ""), *_moves(record)]
    return "\n".join([*lines, ""])


def _handicap(record: Record) -> str | None:
    """The name of the start, ``None`` if it has none."""
    return next((name for name, start in named_starts(record.variant).items() if start == record.start), None)


def _players(record: Record) -> tuple[str, str]:
    return ("下手", "上手") if _handicap(record) not in (EVEN, None) else ("先手", "後手")


def head_lines(record: Record, elsewhere: Container[str]) -> Iterator[str]:
    """The headers but those written elsewhere, and the start.

    A header whose name has another meaning here is written as a comment.
    """
    names = {ours: theirs for theirs, ours in HEADERS.items()} | dict(
        zip(("Black", "White"), _players(record), strict=True)
    )
    handicap = _handicap(record)
    word, turn = end_of(record)[0], record.position(record.main[-1]).turn
    read_as = result_of(word, turn) if word else Result(turn, "adjudication")
    for name, value in (*record.headers, *header_for(record, read_as).items()):
        plain = is_header_name(name) or (name == HANDICAP and handicap is None)
        if name not in elsewhere:
            yield f"{'' if plain else '*'}{names.get(name, name)}：{value}"
    yield from bod.write(record.position(0)) if handicap is None else [f"{HANDICAP}：{handicap}"]


def _end_headers(record: Record) -> list[str]:
    """The headers that the line for the end of the game holds."""
    timed = end_of(record)[0] and _SECONDS.fullmatch(record.header(END_SECONDS))
    return [name for name, kept in ((END_WORD, end_word(record)), (END_SECONDS, timed)) if kept]


def end_word(record: Record) -> str:
    """The word of a game that ended without a result, if there is one that a line for the end can hold."""
    word = record.header(END_WORD)
    return word if record.result is None and is_open_end(word) else ""


def remark_lines(node: Node, side: str) -> Iterator[str]:
    """The lines of a node's score, if its comment does not say it, of its mark, and of its comment."""
    yield from (f"*{line}" for line in said_lines(node, side))
    if node.comment:
        yield from (line if line.startswith("&") else f"*{line}" for line in node.comment.split("\n"))


def branches(record: Record) -> Iterator[list[int]]:
    """The nodes of the main line from the first move on, then those of the variations, those that begin last first."""
    waiting = [(0, 0)]
    while waiting:
        first, at = waiting.pop()
        line = [first] if first else []
        while children := record.children(at):
            waiting += ((other, other) for other in reversed(children[1:]))
            at = children[0]
            line.append(at)
        yield line


def _moves(record: Record) -> Iterator[str]:
    """The lines of the moves, how the game ended, and the variations."""
    plies, words, totals, targets, sides = [0], [""], [0.0], [-1], [""]
    for number, position, move in record.walk():
        node = record.nodes[number]
        plies.append(plies[node.after] + 1)
        words.append(move_word(position, move, targets[node.after]))
        targets.append(move.target_point)
        sides.append(position.turn)
        before = record.nodes[node.after].after
        totals.append((node.seconds or 0.0) + (totals[before] if before >= 0 else 0.0))
    for index, line in enumerate(branches(record)):
        if index:
            yield ""
            yield f"変化：{plies[line[0]]}手"
        for at in line:
            node, siblings = record.nodes[at], record.children(record.nodes[at].after)
            yield _line(plies[at], words[at], node.seconds, totals[at], at != siblings[-1])
            yield from remark_lines(node, sides[at])
        if not index:
            word, said = end_of(record)
            if word:
                before = record.nodes[line[-1]].after if line else -1
                seconds = float(record.header(END_SECONDS)) if END_SECONDS in _end_headers(record) else None
                used = (totals[before] if before >= 0 else 0.0) + (seconds or 0.0)
                yield _line(len(line) + 1, word, seconds, used, branches=False)
            yield f"まで{len(line)}手で{said}"


def _line(ply: int, word: str, seconds: float | None, total: float, branches: bool) -> str:
    width = sum(1 if char.isascii() else 2 for char in word)
    line = f"{ply:>4} {word}{' ' * max(_COLUMNS - width, 1)}"
    if seconds is not None:
        spent, whole = round(seconds), round(total)
        line += f"({spent // 60:>2}:{spent % 60:02}/{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02})"
    return (line + ("+" if branches else "")).rstrip()


def move_word(position: Position, move: Move, last: int) -> str:
    """A move as KIF writes it; ``last`` is the point where the one before it ended."""
    variant, target = position.variant, move.target_point
    file, rank = variant.board.file(target), target // variant.board.width
    square = "同　" if target == last else f"{_SQUARES[file - 1]}{DIGITS[rank]}"
    if move.origin_point is None:
        return f"{square}{variant.kind(move.piece or '').kanji}打"
    piece = position.board[move.origin_point]
    assert piece is not None
    kind, start = variant.kind(piece.code), variant.board.name(move.origin_point)
    name = _LONG_NAMES.get(kind.code, kind.kanji)
    promotes = "成" if move.piece != kind.code else ""
    return f"{square}{name}{promotes}({start[0]}{ord(start[1]) - ord('a') + 1})"


def end_of(record: Record) -> tuple[str, str]:
    """How a game ended: the word for it, empty if there is none, and the same as the last line says it."""
    black, white = _players(record)
    result, turn = record.result, record.position(record.main[-1]).turn
    if result is None:
        word = said = end_word(record) or INTERRUPTED
    elif result.winner is None:
        word = said = "千日手" if result.reason == "repetition" else "持将棋"
    else:
        won = result.winner == turn
        word = (WINS if won else LOSES).get(result.reason, "" if won else "投了")
        side, loser = (black, white) if result.winner == "b" else (white, black)
        said = f"{loser}の{word}" if word == "反則負け" else f"{side}の{word if won and word else '勝ち'}"
    return word, said
