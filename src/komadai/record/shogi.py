"""Games of standard shogi: what the readers and writers of KIF, KI2, CSA and JKF share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from ..errors import KomadaiError, NotationError
from ..game.position import Position
from ..i18n import _
from ..spec.board import Side, other
from ..spec.move import Move
from ..spec.setup import Setup
from ..spec.variant import Variant
from ..variants import build, standard
from .reader import Builder, line_words, refuse
from .results import NAME as HEADER
from .results import POINTS
from .scores import said_in
from .tree import LONGEST_COMMENT, Record, Result

T = TypeVar("T")


class Told(NamedTuple, Generic[T]):
    """A node as writers tell it; the first is the start.

    Attributes:
        said: the move as the format has it.
        ply: its number in its line.
        side: who made it.
        target: the point where it ended; -1 for the start.
        total: the seconds that its side has used so far.
    """

    said: T
    ply: int
    side: str
    target: int
    total: float


def told(record: Record, say: Callable[[Position, Move, int], T], start: T) -> list[Told[T]]:
    """The nodes of a record. ``say`` gets the point where the move before ended, and ``start`` stands for the start."""
    nodes = [Told(start, 0, "", -1, 0.0)]
    for number, position, move in record.walk():
        node, before = record.nodes[number], nodes[record.nodes[number].after]
        own = record.nodes[node.after].after  # the mover's last move
        total = (node.seconds or 0.0) + (nodes[own].total if own >= 0 else 0.0)
        said = say(position, move, before.target)
        nodes.append(Told(said, before.ply + 1, position.turn, move.target_point, total))
    return nodes


class GameReader:
    """A game that is being read.

    Attributes:
        defects: those of the whole file.
        number: of the line being read.
        headers: by the names that they have in records.
        header_result: the result that a header says.
        builder: the record, from the start position on; ``None`` before, and where there is no such position.
        remarks: the lines of the comment being read.
        word, seconds: what the file says of the end.
        punished: the result, where the game ended by a foul.
    """

    def __init__(self, defects: list[str]) -> None:
        self.defects, self.variant, self.number = defects, build(standard()), 0
        self.headers: dict[str, str] = {}
        self.header_result: Result | None = None
        self.builder: Builder | None = None
        self.remarks: list[str] = []
        self._length = 0  # of the remarks
        self.word = self.seconds = ""
        self.punished: tuple[Result | None] | None = None

    @property
    def place(self) -> str:
        """Where the reader is."""
        return line_words(self.number)

    def refuse(self, why: str) -> None:
        """Add a defect of what is being read."""
        refuse(self.defects, self.place, why)

    def set_up(self, start: Callable[[Variant], str | Setup | None], place: str) -> None:
        """Begin the record at the position that ``start`` reads; that there is none is a defect of that place."""
        try:
            self.builder = Builder(self.variant, start(self.variant), self.defects)
        except KomadaiError as error:
            refuse(self.defects, place, str(error))

    # --- Comments ---

    def remark(self, *lines: str) -> None:
        """Add lines to the comment being read.

        Raises:
            NotationError: it is too long.
        """
        self.remarks += lines
        self._length += sum(len(line) + 1 for line in lines)
        if self._length > LONGEST_COMMENT + 1:
            raise self.too_long()

    def too_long(self) -> NotationError:
        """The refusal of a comment."""
        return NotationError(self.place, [_("its comment has more than {most} characters", most=LONGEST_COMMENT)])

    def say(self, at: int | None) -> None:
        """Put the comment on its node, all at once: what a line says may depend on the others."""
        if self.remarks and at is not None and self.builder is not None:
            comment = "\n".join(self.remarks)
            self.remarks, self._length = [], 0
            said = self.annotations(self.builder, at, comment) if at else {"comment": comment}
            self.builder.say(at, self.place, **said)

    def annotations(self, builder: Builder, at: int, comment: str) -> dict[str, object]:
        """The annotations of a move that its comment says."""
        return said_in(comment, other(builder.go(at).turn), builder.nodes[at].said)

    # --- Ends ---

    def foul_result(self, builder: Builder, at: int, by: Side) -> Result:
        """The result where that side ended the game by a foul; some sites let a mated side move."""
        outcome = builder.go(at).outcome()
        return Result(other(by) if outcome is None else outcome.winner, "illegal")

    def record(self, words: Result | None) -> Record | None:
        """The record, if it has no defects; ``words`` is the result that its end says."""
        assert self.builder is not None
        header = self.header_result
        if header is not None and words is not None and words.winner != header.winner:
            shown = f"{HEADER} {POINTS[header.winner]} {header.reason}"
            refuse(self.defects, _("headers"), _("{text} does not fit the end of the game", text=repr(shown)))
        return self.builder.finish(self.headers.items(), header or words, place=None)
