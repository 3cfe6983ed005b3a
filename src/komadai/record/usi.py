"""Lines as USI has them: ``position startpos moves 7g7f``, ``sfen BOARD SIDE HANDS NUMBER moves …``, one game a line.

They hold the main line and nothing else, and do not say of which game they are; where a line begins with a game's name,
that is it. How a game ended is read where a line says it, and not written.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ..errors import KomadaiError, NotationError
from ..game.position import Position
from ..i18n import _
from ..spec.variant import Variant
from ..variants import build, names, standard
from .csa.words import meaning
from .reader import Builder, games_of, line_words, lines_of, move_words, refuse
from .tree import Record

STARTPOS = "startpos"
_ENDS = {
    "resign": "TORYO", "timeout": "TIME_UP", "win": "KACHI", "draw": "JISHOGI", "rep_draw": "SENNICHITE",
    "break": "CHUDAN",
}  # fmt: skip
"""Words that some programs write behind the last move, as CSA calls them."""
_LONGEST_LINE = 200_000  # characters


def split(words: list[str]) -> tuple[str | None, list[str]]:
    """The start of a line and its moves: a position string, ``None`` for the variant's own start.

    ``position``, ``sfen``, ``startpos`` and ``moves`` may stand there; what has no rank is moves from the start.
    """
    if words[:1] == ["position"]:
        words = words[1:]
    if "moves" in words:
        head, moves = words[: words.index("moves")], words[words.index("moves") + 1 :]
    elif words[:1] == [STARTPOS]:
        head, moves = words[:1], words[1:]
    elif words[:1] == ["sfen"] or any("/" in word for word in words):
        head, moves = words, []
    else:
        head, moves = [], words
    head = head[head[:1] == ["sfen"] :]
    return (None if head in ([], [STARTPOS]) else " ".join(head)), moves


def write(record: Record) -> str:
    """The main line as a line of USI."""
    start = STARTPOS if record.start is None else f"sfen {record.start}"
    moves = [record.nodes[number].move for number in record.main[1:]]
    return " ".join(["position", start, *(["moves", *moves] if moves else [])]) + "\n"


def read(text: str, variant: Variant | None = None) -> list[Record]:
    """The records of a text with one game or position a line; ``#`` begins a remark.

    ``variant`` is what lines are of that do not say, by default the game that protocols assume.

    Raises:
        NotationError: there is none, or a line is no such thing; every defect at once.
    """
    return games_of("USI", partial(_records, text, variant), _("there is no game in it"))


def _records(text: str, variant: Variant | None, defects: list[str]) -> Iterator[Record]:
    for number, line in lines_of(text, "USI", defects):
        if len(line) > _LONGEST_LINE:
            why = _("has {count} characters; expected {most} at most", count=f"{len(line):,}", most=_LONGEST_LINE)
            raise NotationError(line_words(number), [why])
        words = line.partition("#")[0].split()
        if not words:
            continue
        own: list[str] = []
        record = _read_line(words, variant, own)
        for defect in own:
            refuse(defects, line_words(number), defect)
        if record is not None:
            yield record


def _read_line(words: list[str], variant: Variant | None, defects: list[str]) -> Record | None:
    try:
        if words[0] in names(shelf=True):
            variant, words = build(words[0]), words[1:]
        start, moves = split(words)
        builder = Builder(variant or build(standard()), start, defects)
    except KomadaiError as error:
        defects.append(str(error))
        return None
    end = _ENDS[moves.pop()] if moves and moves[-1] in _ENDS else ""
    at = 0
    for number, word in enumerate(moves, 1):
        node = builder.add(at, partial(Position.parse_move, text=word), move_words(number))
        if node is None:
            return None
        at = node
    return builder.finish((), meaning(end, builder.go(at).turn), place=None)
