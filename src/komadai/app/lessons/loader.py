"""Courses read from their files (docs/how-to/write-a-lesson.md); every defect is reported at once, with its place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from ...engine.levels import STRONGEST
from ...errors import CourseError, KomadaiError
from ...i18n import _
from ...spec.variant import Variant
from ...toml_table import TomlTable, parsed
from ...typed import typed
from ...variants import build, names, suggest
from . import walk
from .drills import drill
from .making import made_course
from .model import (
    AIMS,
    MISTAKES,
    Avoid,
    Chapter,
    Choice,
    Course,
    Drill,
    Find,
    Goal,
    Play,
    Question,
    Reach,
    Stage,
    Take,
    Wrong,
)

_FOLDER = Path(__file__).parent
_GOALS = ("reach", "take", "find", "avoid", "choices", "play")
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@cache
def written() -> tuple[str, ...]:
    """The games whose course is written, in alphabetical order."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


def courses() -> tuple[str, ...]:
    """The games that have a course, which are all: first those whose course is written; each from easy to hard."""
    return tuple(sorted(names(), key=lambda game: (game not in written(), build(game).about.order, game)))


def course(game: str) -> Course:
    """The course of a game: the written one, or else one made from its spec.

    Raises:
        CourseError: there is no such game, or the course's file has defects; all of them.
    """
    if game in written():
        return _read(game)
    if game not in names():
        raise CourseError(_("course {game}", game=repr(game[:40])), [suggest(game[:40], courses())])
    return made_course(build(game))


@cache
def _read(game: str) -> Course:
    return load(game, (_FOLDER / f"{game}.toml").read_text(encoding="utf-8"))


@typed
def load(game: str, text: str) -> Course:
    """A course from the text of its file.

    Raises:
        CourseError: with every defect and its place.
    """
    defects: list[str] = []
    try:
        data = parsed(text)
    except ValueError as error:
        raise CourseError(_("course {game}", game=game), [str(error)]) from None
    reader = TomlTable(data, "", defects)
    variant = build(game)
    chapters = tuple(_chapter(variant, table) for table in reader.tables("chapters", least=1))
    made = Course(game, reader.text("about"), chapters, dict(reader.take("not_taught", dict, {})))
    reader.close()
    for id, count in Counter(entry.id for entry in made.entries).items():
        if count > 1:
            defects.append(f"stages[{id}]: the id stands {count} times")
    if defects:
        raise CourseError(_("course {game}", game=game), defects)
    return made


def _chapter(variant: Variant, table: TomlTable) -> Chapter:
    title = table.text("title")
    entries: list[Stage | Drill] = []
    for one in table.tables("stages"):
        drilled = _kinds(variant, "drills", one.texts("drills"), one)
        if (stage := _stage(variant, one)) is not None:
            entries += [stage, *(Drill(variant.id, code, drill) for code in drilled)]
    table.close()
    return Chapter(title, tuple(entries))


def _kinds(variant: Variant, key: str, codes: Iterable[str], table: TomlTable) -> tuple[str, ...]:
    """The codes, without those that the variant does not have, which are defects."""
    known = tuple(kind.code for kind in variant.kinds)
    for code in codes:
        if code not in known:
            table.defect(key, f"{code!r} is no kind; {suggest(str(code), known)}")
    return tuple(code for code in codes if code in known)


def _stage(variant: Variant, table: TomlTable) -> Stage | None:
    before = len(table.defects)
    id = table.text("id")
    if not _ID.fullmatch(id):
        table.defect("id", f"{id!r} is no id; expected small letters, digits and single hyphens")
    goals = [key for key in _GOALS if key in table.data]
    if len(goals) != 1:
        table.defect("", f"{len(goals)} goals; expected one of {', '.join(_GOALS)}")
        return None
    goal = _goal(goals[0], table)
    default = sum(choice.right for choice in goal.choices) if isinstance(goal, Question) else int(goals[0] != "play")
    if isinstance(goal, Find) and goal.lines:
        default = (len(goal.lines[0]) + 1) // 2
    stage = Stage(
        variant.id,
        id,
        table.text("title"),
        table.text("text"),
        goal,
        table.take("moves", int, default),
        table.take("position", str, "") or None,
        table.texts("rules"),
        _kinds(variant, "teaches", table.texts("teaches"), table),
        table.take("right", str, "").strip(),
        table.take("hint", str, "").strip(),
        tuple(map(_wrong, table.tables("wrong"))),
        table.texts("solution"),
    )
    table.close()
    if len(table.defects) == before:
        _check(variant, stage, table)
    return stage


