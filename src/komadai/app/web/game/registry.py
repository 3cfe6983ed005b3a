"""The registry of a store's games: creates them, opens them for their clients, and drops them from memory."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any
from weakref import WeakValueDictionary

from ....game.game import Game
from ....game.time_control import NO_CLOCK, TimeControl
from ....i18n import _
from ....spec.board import Side
from ....spec.variant import Variant
from ....variants import build
from ....workshop.identity import embedded
from ..engines.addresses import NOWHERE, Address
from ..engines.pace import Pace
from ..engines.pool import EnginePool
from ..engines.quota import Quota
from ..engines.rate_limits import USUAL, RateLimits
from ..engines.running_games import RunningGames, UnderWayError, line_of
from ..engines.threads import TurnedThreads
from ..engines.turns import NOBODY, Payer
from ..metrics import Metrics
from ..schema.model import ENGINE_SEAT
from ..store import Challenge, GameRow, Store, new_id
from ..store.bus import LIVE
from .audience import Listener
from .guests import Guests
from .heartbeat import Heartbeat
from .live import Lives
from .lobby import INVITATION, Lobby
from .replay import DeletedError, RefusedError, UnavailableError, UnreadableError, read
from .seats import HUMAN, OPEN, digest, new_secret, plain_name
from .session import Session
from .state import GameState
from .store_calls import ask_store

log = logging.getLogger(__name__)

_AT_ONCE = 2  # games that are made or opened at a time, or that somebody asks about
_SWEEP = 1.0  # seconds between looks for idle sessions
_MOST_KNOWN = 100_000  # games against engines, of other servers, that are remembered not to be read again
_OF_GAME = "."  # between the game's id and the secret of an invitation


def invitation(game: str, secret: str) -> str:
    """The invitation to the open seat of a game, as it is given to people."""
    return f"{game}{_OF_GAME}{secret}"


@dataclass(frozen=True, slots=True)
class Created:
    """A game just created.

    Attributes:
        tokens: the token of its creator, for each of their sides.
        invite: the secret of the invitation to the open seat, if there is one.
    """

    game: str
    tokens: Mapping[Side, str]
    invite: str | None


class GameRegistry:
    """The games of one store. A session stays in memory while clients are connected; the store keeps the rest.

    Attributes:
        running: those on whose positions nobody is advised.
    """

    def __init__(
        self,
        store: Store,
        engines: EnginePool | None = None,
        metrics: Metrics | None = None,
        quota: Quota | None = None,
        limits: RateLimits = USUAL,
        pace: Pace | None = None,
        running: RunningGames | None = None,
    ) -> None:
        """``engines``: the pool, if it is shared with other users of engines. ``metrics``, ``quota``, ``pace`` and
        ``running``: of the application."""
        self._store, self._bus = store, store.bus()
        self._refreshing: set[asyncio.Task[None]] = set()
        self._sessions: dict[str, Session] = {}
        self._opening: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # while it is held or waited for
        self._engines = engines or EnginePool()
        self.heartbeat = Heartbeat(store, self._gap)
        self._damaged: set[str] = set()  # games of which the log has said so
        self._closed = False
        self._swept = 0.0  # when idle sessions were last dropped
        self.lobby = Lobby(store, self.challenging, limits)
        self._threads = TurnedThreads(_AT_ONCE, "games")
        self._guests = Guests(self._unplayed, limits)
        self.running = RunningGames() if running is None else running
        self._unread: dict[str, None] = {}  # games that others have written to, to be read for their positions
        self._reading = False
        self._lives: Lives | None = None
        self._against_engines = set[str]()  # games that need not be
        self.pace = pace or Pace()
        self.metrics, self.quota = metrics or Metrics(), quota or Quota(USUAL.stored)
        self.metrics.gauge("komadai_challenges", "Games in the lobby when it was last shown.", lambda: self.lobby.size)
        self.metrics.gauge("komadai_games_live", "Games in memory.", lambda: len(self._sessions))
        self.metrics.gauge(
            "komadai_games_open",
            "Games with somebody connected.",
            lambda: sum(session.attended for session in tuple(self._sessions.values())),
        )

    def attended(self) -> list[str]:
        """The ids of the games and matches to which somebody is connected."""
        return [session.whole for session in self._sessions.values() if session.attended]

    def challenging(self) -> list[str]:
        """The ids of the games in the lobby whose maker is connected."""
        return [session.id for session in self._sessions.values() if session.challenging]

    async def open(self, lives: Lives | None = None) -> None:
        """Start to receive the events of other servers of the store, also for live studies."""
        self._lives = lives
        await self._bus.open(self._heard, self._missed)

    def _heard(self, game_id: str, seq: int) -> None:
        if game_id.startswith(LIVE):
            if self._lives is not None:
                self._lives.heard(game_id.removeprefix(LIVE), seq)
            return
        session = self._sessions.get(game_id)
        if session is None or session.idle:
            self._read_soon(game_id)
        elif seq > session.seq:
            self._refresh(session, seq)

    def _read_soon(self, game_id: str) -> None:
        """Read a game of two people that other servers write to, so that nobody gets advice on it here: one game at a
        time, however many are heard of."""
        if game_id in self._against_engines:
            return
        self._unread[game_id] = None
        if not self._reading:
            self._reading = True
            self._begin(self._read_all())

    async def _read_all(self) -> None:
        try:
            while self._unread:
                game_id = next(iter(self._unread))
                del self._unread[game_id]  # before it is read: what is written meanwhile is heard of again
                await self._guard(game_id)
        finally:
            self._reading = False

    async def _guard(self, game_id: str) -> None:
        """Keep the positions of a game, if two people play it."""
        with contextlib.suppress(RefusedError):  # whoever opens the game is told what is wrong
            stored = await ask_store(read, self._store, game_id)
            if stored is not None and _between_people(stored.row.seats):
                state = await self._threads.run(NOBODY, partial(GameState, stored))
                state.guarded_by(self.running)
            elif len(self._against_engines) < _MOST_KNOWN:
                self._against_engines.add(game_id)

    def renew(self, games: Iterable[str]) -> None:
        """Let the sessions of these games ask the store again: something besides their events has changed."""
        for session in filter(None, map(self._sessions.get, games)):
            self._refresh(session)

    def _missed(self) -> None:
        if self._lives is not None:
            self._lives.missed()
        for session in self._sessions.values():
            self._refresh(session)

    def _gap(self) -> None:
        """Nobody was there for a while: that time does not count in any game."""
        for session in self._sessions.values():
            self._work(session, session.flag.outage)

    def _refresh(self, session: Session, seq: int | None = None) -> None:
        if session.idle:
            return  # it catches up when a client joins

        self._work(session, partial(session.refresh, seq))

    def _work(self, session: Session, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Let a session do something that nobody waits for."""

        async def done() -> None:
            try:
                await work()
            except DeletedError:
                pass
            except RefusedError as error:
                log.error("a game cannot catch up with other servers: %s", error, extra={"game": session.id})

        self._begin(done())

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._refreshing.add(task)
        task.add_done_callback(self._refreshing.discard)

    async def create(
        self,
        variant: str,
        options: Mapping[str, str],
        seats: Mapping[Side, str],
        position: str | None = None,
        *,
        time: TimeControl = NO_CLOCK,
        name: str = "",
        owner: str | None = None,
        challenge: Challenge | None = None,
        address: Address = NOWHERE,
    ) -> Created:
        """Create a game.

        Args:
            seats: of ``b`` and ``w``, each one of :data:`..schema.model.SEATS`.
            position: the position string of the start; ``None``: the variant's own start.
            name: of the creator; used if only one seat is theirs.
            owner: the id of the creator's browser.
            challenge: puts the game into the lobby: its open seat is for everybody.
            address: of the creator.

        Raises:
            NotationError: unknown variant or option, or an illegal position; every defect at once.
            RefusedError: no seat is for a person, or one is for an engine that is not there; the game is over at the
                start; or the store fails.
        """
        v, position, start = await self._threads.run(Payer(address), partial(_begun, variant, options, position))
        self._check_engines(v, seats)
        if not _between_people(seats):
            self._require_free(start)
        own = [side for side in seats if seats[side] == HUMAN]
        if not own:
            raise RefusedError(_("At least one side must be played by a person who is there."))
        game, token = new_id(), new_secret()
        invite = None
        if OPEN in seats.values():
            invite = new_secret() if challenge is None else INVITATION
        elif challenge is not None:
            raise RefusedError(_("Only a game with a seat for another person can stand in the lobby."))
        name = plain_name(name) if len(own) == 1 else ""
        terms: dict[str, Any] = {"tokens": {side: digest(token) for side in own}, "rules": v.rules_hash}
        terms |= {"file": file} if (file := embedded(v)) else {}
        terms |= {"time": str(time)} if time else {}
        terms |= {"names": {own[0]: name}} if name else {}
        terms |= {"invite": digest(invite)} if invite else {}
        terms |= {"lobby": True} if challenge else {}
        match, number = (None, None) if v.match_wins is None else (game, 1)
        settled = (game, v.id, v.version, dict(v.options), dict(seats))
        await ask_store(self._store.create, GameRow(*settled, match, number, position, terms, owner), challenge)
        return Created(game, dict.fromkeys(own, token), invite and invitation(game, invite))

    def _require_free(self, start: list[int]) -> None:
        try:
            self.running.require_free(start)
        except UnderWayError as error:  # the computer's moves would be advice
            raise RefusedError(str(error)) from None

    def _check_engines(self, variant: Variant, seats: Mapping[Side, str]) -> None:
        for seat in seats.values():
            name = seat.removeprefix(ENGINE_SEAT)
            if name != seat and not self._engines.plays(name, variant.id):
                raise RefusedError(_("This server has no engine {name} for this game.", name=name))

    async def accept(self, invite: str, name: str, visitor: str | None, address: Address = NOWHERE) -> tuple[str, str]:
        """Accept an invitation; the game's id and the guest's token.

        Args:
            visitor: the id of the guest's browser. ``address``: where that is.

        Raises:
            TooManyGamesError: there are games that guests of that address have joined and not yet moved in.
            RefusedError: the invitation is not valid, or the store fails.
        """
        game, _dot, secret = invite.partition(_OF_GAME)
        async with self._guests.joining(game, address):
            session = await self._open(game, Payer(address))
            return game, await session.seating.sit_down(secret, name, visitor)

    async def _unplayed(self, game_id: str) -> bool:
        """True if the guest of a game has made no move, and still may."""
        try:
            return (await self._open(game_id, NOBODY)).state.unplayed
        except UnavailableError:
            raise
        except RefusedError:  # there is no such game any more
            return False

    async def _open(self, game_id: str, payer: Payer) -> Session:
        """The session of a game, for that payer."""
        async with self._lock(game_id):
            return await self._session(game_id, payer)

    def _lock(self, game_id: str) -> asyncio.Lock:
        """The lock to hold while opening that game."""
        return self._opening.setdefault(game_id, asyncio.Lock())

    async def _session(self, game_id: str, payer: Payer) -> Session:
        """The session of a game, opened if need be and brought up to date; the caller holds its lock."""
        await self._forget_idle()
        if game_id not in self._sessions:
            try:
                session = await self._opened(game_id, payer)
            except UnreadableError as error:
                if game_id not in self._damaged:
                    self._damaged.add(game_id)
                    log.error("a game is damaged: %s", error, extra={"game": game_id})
                raise
            try:
                await session.flag.outage()
                if self._closed:  # while the game was opened
                    raise RefusedError(_("The server is about to end; connect again in a moment."))
            except RefusedError:
                await session.close()
                raise
            self._sessions[game_id] = session
        session = self._sessions[game_id]
        await session.refresh()
        return session

    async def _opened(self, game_id: str, payer: Payer) -> Session:
        stored = await ask_store(read, self._store, game_id)
        if stored is None:
            raise RefusedError(_("There is no game of that name here."))
        # In a thread, because compiling a large board and replaying a long game would block the event loop.
        shared = self._bus, self._engines, self.heartbeat, self._threads, self.running
        session = await self._threads.run(payer, partial(Session, stored, self._store, *shared))
        session.guard()
        return session

    async def _forget_idle(self) -> None:
        """Drop the sessions that nobody needs, if that was not done just now: there may be thousands to look at."""
        now = monotonic()
        if now < self._swept + _SWEEP:
            return
        self._swept = now
        idle = [id for id, session in self._sessions.items() if session.idle and id not in self._opening]
        # All are taken out before one is closed: that takes time, in which others open games.
        for session in [self._sessions.pop(id) for id in idle]:
            await session.close()

    async def join(
        self, game_id: str, listener: Listener, token: str | None = None, address: Address = NOWHERE
    ) -> Session:
        """Connect a client with that token, at that address, to a game; the engine resumes thinking if it is to move.

        Raises:
            RefusedError: there is no such game, or it cannot be replayed.
        """
        async with self._lock(game_id):
            session = await self._session(game_id, Payer(address))
            await session.seating.admit(token)
            session.join(listener, token, address)
            if session.challenging:
                self.lobby.wake()
            return session

    async def next_game(self, game_id: str, token: str | None = None, address: Address = NOWHERE) -> str:
        """The id of the game after this one in its match, created on the first call.

        Raises:
            RefusedError: there is no such game or no next one, or the token is not of a player.
        """
        async with self._lock(game_id):
            session = await self._session(game_id, Payer(address))
            await session.seating.admit(token)
            return await session.successors.next_game(token)

    async def close(self) -> None:
        """Stop all thinking and close the store. A game that is being opened is refused."""
        self._closed = True
        sessions, self._sessions = self._sessions, {}
        for task in self._refreshing:
            task.cancel()
        for session in sessions.values():
            session.end()
        await asyncio.gather(*(session.close() for session in sessions.values()))
        await self._bus.close()
        self._store.close()


def _between_people(seats: Mapping[Side, str]) -> bool:
    return all(seat in (HUMAN, OPEN) for seat in seats.values())


def _begun(variant: str, options: Mapping[str, str], position: str | None) -> tuple[Variant, str | None, list[int]]:
    """The variant of a new game, its start if that is not the variant's own, and that as a line of numbers.

    Raises:
        NotationError, RefusedError: as from :meth:`GameRegistry.create`.
    """
    v = build(variant, **options)
    if position is None:
        return v, None, []
    game = _startable(v, position)
    return v, game.position.sfen(ply=True), line_of(game)


def _startable(variant: Variant, position: str) -> Game:
    """The game from a start.

    Raises:
        NotationError: it is illegal; every defect at once.
        RefusedError: the game is over in it.
    """
    game = Game(variant, position)
    outcome = game.outcome()
    if outcome is not None:
        raise RefusedError(
            _(
                "In the position {position} the game is over: {outcome}.",
                position=game.position.sfen(),
                outcome=outcome.message.words(),
            )
        )
    return game
