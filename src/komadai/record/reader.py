"""Build a record from outside data: every move is checked as it is added."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..errors import IllegalMoveError, KomadaiError, NotationError
from ..game.outcome import BY_RULE
from ..game.position import Position
from ..i18n import _, joined, located
from ..spec.move import Move
from ..spec.names import side_name
from ..spec.setup import Setup
from ..spec.variant import Variant
from .tree import END_SECONDS, END_WORD, MOST_NODES, START, Node, Record, Result, clean, start_of

MOST_DEFECTS = 20  # reported per file
_LONGEST_DEFECT = 600  # characters
MOST_RECORDS = 10_000  # per file
MOST_MOVES = 200_000  # per file, in all its records
_LINE = re.compile(r"([^\r\n]*)(?:\r\n?|\n|\Z)")


def games_of(form: str, games: Callable[[list[str]], Iterable[Record]], none: str) -> list[Record]:
    """The records of a file in a format; ``games`` reads them, and adds the defects to a list.

    Raises:
        NotationError: there are defects, too many records or ``none``.
    """
    defects = list[str]()
    records = gathered(games(defects))
    if defects or not records:
        raise NotationError(form, defects or [none])
    return records


def lines_of(text: str, form: str, defects: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lines of a text that are not empty, with their numbers, one after the other: files may have millions.

    Raises:
        NotationError: the lines read so far have more defects than are reported.
    """
    for number, found in enumerate(_LINE.finditer(text), 1):
        if len(defects) > MOST_DEFECTS:
            raise NotationError(form, defects)
        if found[1]:
            yield number, found[1]


def gathered(records: Iterable[Record]) -> list[Record]:
    """The records of a file, as they are read.

    Raises:
        NotationError: there are too many, or they have too many moves.
    """
    read, moves = list[Record](), 0
    for record in records:
        read.append(record)
        moves += len(record.nodes) - 1
        if len(read) > MOST_RECORDS or moves > MOST_MOVES:
            words = _("has more than {records} games or {moves} moves", records=MOST_RECORDS, moves=MOST_MOVES)
            raise NotationError(_("record"), [words])
    return read


def refuse(defects: list[str], place: str, why: str) -> None:
    """Add a defect, cut off where it is very long; beyond a limit further ones are dropped."""
    if len(defects) < MOST_DEFECTS:
        defects.append(located(place, why if len(why) <= _LONGEST_DEFECT else f"{why[:_LONGEST_DEFECT]}…"))
    elif len(defects) == MOST_DEFECTS:
        defects.append(_("and more"))


def line_words(number: int) -> str:
    """A line of a file as defects name it."""
    return _("line {number}", number=number)


def move_words(number: int) -> str:
    """A move of a file as defects name it."""
    return _("move {number}", number=number)


def near(place: str, text: str) -> str:
    """A place, and what is written there."""
    return _("{place}, {text}", place=place, text=text)


def no_move(text: str, model: str) -> str:
    """The message about a line that cannot be read."""
    return _("cannot read {text}; expected a move such as {model}", text=repr(text), model=model)


def with_end(record: Record, word: str, seconds: str, implied: str = "") -> Record:
    """The record with the headers for its end, where they say something. What they have said so far becomes a comment.

    A header for the word that the result ``implies`` is left out.

    Raises:
        NotationError: that is too long.
    """
    headers = tuple(header for header in record.headers if header != (END_WORD, implied))
    record = replace(record, headers=headers)
    given = {name: value for name, value in ((END_WORD, word), (END_SECONDS, seconds)) if value}
    before = [f"{name}: {said}" for name, value in given.items() if (said := record.header(name)) not in ("", value)]
    comment = "\n".join(filter(None, (record.nodes[0].comment, *before)))
    return replace(record.annotate(0, comment=comment), headers=tuple((dict(record.headers) | given).items()))


@dataclass(slots=True)
class Draft:
    """A node under construction: its fields, and the nodes that follow it, by their moves."""

    after: int
    move: Move | None
    children: dict[str, int]
    said: dict[str, Any]


