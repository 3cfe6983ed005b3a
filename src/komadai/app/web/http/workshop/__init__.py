"""The HTTP interface of the workshop. Every question brings the variant file along, and nothing of it is kept."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from .....i18n import _, current_language
from .....variants import entry
from .....workshop import game_text
from .....workshop.schema import shipped
from .....workshop.starting import start_text
from ....engine_service import SearchRequest
from ...engines.pool import EnginePool
from ...engines.rate_limits import RateLimits, Shares
from ...engines.running_games import RunningGames
from ...engines.work_queue import OverusedError
from ...schema.answers import CheckedPosition, Explanation, FoundPosition
from ...schema.lessons import Course, LessonAnswer
from ...schema.report import ReportCard
from ...schema.workshop import (
    CheckedFile,
    CheckedLesson,
    FileDefect,
    FilePosition,
    FileReply,
    FileSetup,
    LessonDefect,
    LessonText,
    TaughtCourse,
    TaughtMove,
    VariantFile,
)
from ..operations import operation
from ..responses import ProblemError, admit, json_of, json_response, no_move_found, payer, refusing
from .messages import Advice, Ask, JudgeAsk, Task
from .sandbox import SECONDS, LostError, RefusedError, Workbench

_MOST_ASKED = 1024 * 1024  # bytes of a question, whose file is escaped
_OWN_ID = "my-{}"

T = TypeVar("T", VariantFile, FilePosition, FileSetup, FileReply, LessonText, TaughtCourse, TaughtMove)
_PLACE = "/api/workshop"


class Workshop:
    """The HTTP interface of the workshop."""

    def __init__(self, engines: EnginePool, bench: Workbench, limits: RateLimits, running: RunningGames) -> None:
        """``bench``: where files are compiled; ``running``: the games on whose positions nobody is advised."""
        self._engines, self._bench, self._running = engines, bench, running
        self._questions = Shares(*limits.questions)

    # --- Files to begin with ---

    @operation("GET", f"{_PLACE}/schema", dict[str, Any], refuses=(429,))
    async def file_schema(self, request: Request) -> Response:
        """The JSON Schema of variant files."""
        admit(self._questions, request)
        return Response(shipped(), media_type="application/json")

    @operation("GET", f"{_PLACE}/start", ("text/plain",), refuses=(429,))
    async def starting_file(self, request: Request) -> Response:
        """A commented variant file of a small game."""
        admit(self._questions, request)
        return PlainTextResponse(start_text("my-game"))

    @operation("GET", f"{_PLACE}/files/{{variant}}", ("text/plain",), refuses=(429,))
    async def exported_file(self, request: Request) -> Response:
        """A game as a variant file, with an id of its own."""
        admit(self._questions, request)
        name = request.path_params["variant"]
        entry(name)
        text = game_text(name)
        return PlainTextResponse(text.replace(f'id = "{name}"', f'id = "{_OWN_ID.format(name)}"', 1))

    # --- Questions about a file ---

    @operation("POST", f"{_PLACE}/check", CheckedFile, takes=VariantFile, refuses=(429,))
    async def check_file(self, request: Request) -> Response:
        """Check a variant file: every defect, or the rules of its game and the start."""
        asked = await self._asked(request, VariantFile)
        try:
            return self._json(await self._answer(request, "check", asked))
        except LostError as lost:
            return json_response(CheckedFile([FileDefect(1, 1, "", _lost(lost))], [], None, None, None))

    @operation("POST", f"{_PLACE}/position", FoundPosition, takes=FilePosition, refuses=(429,))
    async def file_position(self, request: Request) -> Response:
        """The position of a game after some moves, and the moves."""
        return self._json(await self._required(request, "position", await self._asked(request, FilePosition)))

    @operation("POST", f"{_PLACE}/setup", CheckedPosition, takes=FileSetup, refuses=(429,))
    async def file_setup(self, request: Request) -> Response:
        """Check a position that somebody sets up in the game of a variant file."""
        return self._json(await self._required(request, "setup", await self._asked(request, FileSetup)))

    @operation("POST", f"{_PLACE}/explain", Explanation, takes=FilePosition, refuses=(429,))
    async def explain_in_file(self, request: Request) -> Response:
        """The reason why a move is illegal."""
        return self._json(await self._required(request, "explain", await self._asked(request, FilePosition)))

    @operation("POST", f"{_PLACE}/reply", FoundPosition, takes=FileReply, refuses=(403, 429, 503))
    async def reply_in_file(self, request: Request) -> Response:
        """The engine's move, and the position after it."""
        asked = await self._asked(request, FileReply)
        try:
            search = await self._advised(request, "request", asked)
        except LostError as lost:
            raise ProblemError(422, _lost(lost)) from None
        assert isinstance(search, SearchRequest)
        with refusing(422):
            found = await self._engines.reply(search, payer(request))
        if found is None:
            raise no_move_found()
        then = FilePosition(
            file=asked.file, options=asked.options, moves=asked.moves, known=len(asked.moves), text=found
        )
        return self._json(await self._required(request, "position", then))

    @operation("POST", f"{_PLACE}/report", ReportCard, takes=VariantFile, refuses=(429,))
    async def report_on_file(self, request: Request) -> Response:
        """The report card of a game over the games played so far: asked again, it has more, up to all of them."""
        return self._json(await self._required(request, "report", await self._asked(request, VariantFile)))

    # --- Lessons that people make ---

    @operation("POST", f"{_PLACE}/lesson", CheckedLesson, takes=LessonText, refuses=(403, 429))
    async def check_lesson(self, request: Request) -> Response:
        """Check a lesson: every defect, and what it holds."""
        asked = await self._asked(request, LessonText)
        try:
            said = await self._advised(request, "lesson", asked)
        except LostError:
            words = _(
                "The lesson takes more than {most} seconds to check; expected fewer stages, or shorter ones.",
                most=SECONDS,
            )
            return json_response(CheckedLesson([LessonDefect("", words)], None))
        assert isinstance(said, bytes)
        return self._json(said)

    @operation("POST", f"{_PLACE}/lesson/course", Course, takes=TaughtCourse, refuses=(429,))
    async def lesson_course(self, request: Request) -> Response:
        """The contents of a lesson, or of the lessons made from the rules of a game in a variant file."""
        return self._json(await self._required(request, "course", await self._asked(request, TaughtCourse)))

    @operation("POST", f"{_PLACE}/lesson/judge", LessonAnswer, takes=TaughtMove, refuses=(403, 429, 503))
    async def judge_in_lesson(self, request: Request) -> Response:
        """Judge a move in a stage of those; in a guided game the engine replies."""
        asked = await self._asked(request, TaughtMove)
        reply: str | None = None
        while True:
            try:
                said = await self._advised(request, "judge", JudgeAsk(asked, reply))
            except LostError as lost:
                raise ProblemError(422, _lost(lost)) from None
            if not isinstance(said, SearchRequest):
                return self._json(said)
            with refusing(422):
                reply = await self._engines.reply(said, payer(request))
            if reply is None:
                raise no_move_found()

    # --- Asking ---

    async def _asked(self, request: Request, kind: type[T]) -> T:
        admit(self._questions, request)
        return await json_of(request, kind, _("The question was not understood"), _MOST_ASKED)

    async def _advised(self, request: Request, task: Task, asked: msgspec.Struct) -> bytes | SearchRequest:
        """The answer in JSON of a task that advises, or the search that it waits for.

        Raises:
            ProblemError: there is none, or it is about a position of a game that two people are playing.
            LostError: it takes too much.
        """
        advice = msgspec.json.decode(await self._answer(request, task, asked), type=Advice)
        with refusing(403):
            self._running.require_free(advice.line)
        return bytes(advice.body) if advice.search is None else advice.search

    async def _answer(self, request: Request, task: Task, asked: msgspec.Struct) -> bytes:
        """The answer in JSON.

        Raises:
            ProblemError: there is none. ``LostError``: the file takes too much.
        """
        ask = Ask(task, current_language(), msgspec.Raw(msgspec.json.encode(asked)))
        try:
            return await self._bench.ask(payer(request), ask)
        except RefusedError as error:
            raise ProblemError(422, str(error)) from None
        except OverusedError:
            raise ProblemError(429, _("Too many calculations at once; wait a moment.")) from None

    async def _required(self, request: Request, task: Task, asked: msgspec.Struct) -> bytes:
        try:
            return await self._answer(request, task, asked)
        except LostError as lost:
            raise ProblemError(422, _lost(lost)) from None

    @staticmethod
    def _json(body: bytes) -> Response:
        return Response(body, media_type="application/json")


def _lost(lost: LostError) -> str:
    match lost.loss:
        case "time":
            return _(
                "This game takes more than {most} seconds of the processor; expected a smaller board, fewer kinds or "
                "simpler rules.",
                most=SECONDS,
            )
        case "memory":
            return _("This game takes too much memory; expected a smaller board, fewer kinds or simpler rules.")
    return _("This game could not be computed; that is an error of Komadai, which its authors would like to hear of.")
