"""In what order the event loop begins what clients ask for, so that games go on meanwhile."""

from __future__ import annotations

import asyncio

from .rate_limits import Bucket
from .turns import Payer, Turns

_UNHURRIED = 20, 10  # beginnings a second, and at once, after which there is no pause
_TIMES = 3  # what begins goes on later, when the store has answered, for about three times as long as at first


class Pace:
    """Lets one thing begin in each round of the event loop, by turns, and pauses after each while there are many.

    Requests that arrive together would each take their part of one round, for which every move had to wait.
    """

    def __init__(self) -> None:
        self._turns, self._unhurried = Turns(1, rest=0.0), Bucket(*_UNHURRIED)

    async def begin(self, payer: Payer) -> None:
        """Wait until the payer may begin."""
        await self._turns.take(payer)
        loop = asyncio.get_running_loop()
        if self._unhurried.take():
            loop.call_soon(self._turns.release, payer)
            return
        began = loop.time()

        def begun() -> None:  # in the next round
            loop.call_later(_TIMES * (loop.time() - began), self._turns.release, payer)

        loop.call_soon(begun)
