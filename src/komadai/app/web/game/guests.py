"""The games that people have joined and not yet moved in: few for an address, so that nobody takes all seats."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from ....i18n import ngettext
from ..engines.addresses import Address, Network
from ..engines.rate_limits import RateLimits
from .replay import TooManyGamesError

_REMEMBERED = 10_000


class Guests:
    """The guests of games, by their addresses."""

    def __init__(self, unplayed: Callable[[str], Awaitable[bool]], limits: RateLimits) -> None:
        """``unplayed``: true if the guest of the game with that id has made no move, and still may."""
        self._unplayed, self._most = unplayed, limits.unplayed
        self._joined: dict[str, Address] = {}

    @asynccontextmanager
    async def joining(self, game: str, address: Address) -> AsyncIterator[None]:
        """Count a game as joined from an address, unless that fails.

        Raises:
            TooManyGamesError: there are as many of the address as there may be.
        """
        if address.local:
            yield
            return
        if self._joined.get(game) != address:
            await self._require_room(address)
        former = self._joined.pop(game, None)
        self._joined[game] = address
        if len(self._joined) > _REMEMBERED:
            del self._joined[next(iter(self._joined))]
        try:
            yield
        except BaseException:
            self._joined.pop(game, None)
            if former is not None:
                self._joined[game] = former
            raise

    async def _require_room(self, address: Address) -> None:
        for network in address.networks:
            if len(self._of(network)) >= self._most * network.shares:
                for game in self._of(network):
                    if not await self._unplayed(game):
                        self._joined.pop(game, None)
        for network in address.networks:  # as it is now: nothing is waited for from here on
            own = len(self._of(network))
            if own >= self._most * network.shares:
                raise TooManyGamesError(
                    ngettext(
                        "You have joined {count} game in which you have not moved: move there first, or resign.",
                        "You have joined {count} games in which you have not moved: move in one first, or resign.",
                        own,
                    )
                )

    def _of(self, network: Network) -> list[str]:
        return [game for game, address in self._joined.items() if network in address.networks]
