"""One running game: each command is checked, written to the store, applied, and told to everyone who watches."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import takewhile
from typing import Any, ParamSpec, TypeVar

from ...engine import Engine
from ...errors import IllegalMoveError, KomadaiError
from ...game.game import Game
from ...i18n import LANGUAGES, _, current_language, sentence, set_language, speaking
from ...solve import find
from ...view.compound_steps import compound_moves_of
from ..engines.pool import STRENGTHS, EnginePool, Strength
from ..engines.threads import in_thread
from ..schema import encode
from ..schema.blocked_squares import explain
from ..schema.commands import Command, encode_message
from ..store import ConflictError, Event, Store, StoreError
from ..store.bus import Bus
from .clocks import Stamp
from .replay import RefusedError, Stored, UnavailableError
from .solved import Judged, puzzle, study, table_words
from .state import GameState, choices

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

_STORE = ThreadPoolExecutor(8, "store")  # apart from all other work, which must never keep a move waiting
_LOOK_AGAIN = 0.5  # seconds after which it is looked whether another server still thinks
_SOON = 0.2  # seconds in which comings and goings are gathered
_TICK = 0.001  # seconds that an alarm rings late, so that it never rings early
_FLAG_AGAIN = 0.5  # seconds after which a flag that could not be written down is tried again
_FAR_BEHIND = 100  # a client that missed more events than this is sent the whole game
_CHOICES = ThreadPoolExecutor(1, "choices")  # several would only take turns

Listener = Callable[[str], None]


class OvertakenError(RefusedError):
    """Another server has written to the game meanwhile; the session has caught up."""


async def ask_store(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Ask the store in a thread; if it fails, its log says why, and the person who asked hears that much.

    Raises:
        UnavailableError: it fails.
    """
    try:
        return await in_thread(_STORE, call, *args, **kwargs)
    except StoreError as error:
        log.error("%s", error)
        raise UnavailableError(_("Nothing was changed: {why}.", why=error)) from error


async def _to_the_end(work: Coroutine[Any, Any, T]) -> T:
    """Do it even if the person who asked leaves meanwhile: what is on the disk must also happen here."""
    task = asyncio.create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        task.add_done_callback(_unheard)
        raise


