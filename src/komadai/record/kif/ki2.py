"""Write KI2, in which moves are written as in books and newspapers."""

from __future__ import annotations

from collections.abc import Iterator

from ...i18n import safely
from ...notation.japanese import move_text
from ..tree import END_WORD, Record, require_standard
from .writer import branches, end_of, end_word, head_lines, move_word, remark_lines

_MARKS = {"b": "▲", "w": "△"}
_A_LINE = 6  # moves
_COLUMNS = 14
_IN_WORDS = {"切れ負け": "時間切れにより", "不戦敗": "不戦敗により"}
_BY_THEMSELVES = ("詰み",)


def write(record: Record) -> str:
    """The record as KI2.

    Raises:
        NotationError: it is of another game than standard shogi.
        KomadaiError: a move is not legal; only of records put together by hand.
    """
    require_standard(record, "KI2")
    ours = [END_WORD] if end_word(record) else []
    return "\n".join([*head_lines(record, ours), "", *remark_lines(record.nodes[0], ""), *_moves(record), ""])


def _moves(record: Record) -> Iterator[str]:
    """The lines of the moves, how the game ended, and the variations.

    A move that Japanese notation fails to write is written as in KIF, so that it is read.
    """
    plies, words, targets, sides = [0], [""], [-1], [""]
    for number, position, move in record.walk():
        after = record.nodes[number].after
        plies.append(plies[after] + 1)
        last = position.variant.board.name(targets[after]) if targets[after] >= 0 else None
        text = safely("", move_text, position, move, last) or move_word(position, move, targets[after])
        words.append(_MARKS[position.turn] + text)
        targets.append(move.target_point)
        sides.append(position.turn)
    for index, line in enumerate(branches(record)):
        if index:
            yield ""
            yield f"変化：{plies[line[0]]}手"
        said = list[str]()
        for at in line:
            said.append(words[at])
            remarks = list(remark_lines(record.nodes[at], sides[at]))
            if remarks or len(said) == _A_LINE or at == line[-1]:
                yield "".join(word + " " * max(_COLUMNS - 2 * len(word), 1) for word in said).rstrip()
                yield from remarks
                said = []
        if not index:
            yield f"まで{len(line)}手で{_end(record)}"


def _end(record: Record) -> str:
    word, said = end_of(record)
    if word in _BY_THEMSELVES:
        return word
    return _IN_WORDS.get(word, "") + said
