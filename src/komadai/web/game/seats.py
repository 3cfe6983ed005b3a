"""Who sits where: the seats of a game, the people in them, and the secrets that show who may act for a side."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from typing import Any, cast

from ...i18n import _
from ...spec.board import SIDES, Side, other
from ..store import Event, GameRow
from .replay import RefusedError

HUMAN = "human"
OPEN = "open"
"""The seat of a person who is still to come."""


def new_secret() -> str:
    """A secret that cannot be guessed."""
    return secrets.token_urlsafe(24)


def digest(secret: str) -> str:
    """What is kept of a secret: enough to know it again."""
    return hashlib.sha256(secret.encode()).hexdigest()


def plain_name(text: str) -> str:
    """A person's name, with single blanks.

    Raises:
        RefusedError: it has signs that cannot be seen.
    """
    name = " ".join(text.split())
    if not name.isprintable():
        raise RefusedError(_("Names may contain only visible characters."))
    return name


class Seats:
    """The seats of one game, made from how it was settled and from its events.

    A token belongs to a person, who may hold both seats. Of a game that was made without tokens everybody may move for
    everybody.

    Attributes:
        seats: what sits where; ``human`` where a person has come to an open seat.
        names: of people who have told theirs.
    """

    def __init__(self, row: GameRow) -> None:
        self.seats = cast("dict[Side, str]", dict(row.seats))
        self.names: dict[str, str] = dict(row.terms.get("names", {}))
        self._keys: dict[str, str] | None = dict(row.terms["tokens"]) if "tokens" in row.terms else None
        self._invite: str | None = row.terms.get("invite")
        self._invited = next((side for side in SIDES if row.seats[side] == OPEN), None)
        self._guest: str | None = None

    def apply(self, event: Event) -> None:
        """Let an event happen; only ``join`` matters here."""
        if event.kind == "join":
            side, name = event.payload["side"], event.payload["name"]
            self.seats[side] = HUMAN
            self._keys = {**(self._keys or {}), side: event.payload["token"]}
            self._guest = event.payload["visitor"]
            if name:
                self.names[side] = name

    @property
    def people(self) -> frozenset[Side]:
        """The sides that people play who are there."""
        return frozenset(side for side in SIDES if self.seats[side] == HUMAN)

    @property
    def waiting(self) -> bool:
        """Whether somebody is still to come."""
        return OPEN in self.seats.values()

    @property
    def apart(self) -> bool:
        """Whether two people play who do not share a screen: what concerns both is agreed between them."""
        return self._keys is not None and len(self.people) == 2 and len(set(self._keys.values())) == 2

    def sides(self, token: str | None) -> frozenset[Side]:
        """The sides that whoever shows this token may act for; none for a spectator."""
        if self._keys is None:
            return self.people
        shown = "" if token is None else digest(token)
        return frozenset(side for side in self.people if hmac.compare_digest(self._keys[side], shown))

    def invited(self, token: str | None) -> bool:
        """Whether what is shown is the invitation to this game."""
        return token is not None and self._invite is not None and hmac.compare_digest(self._invite, digest(token))

    def join(self, invite: str, name: str, visitor: str | None) -> tuple[str, dict[str, Any]]:
        """What the guest is given, a token, and the payload of the event that lets them sit down.

        The same browser may come again, for instance because the answer was lost: its last token counts.

        Args:
            visitor: the browser's id, ``None`` if it has none.

        Raises:
            RefusedError: the invitation is of no use; the text says why.
        """
        if not self.invited(invite):
            raise RefusedError(_("This invitation belongs to no game on this server."))
        if not self.waiting and (visitor is None or visitor != self._guest):
            raise RefusedError(_("Somebody else has taken that seat; you can watch the game."))
        token = new_secret()
        payload = {"side": self._invited, "name": plain_name(name), "token": digest(token), "visitor": visitor}
        return token, payload

    def swapped(self, terms: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, Any]]:
        """Seats and terms of another game between the same people with the sides changed; their tokens remain."""
        kept = {name: value for name, value in terms.items() if name not in ("tokens", "names", "invite", "rematch")}
        kept["names"] = {other(cast("Side", side)): name for side, name in self.names.items()}
        if self._keys is not None:
            kept["tokens"] = {other(cast("Side", side)): key for side, key in self._keys.items()}
        return {side: self.seats[other(side)] for side in SIDES}, kept
