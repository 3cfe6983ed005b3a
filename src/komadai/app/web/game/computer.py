"""The computer as a player: it thinks whenever it is to move."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any

from ....errors import KomadaiError
from ....i18n import LANGUAGES, _, set_language
from ...engine_service import Backend, EngineAwayError, EngineLostError, SearchRequest, Subject
from ..engines.pool import EnginePool, Strength, strength_of
from ..engines.turns import Payer
from ..store.bus import Bus
from .audience import Audience
from .flag import Flag
from .kept_game import KeptGame, OvertakenError, in_turn
from .replay import DeletedError, RefusedError, UnavailableError

log = logging.getLogger(__name__)

_ENGINES_LOST = 6  # one after the other, before the game gives up
_CLAIM_AGAIN = 0.5  # seconds between attempts to claim the turn from another server
_THINK_AGAIN = 5.0  # seconds until it thinks again after its move could not be found or stored


class Computer:
    """Thinks in one game, and moves. It runs in the event loop, and its searches where the pool has them run."""

    def __init__(self, kept: KeptGame, audience: Audience, flag: Flag, bus: Bus, engines: EnginePool) -> None:
        self._kept, self._audience, self._flag = kept, audience, flag
        self._bus, self._engines = bus, engines
        self._thinking: asyncio.Task[None] | None = None
        self._engine: Backend | None = None  # while it searches
        self._waking: asyncio.TimerHandle | None = None  # when it tries again, after the store failed

    @property
    def thinking(self) -> bool:
        """True from when it is woken until it has moved."""
        return self._thinking is not None

    @property
    def _strength(self) -> Strength | None:
        """Its strength, if it is to move."""
        state = self._kept.state
        return strength_of(state.seats.occupants[state.game.turn]) if state.computer_to_move else None

    def wake(self) -> None:
        """Think, if it is to move."""
        if self._strength is not None and self._thinking is None:
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
        if self._audience and self._kept.open:
            self.wake()

    async def _think(self) -> None:
        game = self._kept.id
        set_language(LANGUAGES[0])  # the messages go to all clients
        lost = 0  # engines, one after the other
        try:
            while self._strength is not None:
                async with self._bus.claim(game) as ours:
                    try:
                        if ours:
                            await self._think_once()
                            lost = 0
                    except EngineAwayError:
                        raise
                    except EngineLostError as error:
                        lost += 1
                        log.warning("%s; it is asked again", error, extra={"game": game})
                        if lost == _ENGINES_LOST:
                            raise
                if not ours or lost:
                    await asyncio.sleep(_CLAIM_AGAIN * 2**lost)
        except DeletedError:
            pass  # everybody knows
        except (EngineAwayError, UnavailableError) as error:
            away = _("The computer that thinks cannot be reached at present; it moves when it is there again.")
            self._audience.complain(away if isinstance(error, EngineAwayError) else str(error))
            self._waking = asyncio.get_running_loop().call_later(_THINK_AGAIN, self._wake_again)
        except RefusedError as error:
            self._audience.complain(str(error))
        except Exception as error:
            # What an engine says, or does, is no defect of this program, whose place would have to be known.
            ours = not isinstance(error, KomadaiError)
            log.error("the computer failed: %s", error, exc_info=ours, extra={"game": game})
            self._audience.complain(_("The computer found no move; take back, or reload the page."))
        finally:
            self._thinking = self._engine = None

    async def _think_once(self) -> None:
        """Find a move and make it, unless the game has changed in the meantime. The caller holds the claim."""
        await self._kept.refresh()  # the server that held the claim before may have moved
        state, strength = self._kept.state, self._strength
        if strength is None:
            return
        if state.game.position.can_declare():
            await self._act("declare", {}, state.seq)
            return
        if not self._engines.plays(strength.engine, state.game.variant.id):
            raise RefusedError(_("This server has no engine {name} for this game.", name=strength.engine))
        payer = Payer(self._audience.player_address(), state.row.owner or "")
        subject = Subject.of(state.game, strength.level, strength.engine, strength.style)
        async with self._engines.lend(subject, payer=payer) as engine:
            state = self._kept.state
            if self._strength != strength:
                return  # it has changed while this waited for an engine
            seq, self._engine = state.seq, engine
            request = SearchRequest.of(
                state.game, strength.seconds, strength.level, strength.engine, style=strength.style
            )
            try:
                found = await self._engines.search(engine, request, state.clocks.for_search(), payer)
            finally:
                self._engine = None
        if found.resigns:
            await self._act("resign", {"side": self._kept.state.game.turn}, seq)
        else:
            await self._move(found.move, seq)

    async def _move(self, move: str | None, seq: int) -> None:
        """Make a move, unless the game has gone on since event ``seq``.

        Raises:
            EngineLostError: there is none, or it is not legal.
            RefusedError: the store fails.
        """
        if seq != self._kept.seq:
            return
        if move is None or not self._kept.state.game.position.is_legal(move):
            played = "no move" if move is None else f"{move[:40]!r}, which is not legal"
            raise EngineLostError(f"the engine plays {played}")
        await self._act("move", {"usi": move}, seq)

    @in_turn
    async def _act(self, kind: str, payload: dict[str, Any], seq: int) -> None:
        """Record what it does, unless the game has gone on since event ``seq``."""
        with suppress(OvertakenError):
            await self._flag.fall()
            if seq == self._kept.seq:
                await self._kept.record(kind, payload)