def _goal(key: str, table: TomlTable) -> Goal:
    match key:
        case "reach":
            return Reach(table.texts("reach"), table.text("piece"))
        case "take":
            return Take(table.texts("take"), table.take("piece", str, "") or None)
        case "find":
            lines = tuple(tuple(line.split()) for line in table.data.pop("lines", []))
            moves, aims = _moves_or_aims("find", table)
            return Find(moves, aims, lines)
        case "avoid":
            return Avoid(*_moves_or_aims("avoid", table))
        case "choices":
            return Question(tuple(map(_choice, table.tables("choices", least=2))))
    inner = TomlTable(table.take("play", dict, {}), f"{table.path}.play", table.defects)
    goal = Play(inner.take("level", int, 1), inner.take("plies", int, 200))
    if not 1 <= goal.level <= STRONGEST:
        inner.defect("level", f"{goal.level} is no level; expected 1 to {STRONGEST}")
    inner.close()
    return goal


def _moves_or_aims(key: str, table: TomlTable) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A list is one of moves; a text holds aims."""
    if isinstance(table.data[key], list):
        return table.texts(key), ()
    aims = table.texts(key)
    _check_aims(key, aims, table)
    return (), aims


def _check_aims(key: str, aims: tuple[str, ...], table: TomlTable) -> None:
    for aim in aims:
        if aim.removeprefix("no-") not in AIMS:
            table.defect(key, f"{aim!r} is no aim; {suggest(aim, AIMS)}")


def _choice(table: TomlTable) -> Choice:
    made = Choice(table.text("text"), table.text("says"), table.take("right", bool, False))
    table.close()
    return made


def _wrong(table: TomlTable) -> Wrong:
    mistake = table.take("mistake", str, "")
    kinds = (mistake,) if mistake in MISTAKES else tuple(mistake.split())
    made = Wrong(
        table.text("says"),
        table.texts("moves"),
        table.texts("squares"),
        kinds,
        table.take("rule", str, "") or None,
        table.take("reply", str, "") or None,
    )
    if mistake not in MISTAKES:
        _check_aims("mistake", kinds, table)
    if not (made.moves or made.squares or made.mistake or made.rule):
        table.defect("", "answers to nothing; expected moves, squares, mistake or rule")
    table.close()
    return made


def _check(variant: Variant, stage: Stage, table: TomlTable) -> None:
    """Check a stage against the rules: its position, squares, and the moves of its lines."""
    try:
        position = stage.begin()
    except KomadaiError as error:
        table.defect("position", str(error))
        return
    goal, legal = stage.goal, position.legal_moves()
    squares = [square for wrong in stage.wrong for square in wrong.squares]
    match goal:
        case Reach(points, piece):
            squares += points
            _check_piece(piece, position.turn, "piece", stage, table)
        case Take(taken, piece):
            squares += taken
            if piece is not None:
                _check_piece(piece, position.turn, "piece", stage, table)
            for square in taken:
                _check_piece(square, "w" if position.turn == "b" else "b", "take", stage, table)
        case Find(moves, aims, lines):
            for move in moves:
                if move not in legal:
                    table.defect("find", position.explain(move))
            for number, line in enumerate(lines):
                _check_line(stage, line, f"lines[{number}]", table)
            if not (moves or aims or lines):
                table.defect("find", "names no move and no aim")
        case Question(choices):
            if not any(choice.right for choice in choices):
                table.defect("choices", "none is right")
    for square in squares:
        if variant.board.find(square) is None:
            table.defect("", f"{square!r} is no square")
    if stage.solution and isinstance(goal, Reach | Take):
        try:
            at = walk.begin(stage)
            for text in stage.solution:
                at = at.after(at.position.parse_move(text))
        except KomadaiError as error:
            table.defect("solution", str(error))
        else:
            if at.left:
                table.defect("solution", f"does not come to {', '.join(at.left)}")


def _check_piece(square: str, side: str, key: str, stage: Stage, table: TomlTable) -> None:
    position = stage.begin()
    piece = position[square] if position.variant.board.find(square) is not None else None
    if piece is None or piece.side != side:
        table.defect(key, f"no piece of {'Black' if side == 'b' else 'White'} stands on {square!r}")


def _check_line(stage: Stage, line: tuple[str, ...], key: str, table: TomlTable) -> None:
    if len(line) % 2 == 0:
        table.defect(key, "ends with a move of the opponent")
    position = stage.begin()
    try:
        for move in line:
            position.push(move)
    except KomadaiError as error:
        table.defect(key, str(error))
