"""A record: a game or a study, as a tree of annotated moves.

The tree is one flat list in reading order, each node naming the one it follows, so nothing here recurses, however long
or deep a record is. Node 0 is the start. A node's first child goes on with its line; the others are variations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from ..errors import IllegalMoveError, NotationError
from ..game.game import Game
from ..game.outcome import BY_RULE, CALLED_OFF, REASONS, Outcome
from ..game.position import Position
from ..i18n import _, located
from ..spec.board import SIDE_NAMES, SIDES, Side
from ..spec.move import Move
from ..spec.variant import Variant
from ..typed import typed
from ..variants import is_own, standard, suggest

MOST_NODES = 20_000
LONGEST_COMMENT = 20_000  # characters
LONGEST_HEADER = 2_000
MOST_HEADERS = 200
_MOST_SECONDS = 10**8
_MOST_SCORE = 10**9
MARKS = ("!", "?", "!!", "??", "!?", "?!")
"""The annotation marks, in the order of the numbers ($1 to $6) that PGN gives them."""

ENDS: tuple[str, ...] = (
    *(reason for reason in REASONS if reason != CALLED_OFF),
    "forfeit",
    "adjudication",
    "crash",
    "cap",
    "unknown",
)
"""The ends of recorded games: those of :class:`~komadai.Outcome`, and those that only people or a referee decide."""

RESERVED = ("Result", "Reason", "Variant", "Version", "Option", "RulesHash", "VariantFile", "SFEN", "PlyCount")
"""Headers that the text format derives from the record, which therefore has none of these names."""

END_WORD, END_SECONDS = "End", "End seconds"
"""Headers: the word with which a file ends, where the result does not imply it (``MAX_MOVES``), and the seconds that
the end itself took, such as a resignation."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff]")
_NO_NAME = re.compile(r"[^\w .-]+")
_HEADER_NAME = re.compile(r"[^\W\d_][\w .-]{0,59}")


class Score(NamedTuple):
    """An engine's evaluation of a move it made, for the side that made it.

    Attributes:
        value: in hundredths of the least piece; ``None`` where it sees mate.
        mate: the plies to it, negative where the mover is mated.
        depth: plies searched; ``None`` if that is not known.
    """

    value: int | None
    mate: int | None = None
    depth: int | None = None

    def defects(self) -> list[str]:
        """The defects of the score."""
        defects = [
            _("{name} is not a whole number from {least} to {most}", name=name, least=least, most=_MOST_SCORE)
            for name, number, least in zip(self._fields, self, (-_MOST_SCORE, -_MOST_SCORE, 0), strict=True)
            if number is not None
            if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= _MOST_SCORE
        ]
        if (self.value is None) == (self.mate is None):
            defects.append(_("expected either value or mate"))
        return [located(_("score"), defect) for defect in defects]


class Result(NamedTuple):
    """The end of a recorded game: ``winner`` is ``None`` for a draw, ``reason`` is one of :data:`ENDS`."""

    winner: Side | None
    reason: str

    @classmethod
    def of(cls, outcome: Outcome) -> Result:
        """The result of a game."""
        return cls(outcome.winner, outcome.reason)


def clean(text: str) -> str:
    """Text as records keep it: lines end in ``\\n``, nothing blank stands around it, control characters are blanks."""
    return _CONTROL.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n")).strip()


@dataclass(frozen=True, slots=True)
class Node:
    """One move of a record with its annotations.

    Attributes:
        move: its move string; empty at the start.
        after: the number of the node it follows; -1 at the start.
        comment: plain text of any number of lines, at most :data:`LONGEST_COMMENT` characters.
        mark: one of :data:`MARKS`, or empty.
        seconds: the time the mover used, to thousandths.
        score: an engine's evaluation.
    """

    move: str
    after: int
    comment: str = ""
    mark: str = ""
    seconds: float | None = None
    score: Score | None = None

    @typed
    def __post_init__(self) -> None:
        """Normalize texts and times.

        Raises:
            NotationError: something is too long, no mark or no time; every defect at once.
        """
        defects = []
        comment = clean(self.comment)
        if len(comment) > LONGEST_COMMENT:
            defects.append(
                _(
                    "its comment has {count} characters; expected {most} at most",
                    count=len(comment),
                    most=LONGEST_COMMENT,
                )
            )
        if self.mark and self.mark not in MARKS:
            shown = repr(self.mark[:12])
            defects.append(_("{mark} is not a mark; choose from {marks}", mark=shown, marks=" ".join(MARKS)))
        if self.seconds is not None:
            if not 0 <= self.seconds <= _MOST_SECONDS:
                shown = str(self.seconds)[:20]
                defects.append(_("{text} is not a time; expected seconds, 0 to {most}", text=shown, most=_MOST_SECONDS))
            else:
                object.__setattr__(self, "seconds", round(float(self.seconds), 3))
        if self.score is not None:
            defects += self.score.defects()
        if defects:
            raise NotationError(_("node"), defects)
        object.__setattr__(self, "comment", comment)


