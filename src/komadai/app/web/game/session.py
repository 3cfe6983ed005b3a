"""A running game: each command is checked, written to the store, applied, and sent to all connected clients."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial, wraps
from itertools import takewhile
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from ....engine import Clock
from ....errors import IllegalMoveError, KomadaiError
from ....game.game import Game
from ....i18n import LANGUAGES, _, safely, sentence, speaking
from ....solve import background, find
from ....spec.board import Side
from ...engine_service import EngineLostError
from ..engines.addresses import NOWHERE, Address
from ..engines.pool import EnginePool, Strength, strength_of
from ..engines.threads import TurnedThreads, in_thread
from ..engines.turns import Payer
from ..presenter import encode
from ..presenter.blocked_squares import explain
from ..schema import events, model
from ..schema.commands import Command, internal_error
from ..schema.events import to_text
from ..schema.solved import Judged
from ..store import ConflictError, Event, Store, new_id
from ..store.bus import Bus
from .audience import Audience, Listener
from .computer import Computer
from .done_commands import CommandKey, DoneCommands
from .heartbeat import Heartbeat
from .replay import DeletedError, InDoubtError, RefusedError, Stored, UnavailableError, read
from .seats import digest, is_granted
from .solved import challenge, study, table_of
from .state import GameState
from .store_calls import ask_for_move, ask_store, in_doubt_by_failure, to_the_end, unavailable

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

_SETTLE_AGAIN = 1.0  # seconds between attempts to find out what became of a write in doubt
_SETTLE_SELDOM = 64.0  # the most, where the server itself fails: each time it waits twice as long
_TICK = 0.001  # seconds by which a timer is late, so that it is never early
_LONGEST_CHALLENGE = 86_400.0  # seconds for which a game is kept in the lobby by its maker's presence
_FLAG_AGAIN = 0.5  # seconds between attempts to store a fallen flag
_FAR_BEHIND = 100  # a client that missed more events than this gets the whole state
_REPLAYS = ThreadPoolExecutor(1, "replays")  # several threads would only share the interpreter lock


def _free() -> None:
    """Permit any command."""


class OvertakenError(RefusedError):
    """Another server has written to the game in the meantime; the session has caught up."""


def _in_turn(
    method: Callable[Concatenate[Session, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Session, P], Coroutine[Any, Any, T]]:
    """A method that a session carries out after all that was begun before, and to its end whoever leaves: an event on
    the disk must also be applied here."""

    @wraps(method)
    async def queued(session: Session, *args: P.args, **kwargs: P.kwargs) -> T:
        return await to_the_end(session._queue(method(session, *args, **kwargs)))

    return cast("Callable[Concatenate[Session, P], Coroutine[Any, Any, T]]", queued)


class Session:
    """One game in memory. All methods except the constructor run in the event loop; the store and the engine run in
    threads."""

    def __init__(
        self,
        stored: Stored,
        store: Store,
        bus: Bus,
        engines: EnginePool,
        heartbeat: Heartbeat,
        threads: TurnedThreads,
    ) -> None:
        """Replay the events. ``heartbeat`` and ``threads``: of this server.

        Raises:
            RefusedError: they do not fit the rules of this program.
        """
        self._store, self._heartbeat, self._threads = store, heartbeat, threads
        self._latest: asyncio.Task[Any] | None = None  # of what it does or is to do, one after the other
        self._alarm: asyncio.TimerHandle | None = None  # when the flag falls
        self._flagging: asyncio.Task[None] | None = None
        self._behind = False  # the store may have events that it could not be asked for, or a write in doubt
        self._torn = False  # the state may lack a stored event or have half of it: it is to be read anew
        self._doubted: dict[CommandKey, int] = {}  # commands that may have been done, with the number of their event
        self._settling: asyncio.Task[None] | None = None  # while they are asked for
        self._deleted = self._closed = False
        self._state = GameState(stored)
        self._audience = Audience(self._state.seats)
        self._computer = Computer(self, bus, engines)
        self._challenge = safely(None, self._task)
        self._judged: list[tuple[str, Judged | None]] = []  # the values of the first moves, with their strings

    # --- Queries ---

    @property
    def id(self) -> str:
        """The game's public, unguessable id."""
        return self._state.row.id

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self._state.game

    @property
    def seq(self) -> int:
        """The number of the last event, 0 if there is none."""
        return self._state.seq

    @property
    def idle(self) -> bool:
        """True if no client is connected and the engine is not thinking, so that the session may be dropped."""
        return not (self._audience or self._computer.thinking or self._behind or self._latest)

    @property
    def whole(self) -> str:
        """The id of its match, or its own."""
        return self._state.row.match or self.id

    @property
    def attended(self) -> bool:
        """True if a client is connected."""
        return bool(self._audience)

    @property
    def challenging(self) -> bool:
        """True if the game waits in the lobby and its maker is connected. After a day one is expected to look again."""
        row, state = self._state.row, self._state
        fresh = time.time() - row.created < _LONGEST_CHALLENGE
        return "lobby" in row.terms and fresh and not state.seq and any(self._audience.presence().seats.values())

    @property
    def unplayed(self) -> bool:
        """True if whoever takes the open seat has made no move, and still may."""
        return self._state.unplayed

    @property
    def strength(self) -> Strength | None:
        """The strength of the computer, if it is to move."""
        return strength_of(self._state.seats.occupants[self.game.turn]) if self._state.computer_to_move else None

    def state(self, token: str | None = None) -> str:
        """The message with the whole state of the game, for a client with that token."""
        state = self._state
        occupants = state.seats.occupants
        return to_text(
            events.StateMessage(
                seq=self.seq,
                game=self.id,
                variant=encode.variant(self.game.variant),
                start=state.row.position,
                handicap=encode.is_handicap(state.start),
                puzzle=self._challenge,
                seats=model.Seats(occupants["b"], occupants["w"]),
                names=state.seats.names,
                you=sorted(state.seats.sides(token)),
                moves=state.log.moves,
                position=state.position(),
                clocks=state.clocks.to_model(),
                presence=self._audience.presence(),
            )
        )

    def _task(self) -> model.Challenge | None:
        """The task of a game that begins in one of the hardest wins; a game without its table is begun to be solved."""
        background.begin(self.game.variant)
        return challenge(find(self.game.variant), self._state.start.sfen())

    def since(self, seq: int | None, token: str | None = None) -> str:
        """The message that brings a client that has seen events up to ``seq`` up to date."""
        if seq is None or not self.seq - _FAR_BEHIND <= seq <= self.seq:
            return self.state(token)
        state = self._state
        message = events.EventsMessage(self.seq, state.log.since(seq), state.position(), state.clocks.to_model())
        return to_text(message)

    # --- Clients ---

    async def admit(self, token: str | None) -> None:
        """Look whether a token is one of a profile's, for a seat here; if the profile is gone, it is none any more.

        Raises:
            RefusedError: the store fails.
        """
        if token is not None and is_granted(token):
            await self._grant(digest(token))

    async def _grant(self, shown: str) -> None:
        """Ask the store which seat a profile's token with that digest is for."""
        key = await ask_for_move(self._store.granted, shown)
        granted = self._state.seats.granted
        had = granted.pop(shown, None)
        if key is not None:
            granted[shown] = key
        if had not in (None, key):
            self._audience.tell_each(self.state)  # which says who may act

    async def _keep_grants(self) -> None:
        """Ask again for the profiles' tokens that are in use: a profile may be gone."""
        for shown in tuple(self._state.seats.granted):
            await self._grant(shown)

    def join(self, listener: Listener, token: str | None = None, address: Address = NOWHERE) -> None:
        """Send all messages to ``listener``, a client with that token at that address, from now on."""
        self._audience.join(listener, token, address)
        self.wake()

    def leave(self, listener: Listener) -> None:
        """Send no more messages to it."""
        self._audience.leave(listener)

    # --- Commands ---

    async def explain(self, text: str, address: Address) -> str:
        """The reason why a move string is illegal now; ``P*``: why no drop is legal."""
        return await self._threads.run(Payer(address), partial(explain, self.game.position.copy(), text))

    async def study(self, address: Address) -> str:
        """The message with the values of the position, of every legal move and of every move played.

        Raises:
            RefusedError: the game is not solved, its table cannot be read, or two people are still playing.
        """
        table = table_of(self.game.variant)
        if self._state.seats.apart and self.game.outcome() is None:
            raise RefusedError(_("While two people play each other, the values of the moves are hidden."))
        seq, ply, moves = self.seq, self.game.position.ply, self.game.moves
        over = self.game.position.outcome() is not None
        same = takewhile(lambda pair: pair[0][0] == pair[1].text, zip(self._judged, moves, strict=False))
        known = [judged for (_text, judged), _move in same]
        try:
            work = partial(study, table, self._state.start, moves, known, over)
            found = await self._threads.run(Payer(address), work)
        except KomadaiError as error:
            raise RefusedError(sentence(error)) from error
        self._judged = [(move.text, judged) for move, judged in zip(moves, found.played, strict=True)]
        return to_text(events.StudyMessage(seq, ply, found.value, found.moves, found.played))

    def look(self, moves: int) -> str:
        """The message with the position after the first ``moves`` moves.

        Raises:
            RefusedError: the game has fewer moves.
        """
        return to_text(events.SeenMessage(moves, self._state.earlier(moves)))

    @_in_turn
    async def command(self, command: Command, token: str | None = None, permit: Callable[[], None] = _free) -> int:
        """Do a command of the person with that token, once; the number of the event that did it.

        Args:
            permit: called before the command is done, not if it has been done already; it may refuse it.

        Raises:
            RefusedError: it is impossible now; the message says why, and nothing has changed.
            InDoubtError: it may have been done, now or when it was sent before.
        """
        try:
            await self._settle()
            await self.admit(token)
            sides = self._state.sides(token)
            return await self._do_once(command, sides, CommandKey.of(command, sides), permit)
        except DeletedError:
            raise
        except Exception as error:
            key = CommandKey.of(command, self._state.seats.sides(token))  # the sides as they are now
            done = await self._was_done(key, error)
            if done is None:
                raise
            return done

    async def _was_done(self, key: CommandKey, error: Exception) -> int | None:
        """The number of the event of a command that failed, if it was done all the same, now or before; ``None`` if it
        was not. In turn.

        Raises:
            RefusedError: in place of an error that is for the log. InDoubtError: nobody knows.
        """
        refused = isinstance(error, RefusedError) and not isinstance(error, UnavailableError)
        if self._torn and refused:
            return await self._done_in_store(key)
        if self._torn:
            raise self._mend(error) from error
        done = self._state.done(key)
        if done is not None or refused:
            return done
        # An earlier attempt may still be done while the number of its event is free. Of other writes that are in doubt,
        # such as a flag's, this command is none.
        in_doubt = self._doubted.get(key, 0) > self.seq
        if isinstance(error, UnavailableError):
            raise unavailable(error.__cause__, in_doubt=in_doubt) from error.__cause__
        if in_doubt:
            raise self._mend(error) from error
        log.error("a command failed", exc_info=error, extra={"game": self.id})
        raise RefusedError(internal_error()) from error

    async def _done_in_store(self, key: CommandKey) -> int | None:
        """The number of the event of a command in the stored game, which cannot be replayed; ``None`` if it has none.

        Raises:
            InDoubtError: the store fails.
        """
        try:
            loaded = await ask_store(self._store.load, self.id)
        except UnavailableError as error:
            raise unavailable(error.__cause__, in_doubt=True) from error.__cause__
        return DoneCommands.of(loaded[1] if loaded else ()).seq(key)

    async def _do_once(
        self, command: Command, sides: frozenset[Side], key: CommandKey, permit: Callable[[], None]
    ) -> int:
        """Do the command, unless it has been done. In turn."""
        done = self._state.done(key)
        if done is not None:
            return done
        permit()
        try:
            await self._flag()
            kind, payload = self._state.check(command, sides)
            if kind == "rematch":
                payload = {"game": await self._rematch()}
            return await self._record(kind, payload, key)
        except OvertakenError:
            done = self._state.done(key)
            if done is None:
                raise
            return done  # sent to another server too, or written when the connection to the store broke

    async def _rematch(self) -> str:
        """Create the game to be played next; its id is secret until the event that names it."""
        game = new_id()
        match, number = (None, None) if self.game.variant.match_wins is None else (game, 1)
        await ask_store(self._store.create, self._state.successor(game, match, number, rematch=self.id))
        return game

    @_in_turn
    async def sit_down(self, invite: str, name: str, visitor: str | None) -> str:
        """Let an invited guest take the open seat; the guest's token.

        Raises:
            RefusedError: the invitation is not valid, or the store fails.
        """
        await self._settle()
        token, payload = self._state.join(invite, name, visitor)
        try:
            await self._record("join", payload)
        except OvertakenError:
            if not self._state.seats.sides(token):
                raise
        return token  # also where it was written when the connection to the store broke

    async def _flag(self) -> None:
        """Store the fall of a flag, if one has fallen in the time that counts. In turn."""
        await self._settle()
        if self._state.fallen() is not None:
            await self._heartbeat.beat()
        await self._excuse()
        fallen = self._state.fallen()
        if fallen is not None:
            await self._record(*fallen)

    @_in_turn
    async def _flag_in_turn(self) -> None:
        await self._flag()

    @_in_turn
    async def outage(self) -> None:
        """Do not count the time in which no server was there, if a clock was running.

        Raises:
            RefusedError: the store fails.
        """
        with suppress(OvertakenError):
            await self._settle()
            await self._excuse()

    async def _excuse(self) -> None:
        """Store how much of the time since the last event counts, if not all does. In turn."""
        if self._state.clocks.running:
            if self._heartbeat.late:
                await self._heartbeat.beat()
            counted = self._state.clocks.counted(self._heartbeat.watches)
            if counted is not None:
                await self._record("outage", {"counted": round(counted, 3)})

    async def _write(self, write: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Write to the store. In turn.

        Raises:
            OvertakenError: it conflicts with data already stored.
            InDoubtError: it may have been written, or repeats a write that was; the session will catch up.
            RefusedError: the store fails.
        """
        try:
            return await ask_for_move(write, *args, **kwargs)
        except RefusedError as error:
            self._torn = False
            if isinstance(error, InDoubtError):
                self._fall_behind()
            raise
        except ConflictError as error:
            self._torn = False
            try:
                await self._catch_up()
            except UnavailableError as unread:
                # What it conflicts with may be this very write, done before a connection broke.
                raise unavailable(unread.__cause__, in_doubt=True) from unread
            raise OvertakenError(
                _("The game has continued in another window; this is the current position.")
            ) from error

    def _fall_behind(self) -> None:
        """Note that the store may have more events, and ask it for them until it answers."""
        self._behind = True
        if not self._closed and (self._settling is None or self._settling.done()):
            self._settling = asyncio.create_task(self._settle_soon())

    async def _settle(self) -> None:
        """Catch up if the session is behind, for instance by a write in doubt. In turn.

        Raises:
            RefusedError: the store still fails, or the game has been deleted.
        """
        if self._deleted:
            raise DeletedError
        if self._behind or self._torn:
            await self._catch_up()

    async def _settle_soon(self) -> None:
        """Try until the store answers."""
        wait = _SETTLE_AGAIN
        while self._behind:
            await asyncio.sleep(wait)
            try:
                await self.refresh()
            except InDoubtError:  # the server fails
                wait = min(2 * wait, _SETTLE_SELDOM)
            except UnavailableError:
                pass
            except RefusedError as error:  # the game has been deleted, or cannot be replayed: whoever asks is told
                self._behind = False
                if not self._deleted:
                    self.complain(str(error))

    async def _after(self, before: asyncio.Task[Any] | None, work: Coroutine[Any, Any, T]) -> T:
        """Do the work when what came before has ended. Where it fails while the state has half of an event, that is
        soon read anew.

        Raises:
            InDoubtError: in place of such a failure.
        """
        if before is not None:
            await asyncio.wait((before,))
        try:
            return await work
        except RefusedError:
            raise
        except Exception as error:
            if not self._torn:
                raise
            raise self._mend(error) from error

    def _queue(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin the work, after all that was begun before."""
        task = asyncio.create_task(self._after(self._latest, work))
        self._latest = task
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        if self._latest is task:
            self._latest = None

    def _mend(self, error: Exception) -> InDoubtError:
        """Read the state anew, since nobody knows how far something got that failed; the error to be raised."""
        self._torn = True
        self._fall_behind()
        if isinstance(error, UnavailableError):
            return error if isinstance(error, InDoubtError) else unavailable(error.__cause__, in_doubt=True)
        log.error("a game is read again, because something failed", exc_info=error, extra={"game": self.id})
        return InDoubtError(in_doubt_by_failure())

    async def _record(self, kind: str, payload: Mapping[str, Any], command: CommandKey | None = None) -> int:
        """Store an event, then apply it and send it to all clients. In turn.

        If it fails otherwise than with a RefusedError, the state is torn: the event may be stored, and not applied.
        """
        event = Event(self.seq + 1, kind, payload, command and str(command))
        self._torn = True  # until everybody has it
        try:
            await self._write(self._store.append, self.id, event)
        except InDoubtError:
            if command is not None:
                unsettled = {key: seq for key, seq in self._doubted.items() if seq > self.seq}
                self._doubted = unsettled | {command: event.seq}
            raise
        self._state.apply(event)
        await self._changed(event.seq - 1)
        self._torn = False
        return event.seq

    async def _catch_up(self) -> None:
        """Apply the events that other servers have stored, and send them to all clients. In turn.

        Raises:
            RefusedError: the store fails, and will be asked again; its events cannot be replayed; or it has deleted the
                game.
        """
        state = self._state
        before = (state.seq, state.following)
        games: list[str] = []
        try:
            if state.row.match is not None and state.following is None:
                games = await ask_store(self._store.match, state.row.match)
            loaded = await ask_store(self._store.load, self.id, state.seq)  # later: all events before the next game
        except UnavailableError:
            self._fall_behind()
            raise
        if loaded is None:
            raise self._delete()
        row, new = loaded
        if self._torn or row != state.row:
            await self._read_again()
        else:
            self._torn = True
            state.replay(new)
            state.following = state.following or next(iter(games[state.row.number or 1 :]), None)
            if (state.seq, state.following) != before:
                await self._changed(before[0])
            self._torn = self._behind = False
        await self._keep_grants()

    async def _read_again(self) -> None:
        """Replace the state, because something in it has been rewritten. In turn."""
        stored = await ask_store(read, self._store, self.id)
        if stored is None:
            raise self._delete()
        granted, self._torn = self._state.seats.granted, True
        self._state = await in_thread(_REPLAYS, GameState, stored)
        self._state.seats.granted = granted
        self._audience.seats = self._state.seats
        await self._changed(self.seq - _FAR_BEHIND - 1)
        self._torn = self._behind = False

    def _delete(self) -> DeletedError:
        """Stop everything, since the game is no longer in the store; the error to be raised."""
        error = DeletedError()
        if not self._deleted:
            self._deleted, self._behind = True, False
            with speaking(LANGUAGES[0]):
                self.complain(str(DeletedError()))
            self._computer.stop()
        return error

    async def _changed(self, seq: int) -> None:
        """Send the events after ``seq`` to all clients, and let the engine think about the new position.

        In turn.
        """
        if self.seq - seq > _FAR_BEHIND:
            self._audience.tell_each(self.state)
        else:
            self._audience.tell(self.since(seq))
        self._computer.stop()
        self.wake()

    @_in_turn
    async def refresh(self, seq: int | None = None) -> None:
        """Catch up with the store, unless event ``seq`` is known already.

        Raises:
            RefusedError: the store fails, or its events cannot be replayed.
        """
        if seq is None or seq > self.seq or self._torn:
            await self._catch_up()
        self.wake()

    @_in_turn
    async def next_game(self, token: str | None = None) -> str:
        """The id of the next game of the match, created if need be, with the sides exchanged.

        Raises:
            RefusedError: the game belongs to no match or is not over, the match is over, the token is not of a player,
                or the store fails.
        """
        await self._settle()
        match = self._state.match
        if match is None:
            raise RefusedError(_("This game is not part of a match, so it has no next game."))
        if self._state.following is None and match.game.outcome() is None:
            await self._catch_up()  # it may have ended on another server
        state = self._state
        match = state.match or match
        if state.following is not None:
            return state.following
        if not state.seats.sides(token):
            raise RefusedError(_("Only the players can start the next game."))
        try:
            match.require_next()
        except IllegalMoveError as error:
            raise RefusedError(sentence(error)) from None
        following = state.successor(new_id(), state.row.match, len(match.games) + 1)
        state.following = await self._write(self._store.follow, following, self.id, self.seq)
        self._audience.tell(self.since(self.seq))
        return state.following

    # --- What happens by itself ---

    def wake(self) -> None:
        """Let the computer think if it is to move, and the flag fall if a clock runs."""
        if not (self._deleted or self._closed):
            self._set_alarm()
            self._computer.wake()

    def _set_alarm(self, least: float = _TICK) -> None:
        """Set the timer to the fall of the flag of the side to move, but at least ``least`` seconds ahead."""
        if self._alarm is not None:
            self._alarm.cancel()
        remaining = self._state.clocks.remaining()
        later = asyncio.get_running_loop().call_later
        self._alarm = None if remaining is None else later(max(remaining + _TICK, least), self._ring)

    def _ring(self) -> None:
        self._flagging = asyncio.create_task(self._store_flag())

    async def _store_flag(self) -> None:
        try:
            await self._flag_in_turn()
        except OvertakenError:
            pass  # another server was first, or a move was
        except DeletedError:
            return
        except RefusedError as error:
            log.error("the flag cannot fall: %s", error, extra={"game": self.id})
        except Exception:
            log.exception("the flag cannot fall", extra={"game": self.id})
        self._set_alarm(_FLAG_AGAIN)

    def payer(self) -> Payer:
        """For whom the computer thinks: the owner of the game, at the address of a player who is connected."""
        return Payer(self._audience.player_address(), self._state.row.owner or "")

    def search_clock(self) -> Clock | None:
        """The clock of the side to move, for the computer; ``None`` while no clock runs."""
        return self._state.clocks.for_search()

    def complain(self, reason: str) -> None:
        """Tell all clients of an error."""
        self._audience.tell(to_text(events.ErrorMessage(reason)))

    async def play(self, move: str | None, seq: int) -> None:
        """Make a move of the computer's, unless the game has gone on since event ``seq``.

        Raises:
            EngineLostError: there is none, or it is not legal.
            RefusedError: the store fails.
        """
        if seq != self.seq:
            return
        if move is None or not self.game.position.is_legal(move):
            played = "no move" if move is None else f"{move[:40]!r}, which is not legal"
            raise EngineLostError(f"the engine plays {played}")
        await self._act("move", {"usi": move}, seq)

    async def declare(self, seq: int) -> None:
        """Declare for the computer that its king has entered; as :meth:`play`."""
        await self._act("declare", {}, seq)

    async def resign(self, seq: int) -> None:
        """Resign for the computer; as :meth:`play`."""
        await self._act("resign", {"side": self.game.turn}, seq)

    @_in_turn
    async def _act(self, kind: str, payload: dict[str, Any], seq: int) -> None:
        """Record what the computer does, unless the game has gone on since event ``seq``."""
        with suppress(OvertakenError):
            await self._flag()
            if seq == self.seq:
                await self._record(kind, payload)

    def end(self) -> None:
        """Begin nothing any more; :meth:`close` waits for what is under way."""
        self._closed = True
        self._computer.cancel()

    async def close(self) -> None:
        """Stop thinking, and cancel all timers. A write under way is finished, and nothing begins after it."""
        self.end()
        self._audience.close()
        if self._alarm is not None:
            self._alarm.cancel()
        tasks = [task for task in (self._flagging, self._settling) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(self._computer.close(), *tasks, return_exceptions=True)
        if self._latest is not None:
            await asyncio.wait((self._latest,))
