"""The HTTP interface for games: what can be played, making games, coming to them, and how they stand."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Annotated, Any

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.websockets import WebSocket

from ...game.time_control import TimeControl
from ...i18n import _
from ...solve import find
from ...spec.variant import Variant
from ...variants import build, entry
from ..engines.rate_limits import USUAL, Bucket, Buckets, Limits
from ..engines.work_queue import WorkQueue, address
from ..game import solved
from ..game.registry import SEATS, GameRegistry
from ..game.replay import RefusedError
from ..game.session import ask_store
from ..game.socket import Client
from ..schema import encode, model
from ..schema.commands import Secret
from . import setup_check
from .listing import Listing
from .middleware import visitor
from .operations import OPTIONS, Operation, Query
from .position_ref import VariantName
from .responses import ProblemError, answer, json_of, refusing, too_many_questions
from .rulebook import rulebook

_MOST_ASKED = 24  # games of which one request may ask how they stand

Seat = Annotated[str, msgspec.Meta(pattern=rf"\A({'|'.join(SEATS)})\Z")]
Name = Annotated[str, msgspec.Meta(max_length=40)]


class SeatChoices(msgspec.Struct, forbid_unknown_fields=True):
    """Who plays each side."""

    b: Seat
    w: Seat


class NewGame(msgspec.Struct, forbid_unknown_fields=True):
    """A game to be made. ``time`` is what :meth:`TimeControl.parse` reads; ``name`` is that of the person who makes
    it."""

    variant: VariantName
    seats: SeatChoices
    options: Annotated[dict[str, str], msgspec.Meta(max_length=32)] = {}
    position: Annotated[str, msgspec.Meta(min_length=1, max_length=2048)] | None = None
    time: Annotated[str, msgspec.Meta(max_length=64)] = "none"
    name: Name = ""


class Joining(msgspec.Struct, forbid_unknown_fields=True):
    """A guest who comes with an invitation."""

    invite: Secret
    name: Name = ""


class Going(msgspec.Struct, forbid_unknown_fields=True):
    """Who asks for the next game of a match."""

    token: Secret | None = None


class Api:
    """The HTTP interface over a :class:`Hall`, which it is given before the first request."""

    hall: GameRegistry
    listing: Listing

    def __init__(self, workshop: WorkQueue, limits: Limits = USUAL) -> None:
        self._workshop = workshop
        self._checks, self._messages = Bucket(*limits.checks), limits.messages
        self._by_browser, self._by_address = Buckets(*limits.creations), Buckets(*limits.creations_from)

    def operations(self) -> list[Operation]:
        """What can be asked."""
        options = (OPTIONS,)
        ids = (Query("ids", list[str], f"The ids of games; after {_MOST_ASKED} no more are looked at."),)
        check = setup_check.Check
        return [
            Operation("GET", "/api/variants", self.variants, list[model.Offered]),
            Operation("GET", "/api/rules/{variant}", self.rules, model.Rulebook, query=options, refuses=(429,)),
            Operation("GET", "/api/puzzles/{variant}", self.puzzles, model.Puzzles, query=options, refuses=(429,)),
            Operation("POST", "/api/positions/check", self.check, model.Checked, takes=check, refuses=(429,)),
            Operation("GET", "/api/games", self.standings, model.Standings, query=ids, refuses=(429, 503)),
            Operation("POST", "/api/games", self.create, model.Made, takes=NewGame, status=201, refuses=(429, 503)),
            Operation("POST", "/api/join", self.join, model.Joined, takes=Joining, refuses=(409, 429, 503)),
            Operation(
                "POST",
                "/api/games/{game}/next",
                self.next_game,
                model.Next,
                takes=Going,
                optional=True,
                refuses=(409, 429, 503),
            ),
        ]

    def _count(self, request: Request) -> None:
        """Count a game that is to be made or joined.

        Raises:
            ProblemError: there have been too many.
        """
        who = visitor(request)
        buckets = [self._by_address.of(address(request))]
        buckets += [] if who is None else [self._by_browser.of(who)]
        if not all(bucket.take() for bucket in buckets):
            raise ProblemError(429, _("Too many games at once; wait a moment."))

    def variants(self, _request: Request) -> Response:
        """Every game as it is offered."""
        return Response(_variants(), media_type="application/json")

    async def puzzles(self, request: Request) -> Response:
        """The hardest wins of a solved game."""
        return await self._told(request, _puzzles, _("The puzzles could not be found"))

    async def rules(self, request: Request) -> Response:
        """Every rule of a game in words."""
        return await self._told(request, rulebook, _("The rules could not be shown"))

    async def _told(self, request: Request, tell: Callable[[Variant], Any], fault: str) -> Response:
        """What is told of the variant that the address names, with the rule options of its query."""
        name, options = request.path_params["variant"], dict(request.query_params)
        entry(name)
        return answer(await self._workshop.run(request, lambda: tell(build(name, **options)), fault))

    async def check(self, request: Request) -> Response:
        """What is wrong with a position, and how it is written."""
        if not self._checks.take():
            raise ProblemError(429, _("Too many positions at once; wait a moment."))
        fault = _("The position could not be examined")
        asked = await json_of(request, setup_check.Check, fault, setup_check.MOST_BYTES)
        variant, position = asked.variant, asked.position
        told = await self._workshop.run(
            request, lambda: setup_check.check(build(variant, **asked.options), position), fault
        )
        return answer(told)

    async def standings(self, request: Request) -> Response:
        """How some games stand, as far as they are here."""
        if not self._checks.take():
            raise too_many_questions()
        asked = request.query_params.get("ids", "").split(",")[:_MOST_ASKED]
        with refusing(422):
            looked = [await ask_store(self.listing.look, id) for id in dict.fromkeys(asked) if id]
        return answer({"games": [game for game in looked if game is not None]})

    async def create(self, request: Request) -> Response:
        """Make a game; who makes it is told the secrets of the seats."""
        fault = _("The game could not be set up")
        asked = await json_of(request, NewGame, fault)
        self._count(request)
        with refusing(422, fault):
            made = await self.hall.create(
                asked.variant,
                asked.options,
                {"b": asked.seats.b, "w": asked.seats.w},
                asked.position,
                time=TimeControl.parse(asked.time),
                name=asked.name,
                owner=visitor(request),
            )
        told = {"game": made.game, "tokens": made.tokens} | ({"invite": made.invite} if made.invite else {})
        return JSONResponse(told, 201)

    async def join(self, request: Request) -> Response:
        """Take the open seat of a game by invitation."""
        asked = await json_of(request, Joining, _("The game could not be joined"))
        self._count(request)
        with refusing(409):
            game, token = await self.hall.accept(asked.invite, asked.name, visitor(request))
        return answer({"game": game, "token": token})

    async def next_game(self, request: Request) -> Response:
        """The next game of a match; asked again, the answer is the same."""
        sent = "content-type" in request.headers
        going = await json_of(request, Going, _("The next game could not be started")) if sent else Going()
        self._count(request)
        with refusing(409):
            return answer({"game": await self.hall.next_game(request.path_params["game"], going.token)})

    async def socket(self, socket: WebSocket) -> None:
        """Serve one connection until the client leaves."""
        await Client(socket, self.hall, self._messages).run()


def _puzzles(variant: Variant) -> dict[str, Any]:
    """The puzzles of a variant.

    Raises:
        RefusedError: it is not solved.
    """
    table = find(variant)
    if table is None:
        raise RefusedError(solved.table_words(variant))
    return {"variant": encode.variant(variant), "puzzles": solved.puzzles(table)}


@cache
def _variants() -> bytes:
    return msgspec.json.encode(encode.variants())
