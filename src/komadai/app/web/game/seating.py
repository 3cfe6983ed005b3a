"""Who may act in a game: guests who take the open seat, and the tokens of profiles."""

from __future__ import annotations

from .audience import Audience
from .kept_game import KeptGame, OvertakenError, in_turn
from .seats import digest, is_granted
from .store_calls import ask_for_move
from .views import Views


class Seating:
    """The seats of one game, as the store knows them."""

    def __init__(self, kept: KeptGame, audience: Audience, views: Views) -> None:
        self._kept, self._audience, self._views = kept, audience, views

    async def admit(self, token: str | None) -> None:
        """Look whether a token is one of a profile's, for a seat here; if the profile is gone, it is none any more.

        Raises:
            RefusedError: the store fails.
        """
        if token is not None and is_granted(token):
            await self._grant(digest(token))

    async def renew(self) -> None:
        """Ask again for the profiles' tokens that are in use: a profile may be gone.

        Raises:
            RefusedError: the store fails.
        """
        for shown in tuple(self._kept.state.seats.granted):
            await self._grant(shown)

    async def _grant(self, shown: str) -> None:
        """Ask the store which seat a profile's token with that digest is for."""
        key = await ask_for_move(self._kept.store.granted, shown)
        granted = self._kept.state.seats.granted
        had = granted.pop(shown, None)
        if key is not None:
            granted[shown] = key
        if had not in (None, key):
            self._audience.tell_each(self._views.state)  # which says who may act

    @in_turn
    async def sit_down(self, invite: str, name: str, visitor: str | None) -> str:
        """Let an invited guest take the open seat; the guest's token.

        Raises:
            RefusedError: the invitation is not valid, or the store fails.
        """
        await self._kept.settle()
        token, payload = self._kept.state.join(invite, name, visitor)
        try:
            await self._kept.record("join", payload)
        except OvertakenError:
            if not self._kept.state.seats.sides(token):
                raise
        return token  # also where it was written when the connection to the store broke
