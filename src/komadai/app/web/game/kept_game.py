"""A game in memory and in the store: what happens in it one thing after the other, and what others have stored."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast
from weakref import proxy

from ....i18n import LANGUAGES, _, speaking
from ..engines.threads import in_thread
from ..schema.commands import internal_error
from ..store import ConflictError, Event, Store
from .done_commands import CommandKey, DoneCommands
from .replay import DeletedError, InDoubtError, RefusedError, Stored, UnavailableError, read
from .state import GameState
from .store_calls import ask_for_move, ask_store, in_doubt_by_failure, to_the_end, unavailable

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

_SETTLE_AGAIN = 1.0  # seconds between attempts to find out what became of a write in doubt
_SETTLE_SELDOM = 64.0  # the most, where the server itself fails: each time it waits twice as long
_REPLAYS = ThreadPoolExecutor(1, "replays")  # several threads would only share the interpreter lock


class OvertakenError(RefusedError):
    """Another server has written to the game in the meantime; it is known now what."""


class Host(Protocol):
    """Whoever has the game open."""

    def changed(self, seq: int | None) -> None:
        """Something has happened after event ``seq``; ``None``: nobody knows since when."""

    def caught_up(self) -> None:
        """The store has been asked for what is new."""

    async def renew(self) -> None:
        """Ask the store again for what is no event.

        Raises:
            RefusedError: the store fails.
        """

    def complain(self, reason: str) -> None:
        """The game cannot go on, for that reason."""


class KeptGame:
    """A game in memory, which follows the store. What is done to it runs in the event loop.

    Attributes:
        store: where it is stored.
        state: the game as it is known here; another object after it was read anew.
        deleted: it is no longer in the store.
    """

    def __init__(self, stored: Stored, store: Store, host: Host) -> None:
        """Replay the events.

        Raises:
            RefusedError: they do not fit the rules of this program.
        """
        self.store, self.state = store, GameState(stored)
        self._host: Host = proxy(host)  # which is to be freed as soon as nobody uses it
        self._latest: asyncio.Task[Any] | None = None  # of what is done or is to be done, one after the other
        self._behind = False  # the store may have events that it could not be asked for, or a write in doubt
        self._torn = False  # the state may lack a stored event or have half of it: it is to be read anew
        self._doubted: dict[CommandKey, int] = {}  # commands that may have been done, with the number of their event
        self._settling: asyncio.Task[None] | None = None  # while they are asked for
        self.deleted = self._closed = False

    @property
    def id(self) -> str:
        """The game's public, unguessable id."""
        return self.state.row.id

    @property
    def seq(self) -> int:
        """The number of the last event, 0 if there is none."""
        return self.state.seq

    @property
    def busy(self) -> bool:
        """True while something is done to it, or the store is to be asked again."""
        return self._behind or self._latest is not None

    # --- One thing after the other ---

    async def in_turn(self, work: Coroutine[Any, Any, T]) -> T:
        """Do the work after all that was begun before, and to its end whoever leaves: an event on the disk must also be
        applied here."""
        task = asyncio.create_task(self._after(self._latest, work))
        self._latest = task
        task.add_done_callback(self._ended)
        return await to_the_end(task)

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

    def _ended(self, task: asyncio.Task[Any]) -> None:
        if self._latest is task:
            self._latest = None

    # --- Writing. All of it in turn. ---

    async def record(self, kind: str, payload: Mapping[str, Any], command: CommandKey | None = None) -> int:
        """Store an event, then apply it and tell of it; its number.

        If it fails otherwise than with a RefusedError, the state is torn: the event may be stored, and not applied.
        """
        event = Event(self.seq + 1, kind, payload, command and str(command))
        self._torn = True  # until everybody has it
        try:
            await self.write(self.store.append, self.id, event)
        except InDoubtError:
            if command is not None:
                unsettled = {key: seq for key, seq in self._doubted.items() if seq > self.seq}
                self._doubted = unsettled | {command: event.seq}
            raise
        self.state.apply(event)
        self._host.changed(event.seq - 1)
        self._torn = False
        return event.seq

    async def write(self, write: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Write to the store.

        Raises:
            OvertakenError: it conflicts with data already stored.
            InDoubtError: it may have been written, or repeats a write that was; the game will catch up.
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
                await self.catch_up()
            except UnavailableError as unread:
                # What it conflicts with may be this very write, done before a connection broke.
                raise unavailable(unread.__cause__, in_doubt=True) from unread
            raise OvertakenError(
                _("The game has continued in another window; this is the current position.")
            ) from error

    async def was_done(self, key: CommandKey, error: Exception) -> int | None:
        """The number of the event of a command that failed, if it was done all the same, now or before; ``None`` if it
        was not.

        Raises:
            RefusedError: in place of an error that is for the log. InDoubtError: nobody knows.
        """
        refused = isinstance(error, RefusedError) and not isinstance(error, UnavailableError)
        if self._torn and refused:
            return await self._done_in_store(key)
        if self._torn:
            raise self._mend(error) from error
        done = self.state.done(key)
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
            loaded = await ask_store(self.store.load, self.id)
        except UnavailableError as error:
            raise unavailable(error.__cause__, in_doubt=True) from error.__cause__
        return DoneCommands.of(loaded[1] if loaded else ()).seq(key)

    def _mend(self, error: Exception) -> InDoubtError:
        """Read the state anew, since nobody knows how far something got that failed; the error to be raised."""
        self._torn = True
        self._fall_behind()
        if isinstance(error, UnavailableError):
            return error if isinstance(error, InDoubtError) else unavailable(error.__cause__, in_doubt=True)
        log.error("a game is read again, because something failed", exc_info=error, extra={"game": self.id})
        return InDoubtError(in_doubt_by_failure())

    # --- Following the store ---

    async def refresh(self, seq: int | None = None) -> None:
        """Catch up with the store, unless event ``seq`` is known already.

        Raises:
            RefusedError: the store fails, or its events cannot be replayed.
        """
        await self.in_turn(self._refreshed(seq))

    async def _refreshed(self, seq: int | None) -> None:
        if seq is None or seq > self.seq or self._torn:
            await self.catch_up()
        self._host.caught_up()

    async def settle(self) -> None:
        """Catch up if the game is behind, for instance by a write in doubt. In turn.

        Raises:
            RefusedError: the store still fails, or the game has been deleted.
        """
        if self.deleted:
            raise DeletedError
        if self._behind or self._torn:
            await self.catch_up()

    async def catch_up(self) -> None:
        """Apply the events that other servers have stored, and tell of them. In turn.

        Raises:
            RefusedError: the store fails, and will be asked again; its events cannot be replayed; or it has deleted the
                game.
        """
        state = self.state
        before = (state.seq, state.following)
        games: list[str] = []
        try:
            if state.row.match is not None and state.following is None:
                games = await ask_store(self.store.match, state.row.match)
            loaded = await ask_store(self.store.load, self.id, state.seq)  # later: all events before the next game
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
                self._host.changed(before[0])
            self._torn = self._behind = False
        await self._host.renew()

    async def _read_again(self) -> None:
        """Replace the state, because something in it has been rewritten. In turn."""
        stored = await ask_store(read, self.store, self.id)
        if stored is None:
            raise self._delete()
        granted, self._torn = self.state.seats.granted, True
        self.state = await in_thread(_REPLAYS, GameState, stored)
        self.state.seats.granted = granted
        self._host.changed(None)
        self._torn = self._behind = False

    def _delete(self) -> DeletedError:
        """Stop everything, since the game is no longer in the store; the error to be raised."""
        error = DeletedError()
        if not self.deleted:
            self.deleted, self._behind = True, False
            with speaking(LANGUAGES[0]):
                self._host.complain(str(DeletedError()))
        return error

    def _fall_behind(self) -> None:
        """Note that the store may have more events, and ask it for them until it answers."""
        self._behind = True
        if not self._closed and (self._settling is None or self._settling.done()):
            self._settling = asyncio.create_task(self._settle_soon())

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
                if not self.deleted:
                    self._host.complain(str(error))

    # --- The end ---

    @property
    def open(self) -> bool:
        """True until it is deleted, or is to end."""
        return not (self.deleted or self._closed)

    def end(self) -> None:
        """Ask the store for nothing by itself any more."""
        self._closed = True
        if self._settling is not None:
            self._settling.cancel()

    async def close(self) -> None:
        """Wait for what is under way: a write is finished, and nothing begins after it."""
        self.end()
        if self._settling is not None:
            await asyncio.gather(self._settling, return_exceptions=True)
        if self._latest is not None:
            await asyncio.wait((self._latest,))


class _Part(Protocol):
    """Something that does its part in a game."""

    _kept: KeptGame


S = TypeVar("S", bound=_Part)


def in_turn(
    method: Callable[Concatenate[S, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """A method that is carried out as :meth:`KeptGame.in_turn` does."""

    @wraps(method)
    async def queued(part: S, *args: P.args, **kwargs: P.kwargs) -> T:
        return await part._kept.in_turn(method(part, *args, **kwargs))

    return cast("Callable[Concatenate[S, P], Coroutine[Any, Any, T]]", queued)
