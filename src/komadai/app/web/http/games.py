"""The HTTP interface for games: the variants, new games and invitations, lists of games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from time import time as wall_time
from typing import TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.websockets import WebSocket

from ....engine import BOTS
from ....errors import NotationError
from ....game.game import Game
from ....game.position import Position
from ....game.time_control import NO_CLOCK, TimeControl
from ....i18n import _, sentence
from ....spec.variant import Variant
from ....variants import build, entry
from ..engines.addresses import address
from ..engines.named import NamedEngine
from ..engines.quota import EVENT_BYTES, GAME_BYTES
from ..engines.rate_limits import Buckets, RateLimits, Shares
from ..engines.running_games import line_of
from ..engines.work_queue import WorkQueue
from ..game import solved
from ..game.lobby import INVITATION
from ..game.registry import GameRegistry, invitation
from ..game.seats import OPEN
from ..game.socket import Client
from ..presenter import encode
from ..schema import model
from ..schema.answers import (
    Bot,
    ChallengeList,
    CheckedPosition,
    CheckedTime,
    CreatedGame,
    GameList,
    JoinedGame,
    ListedChallenge,
    NextGame,
    OtherEngine,
)
from ..schema.requests import CheckPosition, JoinGame, NewGame, OpenNextGame
from ..schema.rulebook import Rulebook
from ..schema.solved import HardestWins, TableAnswer
from ..store import GameRow
from . import setup_check
from .listing import Listing
from .middleware import nobody_else
from .operations import OPTIONS, Query, operation
from .responses import ProblemError, admit, json_of, json_response, payer, refusing, require_share, visitor
from .rulebook import rulebook
from .static_files import Kept

T = TypeVar("T")

_MOST_ASKED = 24  # games in one request for a list
_IDS = (Query("ids", list[str], f"The ids of games, at most {_MOST_ASKED}; the rest is ignored."),)
_CONTROL = (Query("control", str, "A time control as a person writes it."),)
_TABLE = (Query("sfen", str, "A position string; by default the start."), OPTIONS)


class Games:
    """The HTTP interface for the games of a registry."""

    def __init__(
        self,
        registry: GameRegistry,
        listing: Listing,
        queue: WorkQueue,
        limits: RateLimits,
        named: Sequence[NamedEngine],
        alone: bool,
    ) -> None:
        """``alone``: nobody else can take a seat."""
        self._registry, self._listing = registry, listing
        self._queue, self._named, self._alone = queue, named, alone
        self._checks, self._messages = Shares(*limits.checks), limits.messages
        self._by_browser, self._by_address = Buckets(*limits.creations), Shares(*limits.creations_from)

    def _count(self, request: Request) -> None:
        """Count a game created or joined.

        Raises:
            ProblemError: there have been too many.
        """
        who = visitor(request)
        if not (self._by_address.of(address(request)).take() and (who is None or self._by_browser.of(who).take())):
            raise ProblemError(429, _("Too many games at once; wait a moment."))

    @operation("GET", "/api/variants", list[model.OfferedVariant])
    def variants(self, request: Request) -> Response:
        """All variants with their rule options and handicaps, but for those of the shelf."""
        return _variants(solved.solved_games()).answer(request.scope)

    @operation("GET", "/api/shelf", list[model.OfferedVariant])
    def shelf(self, request: Request) -> Response:
        """The classic variants that stand beside the games of the house, likewise."""
        return _shelf(solved.solved_games()).answer(request.scope)

    @operation("GET", "/api/bots", list[Bot])
    def bots(self, _request: Request) -> Response:
        """The bots to play against, the weakest first."""
        return json_response([Bot(bot.id, bot.level, bot.style) for bot in BOTS.values()])

    @operation("GET", "/api/engines", list[OtherEngine])
    def engines(self, _request: Request) -> Response:
        """The engines of the server besides its own, to play against and to analyse with."""
        return json_response([OtherEngine(one.name, sorted(one.games)) for one in self._named])

    @operation("GET", "/api/hardest/{variant}", HardestWins, query=(OPTIONS,), refuses=(429, 503))
    async def hardest(self, request: Request) -> Response:
        """The hardest wins of a solved game."""
        return json_response(await self._of_variant(request, _hardest, _("The hardest wins could not be found")))

    @operation("GET", "/api/tables/{variant}", TableAnswer, query=_TABLE, refuses=(429, 503))
    async def table(self, request: Request) -> Response:
        """The value of a position of a solved game, and of every move, best first."""
        fault = _("The position could not be looked up")
        sfen = request.query_params.get("sfen")
        line, answer = await self._of_variant(request, partial(_answer, sfen=sfen), fault, besides=("sfen",))
        with refusing(403):
            self._registry.running.require_free(line)
        return json_response(answer)

    @operation("GET", "/api/rules/{variant}", Rulebook, query=(OPTIONS,), refuses=(429,))
    async def rules(self, request: Request) -> Response:
        """The rules of a variant in words."""
        return json_response(await self._of_variant(request, rulebook, _("The rules could not be shown")))

    async def _of_variant(
        self, request: Request, work: Callable[[Variant], T], fault: str, besides: Sequence[str] = ()
    ) -> T:
        """Work on the variant in the path, with the rule options in the query, where others may stand too."""
        name = request.path_params["variant"]
        options = {key: value for key, value in request.query_params.items() if key not in besides}
        entry(name)
        with refusing(422, fault):
            return await self._queue.run(payer(request), _of, work, name, options)

    @operation("POST", "/api/positions/check", CheckedPosition, takes=CheckPosition, refuses=(429,))
    async def check(self, request: Request) -> Response:
        """Check a position; report every defect."""
        if not self._checks.of(address(request)).take():
            raise ProblemError(429, _("Too many positions at once; wait a moment."))
        fault = _("The position could not be examined")
        asked = await json_of(request, CheckPosition, fault, setup_check.MOST_BYTES)
        with refusing(422, fault):
            return json_response(await self._queue.run(payer(request), _checked, asked))

    @operation("GET", "/api/time", CheckedTime, query=_CONTROL, refuses=(429,))
    async def time(self, request: Request) -> Response:
        """Check a time control, and write it as the server does."""
        admit(self._checks, request)
        try:
            control = TimeControl.parse(request.query_params.get("control", ""))
        except NotationError as error:
            return json_response(CheckedTime(None, sentence(error)))
        return json_response(CheckedTime(str(control), ""))

    @operation("GET", "/api/games", GameList, query=_IDS, refuses=(429, 503))
    async def standings(self, request: Request) -> Response:
        """The state of some games, as far as they exist."""
        admit(self._checks, request)
        asked = request.query_params.get("ids", "").split(",")[:_MOST_ASKED]
        with refusing(422):
            looked = [await self._listing.look(id, payer(request)) for id in dict.fromkeys(asked) if id]
        return json_response(GameList([game for game in looked if game is not None]))

    @operation("POST", "/api/games", CreatedGame, takes=NewGame, status=201, refuses=(429, 503, 507))
    async def create(self, request: Request) -> Response:
        """Create a game; the answer has the tokens of the creator's seats."""
        fault = _("The game could not be set up")
        asked = await json_of(request, NewGame, fault)
        if self._alone and OPEN in (asked.seats.b, asked.seats.w):
            raise ProblemError(403, nobody_else())
        self._count(request)
        require_share(self._registry.quota, request)
        with refusing(422, fault):
            control = TimeControl.parse(asked.time)
            made = await self._registry.create(
                asked.variant,
                asked.options,
                {"b": asked.seats.b, "w": asked.seats.w},
                asked.position,
                time=control,
                name=asked.name,
                owner=visitor(request),
                address=address(request),
                challenge=await self._registry.lobby.challenge(address(request), control) if asked.lobby else None,
            )
        self._registry.quota.spend(address(request), GAME_BYTES + len(asked.position or ""))
        return json_response(CreatedGame(made.game, made.tokens, made.invite or msgspec.UNSET), 201)

    @operation("GET", "/api/lobby", ChallengeList, refuses=(429, 503))
    async def lobby(self, request: Request) -> Response:
        """The games that wait in the lobby for whoever comes by."""
        admit(self._checks, request)
        with refusing(422):
            listed = await self._registry.lobby.challenges()
        now = wall_time()
        return json_response(ChallengeList([_challenge(one.game, now) for one in listed]))

    @operation("POST", "/api/join", JoinedGame, takes=JoinGame, refuses=(409, 429, 503))
    async def join(self, request: Request) -> Response:
        """Take the open seat of a game by invitation."""
        asked = await json_of(request, JoinGame, _("The game could not be joined"))
        self._count(request)
        with refusing(409):
            game, token = await self._registry.accept(asked.invite, asked.name, visitor(request), address(request))
        self._registry.quota.spend(address(request), EVENT_BYTES)
        return json_response(JoinedGame(game, token))

    @operation("POST", "/api/games/{game}/next", NextGame, takes=OpenNextGame, optional=True, refuses=(409, 429, 503))
    async def next_game(self, request: Request) -> Response:
        """The next game of a match, created on the first request."""
        sent = "content-type" in request.headers
        fault = _("The next game could not be started")
        asked = await json_of(request, OpenNextGame, fault) if sent else OpenNextGame()
        self._count(request)
        with refusing(409):
            game = await self._registry.next_game(request.path_params["game"], asked.token, address(request))
        self._registry.quota.spend(address(request), GAME_BYTES)
        return json_response(NextGame(game))

    async def socket(self, socket: WebSocket) -> None:
        """Serve one connection until the client disconnects."""
        await Client(socket, self._registry, self._messages, address(socket)).run()


