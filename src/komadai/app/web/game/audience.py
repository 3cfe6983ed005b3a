"""The clients connected to a game: their tokens, presence, and messages to all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from ....i18n import current_language, speaking
from ..engines.addresses import NOWHERE, Address
from ..schema import events, model
from ..schema.events import to_text
from .kept_game import KeptGame

_SOON = 0.2  # seconds over which changes of presence are collected

Listener = Callable[[str], None]


class _Joined(NamedTuple):
    """A client: its token, the language of its messages, and its address."""

    token: str | None
    language: str
    address: Address


class Audience:
    """The clients that are connected to one game at this server."""

    def __init__(self, kept: KeptGame) -> None:
        self._kept = kept
        self._listeners: dict[Listener, _Joined] = {}
        self._announcing: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._listeners)

    def join(self, listener: Listener, token: str | None, address: Address) -> None:
        """Send all messages to ``listener``, a client with that token at that address, from now on."""
        self._listeners[listener] = _Joined(token, current_language(), address)
        self._announce()

    def leave(self, listener: Listener) -> None:
        """Send no more messages to it."""
        self._listeners.pop(listener, None)
        self._announce()

    def tell(self, message: str) -> None:
        """Send a message to all."""
        for listener in tuple(self._listeners):
            listener(message)

    def tell_each(self, message: Callable[[str | None], str]) -> None:
        """Send each the message for its token, in its language."""
        for listener, joined in tuple(self._listeners.items()):
            with speaking(joined.language):
                listener(message(joined.token))

    def complain(self, reason: str) -> None:
        """Tell all of an error."""
        self.tell(to_text(events.ErrorMessage(reason)))

    def presence(self) -> model.Presence:
        """The people connected to this server, and the number of spectators; guests with an invitation are neither."""
        seats, tokens = self._kept.state.seats, [joined.token for joined in self._listeners.values()]
        present = [seats.sides(token) for token in tokens if not seats.invited(token)]
        connected = {side: any(side in sides for sides in present) for side in seats.people}
        return model.Presence(sum(not sides for sides in present), connected)

    def player_address(self) -> Address:
        """The address of a player, the first who is connected."""
        seats = self._kept.state.seats
        places = [joined.address for joined in self._listeners.values() if seats.sides(joined.token)]
        return places[0] if places else NOWHERE

    def _announce(self) -> None:
        """Send the presence to all clients soon; many connect at once after a restart of the server."""
        if self._announcing is None and self._listeners:
            self._announcing = asyncio.get_running_loop().call_later(_SOON, self._send_presence)

    def _send_presence(self) -> None:
        self._announcing = None
        self.tell(to_text(events.PresenceMessage(**model.fields_of(self.presence()))))

    def close(self) -> None:
        """Announce nothing any more."""
        if self._announcing is not None:
            self._announcing.cancel()
