"""The fall of a flag, at its time, and the time that counts for it."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

from .heartbeat import Heartbeat
from .kept_game import KeptGame, OvertakenError, in_turn
from .replay import DeletedError, RefusedError

log = logging.getLogger(__name__)

_TICK = 0.001  # seconds by which a timer is late, so that it is never early
_AGAIN = 0.5  # seconds between attempts to store a fallen flag


class Flag:
    """Lets the flag of the side to move fall in one game."""

    def __init__(self, kept: KeptGame, heartbeat: Heartbeat) -> None:
        """``heartbeat``: of this server."""
        self._kept, self._heartbeat = kept, heartbeat
        self._alarm: asyncio.TimerHandle | None = None  # when the flag falls
        self._falling: asyncio.Task[None] | None = None

    async def fall(self) -> None:
        """Store the fall of a flag, if one has fallen in the time that counts. In turn."""
        await self._kept.settle()
        if self._kept.state.fallen() is not None:
            await self._heartbeat.beat()
        await self._excuse()
        fallen = self._kept.state.fallen()
        if fallen is not None:
            await self._kept.record(*fallen)

    @in_turn
    async def outage(self) -> None:
        """Do not count the time in which no server was there, if a clock was running.

        Raises:
            RefusedError: the store fails.
        """
        with suppress(OvertakenError):
            await self._kept.settle()
            await self._excuse()

    async def _excuse(self) -> None:
        """Store how much of the time since the last event counts, if not all does. In turn."""
        if self._kept.state.clocks.running:
            if self._heartbeat.late:
                await self._heartbeat.beat()
            counted = self._kept.state.clocks.counted(self._heartbeat.watches)
            if counted is not None:
                await self._kept.record("outage", {"counted": round(counted, 3)})

    def set_alarm(self, least: float = _TICK) -> None:
        """Set the timer to the fall of the flag of the side to move, but at least ``least`` seconds ahead."""
        if self._alarm is not None:
            self._alarm.cancel()
        remaining = self._kept.state.clocks.remaining()
        later = asyncio.get_running_loop().call_later
        self._alarm = None if remaining is None else later(max(remaining + _TICK, least), self._ring)

    def _ring(self) -> None:
        self._falling = asyncio.create_task(self._fall_at_last())

    async def _fall_at_last(self) -> None:
        try:
            await self._kept.in_turn(self.fall())
        except OvertakenError:
            pass  # another server was first, or a move was
        except DeletedError:
            return
        except RefusedError as error:
            log.error("the flag cannot fall: %s", error, extra={"game": self._kept.id})
        except Exception:
            log.exception("the flag cannot fall", extra={"game": self._kept.id})
        self.set_alarm(_AGAIN)

    async def close(self) -> None:
        """Cancel the timer."""
        if self._alarm is not None:
            self._alarm.cancel()
        if self._falling is not None:
            self._falling.cancel()
            await asyncio.gather(self._falling, return_exceptions=True)