START = Node("", -1)


def header_name(given: str) -> str:
    """The nearest valid header name to one in a file; empty if there is none, or it is reserved."""
    name = " ".join(_NO_NAME.sub(" ", given).split())
    return "" if name.split(" ")[0] in RESERVED or not _HEADER_NAME.fullmatch(name) else name


def tidy_headers(headers: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Headers as records keep them: one line each, none empty.

    Raises:
        NotationError: names that are invalid, repeated or reserved, or values that are too long;
            every defect at once.
    """
    defects: list[str] = []
    kept: dict[str, str] = {}
    for header in headers:
        if not isinstance(header, tuple | list) or len(header) != 2:
            raise TypeError(f"headers are pairs of a name and a value, not {header!r:.60}")
        given, value = header
        name, value = clean(given), " ".join(clean(value).split())
        if name.split(" ")[0] in RESERVED:
            defects.append(_("header {name} is reserved: the record has its own field for it", name=repr(name)))
        elif not _HEADER_NAME.fullmatch(name):
            defects.append(
                _(
                    "header {name} is not a valid name; expected a letter, then letters, digits, blanks or _.-",
                    name=repr(given[:60]),
                )
            )
        elif name in kept:
            defects.append(_("header {name} occurs twice", name=repr(name)))
        elif len(value) > LONGEST_HEADER:
            defects.append(
                _(
                    "header {name} has {count} characters; expected {most} at most",
                    name=repr(name),
                    count=len(value),
                    most=LONGEST_HEADER,
                )
            )
        elif value:
            kept[name] = value
    if len(kept) > MOST_HEADERS:
        defects.append(_("has {count} headers; expected {most} at most", count=len(kept), most=MOST_HEADERS))
    if defects:
        raise NotationError(_("headers"), defects)
    return tuple(kept.items())


@dataclass(frozen=True, repr=False)
class Record:
    """A game or a study. Records are immutable: methods that change one return another.

    Those that :mod:`komadai.record` reads or makes hold legal moves only; one put together by hand is checked when its
    moves are played (:meth:`walk`, :meth:`game`).

    Attributes:
        variant: the game, with its rule options and their version.
        start: the position string it begins from, with the move number; ``None`` is the variant's own start.
        nodes: the tree in reading order, the start first.
        headers: names and values: ``Black`` and ``White`` are the players, ``Event``, ``Site``, ``Date``, or anything.
        result: how the game ended; ``None`` while it is open, and of a study.

    Example:
        >>> import komadai
        >>> record = Record.begin("shogi").add(0, "7g7f")[0].add(0, "2g2f", comment="just as good")[0]
        >>> [record.nodes[number].move for number in record.children(0)]
        ['7g7f', '2g2f']
        >>> str(record.promote(2).game().moves[0])
        '2g2f'
    """

    variant: Variant
    start: str | None = None
    nodes: tuple[Node, ...] = (START,)
    headers: tuple[tuple[str, str], ...] = ()
    result: Result | None = None

    @typed
    def __post_init__(self) -> None:
        object.__setattr__(self, "headers", tidy_headers(self.headers))
        if self.result is not None:
            require_result(*self.result)

    # --- Beginning, and back to games ---

    @classmethod
    def begin(cls, variant: str | Variant, start: str | None = None, **options: str) -> Record:
        """A record without moves; arguments and errors are those of :meth:`komadai.Position.problem`."""
        position = Position.problem(variant, start, **options)
        return cls(position.variant, start_of(position))

    @classmethod
    @typed
    def of(cls, game: Game, headers: Iterable[tuple[str, str]] = ()) -> Record:
        """The record of a game as it stands."""
        moves = (Node(str(move), number) for number, move in enumerate(game.moves))
        outcome = game.outcome()
        result = None if outcome is None or outcome.reason == CALLED_OFF else Result.of(outcome)
        return cls(game.variant, start_of(game.start), (START, *moves), tuple(headers), result)

    def game(self) -> Game:
        """The game of the main line, with its result where that is one a :class:`~komadai.Game` knows.

        Raises:
            KomadaiError: it cannot be played; only of records put together by hand.
        """
        game = Game.problem(self.variant, self.start)
        for number in self.main[1:]:
            game.push(self.nodes[number].move)
        if self.result is not None and game.outcome() is None:
            for reason in REASONS:
                if reason == self.result.reason and reason not in BY_RULE:
                    game.claim(Outcome(self.result.winner, reason))
        return game

    # --- Python's own protocols ---

    def __repr__(self) -> str:
        """The variant, the players, how many moves there are, and the result."""
        players = [f"{side} {name}" for side in ("Black", "White") if (name := self.header(side))]
        result = []
        if self.result is not None:
            winner, reason = self.result
            result = [f"{SIDE_NAMES[winner]} wins ({reason})" if winner else f"no winner ({reason})"]
        count = len(self.nodes) - 1
        return f"<Record {', '.join([self.variant.id, *players, f'{count} move' + 's' * (count != 1), *result])}>"

    def __str__(self) -> str:
        """The board at the end of the main line, as text."""
        return str(self.position(self.main[-1]))

    def _repr_svg_(self) -> str:
        """The same board as SVG, which Jupyter displays."""
        return self.position(self.main[-1])._repr_svg_()

    def header(self, name: str, otherwise: str = "") -> str:
        """The value of a header, or ``otherwise`` if there is none."""
        return dict(self.headers).get(name, otherwise)

    # --- Walking ---

    @cached_property
    def _children(self) -> tuple[tuple[int, ...], ...]:
        children: list[list[int]] = [[] for _ in self.nodes]
        for number, node in enumerate(self.nodes[1:], 1):
            children[node.after].append(number)
        return tuple(map(tuple, children))

    def children(self, number: int) -> tuple[int, ...]:
        """The nodes that follow a node; the first goes on with its line.

        Raises:
            NotationError: there is no such node.
        """
        return self._children[self._known(number)]

    def line(self, number: int) -> tuple[int, ...]:
        """The nodes from the start (0) to a node, both included.

        Raises:
            NotationError: there is no such node.
        """
        back = [self._known(number)]
        while back[-1]:
            back.append(self.nodes[back[-1]].after)
        return tuple(reversed(back))

    @property
    def main(self) -> tuple[int, ...]:
        """The nodes of the main line, the start (0) first."""
        line = [0]
        while children := self._children[line[-1]]:
            line.append(children[0])
        return tuple(line)

    def find(self, moves: Iterable[Move | str]) -> int | None:
        """The node that these moves from the start lead to, or ``None``. Unlike numbers, moves do not change when
        others are added."""
        at = 0
        for move in moves:
            at = next((number for number in self._children[at] if self.nodes[number].move == str(move)), -1)
            if at < 0:
                return None
        return at

    def position(self, number: int) -> Position:
        """The position after a node, with the history of its line.

        Raises:
            NotationError: there is no such node.
        """
        position = Position.problem(self.variant, self.start)
        for at in self.line(number)[1:]:
            position.push(self.nodes[at].move)
        return position

    def walk(self) -> Iterator[tuple[int, Position, Move]]:
        """Every node but the start in reading order, with the position it is played in and its move.

        The position is one that moves on with the walk: look at it, copy it, but do not change it.

        Raises:
            KomadaiError: a move is not legal; only of records put together by hand.
        """
        position, line = Position.problem(self.variant, self.start), [0]
        for number, node in enumerate(self.nodes[1:], 1):
            while line[-1] != node.after:
                line.pop()
                position.pop()
            move = position.parse_move(node.move)
            yield number, position, move
            position.push(move)
            line.append(number)

    # --- Changing ---

    def add(self, number: int, move: Move | str, **said: Any) -> tuple[Record, int]:
        """The record with a move after a node, and the number of that move; ``said`` are fields of its :class:`Node`.

        A move that is there already is only annotated. The main line's result stays, unless the move prolongs it.

        Raises:
            NotationError: there is no such node, the text is no move, or the record is full.
            IllegalMoveError: the move is not legal there, or the game is over there.
        """
        position = self.position(number)
        if (outcome := position.outcome()) is not None:
            raise IllegalMoveError(f"the game is over there: {outcome}")
        text = str(position.parse_move(str(move)))
        for child in self.children(number):
            if self.nodes[child].move == text:
                return self.annotate(child, **said), child
        if len(self.nodes) > MOST_NODES:
            raise NotationError("record", [f"is full: it has {MOST_NODES} moves"])
        last = number == self.main[-1]
        where = self._end(number)
        nodes = (*self.nodes[:where], Node(text, number, **said), *_moved(self.nodes[where:], where, 1))
        position.push(text)
        ended = position.outcome() if last else None
        result = self.result
        if last:
            result = None if ended is None else Result.of(ended)
        return replace(self, nodes=nodes, result=result), where

    def annotate(self, number: int, **said: Any) -> Record:
        """The record with other annotations of a node: ``comment``, ``mark``, ``seconds``, ``score``.

        Of the start there is only a comment.

        Raises:
            NotationError: there is no such node, or what is said is no such thing.
        """
        node = replace(self.nodes[self._known(number)], **said)
        if (node.move, node.after) != (self.nodes[number].move, self.nodes[number].after):
            raise NotationError("annotate", ["a node's move stays; add another"])
        if number == 0 and node != Node("", -1, node.comment):
            raise NotationError("annotate", ["the start has nothing but a comment"])
        return replace(self, nodes=(*self.nodes[:number], node, *self.nodes[number + 1 :]))

    def delete(self, number: int) -> Record:
        """The record without a node and all that follows it. A result of which moves are taken away goes too.

        Raises:
            NotationError: there is no such node, or it is the start.
        """
        if self._known(number) == 0:
            raise NotationError("delete", ["the start cannot be taken away"])
        end = self._end(number)
        nodes = (*self.nodes[:number], *_moved(self.nodes[end:], end, number - end))
        return replace(self, nodes=nodes, result=None if number in self.main else self.result)

    def promote(self, number: int) -> Record:
        """The record in which the variation that a node belongs to goes first where it leaves the line before it.

        Doing so until nothing changes makes it the main line. A result goes with the main line that had it.

        Raises:
            NotationError: there is no such node.
        """
        line = self.line(number)
        forks = [at for at in line[1:] if self._children[self.nodes[at].after][0] != at]
        if not forks:
            return self
        branch = forks[-1]
        first, end = self._children[self.nodes[branch].after][0], self._end(branch)
        moved = _moved(self.nodes[branch:end], branch, first - branch)
        stay = _moved(self.nodes[first:branch], first, end - branch)
        nodes = (*self.nodes[:first], *moved, *stay, *self.nodes[end:])
        return replace(self, nodes=nodes, result=None if first in self.main else self.result)

    def _end(self, number: int) -> int:
        """The number after the last descendant of a node, in reading order."""
        at = number + 1
        while at < len(self.nodes) and self.nodes[at].after >= number:
            at += 1
        return at

    def _known(self, number: int) -> int:
        if not 0 <= number < len(self.nodes):
            raise NotationError(f"node {number}", [f"there is none; the record has 0 to {len(self.nodes) - 1}"])
        return number


def _moved(nodes: Iterable[Node], first: int, by: int) -> Iterator[Node]:
    """Nodes from number ``first`` on that move in the list, and what they follow with them."""
    return (replace(node, after=node.after + by) if node.after >= first else node for node in nodes)


def start_of(position: Position) -> str | None:
    """The ``start`` of a record that begins from a position."""
    text = position.sfen(ply=True)
    return None if text == Position(position.variant).sfen(ply=True) else text


def require_result(winner: object, reason: object) -> None:
    """Validate a result.

    Raises:
        NotationError: no such side or reason.
    """
    defects = []
    if winner not in (*SIDES, None):
        defects.append(_("winner {text} is not a side; expected b, w or null", text=repr(str(winner)[:20])))
    if reason not in ENDS:
        shown = str(reason)[:40]
        defects.append(_("reason {text} is unknown; {suggestion}", text=repr(shown), suggestion=suggest(shown, ENDS)))
    if defects:
        raise NotationError(_("result"), defects)


def require_version(variant: Variant, version: object) -> None:
    """Check that a record follows the rules of this version.

    Raises:
        NotationError: it is not.
    """
    if version not in variant.versions:
        found = " ".join(clean(str(version)[:20]).split())
        words = _(
            "follows version {found} of the rules of {game}; this program plays version {version}",
            found=found,
            game=variant.id,
            version=variant.version,
        )
        raise NotationError(_("version"), [words])


def require_standard(record: Record, form: str) -> None:
    """Check that a record is of standard shogi, for formats that can hold nothing else.

    Raises:
        NotationError: it is of another.
    """
    if record.variant.id != standard() or not is_own(record.variant):
        words = _("can hold {standard} only; write {game} as text or json", standard=standard(), game=record.variant.id)
        raise NotationError(form, [words])
