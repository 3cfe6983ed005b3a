"""The lobby: games with an open seat that whoever comes by may take.

A game stands there for as long as its maker has it open at any server of the store, one played over days for a week;
it leaves when the seat is taken or the game is called off. The store keeps until when.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections.abc import Callable, Collection
from contextlib import suppress

from ...game.time_control import TimeControl
from ...i18n import _, ngettext
from ..engines.rate_limits import USUAL, is_loopback
from ..store import Challenge, OpenChallenge, Store
from .replay import RefusedError
from .store_calls import ask_store

MOST_CHALLENGES = 200
"""The challenges in the lobby, those of all servers together."""
INVITATION = "lobby"
"""In place of an invitation's secret: the seat is for everybody."""

_LEASE = 30.0  # seconds for which a game is listed without its maker
_DAYS = 7 * 86_400.0  # the same of one played over days
_EVERY = 10.0  # seconds between two prolongations
_FRESH = 1.0  # seconds for which a list is shown again


class FullLobbyError(RefusedError):
    """A challenge for which there is no room."""


class Lobby:
    """The lobby of a store, as one server shows it."""

    def __init__(
        self, store: Store, attended: Callable[[], Collection[str]], by_address: int = USUAL.challenges
    ) -> None:
        """``attended``: the ids of the games in the lobby whose maker is connected here. ``by_address``: how many one
        address may have there."""
        self._store, self._attended, self._by_address = store, attended, by_address
        self._listed: list[OpenChallenge] = []
        self._read_at = float("-inf")
        self._woken = asyncio.Event()

    @property
    def size(self) -> int:
        """The number of challenges listed when somebody asked last."""
        return len(self._listed)

    async def challenge(self, address: str, control: TimeControl) -> Challenge:
        """The challenge that puts a game with that time control into the lobby, made at that address.

        Raises:
            FullLobbyError: there are as many as there may be.
            RefusedError: the store fails.
        """
        secret = await ask_store(self._store.secret, "lobby")
        maker = hmac.new(secret.encode(), address.encode(), hashlib.sha256).hexdigest()[:32]
        there = await ask_store(self._store.challenges, MOST_CHALLENGES)
        own = sum(one.maker == maker for one in there)
        if own >= self._by_address and not is_loopback(address):
            raise FullLobbyError(
                ngettext(
                    "You have {count} game in the lobby already: call it off first.",
                    "You have {count} games in the lobby already: call one off first.",
                    own,
                )
            )
        if len(there) >= MOST_CHALLENGES:
            raise FullLobbyError(_("The lobby is full at present: invite somebody by a link, or try again later."))
        return Challenge(maker, _DAYS if control.days else _LEASE)

    async def challenges(self) -> list[OpenChallenge]:
        """The challenges, the latest first.

        Raises:
            RefusedError: the store fails.
        """
        now = asyncio.get_running_loop().time()
        if now - self._read_at >= _FRESH:
            self._listed = await ask_store(self._store.challenges, MOST_CHALLENGES)
            self._read_at = now
        return self._listed

    def wake(self) -> None:
        """Look at once whose maker is connected."""
        self._woken.set()

    async def keep(self) -> None:
        """Prolong the challenges whose makers are connected, until cancelled."""
        while True:
            await self._woken.wait()
            while games := self._attended():
                self._woken.clear()
                with suppress(RefusedError):  # which is in the log
                    await ask_store(self._store.prolong, games, _LEASE)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._woken.wait(), _EVERY)
            self._woken.clear()
