"""The computer as a player: it thinks whenever it is to move."""

from __future__ import annotations

import asyncio
import logging
from typing import Protocol
from weakref import proxy

from ....engine import Clock
from ....errors import KomadaiError
from ....game.game import Game
from ....i18n import LANGUAGES, _, set_language
from ...engine_service import Backend, EngineAwayError, EngineLostError, SearchRequest, Subject
from ..engines.pool import EnginePool, Strength
from ..engines.turns import Payer
from ..store.bus import Bus
from .replay import DeletedError, RefusedError, UnavailableError

log = logging.getLogger(__name__)

_ENGINES_LOST = 6  # one after the other, before the game gives up
_CLAIM_AGAIN = 0.5  # seconds between attempts to claim the turn from another server
_THINK_AGAIN = 5.0  # seconds until it thinks again after its move could not be found or stored


class Host(Protocol):
    """A game, as far as the computer must know it, and what it can do there."""

    @property
    def id(self) -> str: ...
    @property
    def game(self) -> Game: ...
    @property
    def seq(self) -> int: ...
    @property
    def attended(self) -> bool: ...
    @property
    def strength(self) -> Strength | None:
        """The computer's, if it is to move."""

    def search_clock(self) -> Clock | None:
        """The clock of the side to move; ``None`` while no clock runs."""

    def payer(self) -> Payer:
        """For whom it thinks."""

    def wake(self) -> None:
        """Let it think, if it is to move."""

    def complain(self, reason: str) -> None:
        """Tell everybody why it does not move."""

    async def refresh(self) -> None:
        """Catch up with the store.

        Raises:
            RefusedError: the store fails, or its events cannot be replayed.
        """

    async def play(self, move: str | None, seq: int) -> None:
        """Make a move, unless the game has gone on since event ``seq``.

        Raises:
            EngineLostError: there is none, or it is not legal.
            RefusedError: the store fails.
        """

    async def declare(self, seq: int) -> None:
        """Declare that its king has entered; as :meth:`play`."""

    async def resign(self, seq: int) -> None:
        """Resign; as :meth:`play`."""


class Computer:
    """Thinks in one game, and moves. It runs in the event loop, and its searches where the pool has them run."""

    def __init__(self, host: Host, bus: Bus, engines: EnginePool) -> None:
        self._host: Host = proxy(host)  # which is to be freed as soon as nobody uses it
        self._bus, self._engines = bus, engines
        self._thinking: asyncio.Task[None] | None = None
        self._engine: Backend | None = None  # while it searches
        self._waking: asyncio.TimerHandle | None = None  # when it tries again, after the store failed

    @property
    def thinking(self) -> bool:
        """True from when it is woken until it has moved."""
        return self._thinking is not None

    def wake(self) -> None:
        """Think, if it is to move."""
        if self._host.strength is not None and self._thinking is None:
            self._cancel_waking()
            self._thinking = asyncio.create_task(self._think())

    def stop(self) -> None:
        """End the search under way: the game has changed."""
        if self._engine is not None:
            self._engine.stop()

    def cancel(self) -> None:
        """Think no more, and play nothing that is found yet."""
        if self._thinking is not None:
            self._thinking.cancel()

    async def close(self) -> None:
        """Think no more."""
        self.stop()
        self.cancel()
        if self._thinking is not None:
            await asyncio.gather(self._thinking, return_exceptions=True)
        self._cancel_waking()

    def _cancel_waking(self) -> None:
        """Cancel the timer, so that there is never a second one."""
        if self._waking is not None:
            self._waking.cancel()
            self._waking = None

    def _wake_again(self) -> None:
        """Think again, if anybody still waits for it."""
        if self._host.attended:
            self._host.wake()

    async def _think(self) -> None:
        host = self._host
        set_language(LANGUAGES[0])  # the messages go to all clients
        lost = 0  # engines, one after the other
        try:
            while host.strength is not None:
                async with self._bus.claim(host.id) as ours:
                    try:
                        if ours:
                            await self._think_once()
                            lost = 0
                    except EngineAwayError:
                        raise
                    except EngineLostError as error:
                        lost += 1
                        log.warning("%s; it is asked again", error, extra={"game": host.id})
                        if lost == _ENGINES_LOST:
                            raise
                if not ours or lost:
                    await asyncio.sleep(_CLAIM_AGAIN * 2**lost)
        except DeletedError:
            pass  # everybody knows
        except (EngineAwayError, UnavailableError) as error:
            away = _("The computer that thinks cannot be reached at present; it moves when it is there again.")
            host.complain(away if isinstance(error, EngineAwayError) else str(error))
            self._waking = asyncio.get_running_loop().call_later(_THINK_AGAIN, self._wake_again)
        except RefusedError as error:
            host.complain(str(error))
        except Exception as error:
            # What an engine says, or does, is no defect of this program, whose place would have to be known.
            ours = not isinstance(error, KomadaiError)
            log.error("the computer failed: %s", error, exc_info=ours, extra={"game": host.id})
            host.complain(_("The computer found no move; take back, or reload the page."))
        finally:
            self._thinking = self._engine = None

    async def _think_once(self) -> None:
        """Find a move and make it, unless the game has changed in the meantime. The caller holds the claim."""
        host = self._host
        await host.refresh()  # the server that held the claim before may have moved
        strength = host.strength
        if strength is None:
            return
        if host.game.position.can_declare():
            await host.declare(host.seq)
            return
        if not self._engines.plays(strength.engine, host.game.variant.id):
            raise RefusedError(_("This server has no engine {name} for this game.", name=strength.engine))
        payer, subject = host.payer(), Subject.of(host.game, strength.level, strength.engine, strength.style)
        async with self._engines.lend(subject, payer=payer) as engine:
            if host.strength != strength:
                return  # it has changed while this waited for an engine
            seq, self._engine = host.seq, engine
            request = SearchRequest.of(
                host.game, strength.seconds, strength.level, strength.engine, style=strength.style
            )
            try:
                found = await self._engines.search(engine, request, host.search_clock(), payer)
            finally:
                self._engine = None
        await (host.resign(seq) if found.resigns else host.play(found.move, seq))