def _unheard(task: asyncio.Task[Any]) -> None:
    """Nobody is there to be refused any more; what else went wrong is for the log."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, RefusedError):
        log.error("what somebody asked who has left failed", exc_info=error)


class Session:
    """One game in memory, made from its events. All methods but making it belong to the event loop; the disk and the
    engine do not."""

    def __init__(self, stored: Stored, store: Store, bus: Bus, thinkers: EnginePool) -> None:
        """Replay the events.

        Raises:
            RefusedError: they do not fit the rules this program plays.
        """
        self._store, self._bus, self._thinkers = store, bus, thinkers
        self._lock = asyncio.Lock()
        self._listeners: dict[Listener, tuple[str | None, str]] = {}  # the tokens they have shown, and their languages
        self._thinking: asyncio.Task[None] | None = None
        self._engine: Engine | None = None  # while it thinks
        self._alarm: asyncio.TimerHandle | None = None  # at the fall of a flag
        self._flagging: asyncio.Task[None] | None = None
        self._announcing: asyncio.TimerHandle | None = None  # of who is there
        self._course = GameState(stored)
        self._table = find(self.game.variant)
        self._puzzle = puzzle(self._table, self._course.start.sfen())
        self._judged: list[tuple[str, Judged | None]] = []  # what is known of the first moves, by their strings

    # --- Looking ---

    @property
    def id(self) -> str:
        """The game's public, unguessable id."""
        return self._course.row.id

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self._course.game

    @property
    def seq(self) -> int:
        """The number of the last event, 0 if there is none."""
        return self._course.seq

    @property
    def idle(self) -> bool:
        """Whether nobody watches and the computer is not thinking, so that the session may be forgotten."""
        return not self._listeners and self._thinking is None and not self._lock.locked()

    def _to_think(self) -> Strength | None:
        """The computer player whose turn it is, if it is one's."""
        return STRENGTHS[self._course.seating.seats[self.game.turn]] if self._course.computer_to_move else None

    def state(self, token: str | None = None) -> str:
        """Everything about the game, as a message to who has that token."""
        course = self._course
        return encode_message(
            "state",
            seq=self.seq,
            game=self.id,
            variant=encode.variant(self.game.variant),
            start=course.row.position,
            puzzle=self._puzzle,
            seats=course.seating.seats,
            names=course.seating.names,
            you=sorted(course.seating.sides(token)),
            moves=course.told.moves,
            position=course.position(),
            clocks=course.timing.told(),
            presence=self._presence(),
        )

    def since(self, seq: int | None, token: str | None = None) -> str:
        """What a client with that token that has seen events up to ``seq`` must be told, as a message."""
        if seq is None or not self.seq - _FAR_BEHIND <= seq <= self.seq:
            return self.state(token)
        course = self._course
        events, position = course.told.since(seq), course.position()
        return encode_message("events", seq=self.seq, events=events, position=position, clocks=course.timing.told())

    # --- Watching ---

    def join(self, listener: Listener, token: str | None = None) -> None:
        """Tell ``listener``, who shows that token, every message from now on."""
        self._listeners[listener] = (token, current_language())
        self._announce()
        self._wake()

    def leave(self, listener: Listener) -> None:
        """Tell it nothing more."""
        self._listeners.pop(listener, None)
        self._announce()

    def _tell(self, message: str) -> None:
        for listener in tuple(self._listeners):
            listener(message)

    def _presence(self) -> dict[str, Any]:
        """Which people are connected to this server, and how many others watch; who looks at an invitation does not."""
        seating, shown = self._course.seating, self._listeners.values()
        present = [seating.sides(token) for token, _language in shown if not seating.invited(token)]
        seats = {side: any(side in sides for sides in present) for side in seating.people}
        return {"spectators": sum(not sides for sides in present), "seats": seats}

    def _announce(self) -> None:
        """Tell everyone soon who is there; many come and go at once when a server has been restarted."""
        if self._announcing is None and self._listeners:
            self._announcing = asyncio.get_running_loop().call_later(_SOON, self._tell_presence)

    def _tell_presence(self) -> None:
        self._announcing = None
        self._tell(encode_message("presence", **self._presence()))

    # --- Commands ---

    async def explain(self, text: str) -> str:
        """Why the move string is not legal now, in words; ``P*`` asks why there is no legal drop at all."""
        return await asyncio.to_thread(explain, self.game.position.copy(), text)

    async def study(self) -> str:
        """What the position, every legal move and every move of the game are worth, as a message.

        Raises:
            RefusedError: the game is not solved, its table cannot be read, or two people are still at it.
        """
        if self._table is None:
            raise RefusedError(table_words(self.game.variant))
        if self._course.seating.apart and self.game.outcome() is None:
            raise RefusedError(_("While two people play each other, the values of the moves are hidden."))
        seq, ply, moves = self.seq, self.game.position.ply, self.game.moves
        over = self.game.position.outcome() is not None
        same = takewhile(lambda pair: pair[0][0] == pair[1].text, zip(self._judged, moves, strict=False))
        known = [judged for (_text, judged), _move in same]
        try:
            told = await asyncio.to_thread(study, self._table, self._course.start, moves, known, over)
        except KomadaiError as error:
            raise RefusedError(sentence(error)) from error
        self._judged = [(move.text, judged) for move, judged in zip(moves, told.played, strict=True)]
        return encode_message("study", seq=seq, ply=ply, value=told.value, moves=told.moves, played=told.played)

    def look(self, moves: int) -> str:
        """The position after the first ``moves`` moves of the game, as a message.

        Raises:
            RefusedError: the game has not so many.
        """
        return encode_message("seen", moves=moves, position=self._course.earlier(moves))

    async def command(self, command: Command, token: str | None = None) -> int:
        """Do once what was asked by the person who shows that token; the number of the event that did it.

        Raises:
            RefusedError: it cannot be done now; the text says why, and nothing has changed.
        """
        return await _to_the_end(self._do(command, token))

    async def _do(self, command: Command, token: str | None) -> int:
        async with self._lock:
            done = self._course.done(command.id)
            if done is not None:
                return done
            try:
                await self._flag()
                kind, payload = self._course.check(command, token)
                if kind == "rematch":
                    payload = {"game": await self._rematch()}
                return await self._record(kind, payload, command.id)
            except OvertakenError:
                done = self._course.done(command.id)
                if done is None:
                    raise
                return done  # sent to another server too, or written when the line to the store broke

    async def _rematch(self) -> str:
        """Make the game that is to follow; nobody knows of it before the event that names it."""
        game = secrets.token_urlsafe(16)
        match, number = (None, None) if self.game.variant.match_wins is None else (game, 1)
        await self._write(self._store.create, self._course.successor(game, match, number, rematch=self.id))
        return game

    async def sit_down(self, invite: str, name: str, visitor: str | None) -> str:
        """Let an invited guest take the open seat; the token to be kept.

        Raises:
            RefusedError: the invitation is of no use, or the store fails.
        """
        return await _to_the_end(self._sit_down(invite, name, visitor))

    async def _sit_down(self, invite: str, name: str, visitor: str | None) -> str:
        async with self._lock:
            token, payload = self._course.join(invite, name, visitor)
            await self._record("join", payload)
            return token

    async def _flag(self) -> None:
        """Write down that a flag has fallen, if one has. The caller holds the lock."""
        fallen = self._course.fallen()
        if fallen is not None:
            await self._record(*fallen)

    async def outage(self, up: Stamp) -> None:
        """Where a clock ran before the server came up at that moment, do not count the time since.

        Raises:
            RefusedError: the store fails.
        """
        async with self._lock:
            if self._course.timing.missed(up):
                with suppress(OvertakenError):
                    await self._record("outage", {})

    async def _write(self, write: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Write to the store. The caller holds the lock.

        Raises:
            OvertakenError: what is there already does not allow it.
            RefusedError: the store fails.
        """
        try:
            return await ask_store(write, *args, **kwargs)
        except ConflictError as error:
            await self._catch_up()
            raise OvertakenError(_("The game has continued in another window; this is the current position.")) from error

    async def _record(self, kind: str, payload: Mapping[str, Any], command: str | None = None) -> int:
        """Write an event, then apply it and tell everyone. The caller holds the lock."""
        event = Event(self.seq + 1, kind, payload, command)
        await self._write(self._store.append, self.id, event)
        self._course.apply(event)
        await self._changed(event.seq - 1)
        return event.seq

    async def _catch_up(self) -> None:
        """Apply what other servers have written, and tell everyone. The caller holds the lock."""
        course = self._course
        before = (course.seq, course.following)
        loaded = await ask_store(self._store.load, self.id, course.seq)
        course.replay([] if loaded is None else loaded[1])
        if course.row.match is not None and course.following is None:
            games = await ask_store(self._store.match, course.row.match)
            course.following = next(iter(games[course.row.number or 1 :]), None)
        if (course.seq, course.following) != before:
            await self._changed(before[0])

    async def _choose(self) -> None:
        """Have what may be done now worked out in a thread, if that takes long. The caller holds the lock."""
        undecided = self._course.undecided
        if undecided is not None and compound_moves_of(undecided.variant) is not None:
            work = asyncio.get_running_loop().run_in_executor(_CHOICES, choices, undecided.copy())
            self._course.choices = await work

    async def _changed(self, seq: int) -> None:
        """Tell everyone what has happened after event ``seq``, and let the computer think of that instead. The caller
        holds the lock."""
        await self._choose()
        if self.seq - seq > _FAR_BEHIND:
            for listener, (token, language) in tuple(self._listeners.items()):
                with speaking(language):
                    listener(self.state(token))
        else:
            self._tell(self.since(seq))
        if self._engine is not None:
            self._engine.stop()
        self._wake()

    async def refresh(self, seq: int | None = None) -> None:
        """Catch up with the store, unless event ``seq`` is known already.

        Raises:
            RefusedError: the store fails, or holds what cannot be replayed.
        """
        async with self._lock:
            if seq is None or seq > self.seq:
                await self._catch_up()
            await self._choose()
        self._wake()

    async def next_game(self, token: str | None = None) -> str:
        """The id of the next game of the match, which is made if it has not begun: the same match, seats changed.

        Raises:
            RefusedError: there is no match, the game or the match is not in that state, who asks does not play, or the
                disk refuses.
        """
        course = self._course
        async with self._lock:
            match = course.match
            if match is None:
                raise RefusedError(_("This game is not part of a match, so it has no next game."))
            if course.following is None and match.game.outcome() is None:
                await self._catch_up()  # it may have ended in another process
            if course.following is not None:
                return course.following
            if not course.seating.sides(token):
                raise RefusedError(_("Only the players can start the next game."))
            try:
                match.require_next()
            except IllegalMoveError as error:
                raise RefusedError(sentence(error)) from None
            following = course.successor(secrets.token_urlsafe(16), course.row.match, len(match.games) + 1)
            course.following = await self._write(self._store.follow, following, self.id, self.seq)
            self._tell(self.since(self.seq))
            return course.following

    # --- The computer ---

    def _wake(self) -> None:
        """Let the computer think if it is to move, and the flag fall if a clock runs."""
        self._set_alarm()
        if self._course.computer_to_move and self._thinking is None:
            self._thinking = asyncio.create_task(self._think())

    def _set_alarm(self, least: float = _TICK) -> None:
        """Look again when the flag of the side to move falls, but after ``least`` seconds at the soonest."""
        if self._alarm is not None:
            self._alarm.cancel()
        remaining = self._course.timing.remaining()
        later = asyncio.get_running_loop().call_later
        self._alarm = None if remaining is None else later(max(remaining + _TICK, least), self._ring)

    def _ring(self) -> None:
        self._flagging = asyncio.create_task(self._flag_at_last())

    async def _flag_at_last(self) -> None:
        try:
            async with self._lock:
                await self._flag()
        except OvertakenError:
            pass  # another server was first, or a move was
        except RefusedError as error:
            log.error("the flag of game %s cannot fall: %s", self.id, error)
        self._set_alarm(_FLAG_AGAIN)

    async def _think(self) -> None:
        set_language(LANGUAGES[0])  # what is said here is told to all who watch
        try:
            while self._course.computer_to_move:
                async with self._bus.claim(self.id) as ours:
                    if ours:
                        await self._think_once()
                    else:
                        await asyncio.sleep(_LOOK_AGAIN)
        except RefusedError as error:
            self._tell(encode_message("error", reason=str(error)))
        except Exception:
            log.exception("the computer failed in game %s", self.id)
            self._tell(
                encode_message("error", reason=_("The computer found no move; take back, or reload the page."))
            )
        finally:
            self._thinking = self._engine = None

    async def _think_once(self) -> None:
        """Find a move and make it, unless things have changed meanwhile. The caller holds the claim."""
        await self.refresh()  # the server that held the claim before may have moved
        strength = self._to_think()
        if strength is None:
            return
        async with self._thinkers.lend(self.game.variant, strength.level) as engine:
            if self._to_think() != strength:
                return  # there was no room to think for a while
            seq, self._engine = self.seq, engine
            found = await self._thinkers.search(
                engine,
                self.game.position.copy(),
                strength.seconds,
                self._course.timing.for_search(),
                self._course.row.owner,
            )
            self._engine = None
        async with self._lock:
            with suppress(OvertakenError):
                await self._flag()
                if seq == self.seq and found.move is not None:
                    await self._record("move", {"usi": found.move.text})

    async def close(self) -> None:
        """Stop thinking, and all that was to be done later."""
        for timer in (self._alarm, self._announcing):
            if timer is not None:
                timer.cancel()
        if self._engine is not None:
            self._engine.stop()
        tasks = [task for task in (self._thinking, self._flagging) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
