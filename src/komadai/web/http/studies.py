"""Studies: positions and records over HTTP. The page holds the study; only shared records are kept here."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from typing import Annotated, Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from ... import picture
from ... import record as records
from ...engine.chances import chance
from ...errors import NotationError
from ...game.outcome import REASONS, Outcome
from ...i18n import _
from ...record import Node, Record, Result
from ...spec.board import SIDE_NAMES, SIDES, Side
from ...spec.names import side_name
from ...variants import build
from ..engines.rate_limits import USUAL, Buckets, Limits
from ..engines.work_queue import WorkQueue, address
from ..game.replay import RefusedError, read
from ..game.seats import HUMAN, OPEN
from ..game.session import ask_store
from ..game.state import GameState
from ..schema import encode, model
from ..schema.blocked_squares import explain
from ..store import Store
from .operations import FILE, OPTIONS, Operation, Query
from .position_ref import Branch, Text, VariantName, typed
from .responses import ProblemError, answer, body_of, json_of, refusing, too_many_questions

_MOST_ASKED = 512 * 1024  # bytes of a question about a position
_MOST_RECORD = 1024 * 1024  # bytes of a record
_MOST_MOVES = 5000  # of a record that is shown
_PICTURES = {"svg": "image/svg+xml", "png": "image/png"}

T = TypeVar("T")


class Ask(Branch, kw_only=True, forbid_unknown_fields=True):
    """The body of ``POST /api/positions``: the position after the moves, as it is shown.

    ``known``: how many of the moves need not be told. ``text``: one more move, as a person typed it.
    """

    known: Annotated[int, msgspec.Meta(ge=0)] = 0
    text: Text | None = None


class Why(Branch, kw_only=True, forbid_unknown_fields=True):
    """The body of ``POST /api/positions/explain``: why a move is not legal after the moves."""

    text: Text


class Drawn(Branch, kw_only=True, forbid_unknown_fields=True):
    """The body of ``POST /api/pictures/…``: the position after the moves, to be drawn."""

    flipped: bool = False
    letters: bool = False


class Studies:
    """The HTTP interface for studies."""

    store: Store

    def __init__(self, workshop: WorkQueue, limits: Limits = USUAL) -> None:
        self._workshop = workshop
        rates = limits.questions, limits.records, limits.shared
        self._questions, self._records, self._shared = (Buckets(*rate) for rate in rates)

    def operations(self) -> list[Operation]:
        """What can be asked."""
        asking, reading, shown = (429,), (413, 422, 429), (404, 422, 429, 503)
        begun = (
            Query("variant", VariantName, "The game.", required=True),
            Query("position", str, "The position string it begins from, if that is not the game's own start."),
            OPTIONS,
        )
        record, pictures = dict[str, Any], tuple(_PICTURES.values())
        return [
            Operation("GET", "/api/study", self.begin, model.Studied, query=begun, refuses=(429,)),
            Operation("POST", "/api/positions", self.position, model.After, takes=Ask, refuses=asking),
            Operation("POST", "/api/positions/explain", self.explain, model.Words, takes=Why, refuses=asking),
            Operation(
                "POST",
                "/api/pictures/{form}",
                self.picture,
                pictures,
                takes=Drawn,
                choices={"form": tuple(_PICTURES)},
                refuses=(404, 429),
            ),
            Operation("POST", "/api/records", self.share, model.Kept, takes=record, refuses=(*reading, 503)),
            Operation("POST", "/api/records/read", self.read, model.Read, takes=FILE, refuses=reading),
            Operation(
                "POST",
                "/api/records/write/{form}",
                self.write,
                ("text/plain",),
                takes=record,
                choices={"form": records.FORMATS},
                refuses=reading,
            ),
            Operation("GET", "/api/records/{record}", self.shared, model.Studied, refuses=shown),
            Operation("GET", "/api/games/{game}/record", self.played, model.Studied, refuses=shown),
        ]

    # --- Positions ---

    async def position(self, request: Request) -> Response:
        """The position after some moves, and the moves."""
        asked = await self._asked(request, Ask)
        return answer(await self._workshop.run(request, lambda: _position(asked)))

    async def explain(self, request: Request) -> Response:
        """Why a move is not legal."""
        asked = await self._asked(request, Why)
        told = await self._workshop.run(request, lambda: explain(asked.game().position, asked.text))
        return answer({"text": told})

    async def picture(self, request: Request) -> Response:
        """A picture of the position after some moves, ``svg`` or ``png``."""
        form = request.path_params["form"]
        if form not in _PICTURES:
            told, forms = repr(form[:20]), ", ".join(_PICTURES)
            raise ProblemError(404, _("There are no pictures in {form}; choose from {forms}.", form=told, forms=forms))
        asked = await self._asked(request, Drawn)
        drawn = await self._workshop.run(request, lambda: _drawn(asked, png=form == "png"))
        return Response(drawn, media_type=_PICTURES[form])

    # --- Records ---

    async def begin(self, request: Request) -> Response:
        """An empty study: of the game ``variant``, from ``position`` on if that is named; others are rule options."""
        options = dict(request.query_params)
        variant, start = options.pop("variant", ""), options.pop("position", None)
        return answer(await self._told(request, lambda: Record.begin(build(variant, **options), start)))

    async def read(self, request: Request) -> Response:
        """The records of a file in any format: ``records`` as data and, of a single one, the ``study`` of it."""
        read = await self._read(request, None)
        study = await self._told(request, lambda: read[0]) if len(read) == 1 else None
        data = await self._workshop.run(request, lambda: [records.to_data(one) for one in read])
        return answer({"records": data, "study": study})

    async def write(self, request: Request) -> Response:
        """The record sent, in the format that the address names."""
        read, form = await self._read(request, "json"), request.path_params["form"]
        return PlainTextResponse(await self._workshop.run(request, lambda: records.write(read, form)))

    async def share(self, request: Request) -> Response:
        """Keep the record sent for everybody who knows its id."""
        _admit(self._shared, request)
        [read] = await self._read(request, "json")
        name = secrets.token_urlsafe(12)
        written = await self._workshop.run(request, lambda: records.write([read], "json"))
        with refusing(422):
            await ask_store(self.store.save_record, name, written)
        return answer({"id": name})

    async def shared(self, request: Request) -> Response:
        """The study of a record that was shared."""
        name = request.path_params["record"]
        return answer(await self._told(request, lambda: _kept(self.store, name)))

    async def played(self, request: Request) -> Response:
        """The study of a game as it stands."""
        name = request.path_params["game"]
        return answer(await self._told(request, lambda: _played(self.store, name)))

    # --- Working ---

    async def _asked(self, request: Request, kind: type[T]) -> T:
        _admit(self._questions, request)
        return await json_of(request, kind, _("The question was not understood"), _MOST_ASKED)

    async def _read(self, request: Request, form: records.Format | None) -> list[Record]:
        """The records that are sent; of data there is one."""
        _admit(self._records, request)
        data = await body_of(request, _MOST_RECORD)
        if not data.strip():
            raise ProblemError(422, _("There is nothing to read."))
        read = await self._workshop.run(request, lambda: records.read(data, form=form))
        if form is not None and len(read) != 1:
            raise ProblemError(422, _("One record is expected here, not {count}.", count=len(read)))
        return read

    async def _told(self, request: Request, find: Callable[[], Record | None]) -> dict[str, Any]:
        """The study of a record, if it is found."""
        _admit(self._records, request)
        return await self._workshop.run(request, lambda: study(find()))


def _admit(buckets: Buckets, request: Request) -> None:
    if not buckets.of(address(request)).take():
        raise too_many_questions()


def _position(asked: Ask) -> dict[str, Any]:
    game, entries = asked.told(asked.known)
    if asked.text is not None:
        move = typed(game.position, asked.text)
        entries.append(encode.made(game.position, move)[0])
        game.push(move)
    return {"moves": entries, "position": encode.position(game, with_tree=True)}


def _drawn(asked: Drawn, *, png: bool) -> str | bytes:
    game, look = asked.game(), picture.Look(letters=asked.letters, flipped=asked.flipped)
    last = game.moves[-1] if game.moves else None
    return (picture.png if png else picture.svg)(game.position, look, last=last)


def _played(store: Store, name: str) -> Record | None:
    """The record of a game as it stands, ``None`` if there is none of that name.

    Raises:
        RefusedError: it cannot be replayed, or two people are at it who do not share a screen.
    """
    stored = read(store, name)
    if stored is None:
        return None
    course = GameState(stored)
    if course.seating.apart and course.game.outcome() is None:
        raise RefusedError(_("Two people are still playing this game: it can be studied when it is over."))
    seats, names = course.seating.seats, course.seating.names
    players = [
        (SIDE_NAMES[side], names.get(side, "") if seats[side] in (HUMAN, OPEN) else f"Komadai, {seats[side]}")
        for side in SIDES
    ]
    date = time.strftime("%Y.%m.%d", time.gmtime(course.row.created))
    return Record.of(course.game, [*players, ("Date", date)])


def _kept(store: Store, name: str) -> Record | None:
    text = store.load_record(name)
    return None if text is None else records.read(text, form="json")[0]


def study(record: Record | None) -> dict[str, Any]:
    """A record with what is needed to show it.

    ``nodes`` are in reading order, the start first; all others say what move they are (:func:`encode.made`), which
    node they come ``after``, and what is said of them.

    Raises:
        ProblemError: there is none.
        NotationError: it is too long.
    """
    if record is None:
        raise ProblemError(404, _("There is nothing of that name here."))
    if len(record.nodes) > _MOST_MOVES:
        count, most = len(record.nodes) - 1, _MOST_MOVES
        words = _("has {count} moves; at most {most} can be shown here", count=count, most=most)
        raise NotationError(_("record"), [words])
    start = record.position(0)
    return {
        "variant": encode.variant(record.variant),
        "version": record.variant.version,
        "forms": records.forms_of(record.variant),
        "position": record.start,
        "headers": dict(record.headers),
        "result": record.result and _result(record.result),
        "start": {
            "turn": start.turn,
            "ply": start.ply,
            "sfen": start.sfen(ply=True),
            **encode.pieces(record.variant, start.setup()),
        },
        "nodes": [_said(record.nodes[0], start.turn), *_moves(record)],
    }


def _moves(record: Record) -> Iterator[dict[str, Any]]:
    for number, at, move in record.walk():
        node = record.nodes[number]
        yield encode.made(at, move)[0] | {"after": node.after} | _said(node, at.turn)


def _said(node: Node, side: Side) -> dict[str, Any]:
    """What is said of a move of ``side``; a score also as Black's ``chance``, where it stands for one."""
    score = None
    if node.score is not None:
        share = chance(node.score.value or 0, node.score.mate)
        score = node.score._asdict() | {"chance": share if side == "b" else 1 - share}
    return {"comment": node.comment, "mark": node.mark, "seconds": node.seconds, "score": score}


def _result(result: Result) -> dict[str, Any]:
    winner, reason = result
    known = next((reason for reason in REASONS if reason == result.reason), None)
    if known is not None:
        text = Outcome(winner, known).message.words()
    elif winner is None:
        text = _("Draw: {note}", note=reason)
    else:
        text = _("{side} wins: {note}", side=side_name(winner), note=reason)
    return {"winner": winner, "reason": reason, "text": text}
