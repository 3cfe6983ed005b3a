"""A running game: each command is checked, written to the store, applied, and sent to all connected clients."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from ....spec.board import Side
from ..engines.addresses import NOWHERE, Address
from ..engines.pool import EnginePool
from ..engines.running_games import RunningGames
from ..engines.threads import TurnedThreads
from ..schema.commands import Command
from ..store import Store
from ..store.bus import Bus
from .audience import Audience, Listener
from .computer import Computer
from .done_commands import CommandKey
from .flag import Flag
from .heartbeat import Heartbeat
from .kept_game import KeptGame, OvertakenError, in_turn
from .replay import DeletedError, Stored
from .seating import Seating
from .state import GameState
from .successors import Successors
from .views import Views

_LONGEST_CHALLENGE = 86_400.0  # seconds for which a game is kept in the lobby by its maker's presence


def _free() -> None:
    """Permit any command."""


class Session:
    """One game in memory. All methods except the constructor run in the event loop; the store and the engine run in
    threads.

    Attributes:
        views: what its clients are shown. ``seating``: who may act. ``successors``: the games after it.
        flag: what time does.
    """

    def __init__(
        self,
        stored: Stored,
        store: Store,
        bus: Bus,
        engines: EnginePool,
        heartbeat: Heartbeat,
        threads: TurnedThreads,
        running: RunningGames,
    ) -> None:
        """Replay the events. ``heartbeat``, ``threads`` and ``running``: of this server.

        Raises:
            RefusedError: they do not fit the rules of this program.
        """
        self._kept, self._running = KeptGame(stored, store, self), running
        self._audience = Audience(self._kept)
        self.views = Views(self._kept, self._audience, threads)
        self.seating = Seating(self._kept, self._audience, self.views)
        self.successors = Successors(self._kept, self.views)
        self.flag = Flag(self._kept, heartbeat)
        self._computer = Computer(self._kept, self._audience, self.flag, bus, engines)

    @property
    def state(self) -> GameState:
        """The game as it is known here."""
        return self._kept.state

    @property
    def id(self) -> str:
        """The game's public, unguessable id."""
        return self._kept.id

    @property
    def seq(self) -> int:
        """The number of the last event, 0 if there is none."""
        return self._kept.seq

    @property
    def idle(self) -> bool:
        """True if no client is connected and the engine is not thinking, so that the session may be dropped."""
        return not (self._audience or self._computer.thinking or self._kept.busy)

    @property
    def whole(self) -> str:
        """The id of its match, or its own."""
        return self.state.row.match or self.id

    @property
    def attended(self) -> bool:
        """True if a client is connected."""
        return bool(self._audience)

    @property
    def challenging(self) -> bool:
        """True if the game waits in the lobby and its maker is connected. After a day one is expected to look again."""
        row = self.state.row
        fresh = time.time() - row.created < _LONGEST_CHALLENGE
        return "lobby" in row.terms and fresh and not self.seq and any(self._audience.presence().seats.values())

    def join(self, listener: Listener, token: str | None = None, address: Address = NOWHERE) -> None:
        """Send all messages to ``listener``, a client with that token at that address, from now on."""
        self._audience.join(listener, token, address)
        self.wake()

    def leave(self, listener: Listener) -> None:
        """Send no more messages to it."""
        self._audience.leave(listener)

    # --- Commands ---

    @in_turn
    async def command(self, command: Command, token: str | None = None, permit: Callable[[], None] = _free) -> int:
        """Do a command of the person with that token, once; the number of the event that did it.

        Args:
            permit: called before the command is done, not if it has been done already; it may refuse it.

        Raises:
            RefusedError: it is impossible now; the message says why, and nothing has changed.
            InDoubtError: it may have been done, now or when it was sent before.
        """
        try:
            await self._kept.settle()
            await self.seating.admit(token)
            sides = self.state.sides(token)
            return await self._do_once(command, sides, CommandKey.of(command, sides), permit)
        except DeletedError:
            raise
        except Exception as error:
            key = CommandKey.of(command, self.state.seats.sides(token))  # the sides as they are now
            done = await self._kept.was_done(key, error)
            if done is None:
                raise
            return done

    async def _do_once(
        self, command: Command, sides: frozenset[Side], key: CommandKey, permit: Callable[[], None]
    ) -> int:
        """Do the command, unless it has been done. In turn."""
        done = self.state.done(key)
        if done is not None:
            return done
        permit()
        try:
            await self.flag.fall()
            kind, payload = self.state.check(command, sides)
            if kind == "rematch":
                payload = {"game": await self.successors.rematch()}
            return await self._kept.record(kind, payload, key)
        except OvertakenError:
            done = self.state.done(key)
            if done is None:
                raise
            return done  # sent to another server too, or written when the connection to the store broke

    # --- What happens by itself ---

    async def refresh(self, seq: int | None = None) -> None:
        """Catch up with the store, unless event ``seq`` is known already.

        Raises:
            RefusedError: the store fails, or its events cannot be replayed.
        """
        await self._kept.refresh(seq)

    def wake(self) -> None:
        """Let the computer think if it is to move, and the flag fall if a clock runs."""
        if self._kept.open:
            self.flag.set_alarm()
            self._computer.wake()

    def changed(self, seq: int | None) -> None:
        """Send what has happened after event ``seq`` to all clients, and let the engine think about the new position;
        ``None``: nobody knows since when."""
        self.guard()
        self.views.tell(seq)
        self._computer.stop()
        self.wake()

    caught_up = wake

    def guard(self) -> None:
        """Let nobody be advised on the positions of this game while two people play it."""
        self.state.guarded_by(self._running)

    async def renew(self) -> None:
        """Ask the store again who may act.

        Raises:
            RefusedError: the store fails.
        """
        await self.seating.renew()

    def complain(self, reason: str) -> None:
        """Tell all clients why the game cannot go on."""
        self._audience.complain(reason)
        if self._kept.deleted:
            self._running.follow(self.id, None)
            self._computer.stop()

    def end(self) -> None:
        """Begin nothing any more; :meth:`close` waits for what is under way."""
        self._kept.end()
        self._computer.cancel()

    async def close(self) -> None:
        """Stop thinking, and cancel all timers. A write under way is finished, and nothing begins after it."""
        self.end()
        self._audience.close()
        await asyncio.gather(self._computer.close(), self.flag.close(), return_exceptions=True)
        await self._kept.close()
