"""Games as text, like PGN: headers in brackets, then the moves in any notation (``komadai.notation``)::

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
from collections.abc import Iterator, Sequence

from ..errors import KomadaiError, NotationError
from ..game.position import Position
from ..i18n import _, safely
from ..notation import notate, parse
from ..spec.move import Move
from ..spec.variant import Variant
from ..typed import typed
from ..variants import build, standard
from ..workshop.identity import embedded, identified
from . import tree
from .reader import MOST_DEFECTS, Builder, gathered, line_words, near, refuse
from .results import POINTS, WINNERS
from .tree import MARKS, MOST_NODES, Node, Record, Result, Score, header_name

_OPEN = "*"
_WIDTH = 100
_OPTION = "Option "
_MEANT = ("Variant", "Version", "RulesHash", "VariantFile", "SFEN", "PlyCount")

# --- Writing --------------------------------------------------------------------------------------------------------


@typed
def write(record: Record, style: str | None = None) -> str:
    """The record as text, with an empty line behind it, so that texts can follow each other.

    Black's points come first in the result. ``style``: of moves, as in :func:`komadai.notation.notate`.

    Raises:
        KomadaiError: a move is not legal; only of records put together by hand.
    """
    variant, result = record.variant, record.result
    tags = {
        **dict(record.headers),
        "Result": _points(record),
        **({"Reason": result.reason} if result is not None else {}),
        "Variant": variant.id,
        "Version": variant.version,
        **{f"{_OPTION}{name}": value for name, value in variant.options},
        "RulesHash": variant.rules_hash,
        **({"VariantFile": file} if (file := embedded(variant)) else {}),
        "SFEN": record.position(0).sfen(ply=True),
        "PlyCount": str(len(record.main) - 1),
    }
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in tags.items()]
    return "\n".join([*lines, "", *move_lines(record, style), "", ""])


def move_lines(record: Record, style: str | None = None) -> list[str]:
    """The lines below the headers: the moves, what is said of them, and the result; arguments are those of `write`."""
    return _wrapped([*_moves(record, style), _points(record)])


def _points(record: Record) -> str:
    return _OPEN if record.result is None else POINTS[record.result.winner]


def _moves(record: Record, style: str | None) -> Iterator[str]:
    """The words of the move text."""
    numbers, moves = _written(record, style)
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


def _written(record: Record, style: str | None) -> tuple[list[tuple[bool, int]], list[str]]:
    """For each node whether the move is Black's, with its number, and the move in a notation."""
    numbers, moves = [(True, 0)], [""]
    for _number, position, move in record.walk():
        black = position.turn == "b"
        numbers.append((black, position.ply // 2 + 1 if black else (position.ply + 1) // 2))
        moves.append(re.sub(r"\s", "_", safely(move.text, notate, position, move, style)))
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

_MOST_WORDS = 10 * MOST_NODES  # a game
_MOST_OPTIONS = 40  # headers for rule options
_TOKEN = re.compile(
    r"""
    (?P<blank> \s++ | ^%[^\n]*+ )
    | (?P<tag> \[ \s*+ (?P<name> [^\s"\[\]] [^"\[\]]{0,200} ) \s "(?P<value> (?: [^"\\]++ | \\. )*+ )" \s*+ \] )
    | (?P<comment> \{ (?P<words> (?: [^\\}]++ | \\[\\}]?+ )*+ ) \} | ;(?P<rest> [^\n]*+ ) )
    | (?P<open> \( ) | (?P<close> \) )
    | (?P<points> (?: 1-0 | 0-1 | 1/2-1/2 | \* ) (?= [\s)] | $ ) )
    | (?P<number> [0-9]{1,9}+ \.++ )
    | (?P<mark> \$ [0-9]++ | [!?]{1,2} (?= [\s(){] | $ ) )
    | (?P<move> [^\s(){};\[] (?: [^\s(){};] | \( [^\s()]{0,40}+ \) ){0,400}+ )
    """,
    re.VERBOSE | re.MULTILINE,
)
_MARKED = re.compile(r"(.*?)([!?]{0,2})", re.DOTALL)


@typed
def read(text: str, variant: Variant | None = None) -> list[Record]:
    """The records of a text of one game or more.

    Read leniently: move numbers or none, ``;`` and ``%`` remarks, numbered marks (``$1``), moves in any form that
    :func:`komadai.notation.parse` reads. ``variant`` is what games are of that do not say.

    Raises:
        NotationError: the text is none, or its moves are not legal; every defect at once, with its line.
    """
    faults, count = list[tuple[int, str]](), 0
    text = text.replace("\r\n", "\n").replace("\r", "\n")

    def records() -> Iterator[Record]:
        nonlocal count
        for game in _games(text, variant):
            count += 1
            record = game.finish()
            faults.extend((count, defect) for defect in game.defects)
            if len(faults) > MOST_DEFECTS:
                return
            if record is not None:
                yield record

    read = gathered(records())
    if faults:
        named = (_("game {number}, {defect}", number=number, defect=defect) for number, defect in faults)
        raise NotationError(_("text"), list(named) if count > 1 else [defect for _number, defect in faults])
    if not count:
        raise NotationError(_("text"), [_("there is no game in it")])
    return read


class _Lines:
    """The lines of a text, counted as far as it has been read."""

    def __init__(self, text: str) -> None:
        self._text, self._at, self._number = text, 0, 1

    def at(self, offset: int) -> str:
        """The line of an offset, in words; offsets only grow."""
        self._number += self._text.count("\n", self._at, offset)
        self._at = max(offset, self._at)
        return self.words()

    def words(self) -> str:
        """The line reached, in words."""
        return line_words(self._number)


def _games(text: str, variant: Variant | None) -> Iterator[_Game]:
    """The games of a text, each when it is over: headers behind moves begin a new one, as do moves behind a result."""
    at, lines, game = 0, _Lines(text), None
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            game = game or _Game(lines, at, variant)
            shown = repr(text[at : at + 20].split("\n")[0])
            game.refuse(at, _("cannot read {text}; expected headers, moves or comments", text=shown))
            break
        kind = found.lastgroup or ""
        # Groups within a token are closed before its own, which is therefore the last.
        if kind != "blank":
            if game is not None and game.over(kind):
                yield game
                game = None
            game = game or _Game(lines, at, variant)
            game.read(found, kind)
            if len(game.defects) > MOST_DEFECTS:
                break
        at = found.end()
    if game is not None:
        yield game


class _Game:
    """A game that is being read, word by word."""

    def __init__(self, lines: _Lines, offset: int, variant: Variant | None) -> None:
        self.lines, self.variant, self.place = lines, variant, lines.at(offset)
        self.defects = list[str]()
        self.tags = dict[str, str]()
        self.headers = dict[str, str]()  # those that mean nothing to the format itself
        self.builder: Builder | None = None
        self.begun = False  # the words behind the headers have
        self.at: int | None = 0  # the node behind which to go on; None where a move could not be read
        self.back = list[int | None]()  # the same for the lines round this one
        self.waiting = list[str]()  # comments that stand before the first move: of the game, or of a variation
        self.fresh = True  # no move has been read since the game or the variation began
        self.points: str | None = None
        self.points_at = ""  # their line
        self.count = 0  # of words

    def refuse(self, offset: int, why: str) -> None:
        refuse(self.defects, self.lines.at(offset), why)

    def over(self, kind: str) -> bool:
        """True if a word of that kind belongs to the next game."""
        return kind != "comment" if self.points is not None else kind == "tag" and self.begun

    def read(self, found: re.Match[str], kind: str) -> None:
        """Read a word.

        Raises:
            NotationError: there are too many.
        """
        self.count += 1
        if self.count > _MOST_WORDS:
            raise NotationError(
                self.lines.at(found.start()), [_("has more than {most} words before it", most=_MOST_WORDS)]
            )
        if kind == "tag":
            self._tag(found)
        elif kind == "comment" and self.fresh:
            self._wait(found)
        else:
            self._begin()
            if self.builder is not None:
                self._word(self.builder, found, kind)

    def _tag(self, found: re.Match[str]) -> None:
        name, value = found["name"].strip(), re.sub(r"\\(.)", r"\1", found["value"], flags=re.DOTALL)
        if self.tags.setdefault(name, value) != value:
            self.refuse(found.start(), _("header {name} occurs twice", name=repr(name[:60])))
        elif len(self.tags) > tree.MOST_HEADERS + len(tree.RESERVED) + _MOST_OPTIONS:
            raise NotationError(_("headers"), [_("there are more than {most} headers", most=tree.MOST_HEADERS)])

    def _wait(self, found: re.Match[str]) -> None:
        words = _comment(found)
        if words and sum(map(len, self.waiting)) <= tree.LONGEST_COMMENT:  # beyond it it is refused
            self.waiting.append(words)

    def _begin(self) -> None:
        """Go to the start, which the headers describe."""
        if self.begun:
            return
        self.begun = True
        tags = self.tags
        options = {name.removeprefix(_OPTION): value for name, value in tags.items() if name.startswith(_OPTION)}
        try:
            variant = self.variant
            if "Variant" in tags:
                variant = identified(tags["Variant"][:40], options, tags.get("RulesHash"), tags.get("VariantFile"))
            elif variant is None:
                variant = build(standard(), **options)
            if "Version" in tags:
                tree.require_version(variant, tags["Version"])
            self.builder = Builder(variant, tags.get("SFEN"), self.defects)
        except KomadaiError as error:
            refuse(self.defects, self.place, str(error))
            return
        for name, value in tags.items():
            if (kept := header_name(name)) and kept not in self.headers:
                self.headers[kept] = value
        own = self.headers.items()
        others = ((name, value) for name, value in tags.items() if (header_name(name), value) not in own)
        self.waiting[:0] = (f"{name}: {value}" for name, value in others if value.strip() and not _means(name, value))
        self._say_waiting(self.builder, self.place)

    def _say_waiting(self, builder: Builder, place: str) -> None:
        if self.waiting and self.at is not None:
            builder.say(self.at, place, comment="\n".join(self.waiting))
        self.waiting, self.fresh = [], False

    def _word(self, builder: Builder, found: re.Match[str], kind: str) -> None:
        if kind == "open":
            self._open(builder, found.start())
        elif kind == "close":
            if not self.back:
                self.refuse(found.start(), _("there is a ) without its ("))
            else:
                if self.fresh and self.waiting:
                    self._say_waiting(builder, self.lines.at(found.start()))
                self.at, self.fresh, self.waiting = self.back.pop(), False, []
        elif kind == "move" and self.at is not None:
            self._move(builder, found)
        elif kind == "points" and not self.back:
            self.points, self.points_at = found["points"], self.lines.at(found.start())
        elif kind in ("comment", "mark", "points") and self.at is not None and found[0] != _OPEN:
            said = _said(found, kind)
            own = builder.nodes[self.at].said.get("mark")
            if "mark" in said and own not in (None, said["mark"]):
                said = {"comment": found["mark"]}
            if self.at == 0 and said and "comment" not in said:  # the start has nothing else
                said = {"comment": found["mark"] or found["words"]}
            if said and self.fresh:
                self.waiting.append(str(said.get("comment", found[0])))
            elif said:
                builder.say(self.at, self.lines.at(found.start()), **said)

    def _open(self, builder: Builder, offset: int) -> None:
        if len(self.back) > MOST_NODES:
            raise NotationError(_("record"), [_("has more than {most} variations in each other", most=MOST_NODES)])
        self.back.append(self.at)
        if self.at == 0:
            self.refuse(offset, _("a variation stands before the first move"))
        self.at, self.fresh = (builder.nodes[self.at].after if self.at else None), True

    def _move(self, builder: Builder, found: re.Match[str]) -> None:
        assert self.at is not None
        place = near(self.lines.at(found.start()), found["move"][:40])
        word = _MARKED.fullmatch(found["move"])
        assert word is not None

        def reader(position: Position) -> Move:
            return parse(position, word[1].replace("_", " "))

        self.at = builder.add(self.at, reader, place)
        if self.at is not None and word[2]:
            builder.say(self.at, place, mark=word[2])
        self._say_waiting(builder, place)

    def finish(self) -> Record | None:
        """The record, if it has no defects."""
        self._begin()
        builder, self.builder = self.builder, None
        if builder is None:
            return None
        if self.back:
            refuse(self.defects, self.lines.words(), _("there is a ( without its )"))
        if self.fresh:  # there is neither move nor end
            self._say_waiting(builder, self.place)
        record = builder.finish(self.headers.items(), self._result(builder), place=self.place)
        count = self.tags.get("PlyCount")
        if record is not None and count not in (None, str(len(record.main) - 1)):
            said = _(
                "header PlyCount says {count}; there are {read} moves", count=repr(count), read=len(record.main) - 1
            )
            refuse(self.defects, self.place, said)
        return record

    def _result(self, builder: Builder) -> Result | None:
        """The result, which the header and the end of the moves say; a reason that belongs to none is a comment."""
        said, points = self.tags.get("Result", _OPEN), self.points or _OPEN
        if points != said in WINNERS and points != _OPEN:
            words = _("{points} is the result, but the header says {said}", points=points, said=said)
            refuse(self.defects, self.points_at, words)
        winner = points if points in WINNERS else said
        reason = self.tags.get("Reason", "unknown")
        if winner in WINNERS:
            return Result(WINNERS[winner], reason if reason in tree.ENDS else "unknown")
        if reason in tree.ENDS and "Reason" in self.tags:
            builder.say(0, self.place, comment=f"Reason: {reason}")
        return None


def _means(name: str, value: str) -> bool:
    """True if a header means something to the format itself."""
    if name == "Result":
        return value in (_OPEN, *WINNERS)
    if name == "Reason":
        return value in tree.ENDS
    return name in _MEANT or name.startswith(_OPTION)


def _comment(found: re.Match[str]) -> str:
    """The text of a comment."""
    words = found["words"]
    return str(found["rest"]) if words is None else re.sub(r"\\([\\}])", r"\1", words)


def _said(found: re.Match[str], kind: str) -> dict[str, object]:
    """The annotation in a comment, a mark or a variation's result; a mark without a sign of its own is a comment."""
    if kind == "points":
        return {"comment": found["points"]}
    if kind == "mark":
        word = found["mark"]
        if not word.startswith("$"):
            return {"mark": word}
        number = int(word[1:6])
        return {"mark": MARKS[number - 1]} if 1 <= number <= len(MARKS) else {"comment": word[:40]}
    figures = _FIGURES.fullmatch(found["words"] or "")
    if not found["words"] or figures is None:
        words = _comment(found)
        return {"comment": words} if words else {}
    sign, value, mate, depth, seconds = figures.groups()
    said: dict[str, object] = {}
    if sign is not None:
        deep = None if depth is None else int(depth)
        if mate is None:
            said["score"] = Score(round(float(sign + value) * 100), None, deep)
        else:
            said["score"] = Score(None, int(sign + mate), deep)
    return said | ({} if seconds is None else {"seconds": float(seconds)})
