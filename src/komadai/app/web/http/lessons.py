"""The HTTP interface for lessons. Nothing of a lesson is stored: each request has the moves that stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import Response

from ....errors import CourseError, KomadaiError
from ....game.game import Game
from ....game.position import Position
from ....i18n import _
from ....spec.move import Move
from ....spec.variant import Variant
from ....variants import build, entry
from ... import lessons, openings
from ...engine_service import SearchRequest
from ...lessons import Feedback, Stage
from ...lessons import walk as walks
from ...lessons.model import Find, Play, Question, Reach, Take
from ..engines.pool import STRENGTHS, EnginePool
from ..engines.rate_limits import RateLimits, Shares
from ..engines.turns import Payer
from ..engines.work_queue import WorkQueue
from ..presenter import encode
from ..schema import lessons as wire
from ..schema import model
from ..schema.requests import LessonMove
from .operations import operation
from .responses import ProblemError, admit, answered, json_of, json_response, no_move_found, payer

_MOST_ASKED = 32 * 1024  # bytes of a question


class Lessons:
    """The HTTP interface for lessons."""

    def __init__(self, queue: WorkQueue, engines: EnginePool, limits: RateLimits) -> None:
        self._queue, self._engines = queue, engines
        self._questions = Shares(*limits.questions)

    @operation("GET", "/api/lessons", wire.CourseList, refuses=(422, 429))
    async def courses(self, request: Request) -> Response:
        """All courses of lessons."""
        admit(self._questions, request)
        return json_response(await answered(self._queue, request, _courses))

    @operation("GET", "/api/lessons/{variant}", wire.Course, refuses=(422, 429))
    async def course(self, request: Request) -> Response:
        """The course that teaches a game."""
        admit(self._questions, request)
        game = _game(request)
        return json_response(await answered(self._queue, request, _course, game))

    @operation("POST", "/api/lessons/{variant}/{stage}", wire.LessonAnswer, takes=LessonMove, refuses=(429, 503))
    async def judge(self, request: Request) -> Response:
        """Judge a move in a stage; in a guided game the engine replies."""
        admit(self._questions, request)
        game, name = _game(request), request.path_params["stage"]
        asked = await json_of(request, LessonMove, _("The move was not understood"), _MOST_ASKED)
        reply: str | None = None
        while True:
            try:
                work = _Judging(game, name, asked, reply)
                return json_response(await answered(self._queue, request, work.answer))
            except OpponentError as waiting:
                reply = await self._think(waiting.search, payer(request))

    async def _think(self, search: SearchRequest, payer: Payer) -> str:
        """The opponent's move.

        Raises:
            ProblemError: no engine finds one.
        """
        if (found := await self._engines.reply(search, payer)) is None:
            raise no_move_found()
        return found


class OpponentError(Exception):
    """The opponent is to move in a guided game; ``search`` finds its move."""

    def __init__(self, search: SearchRequest) -> None:
        super().__init__(search)
        self.search = search


class _Judging:
    """A question about a stage, with the opponent's move once it is known."""

    def __init__(self, game: str, name: str, asked: LessonMove, reply: str | None) -> None:
        self._game, self._name, self._asked, self._reply = game, name, asked, reply

    def answer(self) -> wire.LessonAnswer:
        """The answer.

        Raises:
            ProblemError: there is no such stage.
            CourseError: the moves are not of this stage.
            OpponentError: the opponent must move first.
        """
        try:
            stage = lessons.course(self._game).stage(self._name)
        except CourseError as error:
            raise ProblemError(404, str(error)) from None
        return judged(stage, self._asked, self._reply)


def judged(stage: Stage, asked: LessonMove, reply: str | None) -> wire.LessonAnswer:
    """The answer to a question about a stage; ``reply``: the opponent's move, once it is known.

    Raises:
        CourseError: the moves are not of this stage.
        OpponentError: the opponent must move first.
    """
    most = _longest(stage)
    if len(asked.moves) > most:
        raise CourseError(
            _("stage {id}", id=stage.id),
            [_("has {count} moves; at most {most} are possible", count=len(asked.moves), most=most)],
        )
    if asked.move is None:
        return _answer(stage, lessons.resume(stage, asked.moves, asked.tries), len(asked.moves))

    def opponent(at: Position, level: int) -> Move:
        if reply is None:
            raise OpponentError(_search(at, level))
        return at.parse_move(reply)

    feedback = lessons.judge(stage, [*asked.moves, asked.move], asked.tries, opponent)
    return _answer(stage, feedback, len(asked.moves), _tried(stage, feedback, asked))