class Builder:
    """Builds a record. Defects are collected with their places; each affects only what depends on it."""

    def __init__(self, variant: Variant, start: str | Setup | None, defects: list[str]) -> None:
        """Begin at a position.

        Raises:
            KomadaiError: it is none, or cannot be played.
        """
        self.position = Position.problem(variant, start)
        self.defects = defects
        self.nodes = [Draft(-1, None, {}, {})]
        self._start = start_of(self.position)
        self.fouled = False
        """Whether the last move that could not be added is a move that is not legal, not a text that is no move."""
        self._count = 0  # of the moves read, those that were there already among them
        self._line = [0]  # to where the position stands
        self._on_line = {0}

    def go(self, number: int) -> Position:
        """Go to a node and return the position there."""
        ahead = []
        while number not in self._on_line:
            ahead.append(number)
            number = self.nodes[number].after
        while self._line[-1] != number:
            self._on_line.discard(self._line.pop())
            self.position.pop()
        for step in reversed(ahead):
            move = self.nodes[step].move
            assert move is not None
            self.position.push(move)
            self._line.append(step)
            self._on_line.add(step)
        return self.position

    def add(self, after: int, read: Callable[[Position], Move], place: str) -> int | None:
        """Add a move after a node; a move that is there already is the same node.

        ``read`` finds the move in the position. Returns the node's number, or ``None`` if there is no such move: then
        that is a defect, and what follows cannot be read.

        Raises:
            NotationError: there are too many moves.
        """
        self._count += 1
        if self._count > MOST_NODES:
            raise NotationError(_("record"), [_("has more than {most} moves", most=MOST_NODES)])
        position = self.go(after)
        try:
            if (outcome := position.outcome()) is not None:
                raise IllegalMoveError(_("the game is over before it ({outcome})", outcome=outcome.message.words()))
            move = read(position)
        except KomadaiError as error:
            self.fouled = type(error) is IllegalMoveError
            self.refuse(place, str(error))
            return None
        children = self.nodes[after].children
        if move.text not in children:
            children[move.text] = len(self.nodes)
            self.nodes.append(Draft(after, move, {}, {}))
        return children[move.text]

    def refuse(self, place: str, why: str) -> None:
        """Add a defect; beyond a limit further ones are dropped."""
        refuse(self.defects, place, why)

    def say(self, number: int, place: str, **said: Any) -> None:
        """Annotate a node; a further comment is appended. Invalid annotations are defects, and so is another mark, time
        or score than the node has.

        Of the start only a comment is kept.
        """
        node = self.nodes[number]
        if number == 0:
            said = {name: value for name, value in said.items() if name == "comment"}
        if "comment" in said:
            said["comment"] = "\n".join(filter(None, (node.said.get("comment"), clean(said["comment"]))))
        for name in said.keys() & node.said.keys() - {"comment"}:
            if said[name] != node.said[name]:
                self.refuse(place, _("{name} differs from that of the same move", name=name))
                return
        try:
            replace(START, **said)
        except NotationError as error:
            self.refuse(place, joined(error.defects))
        else:
            node.said |= said

    def finish(self, headers: Iterable[tuple[str, str]], result: Result | None, *, place: str | None) -> Record | None:
        """The record, or ``None`` if it has defects.

        The main line's end by rule is its result. A given result by rule that the moves do not lead to
        is a defect if ``place`` names its place; otherwise it is read as an adjudication.
        """
        if result is not None:
            result = self._judged(result, place)
        if result is None:
            outcome = self.at_end().outcome()
            result = None if outcome is None else Result.of(outcome)
        try:
            record = Record(self.position.variant, self._start, tuple(self._ordered()), tuple(headers), result)
        except NotationError as error:
            self.defects.extend(error.defects)
            return None
        return None if self.defects else record

    def at_end(self) -> Position:
        """Go to the end of the main line."""
        at = 0
        while children := self.nodes[at].children:
            at = next(iter(children.values()))
        return self.go(at)

    def _judged(self, given: Result, place: str | None) -> Result | None:
        """Check a given result against the moves."""
        if self.defects:  # moves may be missing
            return given
        outcome = self.at_end().outcome()
        if outcome is None:
            if given.reason not in BY_RULE:
                return given
            if place is not None:
                self.refuse(place, _("its moves do not end in {reason}", reason=_(given.reason)))
            return Result(given.winner, "adjudication")
        if outcome.winner != given.winner:
            who = _("a draw") if given.winner is None else _("a win for {side}", side=side_name(given.winner))
            words = _("says {who}, but the moves end like this: {outcome}", who=who, outcome=outcome.message.words())
            self.refuse(place or _("result"), words)
        return None

    def _ordered(self) -> Iterable[Node]:
        """The nodes in reading order."""
        numbers: dict[int, int] = {-1: -1}
        waiting = [0]
        while waiting:
            at = waiting.pop()
            draft = self.nodes[at]
            numbers[at] = len(numbers) - 1
            waiting += reversed(draft.children.values())
            yield Node(str(draft.move or ""), numbers[draft.after], **draft.said)
