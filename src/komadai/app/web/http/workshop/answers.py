"""Answers to what is asked about a variant file, which is compiled here: never in the process of a server."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from time import process_time
from typing import Any

import msgspec

from .....errors import KomadaiError, NotationError
from .....game.game import Game
from .....game.position import Position
from .....i18n import _, speaking
from .....lab.arena.report import Report
from .....spec.variant import Variant
from .....variants import Entry, built
from .....workshop import entry_of, examine
from ....engine_service import SearchRequest
from ....lessons import Course, shared
from ....lessons.making import made_course
from ...engines.pool import STRENGTHS
from ...engines.running_games import number_of
from ...presenter import encode
from ...presenter.blocked_squares import explain
from ...presenter.lines import play_on
from ...schema import lessons as wire
from ...schema.answers import CheckedPosition, Explanation, FoundPosition
from ...schema.commands import plain
from ...schema.workshop import (
    CheckedFile,
    CheckedLesson,
    DraftLesson,
    FileDefect,
    FilePosition,
    FileReply,
    FileSetup,
    LessonDefect,
    LessonText,
    TaughtCourse,
    VariantFile,
)
from ..lessons import OpponentError, course_of, judged
from ..rulebook import rulebook
from ..setup_check import check
from ..studies import found_position
from .messages import Advice, Ask, JudgeAsk, Task

MOST_MOVES = 2000
"""Moves of a position that is shown; one with more is refused."""

_GAMES = 40  # of a report card for a stranger
_SLICE = 1.0  # seconds of the processor after which an answer has as many games as are over
_SMALL = 100_000  # positions up to which a game is solved for its card
_KEPT = 4  # files whose game and report are kept for the next question


def answer(ask: Ask) -> bytes:
    """The answer in JSON.

    Raises:
        KomadaiError: the file has defects, or there is no such position.
    """
    with speaking(ask.language):
        return msgspec.json.encode(_TASKS[ask.task](ask.body))


@lru_cache(maxsize=_KEPT)
def _game(text: str) -> tuple[str, Entry]:
    return entry_of(text)


@lru_cache(maxsize=_KEPT)
def _report(text: str) -> Report:
    return Report(_variant(text, {}), games=_GAMES)


def _variant(text: str, options: dict[str, str]) -> Variant:
    return built(*_game(text), options)


def _check(body: msgspec.Raw) -> CheckedFile:
    text = msgspec.json.decode(body, type=VariantFile).file
    defects, warnings = (
        [FileDefect(one.line, one.column, one.place, one.what) for one in found] for found in examine(text)
    )
    if defects:
        return CheckedFile(defects, warnings, None, None, None)
    v = _variant(text, {})
    game = Game(v)
    require_shown(game.position)
    return CheckedFile([], warnings, v.rules_hash, rulebook(v, _game(text)[1]), encode.position(game, with_tree=True))


def require_shown(at: Position) -> None:
    """Check that a position can be shown.

    Raises:
        NotationError: it has too many moves.
    """
    if (count := len(at.legal_moves())) > MOST_MOVES:
        words = _("has {count} moves; at most {most} can be shown here", count=count, most=MOST_MOVES)
        raise NotationError(_("position"), [words])


def _position(body: msgspec.Raw) -> FoundPosition:
    asked = msgspec.json.decode(body, type=FilePosition)
    game = Game.problem(_variant(asked.file, asked.options), asked.position)
    moves = play_on(game, asked.moves, asked.known)
    require_shown(game.position)
    return found_position(game, moves, asked.text)


def _setup(body: msgspec.Raw) -> CheckedPosition:
    asked = msgspec.json.decode(body, type=FileSetup)
    return check(_variant(asked.file, {}), asked.position)


def _explain(body: msgspec.Raw) -> Explanation:
    asked = msgspec.json.decode(body, type=FilePosition)
    game = Game.problem(_variant(asked.file, asked.options), asked.position)
    play_on(game, asked.moves, len(asked.moves))
    return Explanation(explain(game.position, asked.text or ""))


def _request(body: msgspec.Raw) -> Advice:
    asked = msgspec.json.decode(body, type=FileReply)
    game = Game(_variant(asked.file, asked.options))
    play_on(game, asked.moves, len(asked.moves))
    if (outcome := game.outcome()) is not None:
        raise NotationError(_("game"), [_("is over: {outcome}", outcome=outcome.message.words())])
    require_shown(game.position)
    strength = STRENGTHS[f"level{asked.level}"]
    search = SearchRequest.of(game, strength.seconds, strength.level)
    return Advice([number_of(game.position)], search=search)


def _card(body: msgspec.Raw) -> dict[str, Any]:
    """The report card so far: asked again, it has more games, up to all of them."""
    report = _report(msgspec.json.decode(body, type=VariantFile).file)
    began = process_time()
    while report.played < report.games and process_time() - began < _SLICE:
        report.play()
    return report.card(solve=_SMALL if report.played == report.games else 0)


# --- Lessons ----------------------------------------------------------------------------------------------------------


def _lesson(body: msgspec.Raw) -> Advice:
    """A lesson checked: its faults tell something about its positions."""
    text = msgspec.json.decode(body, type=LessonText).lesson
    course, found = shared.examined(text)
    defects = [LessonDefect(*one) for one in found]
    draft: DraftLesson | None = None
    try:
        draft = msgspec.convert(shared.data_of(text), DraftLesson)
    except msgspec.ValidationError as error:
        defects += [] if defects else [LessonDefect("", plain(error))]
    except shared.RefusedTextError:
        pass
    line = []
    chapters = () if course is None else course.chapters
    for stage in chain.from_iterable(chapter.written for chapter in chapters):
        with suppress(KomadaiError):  # the position is among the defects
            line.append(number_of(stage.begin()))
    return Advice(line, msgspec.Raw(msgspec.json.encode(CheckedLesson(defects, draft))))


def _taught(lesson: str, file: str) -> Course:
    return shared.load(lesson) if lesson else made_course(_variant(file, {}))


def _contents(body: msgspec.Raw) -> wire.Course:
    asked = msgspec.json.decode(body, type=TaughtCourse)
    return course_of(_taught(asked.lesson, asked.file))


def _judge(body: msgspec.Raw) -> Advice:
    question = msgspec.json.decode(body, type=JudgeAsk)
    asked = question.asked
    stage = _taught(asked.lesson, asked.file).stage(asked.stage)
    begun = stage.begin()
    require_shown(begun)
    try:
        said = judged(stage, asked, question.reply)
    except OpponentError as waiting:
        at = begun.copy()
        for text in waiting.search.moves:
            at.push(text)
        return Advice([number_of(begun), number_of(at)], search=waiting.search)
    after = Position.problem(stage.variant, said.position.sfen)
    return Advice([number_of(begun), number_of(after)], msgspec.Raw(msgspec.json.encode(said)))


_TASKS: dict[Task, Callable[[msgspec.Raw], Any]] = {
    "check": _check,
    "position": _position,
    "setup": _setup,
    "explain": _explain,
    "request": _request,
    "report": _card,
    "lesson": _lesson,
    "course": _contents,
    "judge": _judge,
}
