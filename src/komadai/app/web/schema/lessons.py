"""Courses of lessons, and the answers to what is tried in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import UNSET, UnsetType

from ....spec.board import Side
from .model import OwnPuzzles, RecordedMove, ShownPosition, Variant, Wire


class CourseEntry(Wire):
    """A course: the id and the name of its game, what it leads to, and the ids of its stages; ``null``: it is made from
    the rules when it is asked for."""

    game: str
    name: str
    about: str
    stages: Sequence[str] | None


class CourseList(Wire):
    """All courses: those that are written, then those that are made; the easiest first."""

    courses: Sequence[CourseEntry]


class StageTitle(Wire):
    """A stage in a table of contents."""

    id: str
    title: str


class LessonChapter(Wire):
    """A chapter of a course."""

    title: str
    stages: Sequence[StageTitle]


class Course(Wire):
    """The course of a game: what it leads to, its chapters, the game's puzzles, if it has any, and the number of its
    openings."""

    variant: Variant
    about: str
    puzzles: OwnPuzzles | None
    openings: int
    chapters: Sequence[LessonChapter]


class LessonMark(Wire):
    """A mark of a stage on the board: ``target`` a point to reach, ``take`` a piece to take, ``piece`` the one that
    moves, ``show`` a move that is shown, ``reply`` an answer of the opponent; the last two lead ``to`` a point, unless
    they drop a piece."""

    t: Literal["target", "take", "piece", "show", "reply"]
    at: str
    to: str | UnsetType = UNSET


class LessonStage(StageTitle):
    """A stage. ``goal``: its sort; ``moves``: in how many it can be done, 0 where that is open; ``side``: of the
    learner; ``choices``: the answers to a question; ``rules``: the numbers of the rules it teaches."""

    text: str
    goal: Literal["reach", "take", "find", "avoid", "question", "play"]
    moves: int
    side: Side
    choices: Sequence[str]
    rules: Sequence[str]


class LessonAnswer(Wire):
    """The judge's answer to a move in a stage, or to the question how it goes on.

    ``moves``: those that stand, to be sent with the next one: after a wrong one those before it, or none where one must
    begin again; ``made``: those of them that are new, the opponent's reply included. ``position``: after them.
    ``tried``: the move, if it is legal but wrong. ``hint``: helps, and ``show``: the move (or the number of a choice)
    to make, both after wrong tries.
    """

    stage: LessonStage
    state: Literal["going", "right", "wrong", "done"]
    text: str
    moves: Sequence[str]
    made: Sequence[RecordedMove]
    position: ShownPosition
    marks: Sequence[LessonMark]
    hint: str
    show: str | None
    tried: RecordedMove | None
