"""The HTTP interface for studies: positions and records. The page holds the study; only shared records are stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from .... import picture
from .... import record as records
from ....engine.chances import chance
from ....errors import NotationError
from ....game.game import Game
from ....game.outcome import REASONS, Outcome
from ....i18n import _, safely
from ....record import Node, Record, Result
from ....spec.board import SIDE_NAMES, SIDES, Side
from ....spec.names import side_name
from ....spec.variant import Variant
from ....workshop.identity import files_of_strangers
from ..engines.addresses import address
from ..engines.quota import Quota
from ..engines.rate_limits import RateLimits, Shares
from ..engines.running_games import RunningGames, line_of
from ..engines.work_queue import WorkQueue
from ..game import solved
from ..game.game_record import record_of
from ..game.replay import RefusedError, Stored, UnavailableError, read
from ..game.state import GameState
from ..game.store_calls import ask_store
from ..presenter import encode
from ..presenter.blocked_squares import explain
from ..presenter.lines import replay
from ..schema import model
from ..schema.answers import BookMoves, Explanation, FoundPosition, Guide, MoveWarning, Reasons, SharedRecord
from ..schema.live import MOST_CHAPTERS
from ..schema.position_ref import PositionRef, VariantName, parse_typed
from ..schema.requests import DrawPosition, ExplainMove, ExportGames, FindPosition, FindValues, JudgeMove
from ..schema.solved import KnownPosition
from ..schema.studies import (
    Annotations,
    NodeScore,
    ReadRecords,
    RecordData,
    RecordedNode,
    StudyData,
    StudyResult,
    StudyStart,
)
from ..store import Store, new_id
from .books import Bookshelf
from .operations import FILE, OPTIONS, Query, operation
from .responses import ProblemError, admit, answered, body_of, json_of, json_response, refusing, require_share

_MOST_ASKED = 512 * 1024  # bytes of a question about a position
_MOST_RECORD = 1024 * 1024  # bytes of a file of records
_MOST_MOVES = 5000  # in a record to display
CHAPTER = "Chapter"
"""The header that names a chapter of a study."""
_EXPORTS: tuple[records.Format, ...] = ("json", "text")
"""The formats that hold every game, and any number in a file."""
_SEEN = (
    Query("flipped", bool, "Seen by White."),
    Query("letters", bool, "Letters on the pieces in place of kanji."),
)
_PICTURES = {"svg": "image/svg+xml", "png": "image/png"}

P = ParamSpec("P")
Q = TypeVar("Q", bound=PositionRef)
T = TypeVar("T")
_BEGUN = (
    Query("variant", VariantName, "The variant.", required=True),
    Query("position", str, "The position string of the start, if it is not the variant's own."),
    Query("moves", str, "Moves from there, as move strings with spaces between."),
    OPTIONS,
)


class Studies:
    """The HTTP interface for studies."""

    def __init__(
        self,
        store: Store,
        queue: WorkQueue,
        quota: Quota,
        books: Bookshelf,
        limits: RateLimits,
        running: RunningGames,
    ) -> None:
        """``running``: the games on whose positions nobody is advised."""
        self._store, self._queue, self._quota, self._books = store, queue, quota, books
        self._running = running
        rates = limits.questions, limits.records, limits.shared
        self._questions, self._records, self._shared = (Shares(*rate) for rate in rates)

    # --- Positions ---

    @operation("POST", "/api/positions", FoundPosition, takes=FindPosition, refuses=(429,))
    async def position(self, request: Request) -> Response:
        """The position after some moves, and the moves."""
        asked = await self._asked(request, FindPosition)
        return json_response(await answered(self._queue, request, _position, asked))

    @operation("POST", "/api/positions/explain", Explanation, takes=ExplainMove, refuses=(429,))
    async def explain(self, request: Request) -> Response:
        """The reason why a move is illegal."""
        asked = await self._asked(request, ExplainMove)
        text = await answered(self._queue, request, _explained, asked)
        return json_response(Explanation(text))

    @operation("POST", "/api/positions/guide", Guide, takes=PositionRef, refuses=(429,))
    async def guide(self, request: Request) -> Response:
        """Remarks on a position for its side to move, and the reach of the opponent's pieces."""
        return json_response(await self._advised(request, PositionRef, _guide))

    @operation("POST", "/api/positions/warning", MoveWarning, takes=JudgeMove, refuses=(429,))
    async def warning(self, request: Request) -> Response:
        """What a move makes worse for its side, and the pieces after it."""
        return json_response(await self._advised(request, JudgeMove, _warning))

    @operation("POST", "/api/positions/reasons", Reasons, takes=JudgeMove, refuses=(429,))
    async def reasons(self, request: Request) -> Response:
        """What a move does."""
        return json_response(await self._advised(request, JudgeMove, _reasons))

    @operation("POST", "/api/positions/book", BookMoves, takes=PositionRef, refuses=(404, 429, 503))
    async def book_moves(self, request: Request) -> Response:
        """The moves of a position in the server's opening book."""
        return json_response(await self._advised(request, PositionRef, _book_moves, self._books))

    @operation("POST", "/api/positions/values", KnownPosition, takes=FindValues, refuses=(429, 503))
    async def values(self, request: Request) -> Response:
        """The values of a position of a solved game and of its moves, and best play from there."""
        return json_response(await self._advised(request, FindValues, _known))

    @operation(
        "POST",
        "/api/pictures/{form}",
        tuple(_PICTURES.values()),
        takes=DrawPosition,
        choices={"form": tuple(_PICTURES)},
        refuses=(404, 429),
    )
    async def picture(self, request: Request) -> Response:
        """A picture of the position after some moves, ``svg`` or ``png``."""
        form = request.path_params["form"]
        if form not in _PICTURES:
            short, forms = repr(form[:20]), ", ".join(_PICTURES)
            raise ProblemError(404, _("There are no pictures in {form}; choose from {forms}.", form=short, forms=forms))
        asked = await self._asked(request, DrawPosition)
        drawn = await answered(self._queue, request, _drawn, asked, png=form == "png")
        return Response(drawn, media_type=_PICTURES[form])

    # --- Records ---

    @operation("GET", "/api/study", StudyData, query=_BEGUN, refuses=(429,))
    async def begin(self, request: Request) -> Response:
        """A study of the variant, from a position or its own start, with some moves or empty."""
        options = dict(request.query_params)
        variant, start, moves = (options.pop(name, None) for name in ("variant", "position", "moves"))
        admit(self._records, request)
        asked = PositionRef(variant=variant or "", options=options, position=start, moves=(moves or "").split())
        return json_response(await self._study(request, _begun, asked))

    @operation("POST", "/api/records/read", ReadRecords, takes=FILE, refuses=(413, 422, 429))
    async def read(self, request: Request) -> Response:
        """The records of a file in any format and, if it is one record or the chapters of one study, that study."""
        body = await self._body(request)
        return json_response(await answered(self._queue, request, _read, body, self._books))

    @operation(
        "POST",
        "/api/records/write/{form}",
        ("text/plain",),
        takes=dict[str, Any],
        choices={"form": records.FORMATS},
        refuses=(413, 422, 429),
    )
    async def write(self, request: Request) -> Response:
        """Convert a record, or a list of chapters, to a format."""
        body = await self._body(request)
        return PlainTextResponse(await answered(self._queue, request, _converted, body, request.path_params["form"]))

    @operation(
        "POST",
        "/api/records/animation",
        (_PICTURES["svg"],),
        takes=dict[str, Any],
        query=_SEEN,
        refuses=(413, 422, 429),
    )
    async def animation(self, request: Request) -> Response:
        """A record as a moving picture."""
        body = await self._body(request)
        drawn = await answered(self._queue, request, _sent_animation, body, _look(request))
        return Response(drawn, media_type=_PICTURES["svg"])

    @operation("POST", "/api/records", SharedRecord, takes=dict[str, Any], refuses=(413, 422, 429, 503, 507))
    async def share(self, request: Request) -> Response:
        """Store a record, or a list of chapters, for everybody who knows its id."""
        admit(self._shared, request)
        require_share(self._quota, request)
        name, body = new_id(12), await self._body(request)
        written = await answered(self._queue, request, _converted, body, "json")
        with refusing(422):
            await ask_store(self._store.save_record, name, written)
        self._quota.spend(address(request), len(written.encode()))
        return json_response(SharedRecord(name))

    @operation("GET", "/api/records/{record}", StudyData, refuses=(404, 422, 429, 503))
    async def shared(self, request: Request) -> Response:
        """The study of a shared record."""
        admit(self._records, request)
        with refusing(422):
            text = await ask_store(self._store.load_record, request.path_params["record"])
        return json_response(await self._study(request, _kept, text))

    @operation("GET", "/api/games/{game}/record", StudyData, refuses=(404, 422, 429, 503))
    async def played(self, request: Request) -> Response:
        """The study of a game in its present state."""
        admit(self._records, request)
        with refusing(422):
            stored = await ask_store(read, self._store, request.path_params["game"])
        return json_response(await self._study(request, _played, stored))

    @operation("GET", "/api/games/{game}/animation", (_PICTURES["svg"],), query=_SEEN, refuses=(404, 422, 429, 503))
    async def played_animation(self, request: Request) -> Response:
        """A game as a moving picture."""
        admit(self._records, request)
        with refusing(422):
            stored = await ask_store(read, self._store, request.path_params["game"])
        drawn = await answered(self._queue, request, _played_animation, stored, _look(request))
        return Response(drawn, media_type=_PICTURES["svg"])

    @operation(
        "POST",
        "/api/games/records/{form}",
        ("text/plain",),
        takes=ExportGames,
        choices={"form": _EXPORTS},
        refuses=(404, 429, 503),
    )
    async def export(self, request: Request) -> Response:
        """The records of games in one file. Those that two people are still playing, or that are gone, are left out."""
        form = request.path_params["form"]
        if form not in _EXPORTS:
            short, forms = repr(form[:20]), ", ".join(_EXPORTS)
            raise ProblemError(
                404, _("Games are not exported as {form}; choose from {forms}.", form=short, forms=forms)
            )
        asked = await self._asked(request, ExportGames)
        admit(self._records, request)
        found: list[Record] = []
        for game in dict.fromkeys(asked.games):  # each waits for its turn in the queue
            with refusing(422):
                try:
                    stored = await ask_store(read, self._store, game)
                except UnavailableError:
                    raise
                except RefusedError:
                    continue
            found += await answered(self._queue, request, _exported, stored)
        if not found:
            raise ProblemError(404, _("None of these games can be exported."))
        return PlainTextResponse(await answered(self._queue, request, records.write, found, form))

    # --- Helpers ---

    async def _asked(self, request: Request, kind: type[T]) -> T:
        admit(self._questions, request)
        return await json_of(request, kind, _("The question was not understood"), _MOST_ASKED)

    async def _advised(
        self,
        request: Request,
        kind: type[Q],
        advise: Callable[Concatenate[Q, Game, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """What ``advise`` says of the position that is asked about.

        Raises:
            ProblemError: the way there leads through a position of a game that two people are playing.
        """
        asked = await self._asked(request, kind)
        guarded = len(self._running) > 0
        work = partial(_with_line, asked, guarded, advise, *args, **kwargs)
        line, advice = await answered(self._queue, request, work)
        with refusing(403):
            self._running.require_free(line)
        return advice

    async def _body(self, request: Request) -> bytes:
        """The records that were sent."""
        admit(self._records, request)
        body = await body_of(request, _MOST_RECORD)
        if not body.strip():
            raise ProblemError(422, _("There is nothing to read."))
        return body

    async def _study(
        self, request: Request, find: Callable[P, Sequence[Record]], *args: P.args, **kwargs: P.kwargs
    ) -> StudyData:
        """The study of a record, or of chapters, if there are any."""
        return await answered(self._queue, request, _found, self._books, partial(find, *args, **kwargs))


def _begun(asked: PositionRef) -> list[Record]:
    return [Record.of(asked.game())]


def _found(books: Bookshelf, find: Callable[[], Sequence[Record]]) -> StudyData:
    return study(find(), books)


def _of_strangers(data: bytes, form: records.Format | None) -> list[Record]:
    with files_of_strangers():
        return records.read(data, form=form)


def _read(data: bytes, books: Bookshelf) -> ReadRecords:
    """The records of a file and, if it is one record or the chapters of one study, that study."""
    found = _of_strangers(data, None)
    return ReadRecords([_data(one) for one in found], study(found, books) if _one_study(found) else None)


def _one_study(found: Sequence[Record]) -> bool:
    """True of one record, and of several that have names of chapters and are of one game."""
    chapters = all(one.header(CHAPTER) and one.variant == found[0].variant for one in found)
    return len(found) == 1 or (len(found) <= MOST_CHAPTERS and chapters)


def _converted(data: bytes, form: records.Format) -> str:
    """A record or the chapters of a study, which are sent as JSON, in a format.

    Raises:
        ProblemError: there are several that are not one study.
    """
    found = _of_strangers(data, "json")
    if not _one_study(found):
        raise _several(len(found))
    return records.write(found, form)


def _several(count: int) -> ProblemError:
    return ProblemError(422, _("One record is expected here, not {count}.", count=count))


def _only(found: list[Record]) -> Record:
    """The record where there is one.

    Raises:
        ProblemError: there are several.
    """
    if len(found) != 1:
        raise _several(len(found))
    return found[0]


def _sent_animation(data: bytes, look: picture.Look) -> str:
    """A record, which is sent as JSON, as a moving picture.

    Raises:
        ProblemError: there are several.
        NotationError: it has no moves, or too many.
    """
    return _animation(_only(_of_strangers(data, "json")), look)


def _played_animation(stored: Stored | None, look: picture.Look) -> str:
    """The same of a game.

    Raises:
        ProblemError: there is none.
    """
    found = _played(stored)
    if not found:
        raise _nothing()
    return _animation(found[0], look)


def _animation(record: Record, look: picture.Look) -> str:
    return picture.animation(record.game(), look, names={side: record.header(SIDE_NAMES[side]) for side in SIDES})


def _look(request: Request) -> picture.Look:
    """The look that the query asks for."""
    flipped, letters = (request.query_params.get(name) == "true" for name in ("flipped", "letters"))
    return picture.Look(flipped=flipped, letters=letters)


def _explained(asked: ExplainMove) -> str:
    return explain(asked.game().position, asked.text)


def _with_line(
    asked: Q,
    guarded: bool,
    advise: Callable[Concatenate[Q, Game, P], T],
    *args: P.args,
    **kwargs: P.kwargs,
) -> tuple[list[int], T]:
    """Advice on a position, with the line that leads there if it is asked for."""
    game = asked.game()
    return line_of(game) if guarded else [], advise(asked, game, *args, **kwargs)


def _guide(_asked: PositionRef, game: Game) -> Guide:
    return encode.guide(game.position)


def _warning(_asked: JudgeMove, game: Game) -> MoveWarning:
    at = game.position.copy()
    move = at.pop()
    return encode.warning(at, move)


def _reasons(_asked: JudgeMove, game: Game) -> Reasons:
    at = game.position.copy()
    move = at.pop()
    return encode.reasons(at, move)


def _book_moves(_asked: PositionRef, game: Game, books: Bookshelf) -> BookMoves:
    return books.moves(game)


def _position(asked: FindPosition) -> FoundPosition:
    return found_position(*replay(asked, asked.known), asked.text)


def found_position(game: Game, moves: list[model.RecordedMove], text: str | None) -> FoundPosition:
    """A game's position, after one more move if there is one, and the moves.

    Raises:
        KomadaiError: there is no such move.
    """
    if text is not None:
        move = parse_typed(game.position, text)
        moves.append(encode.recorded_move(game.position, move))
        game.push(move)
    return FoundPosition(moves, encode.position(game, with_tree=True))


def _known(asked: FindValues, game: Game) -> KnownPosition:
    return solved.known_position(solved.table_of(game.variant), game, asked.plies)


def _drawn(asked: DrawPosition, *, png: bool) -> str | bytes:
    game, look = asked.game(), picture.Look(letters=asked.letters, flipped=asked.flipped)
    last = game.moves[-1] if game.moves else None
    draw: Callable[..., str | bytes] = picture.png if png else picture.svg
    drawn = safely(None, draw, game.position, look, last=last)
    if drawn is None:
        raise NotationError(_("position"), [_("could not be drawn")])
    return drawn


def _played(stored: Stored | None) -> list[Record]:
    """The record of a game, if there is one.

    Raises:
        RefusedError: it cannot be replayed, or two people are playing it from different screens.
    """
    if stored is None:
        return []
    state = GameState(stored)
    if state.seats.apart and state.game.outcome() is None:
        raise RefusedError(_("Two people are still playing this game: it can be studied when it is over."))
    return [record_of(state)]


def _exported(stored: Stored | None) -> list[Record]:
    """The record of a game, if there is one that may be seen."""
    try:
        return _played(stored)
    except RefusedError:
        return []


def _kept(text: str | None) -> list[Record]:
    return [] if text is None else records.read(text, form="json")


def _nothing() -> ProblemError:
    return ProblemError(404, _("There is nothing of that name here."))


def study(found: Sequence[Record], books: Bookshelf) -> StudyData:
    """Prepare the first of some records, which are the chapters of a study, for display.

    Raises:
        ProblemError: there is none.
        NotationError: it is too long.
    """
    if not found:
        raise _nothing()
    record = found[0]
    if len(record.nodes) > _MOST_MOVES:
        count, most = len(record.nodes) - 1, _MOST_MOVES
        words = _("has {count} moves; at most {most} can be shown here", count=count, most=most)
        raise NotationError(_("record"), [words])
    start = record.position(0)
    placed = encode.pieces(record.variant, start.setup())
    return StudyData(
        variant=encode.variant(record.variant),
        version=record.variant.version,
        rules=record.variant.rules_hash,
        forms=records.forms_of(record.variant),
        book=books.has(record.variant),
        position=record.start,
        handicap=encode.is_handicap(start),
        headers=dict(record.headers),
        result=None if record.result is None else _result(record.variant, record.result),
        start=model.extended(StudyStart, placed, turn=start.turn, ply=start.ply, sfen=start.sfen(ply=True)),
        nodes=[_annotations(record.nodes[0], start.turn), *_moves(record)],
        chapters=[_data(one) for one in found] if len(found) > 1 else [],
    )


def _moves(record: Record) -> Iterator[RecordedNode]:
    for number, at, move in record.walk():
        node = record.nodes[number]
        annotations = model.fields_of(_annotations(node, at.turn))
        yield model.extended(RecordedNode, encode.recorded_move(at, move), **annotations, after=node.after)


def _annotations(node: Node, side: Side) -> Annotations:
    """The annotations of a move of ``side``; a score also as Black's expected score."""
    score = None
    if node.score is not None:
        share = chance(node.score.value or 0, node.score.mate)
        score = NodeScore(*node.score, share if side == "b" else 1 - share)
    return Annotations(node.comment, cast("model.Mark", node.mark), node.seconds, score)


def _result(variant: Variant, result: Result) -> StudyResult:
    winner, reason = result
    known = next((reason for reason in REASONS if reason == result.reason), None)
    if known is not None:
        text = safely(known, Outcome.under(variant, winner, known).message.words)
    elif winner is None:
        text = _("Draw: {note}", note=reason)
    else:
        text = _("{side} wins: {note}", side=side_name(winner), note=reason)
    return StudyResult(winner, reason, text)


def _data(record: Record) -> RecordData:
    return msgspec.convert(records.to_data(record), RecordData)
