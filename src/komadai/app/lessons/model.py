"""Courses as plain data: chapters, stages and what a stage asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, get_args

from ...errors import CourseError
from ...game.position import Position
from ...i18n import _, safely, sentence
from ...spec.kinds import Kind
from ...spec.names import kind_name
from ...spec.variant import Variant
from ...variants import suggest
from ...view.piece_descriptions import ways

Aim = Literal["mate", "win", "stalemate", "check", "capture", "drop", "promote", "loses", "hangs"]
"""A question about a legal move. ``win`` and ``mate``: it ends the game so; ``promote``: the piece changes by it;
``loses``: the opponent can then win at once; ``hangs``: the opponent can then take the piece that moved."""
AIMS: tuple[Aim, ...] = get_args(Aim)

Mistake = Literal["illegal", "other piece", "late", "any"]
"""A kind of mistake besides aims: a move that is not legal, one of another piece than the stage's, too many moves."""
MISTAKES: tuple[Mistake, ...] = get_args(Mistake)


@dataclass(frozen=True, slots=True)
class Wrong:
    """The answer to a mistake: to those moves, or to a move to those squares, or to a kind of mistake.

    Attributes:
        says: the answer.
        moves: move strings. ``squares``: the targets of moves.
        mistake: aims, each perhaps with ``no-`` before it, of which the move has all, or one of :data:`MISTAKES`.
        rule: the number of the rule that forbids the move.
        reply: the opponent's answer to the move, which is shown.
    """

    says: str
    moves: tuple[str, ...] = ()
    squares: tuple[str, ...] = ()
    mistake: tuple[str, ...] = ()
    rule: str | None = None
    reply: str | None = None


@dataclass(frozen=True, slots=True)
class Reach:
    """Bring one piece, which stands on ``piece``, to all the points; the opponent does not move."""

    points: tuple[str, ...]
    piece: str


@dataclass(frozen=True, slots=True)
class Take:
    """Take the pieces that stand on the squares, all of them with ``piece`` if given; the opponent does not move."""

    squares: tuple[str, ...]
    piece: str | None = None


