"""Questions and answers of the workshop, about a variant file of a stranger that every request brings along."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec

from ....engine.levels import STRONGEST
from .model import ShownPosition, Wire
from .position_ref import MOST_MOVES, MoveText, Options, PositionText
from .requests import LessonMove, PlacedPieces, Short
from .rulebook import Rulebook


class FileDefect(Wire):
    """A defect of a variant file: its line and column, from 1, the path of the field, and what would be right."""

    line: int
    column: int
    place: str
    what: str


class CheckedFile(Wire):
    """The defects of a variant file. Of one without any, its rules, the hash that names them, and the start.

    ``warnings`` are of what can be played and is hardly meant.
    """

    defects: Sequence[FileDefect]
    warnings: Sequence[FileDefect]
    hash: str | None
    rulebook: Rulebook | None
    position: ShownPosition | None


class VariantFile(msgspec.Struct, forbid_unknown_fields=True):
    """A variant file."""

    file: str


class FilePosition(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A position of the game in a variant file, with these options, after these moves from a position string or the
    start, as :class:`.requests.FindPosition`."""

    file: str
    options: Options = {}
    position: PositionText | None = None
    moves: Annotated[list[MoveText], msgspec.Meta(max_length=MOST_MOVES)] = []
    known: Annotated[int, msgspec.Meta(ge=0)] = 0
    text: MoveText | None = None


class FileReply(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A request for the engine's move in a position of the game in a variant file."""

    file: str
    options: Options = {}
    moves: Annotated[list[MoveText], msgspec.Meta(max_length=MOST_MOVES)] = []
    level: Annotated[int, msgspec.Meta(ge=1, le=STRONGEST)] = STRONGEST


class FileSetup(msgspec.Struct, forbid_unknown_fields=True):
    """A position of the game in a variant file to be checked, as :class:`.requests.CheckPosition`."""

    file: str
    position: Annotated[str, msgspec.Meta(max_length=2048)] | PlacedPieces


# --- Lessons that people make ---


Number = Annotated[int, msgspec.Meta(ge=-MOST_MOVES, le=MOST_MOVES)]


class DraftChoice(Wire, forbid_unknown_fields=True):
    """An answer to a question, and what is said to those who choose it."""

    text: str = ""
    says: str = ""
    right: bool = False


class DraftGame(Wire, forbid_unknown_fields=True):
    """A game against the computer: its level, and after how many moves of both sides it is enough."""

    level: Number = 1
    plies: Number = 200


class DraftWrong(Wire, forbid_unknown_fields=True):
    """An answer to mistakes, as a lesson's file has it."""

    says: str = ""
    moves: Sequence[str] | str = ()
    squares: Sequence[str] | str = ()
    mistake: str = ""
    rule: str = ""
    reply: str = ""


class DraftStage(Wire, forbid_unknown_fields=True):
    """A stage as a lesson's file has it; of the goals (``reach`` to ``play``) those that are there."""

    id: str = ""
    title: str = ""
    text: str = ""
    position: str = ""
    reach: Sequence[str] | str | None = None
    take: Sequence[str] | str | None = None
    piece: str = ""
    find: Sequence[str] | str | None = None
    lines: Sequence[str] | str | None = None
    avoid: Sequence[str] | str | None = None
    choices: Sequence[DraftChoice] | None = None
    play: DraftGame | None = None
    moves: Number | None = None
    solution: Sequence[str] | str = ()
    right: str = ""
    hint: str = ""
    wrong: Sequence[DraftWrong] = ()
    teaches: Sequence[str] | str = ()
    drills: Sequence[str] | str = ()
    rules: Sequence[str] | str = ()


class DraftChapter(Wire, forbid_unknown_fields=True):
    """A chapter as a lesson's file has it."""

    title: str = ""
    stages: Sequence[DraftStage] = ()


class DraftLesson(Wire, forbid_unknown_fields=True):
    """A lesson as its file has it: the id of its game, or the variant file of one."""

    game: str = ""
    variant: str = ""
    about: str = ""
    chapters: Sequence[DraftChapter] = ()
    not_taught: dict[str, str] = msgspec.field(name="not_taught", default_factory=dict)


class LessonDefect(Wire):
    """A defect of a lesson: the place of a value, such as ``chapters[0].stages[first].text``, and what would be
    right."""

    place: str
    what: str


class CheckedLesson(Wire):
    """The defects of a lesson, with any of which it cannot be played, and the lesson, unless it cannot be read."""

    defects: Sequence[LessonDefect]
    lesson: DraftLesson | None


class LessonText(msgspec.Struct, forbid_unknown_fields=True):
    """A lesson, as its file has it."""

    lesson: str


class TaughtCourse(msgspec.Struct, forbid_unknown_fields=True):
    """A lesson, or a variant file, whose game has lessons made from its rules."""

    lesson: str = ""
    file: str = ""


class TaughtMove(LessonMove, kw_only=True, forbid_unknown_fields=True):
    """A move in a ``stage`` of a lesson, or of those made for the game of a variant file."""

    stage: Short
    lesson: str = ""
    file: str = ""
