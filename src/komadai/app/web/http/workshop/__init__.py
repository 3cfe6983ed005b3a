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
from ...engines.addresses import address
from ...engines.pool import EnginePool
from ...engines.rate_limits import USUAL, RateLimits, Shares
from ...engines.work_queue import OverusedError
from ...schema.answers import Explanation, FoundPosition
from ...schema.report import ReportCard
from ...schema.workshop import CheckedFile, FileDefect, FilePosition, FileReply, VariantFile
from ..operations import Operation
from ..responses import ProblemError, json_of, json_response, no_move_found, payer, refusing, too_many_questions
from .messages import Ask, Task
from .sandbox import SECONDS, LostError, RefusedError, Workbench

_MOST_ASKED = 1024 * 1024  # bytes of a question, whose file is escaped
_OWN_ID = "my-{}"

T = TypeVar("T", VariantFile, FilePosition, FileReply)


class Workshop:
    """The HTTP interface of the workshop.

    Attributes:
        engines: the pool, which is set before the first request. ``bench``: where files are compiled; likewise.
    """

    engines: EnginePool
    bench: Workbench

    def __init__(self, limits: RateLimits = USUAL) -> None:
        self._questions = Shares(*limits.questions)

    def operations(self) -> list[Operation]:
        """The operations of this interface."""
        place = "/api/workshop"
        return [
            Operation("GET", f"{place}/schema", self.file_schema, dict[str, Any], refuses=(429,)),
            Operation("GET", f"{place}/start", self.starting_file, ("text/plain",), refuses=(429,)),
            Operation("GET", f"{place}/files/{{variant}}", self.exported_file, ("text/plain",), refuses=(429,)),
            Operation("POST", f"{place}/check", self.check_file, CheckedFile, takes=VariantFile, refuses=(429,)),
            Operation(
                "POST", f"{place}/position", self.file_position, FoundPosition, takes=FilePosition, refuses=(429,)
            ),
            Operation(
                "POST", f"{place}/explain", self.explain_in_file, Explanation, takes=FilePosition, refuses=(429,)
            ),
            Operation("POST", f"{place}/reply", self.reply_in_file, FoundPosition, takes=FileReply, refuses=(429, 503)),
            Operation("POST", f"{place}/report", self.report_on_file, ReportCard, takes=VariantFile, refuses=(429,)),
        ]

    # --- Files to begin with ---

    async def file_schema(self, request: Request) -> Response:
        """The JSON Schema of variant files."""
        self._admit(request)
        return Response(shipped(), media_type="application/json")

    async def starting_file(self, request: Request) -> Response:
        """A commented variant file of a small game."""
        self._admit(request)
        return PlainTextResponse(start_text("my-game"))

    async def exported_file(self, request: Request) -> Response:
        """A game as a variant file, with an id of its own."""
        self._admit(request)
        name = request.path_params["variant"]
        entry(name)
        text = game_text(name)
        return PlainTextResponse(text.replace(f'id = "{name}"', f'id = "{_OWN_ID.format(name)}"', 1))

    # --- Questions about a file ---

    async def check_file(self, request: Request) -> Response:
        """Check a variant file: every defect, or the rules of its game and the start."""
        asked = await self._asked(request, VariantFile)
        try:
            return self._json(await self._answer(request, "check", asked))
        except LostError as lost:
            return json_response(CheckedFile([FileDefect(1, 1, "", _lost(lost))], [], None, None, None))

    async def file_position(self, request: Request) -> Response:
        """The position of a game after some moves, and the moves."""
        return self._json(await self._required(request, "position", await self._asked(request, FilePosition)))

    async def explain_in_file(self, request: Request) -> Response:
        """The reason why a move is illegal."""
        return self._json(await self._required(request, "explain", await self._asked(request, FilePosition)))

    async def reply_in_file(self, request: Request) -> Response:
        """The engine's move, and the position after it."""
        asked = await self._asked(request, FileReply)
        search = msgspec.json.decode(await self._required(request, "request", asked), type=SearchRequest)
        with refusing(422):
            found = await self.engines.reply(search, payer(request))
        if found is None:
            raise no_move_found()
        then = FilePosition(
            file=asked.file, options=asked.options, moves=asked.moves, known=len(asked.moves), text=found
        )
        return self._json(await self._required(request, "position", then))

    async def report_on_file(self, request: Request) -> Response:
        """The report card of a game over the games played so far: asked again, it has more, up to all of them."""
        return self._json(await self._required(request, "report", await self._asked(request, VariantFile)))

    # --- Asking ---

    def _admit(self, request: Request) -> None:
        if not self._questions.of(address(request)).take():
            raise too_many_questions()

    async def _asked(self, request: Request, kind: type[T]) -> T:
        self._admit(request)
        return await json_of(request, kind, _("The question was not understood"), _MOST_ASKED)

    async def _answer(self, request: Request, task: Task, asked: VariantFile | FilePosition | FileReply) -> bytes:
        """The answer in JSON.

        Raises:
            ProblemError: there is none. ``LostError``: the file takes too much.
        """
        ask = Ask(task, current_language(), msgspec.Raw(msgspec.json.encode(asked)))
        try:
            return await self.bench.ask(payer(request), ask)
        except RefusedError as error:
            raise ProblemError(422, str(error)) from None
        except OverusedError:
            raise ProblemError(429, _("Too many calculations at once; wait a moment.")) from None

    async def _required(self, request: Request, task: Task, asked: VariantFile | FilePosition | FileReply) -> bytes:
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
