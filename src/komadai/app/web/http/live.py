"""The HTTP interface for live studies, and their WebSockets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.websockets import WebSocket

from .... import record as records
from ....errors import KomadaiError
from ....i18n import _
from ....workshop.identity import files_of_strangers
from ..engines.addresses import address
from ..engines.crew import WorkLostError
from ..engines.pace import Pace
from ..engines.quota import EVENT_BYTES, Quota
from ..engines.rate_limits import RateLimits, Shares
from ..engines.running_games import number_of
from ..engines.turns import Payer
from ..engines.work_queue import OverusedError, WorkQueue
from ..game.follower import Follower
from ..game.live import Chapter, Lives, NotLiveError, NotMakerError, Prepare
from ..game.replay import RefusedError
from ..metrics import Metrics
from ..schema.live import EndLive, LiveAudience, LiveMade, NewLive, SentChapter, ShowLive
from .books import Bookshelf
from .operations import operation
from .responses import ProblemError, admit, answered, json_of, json_response, refusing, require_share
from .studies import CHAPTER, study

_MOST_SENT = 1024 * 1024  # bytes of a request


class LiveStudies:
    """The HTTP interface for live studies."""

    def __init__(
        self,
        lives: Lives,
        queue: WorkQueue,
        quota: Quota,
        books: Bookshelf,
        limits: RateLimits,
        pace: Pace,
        metrics: Metrics,
    ) -> None:
        self._lives, self._queue, self._quota, self._books = lives, queue, quota, books
        self._pace, self._metrics, self._messages = pace, metrics, limits.messages
        self._shown, self._begun = Shares(*limits.shown), Shares(*limits.shared)

    @operation("POST", "/api/live", LiveMade, takes=NewLive, status=201, refuses=(429, 503, 507))
    async def go_live(self, request: Request) -> Response:
        """Let a study go live: whoever has its address follows it, for a day at most."""
        admit(self._begun, request)
        require_share(self._quota, request)
        asked = await json_of(request, NewLive, _("The study could not go live"), _MOST_SENT)
        fresh = await self._fresh(request, asked.chapters)
        with refusing(422):
            made = await self._lives.make(asked, fresh, address(request))
        self._quota.spend(address(request), sum(len(chapter.text) for chapter in fresh.values()))
        return json_response(made, 201)

    @operation("POST", "/api/live/{live}", LiveAudience, takes=ShowLive, refuses=(404, 429, 503))
    async def show_live(self, request: Request) -> Response:
        """Show something else: the chapters in order, those that have changed with their records."""
        admit(self._shown, request)
        asked = await json_of(request, ShowLive, _("The study could not be shown"), _MOST_SENT)
        await self._require_maker(request, asked.key)
        fresh = await self._fresh(request, asked.chapters)
        with _refusing():
            followers = await self._lives.show(request.path_params["live"], asked, fresh)
        self._quota.spend(address(request), EVENT_BYTES)
        return json_response(LiveAudience(followers))

    @operation("POST", "/api/live/{live}/end", LiveAudience, takes=EndLive, refuses=(404, 429, 503))
    async def end_live(self, request: Request) -> Response:
        """End a live study: nothing of it stays on the server."""
        admit(self._shown, request)
        asked = await json_of(request, EndLive, _("The study could not be ended"))
        await self._require_maker(request, asked.key)
        with _refusing():
            await self._lives.end(request.path_params["live"])
        return json_response(LiveAudience(0))

    async def socket(self, socket: WebSocket) -> None:
        """Serve one follower until it disconnects."""
        await Follower(socket, self._lives, self._pace, self._metrics, self._messages, address(socket)).run()

    async def _require_maker(self, request: Request, key: str) -> None:
        with _refusing():
            await self._lives.require_maker(request.path_params["live"], key)

    async def _fresh(self, request: Request, sent: Iterable[SentChapter]) -> dict[str, Chapter]:
        """The chapters that were sent with records."""
        found = {}
        for one in sent:
            if not isinstance(one.record, msgspec.UnsetType):
                data = msgspec.json.encode(one.record)
                found[one.id] = await answered(self._queue, request, prepared, data, self._books)
        return found


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn refusals into responses: those of a study that is not live, of a wrong key, and others.

    Raises:
        ProblemError: the response.
    """
    with refusing(422):
        try:
            yield
        except NotLiveError as error:
            raise ProblemError(404, str(error)) from None
        except NotMakerError as error:
            raise ProblemError(403, str(error)) from None


def preparing(queue: WorkQueue, books: Bookshelf) -> Prepare:
    """What prepares stored chapters, in turns."""

    async def prepare(text: str, payer: Payer) -> Chapter:
        try:
            return await queue.run(payer, prepared, text.encode(), books)
        except OverusedError:
            raise RefusedError(_("Too many calculations at once; wait a moment.")) from None
        except WorkLostError:
            raise RefusedError(_("The answer was lost; ask again.")) from None
        except KomadaiError as error:
            raise RefusedError(str(error)) from None

    return prepare


def prepared(data: bytes, books: Bookshelf) -> Chapter:
    """The record of a chapter, which is sent as JSON, prepared for followers.

    Raises:
        ProblemError: it is not one record.
        NotationError: it cannot be read, or is too long.
    """
    with files_of_strangers():
        found = records.read(data, form="json")
    if len(found) != 1:
        raise ProblemError(422, _("One record is expected here, not {count}.", count=len(found)))
    [record] = found
    shown = study(found, books)
    nodes = [msgspec.to_builtins(node) for node in shown.nodes]
    after = [node.pop("after", 0) for node in nodes]
    scored = {}
    for number, at, move in record.walk():
        if record.nodes[number].score is not None:
            then = at.copy()
            then.push(move)
            plain = msgspec.json.encode(nodes[number] | {"score": None})
            scored[number] = (number_of(at), number_of(then)), plain
    head = {name: getattr(shown, name) for name in shown.__struct_fields__}
    said = msgspec.json.encode(head.pop("headers")), msgspec.json.encode(head.pop("result"))
    del head["nodes"]
    return Chapter(
        text=records.write(found, "json"),
        game=record.variant.rules_hash,
        name=record.header(CHAPTER),
        head=msgspec.json.encode(head),
        said=said,
        nodes=[msgspec.json.encode(node) for node in nodes],
        after=after,
        moves=[node.move for node in record.nodes],
        scored=scored,
    )