@dataclass(frozen=True, slots=True)
class Find:
    """Find one of the moves, or a move with all the aims; or play one of the lines, in which the opponent replies.

    With ``lines`` and aims any last move with those aims will do.
    """

    moves: tuple[str, ...] = ()
    aims: tuple[str, ...] = ()
    lines: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Avoid:
    """Make any legal move but the traps: those listed, and those with all the aims."""

    moves: tuple[str, ...] = ()
    aims: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer to a question, and what is said to those who choose it."""

    text: str
    says: str
    right: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """Choose every right answer."""

    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """Play against the computer until the game ends or ``plies`` moves of both sides are made."""

    level: int
    plies: int


Goal = Reach | Take | Find | Avoid | Question | Play


@dataclass(frozen=True, slots=True)
class Stage:
    """One task of a course.

    Texts are in English, translated where they are shown.

    Attributes:
        variant: the game. ``id``: the stage's own within the course, which links and progress keep.
        position: a position string, of a problem with one king too; ``None``: the game's start.
        goal: what is to be done. ``moves``: in how many moves (or choices) it can be done; 0 where that is open.
        rules: the numbers of the rules taught, as in the rules page.
        teaches: the codes of the kinds whose moves are taught; their sentences come before the text.
        right: what is said at the end. ``hint``: what helps. ``wrong``: answers to mistakes, the first that fits.
        solution: moves that reach the goal, where they are known.
        made: of a stage made from the spec, which has neither title nor text: its heading and its task in the current
            language.
    """

    variant: Variant
    id: str
    title: str
    text: str
    goal: Goal
    moves: int
    position: str | None = None
    rules: tuple[str, ...] = ()
    teaches: tuple[str, ...] = ()
    right: str = ""
    hint: str = ""
    wrong: tuple[Wrong, ...] = ()
    solution: tuple[str, ...] = ()
    made: Callable[[Stage], tuple[str, str]] | None = None

    def begin(self) -> Position:
        """The position it begins with."""
        return Position.problem(self.variant, self.position)

    @property
    def heading(self) -> str:
        """The title in the current language."""
        return _(self.title) if self.made is None else self.made(self)[0]

    @property
    def task(self) -> str:
        """The text in the current language."""
        if self.made is not None:
            return self.made(self)[1]
        kinds = map(self.variant.kind, self.teaches)
        return "\n".join([*(_ways(self.variant, kind) for kind in kinds), _(self.text)])

    def sources(self) -> Iterator[str]:
        """Its texts as they stand in the file, for the catalogues of translations."""
        choices = self.goal.choices if isinstance(self.goal, Question) else ()
        texts = (self.title, self.text, self.right, self.hint, *(wrong.says for wrong in self.wrong))
        yield from filter(None, (*texts, *(text for choice in choices for text in (choice.text, choice.says))))

    def to_json(self) -> dict[str, Any]:
        """The stage as a client shows it, in the current language."""
        choices = self.goal.choices if isinstance(self.goal, Question) else ()
        return {
            "id": self.id,
            "title": self.heading,
            "text": self.task,
            "goal": type(self.goal).__name__.lower(),
            "moves": self.moves,
            "position": self.begin().sfen(),
            "rules": list(self.rules),
            "choices": [_(choice.text) for choice in choices],
        }


def _ways(variant: Variant, kind: Kind) -> str:
    """How a kind moves, as its card says it: ``Rook: one step orthogonally.``"""
    first, *others = safely(["?"], ways, variant, kind)
    lines = " ".join([first + _("."), *map(sentence, others)])
    return _("{piece}: {moves}", piece=sentence(kind_name(kind))[:-1], moves=lines)


def drill_heading(variant: Variant, code: str) -> str:
    """The heading of the drill of a kind: its name."""
    return sentence(kind_name(variant.kind(code)))[:-1]


@dataclass(frozen=True, slots=True)
class Drill:
    """A stage about a kind, made when it is asked for, as that can take a second."""

    variant: Variant
    kind: str
    make: Callable[[Variant, str], Stage]

    @property
    def id(self) -> str:
        """The id of the stage."""
        return id_about("drill", self.kind)

    @property
    def heading(self) -> str:
        """Its title in the current language."""
        return drill_heading(self.variant, self.kind)

    @property
    def stage(self) -> Stage:
        """The stage."""
        return self.make(self.variant, self.kind)


def id_about(task: str, code: str) -> str:
    """The id of a made stage about a kind."""
    return f"{task}-{code.removeprefix('+').lower()}{'-turned' if code.startswith('+') else ''}"


@dataclass(frozen=True, slots=True)
class Chapter:
    """Some stages about one subject. ``entries``: as far as a table of contents needs them."""

    title: str
    entries: tuple[Stage | Drill, ...]

    @property
    def written(self) -> tuple[Stage, ...]:
        """The stages that have texts of their own."""
        return tuple(entry for entry in self.entries if isinstance(entry, Stage) and entry.made is None)

    @property
    def stages(self) -> tuple[Stage, ...]:
        """Its stages, the drills made."""
        return tuple(entry if isinstance(entry, Stage) else entry.stage for entry in self.entries)


@dataclass(frozen=True)
class Course:
    """The lessons of one game.

    Attributes:
        variant: the game. ``about``: what it leads to, in English.
        not_taught: the rules that no stage teaches, with the reason.
    """

    variant: Variant
    about: str
    chapters: tuple[Chapter, ...]
    not_taught: Mapping[str, str] = field(default_factory=dict)

    @property
    def game(self) -> str:
        """The id of the game."""
        return self.variant.id

    @property
    def entries(self) -> tuple[Stage | Drill, ...]:
        """All stages, in order, as far as a table of contents needs them."""
        return tuple(entry for chapter in self.chapters for entry in chapter.entries)

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """All stages, in order."""
        return tuple(stage for chapter in self.chapters for stage in chapter.stages)

    def stage(self, id: str) -> Stage:
        """The stage of that id.

        Raises:
            CourseError: there is none.
        """
        for entry in self.entries:
            if entry.id == id:
                return entry if isinstance(entry, Stage) else entry.stage
        right = suggest(id[:40], tuple(entry.id for entry in self.entries))
        raise CourseError(_("course {game}: no stage {id}", game=self.game, id=repr(id[:40])), [right])

    def sources(self) -> Iterator[str]:
        """All texts as they stand in the file, for the catalogues of translations."""
        yield self.about
        for chapter in self.chapters:
            yield chapter.title
            for stage in chapter.written:
                yield from stage.sources()

    def to_json(self) -> dict[str, Any]:
        """The table of contents, in the current language."""
        return {
            "game": self.game,
            "title": _(self.variant.name),
            "about": _(self.about),
            "chapters": [
                {
                    "title": _(chapter.title),
                    "stages": [{"id": entry.id, "title": entry.heading} for entry in chapter.entries],
                }
                for chapter in self.chapters
            ],
        }
