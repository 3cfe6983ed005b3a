"""The HTTP interface for openings. Nothing of a learner is stored: each request has the moves that stand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from ....book import Book
from ....book.openings import Opening
from ....errors import IllegalMoveError, NotationError
from ....game.game import Game
from ....game.position import Position
from ....i18n import _, current_language, sentence
from ....spec.board import SIDES
from ....spec.move import Move
from ....variants import build, entry
from ... import openings
from ...openings import Lines, Training
from ...openings.names import names_of
from ..engines.rate_limits import RateLimits, Shares
from ..engines.running_games import RunningGames, line_of
from ..engines.work_queue import WorkQueue
from ..presenter import encode
from ..schema import openings as wire
from ..schema.position_ref import parse_typed
from ..schema.requests import OpeningMove
from .operations import operation
from .responses import ProblemError, admit, answered, json_of, json_response, refusing

State = Literal["going", "right", "wrong", "done"]

_MOST_ASKED = 8 * 1024  # bytes of a question


class Openings:
    """The HTTP interface for openings."""

    def __init__(self, queue: WorkQueue, limits: RateLimits, running: RunningGames) -> None:
        """``running``: the games on whose positions nobody is advised."""
        self._queue, self._running = queue, running
        self._questions = Shares(*limits.questions)

    @operation("GET", "/api/openings", wire.OpeningGames, refuses=(422, 429))
    async def opening_games(self, request: Request) -> Response:
        """All games with openings."""
        admit(self._questions, request)
        return json_response(await answered(self._queue, request, _games))

    @operation("GET", "/api/openings/{variant}", wire.OpeningList, refuses=(422, 429))
    async def openings(self, request: Request) -> Response:
        """The openings of a game, with the wrong moves beside them."""
        admit(self._questions, request)
        book = _book(request)
        body = await answered(self._queue, request, _listed, book, current_language())
        return Response(body, media_type="application/json")

    @operation(
        "POST", "/api/openings/{variant}/{opening}", wire.OpeningAnswer, takes=OpeningMove, refuses=(403, 422, 429)
    )
    async def train(self, request: Request) -> Response:
        """Judge a move in the training of an opening: ``ID.b`` and ``ID.w`` ask for all moves of a side, ``ID.N`` for
        that after N plies."""
        admit(self._questions, request)
        found = _training(request)
        asked = await json_of(request, OpeningMove, _("The move was not understood"), _MOST_ASKED)
        line, answer = await answered(self._queue, request, _answered, found, asked, len(self._running) > 0)
        with refusing(403):
            self._running.require_free(line)
        return json_response(answer)


def require(request: Request) -> None:
    """Check that there are openings of the game in the path, and the training that it names, if it does.

    Raises:
        NotationError: there is no such game.
        ProblemError: it has no openings, or not this one.
    """
    if "opening" in request.path_params:
        _training(request)
    else:
        _book(request)


def _book(request: Request) -> Book:
    """The book of the game in the path; errors are those of :func:`require`."""
    name = request.path_params["variant"]
    entry(name)
    if (book := openings.packaged(build(name))) is None:
        raise ProblemError(404, _("There are no openings of this game yet."))
    return book


def _training(request: Request) -> Training:
    """The training in the path; errors are those of :func:`require`."""
    found = openings.training(_book(request), request.path_params["opening"])
    if found is None:
        raise ProblemError(404, _("There is no such opening of this game."))
    return found


def _games() -> wire.OpeningGames:
    found = sorted(map(build, openings.games()), key=lambda v: (v.about.order, v.id))
    return wire.OpeningGames([wire.OpeningGame(v.id, _(v.name), openings.count(v)) for v in found])


@lru_cache(maxsize=32)
def _listed(book: Book, _language: str) -> bytes:
    """The list of a game's openings as JSON, its words in the language in force."""
    lines, names = openings.lines_of(book), names_of(book.variant)
    found = [_opening(lines, one) for one in lines.openings]
    source = names[0].source if names else ""
    made = wire.OpeningList(encode.variant(book.variant), book.games, lines.nodes, source, found)
    return msgspec.json.encode(made)


def _opening(lines: Lines, opening: Opening) -> wire.Opening:
    v, at = lines.book.variant, Position(lines.book.variant)
    beside, games, score = list[wire.BesideLine](), 0, None
    for ply, text in enumerate(opening.moves):
        for wrong in (one for one in opening.wrong if one.ply == ply):
            found = lines.wrong_by(at, at.parse_move(wrong.moves[0]))
            assert found is not None, "what stands beside a line is known of its position"
            line = encode.played_moves(at.copy(), found[1])
            beside.append(wire.BesideLine(openings.loss_words(wrong.loss), line, ply, at.turn))
        last = next((one for one in lines.book.moves(at) if one.move.text == text), None)
        if ply == len(opening.moves) - 1 and last is not None:
            games, score = last.games, last.score if last.score is None or at.turn == SIDES[0] else -last.score
        at.push(text)
    return wire.Opening(
        id=opening.id,
        name=lines.name(opening),
        first=lines.prefixes[opening.id],
        moves=encode.played_moves(Position(v), at.move_stack),
        games=games,
        score=score,
        wrong=beside,
        b=lines.cards(opening, SIDES[0]),
        w=lines.cards(opening, SIDES[1]),
    )


def _answered(found: Training, asked: OpeningMove, guarded: bool) -> tuple[list[int], wire.OpeningAnswer]:
    """The answer in a training, with the line of positions that it is about if it is asked for.

    Raises:
        NotationError: the moves are not of this training.
    """
    plies = found.stands(asked.moves)
    line = []
    if guarded:
        game = Game(found.lines.book.variant)
        for text in found.opening.moves[:plies]:
            game.push(text)
        line = line_of(game)
    return line, _answer(found, asked, plies)


def _answer(found: Training, asked: OpeningMove, plies: int) -> wire.OpeningAnswer:
    at, known = found.position(plies), len(asked.moves)
    stand = at.move_stack
    if plies >= found.end:
        return _made(found, stand, known, "done", _("This is the end of the line."))
    if asked.move is None:
        shown = at.parse_move(found.opening.moves[plies]) if asked.hint else None
        return _made(found, stand, known, "going", "", show=shown)
    try:
        move = parse_typed(at, asked.move)
    except (IllegalMoveError, NotationError) as error:
        return _made(found, stand, known, "wrong", sentence(error))
    judged = found.judge(plies, move)
    if judged.verdict in ("right", "done"):
        return _made(found, (*stand, *judged.line), plies, judged.verdict, judged.words)
    state: State = "wrong" if judged.verdict == "wrong" else "going"
    return _made(found, stand, known, state, judged.words, refutation=judged.line)


def _made(
    found: Training,
    line: Sequence[Move],
    known: int,
    state: State,
    text: str,
    *,
    refutation: Sequence[Move] = (),
    show: Move | None = None,
) -> wire.OpeningAnswer:
    """An answer after moves from the start, of which the asker knows so many."""
    at = found.position(known)
    made = encode.recorded_moves(at, line[known:])
    over = at.outcome()
    return wire.OpeningAnswer(
        state=state,
        text=text,
        side=found.side,
        plies=found.end,
        moves=[move.text for move in line],
        made=made,
        position=encode.shown_position(at, over, encode.NO_CHOICES if over or state == "done" else encode.choices(at)),
        refutation=encode.recorded_moves(at.copy(), refutation),
        show=None if show is None else encode.played_moves(at.copy(), [show])[0],
    )