def _challenge(game: GameRow, now: float) -> ListedChallenge:
    return ListedChallenge(
        game=game.id,
        invite=invitation(game.id, INVITATION),
        variant=game.variant,
        options=game.options,
        start=game.position,
        time=game.terms.get("time", str(NO_CLOCK)),
        side="b" if game.seats["b"] == OPEN else "w",
        age=max(0.0, now - game.created),
        name=next(iter(game.terms.get("names", {}).values()), msgspec.UNSET),
    )


def _of(work: Callable[[Variant], T], name: str, options: dict[str, str]) -> T:
    return work(build(name, **options))


def _checked(asked: CheckPosition) -> CheckedPosition:
    return setup_check.check(build(asked.variant, **asked.options), asked.position)


def _hardest(variant: Variant) -> HardestWins:
    """The hardest wins of a variant."""
    return HardestWins(encode.variant(variant), solved.hardest_wins(solved.table_of(variant)))


def _answer(variant: Variant, sfen: str | None) -> tuple[list[int], TableAnswer]:
    """The answer of a variant's table to a position, and that as a line of numbers."""
    game = Game(variant, sfen)
    return line_of(game), solved.answer(solved.table_of(variant), Position(variant, sfen))


@lru_cache(maxsize=1)
def _variants(_solved: frozenset[str]) -> Kept:
    return Kept.of(msgspec.json.encode(encode.variants()), "application/json")


@lru_cache(maxsize=1)
def _shelf(_solved: frozenset[str]) -> Kept:
    return Kept.of(msgspec.json.encode(encode.shelf()), "application/json")
