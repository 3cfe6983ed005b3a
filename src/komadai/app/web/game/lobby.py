"""The lobby: games with an open seat that whoever comes by may take.

A game stands there for as long as its maker has it open at any server of the store, one played over days for a week;
it leaves when the seat is taken or the game is called off, or for another one if the lobby is full. The store keeps
until when, and which games are of one address, but not of which.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
import secrets
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from ....game.time_control import NO_CLOCK, TimeControl
from ....i18n import ngettext, safely
from ..engines.addresses import Address
from ..engines.rate_limits import USUAL, RateLimits
from ..store import Challenge, OpenChallenge, Store
from .replay import RefusedError, TooManyGamesError
from .store_calls import ask_store

MOST_CHALLENGES = 200
"""The challenges in the lobby, those of all servers together."""
INVITATION = "lobby"
"""In place of an invitation's secret: the seat is for everybody."""

_LEASE = 30.0  # seconds for which a game is listed without its maker
_DAYS = 7 * 86_400.0  # the same of one played over days
_EVERY = 10.0  # seconds between two prolongations
_FRESH = 1.0  # seconds for which a list is shown again
_SHARES = re.compile("[1-9][0-9]{0,4}", re.ASCII)


class Maker(NamedTuple):
    """A network: what stands for it in the store, and its shares."""

    stand_in: str
    shares: int

    def __str__(self) -> str:
        return f"{self.stand_in}={self.shares}"


class Lobby:
    """The lobby of a store, as one server shows it."""

    def __init__(self, store: Store, attended: Callable[[], Collection[str]], limits: RateLimits = USUAL) -> None:
        """``attended``: the ids of the games in the lobby whose maker is connected here."""
        self._store, self._attended, self._limits = store, attended, limits
        self._key = secrets.token_bytes(32)  # gone with this server: nobody finds an address by what the store keeps
        self._listed: list[OpenChallenge] = []
        self._read_at = float("-inf")
        self._woken = asyncio.Event()

    @property
    def size(self) -> int:
        """The number of challenges listed when somebody asked last."""
        return len(self._listed)

    async def challenge(self, address: Address, control: TimeControl) -> Challenge:
        """The challenge that puts a game with that time control into the lobby, made at that address.

        If the lobby is full, the oldest game of whose address has most leaves it.

        Raises:
            TooManyGamesError: there are as many of the address as there may be.
            RefusedError: the store fails.
        """
        makers = self.makers(address)
        there = await ask_store(self._store.challenges, MOST_CHALLENGES)
        if not address.local:
            _require_room(there, makers, self._limits.challenges)
            if control.days:
                by_days = [one for one in there if safely(NO_CLOCK, partial(_control, one)).days]
                _require_room(by_days, makers, self._limits.challenges_by_days)
        if len(there) >= MOST_CHALLENGES:
            await ask_store(self._store.withdraw, _spare(there, makers).game.id)
            self._read_at = float("-inf")
        return Challenge(written(makers), _DAYS if control.days else _LEASE)

    def makers(self, address: Address) -> list[Maker]:
        """What stands for the networks of an address in the store."""
        return [Maker(self._stand_in(network.name), network.shares) for network in address.networks]

    def _stand_in(self, network: str) -> str:
        return hmac.new(self._key, network.encode(), hashlib.sha256).hexdigest()[:32]

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


def written(makers: Iterable[Maker]) -> str:
    """The networks of a maker as a text."""
    return " ".join(map(str, makers))


def makers_in(text: str) -> list[Maker]:
    """The networks in such a text. Of earlier versions there is one, without its shares."""
    parts = [text.partition("=") for text in text.split(" ")]
    return [Maker(name, int(shares) if _SHARES.fullmatch(shares) else 1) for name, _, shares in parts]


def _control(one: OpenChallenge) -> TimeControl:
    return TimeControl.stored(one.game.terms.get("time", str(NO_CLOCK)))


def _require_room(listed: Iterable[OpenChallenge], makers: Iterable[Maker], most: int) -> None:
    """Check that so many games for each share of these networks are not listed yet.

    Raises:
        TooManyGamesError: they are.
    """
    counted = Counter(maker for one in listed for maker in makers_in(one.maker))
    for maker in makers:
        own = counted[maker]
        if own >= most * maker.shares:
            raise TooManyGamesError(
                ngettext(
                    "You have {count} game in the lobby already: call it off first.",
                    "You have {count} games in the lobby already: call one off first.",
                    own,
                )
            )


def _spare(there: Sequence[OpenChallenge], newcomer: Iterable[Maker]) -> OpenChallenge:
    """The oldest challenge of whose network has most for its shares, with one for the newcomer."""
    counted = Counter(newcomer)
    counted.update(maker for one in there for maker in makers_in(one.maker))
    return max(reversed(there), key=lambda one: max(counted[maker] / maker.shares for maker in makers_in(one.maker)))
