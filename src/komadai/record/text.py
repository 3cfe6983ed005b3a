"""Games as text, like PGN: headers in brackets, then the moves as people write them (``komadai.notation``)::

    [Black "A"]
    [Variant "shogi"]

    1. P-7f {+0.35/8 0.12s} P-3d {a comment} ( 1... P-8d! ) 2. Bx2b+ *

- Blanks within a move are written ``_``. Marks (``!?``) stand right behind their move.
- Comments stand in braces behind their move, those on the start before the first; ``\\`` keeps ``}`` and itself.
- What an engine said stands in braces of its own: score in least pieces, or ``+M5`` for mate; ``/`` and the depth; the
  seconds. A comment that looks like that has a blank in front.
- Variations stand in parentheses behind the move that they replace.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from ..errors import KomadaiError, NotationError
from ..game.position import Position
from ..i18n import _, located
from ..notation import of as notation_of
from ..spec.board import Side
from ..spec.move import Move
from ..spec.variant import Variant
from ..variants import build, standard
from .former_words import current_word
from .reader import Builder, line_words, near
from .tree import ENDS, MARKS, Node, Record, Result, Score, header_name, require_version

_POINTS: dict[Side | None, str] = {"b": "1-0", "w": "0-1", None: "1/2-1/2"}
_WINNERS = {points: winner for winner, points in _POINTS.items()}
_OPEN = "*"
_WIDTH = 100
_OPTION = "Option "

# --- Writing --------------------------------------------------------------------------------------------------------


def write(record: Record) -> str:
    """The record as text, with an empty line behind it, so that texts can follow each other.

    Black's points come first in the result.

    Raises:
        KomadaiError: a move is not legal; only of records put together by hand.
    """
    variant, result = record.variant, record.result
    points = _OPEN if result is None else _POINTS[result.winner]
    tags = {
        **dict(record.headers),
        "Result": points,
        **({"Reason": result.reason} if result is not None else {}),
        "Variant": variant.id,
        "Version": variant.version,
        **{f"{_OPTION}{name}": value for name, value in variant.options},
        "SFEN": record.position(0).sfen(ply=True),
        "PlyCount": str(len(record.main) - 1),
    }
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in tags.items()]
    return "\n".join([*lines, "", *_wrapped([*_moves(record), points]), "", ""])


def _moves(record: Record) -> Iterator[str]:
    """The words of the move text."""
    numbers, moves = _written(record)
    if comment := record.nodes[0].comment:
        yield _braced(comment)
    to_say = True  # whose move it is
    waiting: list[str | int] = [~0]  # words; nodes to write; and, as ~node, nodes behind which to go on
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
            to_say = True
        elif item >= 0:
            black, number = numbers[item]
            if black or to_say:
                yield f"{number}." if black else f"{number}..."
            to_say = False
            node = record.nodes[item]
            yield moves[item] + node.mark
            if figures := _figures(node):
                yield f"{{{figures}}}"
            if node.comment:
                yield _braced(node.comment)
        elif children := record.children(~item):
            first, *others = children
            waiting.append(~first)
            for other in reversed(others):
                waiting += [")", ~other, other, "("]
            waiting.append(first)


def _written(record: Record) -> tuple[list[tuple[bool, int]], list[str]]:
    """For each node whether the move is Black's, with its number, and the move as people write it."""
    numbers, moves = [(True, 0)], [""]
    write_move = notation_of(record.variant).write
    for _number, position, move in record.walk():
        black = position.turn == "b"
        numbers.append((black, position.ply // 2 + 1 if black else (position.ply + 1) // 2))
        moves.append(write_move(position, move).replace(" ", "_"))
    return numbers, moves


def _figures(node: Node) -> str:
    """``+0.35/8 0.12s``: an engine's score and depth for the move, and its time."""
    figures = []
    if (score := node.score) is not None:
        worth = f"{(score.value or 0) / 100:+.2f}"
        if score.mate is not None:
            worth = f"{'+' if score.mate > 0 else '-'}M{abs(score.mate)}"
        figures.append(worth if score.depth is None else f"{worth}/{score.depth}")
    if node.seconds is not None:
        figures.append(f"{node.seconds:.3f}".removesuffix("0") + "s")
    return " ".join(figures)


_FIGURES = re.compile(
    r"(?:([+-])(?:([0-9]{1,8}\.[0-9]{2})|M([0-9]{1,10}))(?:/([0-9]{1,10}))?(?: |$))?(?:([0-9]{1,9}\.[0-9]{2,3})s)?"
)


def _braced(comment: str) -> str:
    text = re.sub(r"([\\}])", r"\\\1", comment)
    return f"{{ {text}}}" if _FIGURES.fullmatch(text) else f"{{{text}}}"


def _quoted(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _wrapped(words: Sequence[str]) -> list[str]:
    lines, line = [], ""
    for word in words:
        if line and len(line) + 1 + len(word) > _WIDTH:
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else word
    return [*lines, line]


# --- Reading --------------------------------------------------------------------------------------------------------

_TOKEN = re.compile(
    r"""
    (?P<blank> \s+ | %[^\n]* )
    | (?P<tag> \[ \s* (?P<name> [^\s"\[\]] [^"\[\]]* ) \s "(?P<value> (?: \\. | [^"\\] )* )" \s* \] )
    | (?P<comment> \{ (?P<words> (?: \\[\\}] | \\(?![\\}]) | [^\\}] )* ) \} | ;(?P<rest> [^\n]* ) )
    | (?P<open> \( ) | (?P<close> \) )
    | (?P<points> (?: 1-0 | 0-1 | 1/2-1/2 | \* ) (?= [\s)] | $ ) )
    | (?P<number> [0-9]+ \.+ )
    | (?P<mark> \$ [0-9]+ | [!?]{1,2} (?= [\s(){] | $ ) )
    | (?P<move> [^\s(){};\[] (?: [^\s(){};] | \( [^\s()]* \) )* )
    """,
    re.VERBOSE,
)
_MARKED = re.compile(r"(.*?)([!?]{0,2})", re.DOTALL)


@dataclass(slots=True)
class _Game:
    """A game of a text: its headers, and the words of its moves, each with the offset where it stands."""

    offset: int
    tags: dict[str, str] = field(default_factory=dict)
    words: list[tuple[re.Match[str], str]] = field(default_factory=list)


def read(text: str, variant: Variant | None = None) -> list[Record]:
    """The records of a text of one game or more.

    Read leniently: move numbers or none, ``;`` and ``%`` remarks, numbered marks (``$1``), moves in any form that
    ``komadai.notation`` reads. ``variant`` is what games are of that do not say.

    Raises:
        NotationError: the text is none, or its moves are not legal; every defect at once, with its line.
    """
    defects: list[str] = []
    lines = _Lines(text)
    games = list(_split(text, lines, defects))
    if not games and not defects:
        raise NotationError(_("text"), [_("there is no game in it")])
    records = []
    for number, game in enumerate(games, 1):
        own: list[str] = []
        record = _read_game(lines, game, variant, own)
        if len(games) > 1:
            own = [_("game {number}, {defect}", number=number, defect=defect) for defect in own]
        defects += own
        if record is not None:
            records.append(record)
    if defects:
        raise NotationError(_("text"), defects)
    return records


class _Lines:
    """The offsets at which the lines of a text end."""

    def __init__(self, text: str) -> None:
        self._ends = [found.start() for found in re.finditer("\n", text)]

    def at(self, offset: int) -> str:
        """The line of an offset, in words."""
        return line_words(bisect_left(self._ends, offset) + 1)


def _split(text: str, lines: _Lines, defects: list[str]) -> Iterator[_Game]:
    """The games of a text: headers behind moves begin a new one, and so do moves behind a result."""
    at, depth, begun, ended, game = 0, 0, False, False, None
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            shown = repr(text[at : at + 20].split("\n")[0])
            words = _("cannot read {text}; expected headers, moves or comments", text=shown)
            defects.append(located(lines.at(at), words))
            return
        at, kind = found.end(), found.lastgroup or ""
        # Groups within a token are closed before its own, which is therefore the last.
        if kind == "blank":
            continue
        over = kind != "comment" if ended else kind == "tag" and begun
        if game is not None and over:
            yield game
            game, depth, begun, ended = None, 0, False, False
        game = game or _Game(found.start())
        if kind == "tag":
            game.tags[found["name"].strip()] = re.sub(r"\\(.)", r"\1", found["value"], flags=re.DOTALL)
            continue
        begun = begun or kind != "comment"
        depth += (kind == "open") - (kind == "close")
        ended = ended or (kind == "points" and depth <= 0)
        game.words.append((found, kind))
    if game is not None:
        yield game


def _read_game(lines: _Lines, game: _Game, variant: Variant | None, defects: list[str]) -> Record | None:
    tags, place = game.tags, lines.at(game.offset)
    options = {name.removeprefix(_OPTION): value for name, value in tags.items() if name.startswith(_OPTION)}
    try:
        if "Variant" in tags:
            variant = build(tags["Variant"][:40], **options)
        elif variant is None:
            variant = build(standard(), **options)
        if "Version" in tags:
            require_version(variant, tags["Version"])
        builder = Builder(variant, tags.get("SFEN"), defects)
    except KomadaiError as error:
        defects.append(located(place, error))
        return None
    said = _read_moves(lines, game, builder)
    headers = {kept: value for name, value in tags.items() if (kept := header_name(name))}
    points = said or tags.get("Result", _OPEN)
    reason = current_word(tags.get("Reason", "unknown"))
    result = Result(_WINNERS[points], reason if reason in ENDS else "unknown") if points in _WINNERS else None
    return builder.finish(headers.items(), result, place=place)


def _read_moves(lines: _Lines, game: _Game, builder: Builder) -> str | None:
    """Add the moves to the record; return the result after them."""
    notation = notation_of(builder.position.variant)

    def reader(word: str, position: Position) -> Move:
        return notation.read(position, word.replace("_", " "))

    at: int | None = 0  # the node behind which to go on; None where a move could not be read
    back: list[int | None] = []  # the same for the lines round this one
    waiting: list[str] = []  # comments that stand before the first move of a variation
    fresh, points = False, None
    for found, kind in game.words:
        if kind == "open":
            back.append(at)
            if at == 0:
                builder.refuse(lines.at(found.start()), _("a variation stands before the first move"))
            at, fresh = (builder.nodes[at].after if at else None), True
        elif kind == "close":
            if not back:
                builder.refuse(lines.at(found.start()), _("there is a ) without its ("))
            else:
                at, fresh = back.pop(), False
        elif kind == "move" and at is not None:
            place = near(lines.at(found.start()), found["move"][:40])
            word = _MARKED.fullmatch(found["move"])
            assert word is not None
            at = builder.add(at, partial(reader, word[1]), place)
            if at is not None:
                said = {"mark": word[2]} if word[2] else {}
                builder.say(at, place, **said, **({"comment": "\n".join(waiting)} if waiting else {}))
            waiting, fresh = [], False
        elif kind == "comment" and fresh:
            waiting.append(found["words"] or found["rest"] or "")
        elif kind in ("comment", "mark") and at is not None:
            builder.say(at, lines.at(found.start()), **_said(found, kind))
        elif kind == "points" and not back:
            points = found["points"]
    if back:
        builder.refuse(lines.at(game.words[-1][0].end()), _("there is a ( without its )"))
    return points


def _said(found: re.Match[str], kind: str) -> dict[str, object]:
    """Apply a comment or a mark to the node before it."""
    if kind == "mark":
        word = found["mark"]
        if not word.startswith("$"):
            return {"mark": word}
        number = int(word[1:6])
        return {"mark": MARKS[number - 1]} if 1 <= number <= len(MARKS) else {}
    words = found["words"]
    if words is None:
        return {"comment": found["rest"]}
    figures = _FIGURES.fullmatch(words)
    if not words or figures is None:
        return {"comment": re.sub(r"\\([\\}])", r"\1", words)}
    sign, value, mate, depth, seconds = figures.groups()
    said: dict[str, object] = {}
    if sign is not None:
        deep = None if depth is None else int(depth)
        if mate is None:
            said["score"] = Score(round(float(sign + value) * 100), None, deep)
        else:
            said["score"] = Score(None, int(sign + mate), deep)
    return said | ({} if seconds is None else {"seconds": float(seconds)})
