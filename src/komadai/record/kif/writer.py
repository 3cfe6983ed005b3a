"""Write KIF, and KI2, in which moves are written as in books and newspapers."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence

from ...game.position import Position
from ...i18n import safely
from ...notation.japanese import move_text
from ...spec.move import Move
from .. import bod
from ..bod import DIGITS
from ..results import header_for
from ..scores import said_lines
from ..shogi import Told, told
from ..tree import END_SECONDS, END_WORD, Node, Record, Result, require_standard
from . import words
from .words import EVEN, HANDICAP, HEADERS, INTERRUPTED, is_header_name, is_open_end

_SQUARES = "１２３４５６７８９"
_LONG_NAMES = {"+S": "成銀", "+N": "成桂", "+L": "成香"}
_COLUMNS = 14
_MARKS = {"b": "▲", "w": "△"}
_A_LINE = 6  # moves of KI2
_IN_WORDS = {"切れ負け": "時間切れにより", "不戦敗": "不戦敗により"}
_BY_ITSELF = "詰み"
_SECONDS = re.compile(r"[1-9][0-9]{0,7}")


def write(record: Record) -> str:
    """The record as KIF.

    Raises:
        NotationError: it is of another game than standard shogi.
        KomadaiError: a move is not legal; only of records put together by hand.
    """
    require_standard(record, "KIF")
    moves, said = told(record, _move_word, ""), [""]
    for at, one in enumerate(moves[1:], 1):
        node, siblings = record.nodes[at], record.children(record.nodes[at].after)
        said.append(_line(one.ply, one.said, node.seconds, one.total, at != siblings[-1]))
    word, as_said = _end_of(record)
    count = len(record.main) - 1
    ends = [f"まで{count}手で{as_said}"]
    if word:
        before = record.nodes[record.main[-1]].after if count else -1
        seconds = float(record.header(END_SECONDS)) if END_SECONDS in _end_headers(record) else None
        used = (moves[before].total if before >= 0 else 0.0) + (seconds or 0.0)
        ends.insert(0, _line(count + 1, word, seconds, used, branches=False))
    lines = ["#KIF version=2.0 encoding=UTF-8", *_head_lines(record, _end_headers(record))]
    lines += ["手数----指手---------消費時間--", *_remark_lines(record.nodes[0], "")]
    return "\n".join([*lines, *_lines(record, moves, said, 1, ends), ""])


def write_ki2(record: Record) -> str:
    """The record as KI2; errors are those of :func:`write`.

    A move that Japanese notation fails to write is written as in KIF, so that it is read.
    """
    require_standard(record, "KI2")

    def in_words(position: Position, move: Move, last: int) -> str:
        text = safely("", move_text, position, move, position.variant.board.name(last) if last >= 0 else None)
        return _MARKS[position.turn] + (text or _move_word(position, move, last))

    moves = told(record, in_words, "")
    said = [one.said + " " * max(_COLUMNS - 2 * len(one.said), 1) for one in moves]
    word, as_said = _end_of(record)
    end = word if word == _BY_ITSELF else _IN_WORDS.get(word, "") + as_said
    lines = [*_head_lines(record, [END_WORD] if _end_word(record) else []), "", *_remark_lines(record.nodes[0], "")]
    return "\n".join([*lines, *_lines(record, moves, said, _A_LINE, [f"まで{len(record.main) - 1}手で{end}"]), ""])


def _handicap(record: Record) -> str | None:
    """The name of the start, ``None`` if it has none."""
    return next((name for name, start in words.named_starts(record.variant).items() if start == record.start), None)


def _players(record: Record) -> tuple[str, str]:
    return ("下手", "上手") if _handicap(record) not in (EVEN, None) else ("先手", "後手")


def _head_lines(record: Record, elsewhere: Container[str]) -> Iterator[str]:
    """The headers but those written elsewhere, and the start.

    A header whose name has another meaning here is written as a comment.
    """
    names = {ours: theirs for theirs, ours in HEADERS.items()} | dict(
        zip(("Black", "White"), _players(record), strict=True)
    )
    handicap = _handicap(record)
    word, turn = _end_of(record)[0], record.position(record.main[-1]).turn
    read_as = words.result_of(word, turn) if word else Result(turn, "adjudication")
    for name, value in (*record.headers, *header_for(record, read_as).items()):
        plain = is_header_name(name) or (name == HANDICAP and handicap is None)
        if name not in elsewhere:
            yield f"{'' if plain else '*'}{names.get(name, name)}：{value}"
    yield from bod.write(record.position(0)) if handicap is None else [f"{HANDICAP}：{handicap}"]


def _end_headers(record: Record) -> list[str]:
    """The headers that the line for the end of the game holds."""
    timed = _end_of(record)[0] and _SECONDS.fullmatch(record.header(END_SECONDS))
    return [name for name, kept in ((END_WORD, _end_word(record)), (END_SECONDS, timed)) if kept]


def _end_word(record: Record) -> str:
    """The word of a game that ended without a result, if there is one that a line for the end can hold."""
    word = record.header(END_WORD)
    return word if record.result is None and is_open_end(word) else ""


def _remark_lines(node: Node, side: str) -> Iterator[str]:
    """The lines of a node's score, if its comment does not say it, of its mark, and of its comment."""
    yield from (f"*{line}" for line in said_lines(node, side))
    if node.comment:
        yield from (line if line.startswith("&") else f"*{line}" for line in node.comment.split("\n"))


def _branches(record: Record) -> Iterator[list[int]]:
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


def _lines(
    record: Record, moves: Sequence[Told[str]], said: Sequence[str], a_line: int, ends: Iterable[str]
) -> Iterator[str]:
    """The lines of the moves, at most ``a_line`` of them in each, how the game ended, and the variations."""
    for index, line in enumerate(_branches(record)):
        if index:
            yield from ("", f"変化：{moves[line[0]].ply}手")
        texts = list[str]()
        for at in line:
            texts.append(said[at])
            remarks = list(_remark_lines(record.nodes[at], moves[at].side))
            if remarks or len(texts) == a_line or at == line[-1]:
                yield "".join(texts).rstrip()
                yield from remarks
                texts = []
        if not index:
            yield from ends


def _line(ply: int, word: str, seconds: float | None, total: float, branches: bool) -> str:
    width = sum(1 if char.isascii() else 2 for char in word)
    line = f"{ply:>4} {word}{' ' * max(_COLUMNS - width, 1)}"
    if seconds is not None:
        spent, whole = round(seconds), round(total)
        line += f"({spent // 60:>2}:{spent % 60:02}/{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02})"
    return (line + ("+" if branches else "")).rstrip()


def _move_word(position: Position, move: Move, last: int) -> str:
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


def _end_of(record: Record) -> tuple[str, str]:
    """How a game ended: the word for it, empty if there is none, and the same as the last line says it."""
    black, white = _players(record)
    result, turn = record.result, record.position(record.main[-1]).turn
    if result is None:
        word = said = _end_word(record) or INTERRUPTED
    elif result.winner is None:
        word = said = "千日手" if result.reason == "repetition" else "持将棋"
    else:
        won = result.winner == turn
        word = (words.WINS if won else words.LOSES).get(result.reason, "" if won else "投了")
        side, loser = (black, white) if result.winner == "b" else (white, black)
        said = f"{loser}の{word}" if word == "反則負け" else f"{side}の{word if won and word else '勝ち'}"
    return word, said