def _game(request: Request) -> str:
    """The game in the path.

    Raises:
        NotationError: there is no such game.
    """
    name: str = request.path_params["variant"]
    entry(name)
    return name


def require(request: Request) -> None:
    """Check that there is the game in the path, and the stage, if it names one.

    Raises:
        NotationError: there is no such game.
        ProblemError: it has no such stage.
    """
    game, stage = _game(request), request.path_params.get("stage")
    if stage is not None and all(entry.id != stage for entry in lessons.course(game).entries):
        raise ProblemError(404, _("There is no such stage in these lessons."))


def _courses() -> wire.CourseList:
    return wire.CourseList([_listed(build(game)) for game in lessons.courses()])


def _listed(v: Variant) -> wire.CourseEntry:
    if v.id not in lessons.written():
        return wire.CourseEntry(v.id, _(v.name), _(v.summary), None)
    course = lessons.course(v.id)
    return wire.CourseEntry(v.id, _(v.name), _(course.about), [entry.id for entry in course.entries])


def _course(game: str) -> wire.Course:
    return course_of(lessons.course(game))


def course_of(course: lessons.Course) -> wire.Course:
    """The course as a client shows it."""
    chapters = [
        wire.LessonChapter(_(chapter.title), [wire.StageTitle(entry.id, entry.heading) for entry in chapter.entries])
        for chapter in course.chapters
    ]
    return wire.Course(
        encode.variant(course.variant),
        _(course.about),
        encode.own_puzzles(course.variant),
        openings.count(course.variant),
        chapters,
    )


def _longest(stage: Stage) -> int:
    """The most moves that can stand in a stage, or choices."""
    match stage.goal:
        case Play(_, plies):
            return plies
        case Question(choices):
            return len(choices)
        case Find(_, _, found):
            return max((len(line) for line in found), default=1)
    return 2 * stage.moves


def _search(at: Position, level: int) -> SearchRequest:
    game = Game.problem(at.variant, at.root().sfen(ply=True))
    for move in at.move_stack:
        game.push(move)
    return SearchRequest.of(game, STRENGTHS[f"level{level}"].seconds, level)


def _tried(stage: Stage, feedback: Feedback, asked: LessonMove) -> model.RecordedMove | None:
    """The move asked about, if it is legal but wrong."""
    if feedback.state != "wrong" or isinstance(stage.goal, Question):
        return None
    at = stage.begin()
    for _before, _move, after in _replay(stage, tuple(asked.moves)):
        at = after
    try:
        return encode.recorded_move(at, at.parse(str(asked.move)))
    except KomadaiError:
        return None


def _answer(stage: Stage, feedback: Feedback, known: int, tried: model.RecordedMove | None = None) -> wire.LessonAnswer:
    """The judge's answer, of whose moves so many are known."""
    made, at = [], stage.begin()
    for number, (before, move, after) in enumerate(_replay(stage, feedback.moves)):
        if number >= known:
            made.append(encode.recorded_move(before, move))
        at = after
    over = feedback.state == "done" or isinstance(stage.goal, Question)
    ended = None if isinstance(stage.goal, Reach | Take) else at.outcome()
    choices = encode.NO_CHOICES if over or ended is not None else encode.choices(at)
    begun = stage.begin()
    goal = cast("Any", type(stage.goal).__name__.lower())
    return wire.LessonAnswer(
        stage=wire.LessonStage(
            stage.id,
            stage.heading,
            stage.task,
            goal,
            stage.moves,
            begun.turn,
            [_(choice.text) for choice in stage.goal.choices] if isinstance(stage.goal, Question) else [],
            stage.rules,
        ),
        state=feedback.state,
        text=feedback.text,
        moves=feedback.moves,
        made=made,
        position=encode.shown_position(at, ended, choices),
        marks=[wire.LessonMark(mark.t, mark.at, UNSET if mark.to is None else mark.to) for mark in feedback.marks],
        hint=feedback.hint,
        show=feedback.show,
        tried=tried,
    )


def _replay(stage: Stage, moves: tuple[str, ...]) -> Iterator[tuple[Position, Move, Position]]:
    """Moves of a stage, each between the position before it and the one in which the next is made."""
    if isinstance(stage.goal, Question):
        return
    if isinstance(stage.goal, Reach | Take):
        walk = walks.begin(stage)
        for text in moves:
            before, move = walk.position, walk.position.parse_move(text)
            walk = walk.after(move)
            yield before, move, walk.position
        return
    at = stage.begin()
    for text in moves:
        before, move = at.copy(), at.parse_move(text)
        at.push(move)
        yield before, move, at
