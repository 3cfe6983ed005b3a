"""The seats of a game: their occupants, and the secret tokens that permit acting for a side."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from typing import Any, cast

from ....errors import NotationError
from ....i18n import _
from ....spec.board import SIDES, Side, other
from ..store import Event, GameRow
from .replay import RefusedError

_OWN_TERMS = ("tokens", "names", "invite", "lobby", "rematch")  # of a game, which the next one does not have
HUMAN = "human"
OPEN = "open"
"""The seat of a person yet to join."""


GRANTED = "p."
"""How the tokens begin that profiles have for seats; those that seats are made with have no dot."""


def is_granted(token: str) -> bool:
    """True for a token that only a profile can have."""
    return token.startswith(GRANTED)


def new_secret() -> str:
    """An unguessable secret."""
    return secrets.token_urlsafe(24)


def digest(secret: str) -> str:
    """The digest of a secret, which is stored in its place."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _same(kept: str, shown: str) -> bool:
    """Compare what is kept of a secret with what somebody shows, in a time that says nothing."""
    return hmac.compare_digest(kept.encode(), shown.encode())


def plain_name(text: str) -> str:
    """A person's name with single spaces.

    Raises:
        RefusedError: it has invisible characters.
    """
    name = " ".join(text.split())
    if not name.isprintable():
        raise RefusedError(_("Names may contain only visible characters."))
    return name


class Seats:
    """The seats of one game, derived from its creation and its events.

    A token belongs to a person, who may have both seats.

    Attributes:
        occupants: by side; an open seat becomes ``human`` when a person joins.
        names: of the people who gave one.
        granted: the keys of seats by the digests of other tokens for them, which profiles have.
    """

    def __init__(self, row: GameRow) -> None:
        self.occupants = dict(row.seats)
        self.names: dict[Side, str] = dict(row.terms.get("names", {}))
        self._keys: dict[str, str] = dict(row.terms.get("tokens", {}))
        self._invite: str | None = row.terms.get("invite")
        if not self.people <= self._keys.keys():
            raise NotationError(_("seats"), [_("a seat has no token")])
        self._invited = next((side for side in SIDES if row.seats[side] == OPEN), None)
        self._guest: str | None = None
        self.granted: dict[str, str] = {}

    def apply(self, event: Event) -> None:
        """Update the seats after an event; only ``join`` changes them."""
        if event.kind == "join":
            side, name = event.payload["side"], event.payload["name"]
            self.occupants[side] = HUMAN
            self._keys = self._keys | {side: event.payload["token"]}
            self._guest = event.payload["visitor"]
            if name:
                self.names[side] = name

    @property
    def people(self) -> frozenset[Side]:
        """The sides of people who have joined."""
        return frozenset(side for side in SIDES if self.occupants[side] == HUMAN)

    @property
    def guest_side(self) -> Side | None:
        """The side of the seat that was open at first."""
        return self._invited

    @property
    def waiting(self) -> bool:
        """True while a seat is open."""
        return OPEN in self.occupants.values()

    @property
    def apart(self) -> bool:
        """True if two people play from different screens, so that they have to agree on a takeback, for example."""
        return len(self.people) == 2 and len(set(self._keys.values())) == 2

    def sides(self, token: str | None) -> frozenset[Side]:
        """The sides that this token permits acting for; none for a spectator."""
        shown = "" if token is None else digest(token)
        return self.sides_of(self.granted.get(shown, shown))

    def sides_of(self, key: str) -> frozenset[Side]:
        """The sides of the person whose token has that digest."""
        return frozenset(side for side in self.people if _same(self._keys[side], key))

    def invited(self, token: str | None) -> bool:
        """True if this is the secret of the invitation to this game."""
        return token is not None and self._invite is not None and _same(self._invite, digest(token))

    def join(self, invite: str, name: str, visitor: str | None) -> tuple[str, dict[str, Any]]:
        """A new token for the guest, and the payload of the event ``join``.

        The same browser may join again, for instance because the answer was lost: its last token is valid.

        Args:
            visitor: the browser's id, ``None`` if it has none.

        Raises:
            RefusedError: the invitation is not valid; the message says why.
        """
        if not self.invited(invite):
            raise RefusedError(_("This invitation belongs to no game on this server."))
        if not self.waiting and (visitor is None or visitor != self._guest):
            raise RefusedError(_("Somebody else has taken that seat; you can watch the game."))
        token = new_secret()
        payload = {"side": self._invited, "name": plain_name(name), "token": digest(token), "visitor": visitor}
        return token, payload

    def swapped(self, terms: Mapping[str, Any]) -> tuple[dict[Side, str], dict[str, Any]]:
        """Seats and terms of another game between the same people with the sides exchanged; their tokens stay valid."""
        kept = {name: value for name, value in terms.items() if name not in _OWN_TERMS}
        kept["names"] = {other(side): name for side, name in self.names.items()}
        kept["tokens"] = {other(cast("Side", side)): key for side, key in self._keys.items()}
        return {side: self.occupants[other(side)] for side in SIDES}, kept
