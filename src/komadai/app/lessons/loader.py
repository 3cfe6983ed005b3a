"""Courses read from their files (docs/how-to/write-a-lesson.md); every defect is reported at once, with its place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from ...engine.levels import STRONGEST
from ...errors import CourseError, KomadaiError
from ...game.position import Position
from ...i18n import _
from ...spec.board import Side, other
from ...spec.names import side_name
from ...spec.variant import Variant
from ...toml_table import Defect, TomlTable, brief, parsed
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
_MOST_MOVES = 50  # in which a stage can be done
_MOST_PLIES = 400  # of a game
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
    try:
        data = parsed(text)
    except ValueError as error:
        raise CourseError(_("course {game}", game=game), [str(error)]) from None
    made, defects = read(build(game), data)
    if defects:
        raise CourseError(_("course {game}", game=game), [*map(str, defects)])
    return made


def read(variant: Variant, data: dict[str, Any]) -> tuple[Course, list[Defect]]:
    """The course of a game from the data of its file, and every defect, with which it cannot be played."""
    defects: list[Defect] = []
    reader = TomlTable(data, "", defects)
    if (named := reader.take("game", str, variant.id)) != variant.id:
        reader.defect("game", _("{found} is another game than {game}", found=brief(named), game=variant.id))
    chapters = tuple(_chapter(variant, table) for table in reader.tables("chapters", least=1))
    made = Course(variant, reader.text("about"), chapters, dict(reader.take("not_taught", dict, {})))
    reader.close()
    for id, count in Counter(entry.id for entry in made.entries).items():
        if count > 1:
            defects.append(Defect(f"stages[{id}]", _("the id stands {count} times", count=count)))
    return made, defects


def _chapter(variant: Variant, table: TomlTable) -> Chapter:
    title = table.text("title")
    entries: list[Stage | Drill] = []
    for one in table.tables("stages"):
        drilled = _kinds(variant, "drills", one.texts("drills"), one)
        if (stage := _stage(variant, one)) is not None:
            entries += [stage, *(Drill(variant, code, drill) for code in drilled)]
    table.close()
    return Chapter(title, tuple(entries))


def _kinds(variant: Variant, key: str, codes: Iterable[str], table: TomlTable) -> tuple[str, ...]:
    """The codes, without those that the variant does not have, which are defects."""
    known = tuple(kind.code for kind in variant.kinds)
    for code in codes:
        if code not in known:
            table.defect(key, _("{code} is no kind; {right}", code=brief(code), right=suggest(code, known)))
    return tuple(code for code in codes if code in known)


def _stage(variant: Variant, table: TomlTable) -> Stage | None:
    before = len(table.defects)
    id = table.text("id")
    if not _ID.fullmatch(id):
        table.defect("id", _("{id} is no id; expected small letters, digits and single hyphens", id=brief(id)))
    goals = [key for key in _GOALS if key in table.data]
    if len(goals) != 1:
        table.defect("", _("{count} goals; expected one of {goals}", count=len(goals), goals=", ".join(_GOALS)))
        return None
    goal = _goal(goals[0], table)
    default = sum(choice.right for choice in goal.choices) if isinstance(goal, Question) else int(goals[0] != "play")
    if isinstance(goal, Find) and goal.lines:
        default = (len(goal.lines[0]) + 1) // 2
    stage = Stage(
        variant,
        id,
        table.text("title"),
        table.text("text"),
        goal,
        _number("moves", default, int(goals[0] not in ("play", "choices")), _MOST_MOVES, table),
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
            lines = tuple(tuple(line.split()) for line in table.texts("lines"))
            moves, aims = _moves_or_aims("find", table)
            return Find(moves, aims, lines)
        case "avoid":
            return Avoid(*_moves_or_aims("avoid", table))
        case "choices":
            return Question(tuple(map(_choice, table.tables("choices", least=2))))
    inner = TomlTable(table.take("play", dict, {}), f"{table.path}.play", table.defects)
    goal = Play(_number("level", 1, 1, STRONGEST, inner), _number("plies", 200, 1, _MOST_PLIES, inner))
    inner.close()
    return goal


def _number(key: str, default: int, least: int, most: int, table: TomlTable) -> int:
    value = table.take(key, int, default)
    if not least <= value <= most:
        words = _("{number} is out of range; expected {least} to {most}", number=brief(value), least=least, most=most)
        table.defect(key, words)
    return value


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
            table.defect(key, _("{aim} is no aim; {right}", aim=brief(aim), right=suggest(aim, AIMS)))


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
        table.defect("", _("answers to nothing; expected moves, squares, mistake or rule"))
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
            if not points:
                table.defect("reach", _("names no square"))
            _check_piece(piece, position.turn, "piece", stage, table)
        case Take(taken, piece):
            squares += taken
            if not taken:
                table.defect("take", _("names no square"))
            if piece is not None:
                _check_piece(piece, position.turn, "piece", stage, table)
            for square in taken:
                _check_piece(square, other(position.turn), "take", stage, table)
        case Find(moves, aims, lines):
            for move in moves:
                if move not in legal:
                    table.defect("find", _why_not(position, move))
            for number, line in enumerate(lines):
                _check_line(stage, line, f"lines[{number}]", table)
            if not (moves or aims or lines):
                table.defect("find", _("names no right move"))
        case Question(choices):
            if not any(choice.right for choice in choices):
                table.defect("choices", _("none is right"))
    for square in squares:
        if variant.board.find(square) is None:
            table.defect("", _("{square} is no square", square=brief(square)))
    if stage.solution and isinstance(goal, Reach | Take):
        try:
            at = walk.begin(stage)
            for text in stage.solution:
                at = at.after(at.position.parse_move(text))
        except KomadaiError as error:
            table.defect("solution", str(error))
        else:
            if at.left:
                table.defect("solution", _("does not come to {squares}", squares=", ".join(at.left)))


def _why_not(position: Position, move: str) -> str:
    try:
        return position.explain(move)
    except KomadaiError as error:
        return str(error)


def _check_piece(square: str, side: Side, key: str, stage: Stage, table: TomlTable) -> None:
    position = stage.begin()
    piece = position[square] if position.variant.board.find(square) is not None else None
    if piece is None or piece.side != side:
        words = _("no piece of {side} stands on {square}", side=side_name(side), square=brief(square))
        table.defect(key, words)


def _check_line(stage: Stage, line: tuple[str, ...], key: str, table: TomlTable) -> None:
    if len(line) % 2 == 0:
        table.defect(key, _("ends with a move of the opponent"))
    position = stage.begin()
    try:
        for move in line:
            position.push(move)
    except KomadaiError as error:
        table.defect(key, str(error))
