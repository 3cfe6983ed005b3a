"""The HTTP interface for puzzles. Nothing of a solver is stored: each request has the moves that stand."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from itertools import groupby
from typing import Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from ....engine.escapes import Escape
from ....errors import IllegalMoveError, NotationError
from ....game.position import Position
from ....i18n import _, current_language, sentence
from ....spec.move import Move
from ....spec.variant import Variant
from ....variants import build, entry
from ... import puzzles
from ...engine_service import EngineLostError, SearchRequest
from ...puzzles import THEMES, Puzzle
from ..engines.pool import EnginePool
from ..engines.rate_limits import RateLimits, Shares
from ..engines.turns import Payer
from ..engines.work_queue import WorkQueue
from ..game.solved import table_of
from ..presenter import encode
from ..schema import puzzles as wire
from ..schema.position_ref import parse_typed
from ..schema.requests import PuzzleMove
from .operations import operation
from .responses import ProblemError, admit, answered, json_of, json_response, payer

log = logging.getLogger(__name__)

State = Literal["going", "right", "wrong", "done"]

_MOST_ASKED = 8 * 1024  # bytes of a question
_SECONDS = 3.0  # of a search that looks for the opponent's escape
_SEARCHES = 2  # for one question


class Puzzles:
    """The HTTP interface for puzzles."""

    def __init__(self, queue: WorkQueue, engines: EnginePool, limits: RateLimits) -> None:
        self._queue, self._engines = queue, engines
        self._questions = Shares(*limits.questions)

    @operation("GET", "/api/puzzles", wire.PuzzleGames, refuses=(422, 429))
    async def games(self, request: Request) -> Response:
        """All games with puzzles."""
        admit(self._questions, request)
        return json_response(await answered(self._queue, request, _games, today()))

    @operation("GET", "/api/puzzles/{variant}", wire.PuzzleList, refuses=(422, 429))
    async def puzzles(self, request: Request) -> Response:
        """The puzzles of a game, by theme and length."""
        admit(self._questions, request)
        v = _game(request)
        body = await answered(self._queue, request, _listed, v, today(), current_language())
        return Response(body, media_type="application/json")

    @operation("GET", "/api/puzzles/{variant}/{puzzle}", wire.PuzzleAnswer, refuses=(422, 429))
    async def puzzle(self, request: Request) -> Response:
        """A puzzle as it begins."""
        admit(self._questions, request)
        found = _puzzle(request)
        return json_response(await answered(self._queue, request, _Question(found, PuzzleMove()).answer))

    @operation("POST", "/api/puzzles/{variant}/{puzzle}", wire.PuzzleAnswer, takes=PuzzleMove, refuses=(429, 503))
    async def solve(self, request: Request) -> Response:
        """Judge a move in a puzzle, and refute a wrong one; or help."""
        admit(self._questions, request)
        question = _Question(
            _puzzle(request), await json_of(request, PuzzleMove, _("The move was not understood"), _MOST_ASKED)
        )
        for _searched in range(_SEARCHES):
            try:
                return json_response(await answered(self._queue, request, question.answer))
            except _SearchError as needed:
                question.found[needed.key] = await self._search(needed.search, payer(request))
        return json_response(await answered(self._queue, request, question.answer))

    async def _search(self, search: SearchRequest, payer: Payer) -> Escape:
        """Look for the opponent's escape.

        Raises:
            ProblemError: the engine was lost.
        """
        try:
            async with self._engines.lend(search.subject, payer=payer) as engine:
                found = (await self._engines.search(engine, search, None, payer)).escape
        except EngineLostError as error:
            log.warning("a puzzle: %s", error)
            raise ProblemError(503, _("The move could not be judged; try again.")) from None
        assert found is not None
        at = Position(build(search.variant, **search.options), search.start)
        return Escape(found.chance, _line(at, [*search.moves, *found.line])[len(search.moves) :])


class _SearchError(Exception):
    """An answer needs a search."""

    def __init__(self, key: tuple[str, ...], search: SearchRequest) -> None:
        super().__init__(key, search)
        self.key, self.search = key, search


class _Question:
    """A question about a puzzle, with what searches have found for it, by the moves before them."""

    def __init__(self, puzzle: Puzzle, asked: PuzzleMove) -> None:
        self._puzzle, self._asked = puzzle, asked
        self.found: dict[tuple[str, ...], Escape] = {}

    def answer(self) -> wire.PuzzleAnswer:
        """The answer.

        Raises:
            KomadaiError: the moves are not of this puzzle.
            _SearchError: an engine must be asked first.
        """
        puzzle, asked = self._puzzle, self._asked
        at = puzzle.start()
        if asked.help == "solution":
            return _answer(puzzle, at, "done", _("This is the solution."), made=puzzle.moves())
        for number, text in enumerate(asked.moves, 1):
            if at.outcome() is not None:
                raise NotationError("moves", [_("the game is over before move {number}", number=number)])
            at.push(text)
        stand = at.move_stack
        if len(stand) % 2:
            why = _("there are {count}; expected an even number, the last by the opponent", count=len(stand))
            raise NotationError("moves", [why])
        if asked.help == "hint":
            move = None if at.outcome() is not None else puzzles.onward(puzzle, stand, self._escapes, table_of)
            words = "" if move is not None else _("No way to win is known from here; begin again.")
            return _answer(puzzle, at, "going", words, show=move)
        if asked.move is None:
            return _answer(puzzle, at, "going", "")
        try:
            move = parse_typed(at, asked.move)
        except (IllegalMoveError, NotationError) as error:
            return _answer(puzzle, at, "wrong", sentence(error))
        judged = puzzles.judge(puzzle, [*stand, move], self._escapes, table_of)
        if judged.right:
            state: State = "done" if judged.verdict == "solved" else "right"
            return _answer(puzzle, at, state, judged.words, made=(move, *judged.reply))
        return _answer(puzzle, at, "wrong", judged.words, refutation=(move, *judged.reply))

    def _escapes(self, at: Position, turns: int) -> Escape:
        v, moves = self._puzzle.variant, [move.text for move in at.move_stack]
        key = (str(turns), *moves)
        if key not in self.found:
            options = dict(v.options)
            raise _SearchError(key, SearchRequest(v.id, options, self._puzzle.position, moves, _SECONDS, escape=turns))
        return self.found[key]


def today() -> date:
    """The day of the daily puzzles: that of Greenwich."""
    return datetime.now(UTC).date()


def require(request: Request) -> None:
    """Check that there are puzzles of the game in the path, and the one that it names, if it does.

    Raises:
        NotationError: there is no such game.
        ProblemError: it has no puzzles, or not this one.
    """
    if "puzzle" in request.path_params:
        _puzzle(request)
    else:
        _game(request)


def _game(request: Request) -> Variant:
    """The game in the path, or that whose puzzles it shares.

    Raises:
        NotationError: there is no such game.
        ProblemError: it has no puzzles.
    """
    name = request.path_params["variant"]
    entry(name)
    if not (every := puzzles.load(name)):
        raise ProblemError(404, _("There are no puzzles of this game yet."))
    return every[0].variant


def _puzzle(request: Request) -> Puzzle:
    """The puzzle in the path; errors are those of :func:`require`."""
    found = _by_id(_game(request)).get(request.path_params["puzzle"])
    if found is None:
        raise ProblemError(404, _("There is no such puzzle of this game."))
    return found


@lru_cache(maxsize=32)
def _by_id(v: Variant) -> dict[str, Puzzle]:
    return {puzzle.id: puzzle for puzzle in puzzles.load(v)}


def daily(v: Variant, day: date) -> Puzzle:
    """The puzzle of a day."""
    every = puzzles.load(v)
    lot = hashlib.sha256(f"{v.id} {day.isoformat()}".encode()).digest()
    return every[int.from_bytes(lot[:8], "big") % len(every)]


def _games(day: date) -> wire.PuzzleGames:
    found = sorted(map(build, puzzles.games()), key=lambda v: (v.about.order, v.id))
    return wire.PuzzleGames([wire.PuzzleGame(v.id, _(v.name), len(puzzles.load(v)), daily(v, day).id) for v in found])


@lru_cache(maxsize=32)
def _listed(v: Variant, day: date, _language: str) -> bytes:
    """The list of a game's puzzles as JSON, its words in the language in force."""
    every = sorted(puzzles.load(v), key=lambda one: (THEMES.index(one.theme), one.plies, one.rating))
    sets = [
        wire.PuzzleSet(theme, plies, alike[0].task, [wire.PuzzleEntry(one.id, one.rating) for one in alike])
        for (theme, plies), group in groupby(every, lambda one: (one.theme, one.plies))
        for alike in [list(group)]
    ]
    return msgspec.json.encode(wire.PuzzleList(encode.variant(v), daily(v, day).id, sets))


def _line(at: Position, texts: Sequence[str]) -> tuple[Move, ...]:
    """Moves from a position, which is left at their end."""
    for text in texts:
        at.push(text)
    return at.move_stack[len(at.move_stack) - len(texts) :]


def _answer(
    puzzle: Puzzle,
    at: Position,
    state: State,
    text: str,
    *,
    made: Sequence[Move] = (),
    refutation: Sequence[Move] = (),
    show: Move | None = None,
) -> wire.PuzzleAnswer:
    """An answer in a position, after which these moves are ``made``."""
    refuted = encode.recorded_moves(at.copy(), refutation)
    shown = None if show is None else encode.played_move(at.variant, at.turn, show, encode.texts(at, show))
    recorded = encode.recorded_moves(at, made)
    over = at.outcome()
    return wire.PuzzleAnswer(
        puzzle=wire.Puzzle(puzzle.id, puzzle.rating, puzzle.theme, puzzle.plies, puzzle.task, puzzle.turn),
        state=state,
        text=text,
        moves=[one.text for one in at.move_stack],
        made=recorded,
        position=encode.shown_position(at, over, encode.NO_CHOICES if over or state == "done" else encode.choices(at)),
        refutation=refuted,
        show=shown,
    )
