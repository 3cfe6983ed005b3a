"""Records as CSA."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...spec.board import Side
from ...spec.variant import Variant
from ..results import header_for
from ..scores import OWN, mark_lines, said_lines
from ..tree import Node, Record, require_standard
from . import start
from .words import CODES, HEADERS, PLAYERS, SIGNS, end_headers, end_seconds, end_word, meaning, score_in, score_line

_KEYWORDS = {ours: theirs for theirs, ours in HEADERS.items()}
_NEWER = re.compile(r"^(?:T[0-9]+\.|%MAX_MOVES|\$(?:TIME[+-]?|MAX_MOVES|JISHOGI|NOTE):|'\*\*)", re.MULTILINE)


def write(records: Sequence[Record]) -> str:
    """The main lines of records as CSA: version 2.2, or 3.0 where something in them needs it.

    Raises:
        NotationError: one is of another game than standard shogi.
        KomadaiError: a move is not legal; only of records put together by hand.
    """
    for record in records:
        require_standard(record, "CSA")
    games = "/\n".join(map(_written, records))
    return f"'CSA encoding=UTF-8\nV{'3.0' if _NEWER.search(games) else '2.2'}\n{games}"


def _written(record: Record) -> str:
    names = [f"{sign}{value}" for sign, ours in PLAYERS.items() if (value := record.header(ours))]
    turn = record.position(record.main[-1]).turn
    word = end_word(record, turn)
    said = {*end_headers(record, word).items(), *((ours, record.header(ours)) for ours in PLAYERS.values())}
    headers = (*record.headers, *header_for(record, meaning(word, turn)).items())
    names += [_header(name, value) for name, value in headers if (name, value) not in said]
    return "\n".join([*names, *start.write(record), *_moves(record, word), ""])


def _header(name: str, value: str) -> str:
    keyword = _KEYWORDS.get(name, name)
    return f"${keyword}:{value.replace(chr(92), chr(92) * 2) if keyword == 'NOTE' else value}"


def _remarks(node: Node, side: Side) -> Iterator[str]:
    """The lines of the comment and the score of a node; ``side`` has made its move.

    The score is in a line of the comment that says more, or it gets a line of its own, and as in KIF if it has plies
    to a mate or a depth. Other lines that look like one have a blank in front.
    """
    lines = node.comment.split("\n") if node.comment else []
    scores = [score_in(line, side) for line in lines]
    wanted = None if node.score is None else score_line(node.score, side)
    own = next((at for at, found in enumerate(scores) if found and found[1]), -1)  # the line that is read as the score
    if wanted is not None and (own < 0 or (found := scores[own]) is None or score_line(found[0], side) != wanted):
        own = -1
        yield f"'*{wanted}"
    own_words = node.score is not None and (node.score[1:] != (None, None) or OWN.search(node.comment))
    yield from (f"'*{line}" for line in (said_lines(node, side, always=True) if own_words else mark_lines(node)))
    for number, line in enumerate(lines):
        if line.startswith("'") and not line.startswith("'*"):
            yield line
        elif score_in(line.lstrip(" "), "b") and (number != own or wanted is None):
            yield f"'* {line}"
        else:
            yield f"'*{line}"


def _moves(record: Record, word: str) -> Iterator[str]:
    """The lines of the moves, and the word for how it ended."""
    yield from _remarks(record.nodes[0], "b")
    position = record.position(0)
    for number in record.main[1:]:
        node, side = record.nodes[number], position.turn
        move = position.parse_move(node.move)
        origin = "00" if move.origin_point is None else _square(position.variant, move.origin_point)
        yield f"{SIGNS[side]}{origin}{_square(position.variant, move.target_point)}{CODES[move.piece or '']}"
        if node.seconds is not None:
            yield f"T{seconds_text(node.seconds)}"
        yield from _remarks(node, side)
        position.push(move)
    if word:
        yield f"%{word}"
        if seconds := end_seconds(record):
            yield f"T{seconds}"


def _square(variant: Variant, point: int) -> str:
    """A square as file and rank."""
    return f"{variant.board.file(point)}{point // variant.board.width + 1}"


def seconds_text(seconds: float) -> str:
    """Seconds with the decimals that they have, at most three."""
    return f"{seconds:.3f}".rstrip("0").rstrip(".")
