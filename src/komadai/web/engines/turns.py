"""Whose turn it is to use an engine: addresses take turns, and so do the owners at one address."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import NamedTuple

_REMEMBERED = 10_000  # addresses and owners of whom it is known when they had their last turn


class Payer(NamedTuple):
    """For whom an engine thinks.

    Attributes:
        address: the network of their connection (:func:`.rate_limits.network`).
        owner: the id of their browser; empty if unknown. All the unknown at one address are one owner.
    """

    address: str = ""
    owner: str = ""


NOBODY = Payer()
"""A payer of whom nothing is known."""


@dataclass(eq=False, slots=True)
class _Waiting:
    payer: Payer
    come: asyncio.Future[None]


class Turns:
    """So many may use something at once; of those who wait, the next is whose address, then whose owner, has waited
    longest for a turn."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._waiting: list[_Waiting] = []
        self._turns = 0
        self._last: OrderedDict[Payer, int] = OrderedDict()  # turn; of an address as a whole, by a payer without owner

    @property
    def queued(self) -> int:
        """The number of those who wait."""
        return len(self._waiting)

    @property
    def waiting(self) -> bool:
        """True if anybody waits."""
        return bool(self._waiting)

    @property
    def full(self) -> bool:
        """True if whoever comes must wait."""
        return not self._places

    async def take(self, payer: Payer) -> None:
        """Wait for a turn; :meth:`release` ends it."""
        if self._places:
            self._places -= 1
            self._served(payer)
            return
        waiting = _Waiting(payer, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        try:
            await waiting.come
        except asyncio.CancelledError:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            else:
                self.release()  # the turn had come
            raise

    def release(self) -> None:
        """End a turn; the next one begins."""
        if not self._waiting:
            self._places += 1
            return
        following = min(self._waiting, key=lambda waiting: self._before(waiting.payer))
        self._waiting.remove(following)
        self._served(following.payer)
        following.come.set_result(None)

    def _before(self, payer: Payer) -> tuple[int, int]:
        """The last turns of the address and of the owner."""
        return self._last.get(Payer(payer.address, "*"), 0), self._last.get(payer, 0)

    def _served(self, payer: Payer) -> None:
        self._turns += 1
        for key in (Payer(payer.address, "*"), payer):
            self._last[key] = self._turns
            self._last.move_to_end(key)
        while len(self._last) > _REMEMBERED:
            self._last.popitem(last=False)
